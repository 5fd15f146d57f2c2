# SPDX-License-Identifier: Apache-2.0
"""The kernel library compiles without a warning for every size, holds every call, and its machine
code is what was promised."""

from __future__ import annotations

import ctypes
import itertools
import random
import re
import subprocess
from pathlib import Path

import pytest
from mel_gen import COMMANDS, Status, TraceKind
from mel_gen import KERNELS as KERNEL_INFO

from melanion import paths
from melanion.build import tools
from melanion.build.listing import listing
from tests.common import needed
from tests.common.kernel_program import Compiled, compile_program, system

MAIN = "#include <melanion/melanion.h>\nint main(void) { return 0; }\n"
PINNED_COMPILER = "12.2.0"  # machine code is asserted with this version only
KERNELS = (
    "sw",
    "sw-sorted",
    "hwrtos",
    "hwrtos-2",
    "hwrtos-4",
    "booster",
    "booster-2",
    "port",
    "port-2",
    "banked",
    "banked-2",
    "banked-4",
)
SMALLEST, LARGEST = (4, 2, 0, 0), (256, 256, 128, 32)
SOAK = pytest.mark.soak
# Systems of four cores, compiled in `make soak`: `#if` in the kernels tells only one from several.
MANY_CORES = {"hwrtos-4", "banked-4"}

INCLUDE = paths.data_root() / "kernel" / "include" / "melanion"
DOCUMENTED = (  # headers in which every call has a comment of its own
    "task",
    "semaphore",
    "event_flags",
    "queue",
    "mutex",
    "notification",
    "interrupt",
    "time",
    "timer",
    "quantum",
    "deadline",
    "monitor",
    "kernel",
)
DECLARATION = re.compile(r"^(?!static|typedef|#|\s).*?\b(mel_\w+)\(.*\);$", re.MULTILINE)


def declared() -> set[str]:
    """Functions of the public headers."""
    headers = (*DOCUMENTED, "console")
    return {name for h in headers for name in DECLARATION.findall((INCLUDE / f"{h}.h").read_text())}


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=[SOAK] if name in MANY_CORES else []) for name in KERNELS],
)
def kernel(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Compiled]:
    """The largest, which has every call and every record."""
    name: str = request.param
    sized = system(name, LARGEST, "small")
    return name, compile_program(tmp_path_factory.mktemp(name), sized, MAIN)


def test_largest_compiles_without_warning(kernel: tuple[str, Compiled]) -> None:
    kernel[1].link()


# The smallest: one of each coupling and each set of objects in every run.
SMALL_NOW = ("sw-sorted", "hwrtos", "booster-2", "port", "banked-2")


@pytest.mark.parametrize(
    ("name", "sizes", "variant"),
    [
        *(
            pytest.param(name, SMALLEST, "main", marks=[] if name in SMALL_NOW else SOAK)
            for name in KERNELS
        ),
        *(pytest.param(name, SMALLEST, "small", marks=SOAK) for name in KERNELS),
        *(pytest.param(name, LARGEST, "main", marks=SOAK) for name in KERNELS),
    ],
)
def test_compiles_without_warning(
    tmp_path: Path, name: str, sizes: tuple[int, int, int, int], variant: str
) -> None:
    compile_program(tmp_path, system(name, sizes, variant), MAIN).link()


def test_unit_serves_64_interrupts(hardware: Compiled) -> None:
    hardware.link()


def test_software_kernel_refuses_more_lines_than_its_controller(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="has 64 lines: set interrupts and timers to 63"):
        compile_program(tmp_path, system("sw", (64, 32, 64, 57)), MAIN)


def test_every_declared_call_is_defined(kernel: tuple[str, Compiled]) -> None:
    assert len(declared()) > 35
    missing = declared() - kernel[1].symbols()
    assert not missing, f"{kernel[0]} lacks {sorted(missing)}"


def test_every_command_has_a_call() -> None:
    """semaphore_give → mel_sem_give, event_flags_set → mel_flags_set, tick_set → mel_tick_set …"""
    names = (c.name.lower().replace("semaphore", "sem") for c in COMMANDS)
    expected = {f"mel_{name.removeprefix('event_')}" for name in names}
    assert not expected - declared()


def test_every_call_is_documented_where_it_is_declared() -> None:
    for header in DOCUMENTED:
        lines = (INCLUDE / f"{header}.h").read_text().splitlines()
        for before, line in itertools.pairwise(lines):
            if DECLARATION.match(line):
                assert before.endswith("*/"), f"{header}.h: {line} has no comment"


def disassembly(compiled: Compiled, function: str) -> list[str]:
    """Its instructions, mnemonic and operands, without the zeros that align the next function."""
    found = [each for each in listing(compiled.link()).values() if each.function == function]
    assert found, f"{function} is not in the program"
    words = [f"{each.mnemonic} {','.join(each.operands)}".strip() for each in found]
    return [word for word in words if word != "unimp"]


LACKING = sorted(KERNEL_INFO["sw"].lacks & {command.name.lower() for command in COMMANDS})


@pytest.mark.parametrize("name", LACKING)
def test_a_call_that_the_software_kernel_lacks_is_e_rsfn_and_nothing_else(
    software: Compiled, name: str
) -> None:
    """Also in its trace: a call without a store, and without a load, reports nothing."""
    assert disassembly(software, f"mel_{name}") == [f"li a0,{Status.E_RSFN}", "ret"]


def pinned() -> bool:
    return PINNED_COMPILER in tools.version(tools.CROSS_GCC)


CALLER = """
#include <melanion/melanion.h>
int main(void) {
    uint32_t word;
    return mel_sem_give(1) + mel_sem_take(1, MEL_POLL) + mel_task_yield() +
           mel_flags_wait_any(1, 2, MEL_POLL, &word) + mel_flags_take_all(1, 2, MEL_POLL, &word) +
           mel_flags_clear(1, 2) + mel_queue_send(1, 2, MEL_POLL) + mel_queue_post(1, 2, 3) +
           mel_queue_receive(1, MEL_POLL, &word) + mel_timer_start(1, 2, 3) +
           mel_mutex_lock(1, MEL_POLL) + mel_mutex_unlock(1) +
           mel_notification_set(1, 2) + mel_notification_give(1) + mel_notification_send(1, 2) +
           mel_notification_wait(1, MEL_POLL, &word) + mel_notification_take(MEL_POLL, &word);
}
"""


@pytest.fixture(scope="module")
def hardware(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    """With as many interrupts as a unit may have."""
    sized = system("hwrtos", (64, 32, 64, 64))
    return compile_program(tmp_path_factory.mktemp("hardware"), sized, CALLER)


@pytest.fixture(scope="module")
def software(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    """It makes each of these calls, and those that it lacks."""
    claim = {"claim_limit"}  # its only argument
    calls = " + ".join(f"mel_{name}({'1' if name in claim else '1, 1'})" for name in LACKING)
    source = CALLER.replace("return ", f"return {calls} + ")
    return compile_program(tmp_path_factory.mktemp("software"), system("sw"), source)


@pytest.mark.parametrize("function", ["mel_sem_give", "mel_sem_take", "mel_task_yield"])
def test_a_call_of_the_unit_is_one_store_and_one_load(hardware: Compiled, function: str) -> None:
    found = disassembly(hardware, function)
    if not pinned():
        pytest.skip(needed.reason("compiler", f"machine code is of {PINNED_COMPILER}"))
    mnemonics = [line.split()[0] for line in found]
    assert mnemonics.count("sw") == 1 and mnemonics.count("lw") == 1
    assert mnemonics[-4:] == ["lw", "bgtz", "ret", "j"], found
    assert "lui" in mnemonics and len(mnemonics) <= 9, found


@pytest.mark.parametrize("function", ["mel_queue_send", "mel_queue_post", "mel_timer_start"])
def test_an_operand_is_one_store_more(hardware: Compiled, function: str) -> None:
    found = disassembly(hardware, function)
    if not pinned():
        pytest.skip(needed.reason("compiler", f"machine code is of {PINNED_COMPILER}"))
    mnemonics = [line.split()[0] for line in found]
    assert mnemonics[:2] == ["lui", "sw"] and mnemonics.count("sw") == 2
    assert mnemonics[-5:] == ["sw", "lw", "bgtz", "ret", "j"] and len(mnemonics) == 11, found


def test_a_value_is_one_load_more(hardware: Compiled) -> None:
    """… and the store to where the caller wants it, when the call does not wait."""
    found = disassembly(hardware, "mel_queue_receive")
    if not pinned():
        pytest.skip(needed.reason("compiler", f"machine code is of {PINNED_COMPILER}"))
    mnemonics = [line.split()[0] for line in found]
    quick = mnemonics[: mnemonics.index("ret") + 1]
    ending = ["sw", "lw", "bnez", "lui", "lw", "li", "sw", "ret"]
    assert [m for m in quick if m != "mv"][-len(ending) :] == ending, found


SOFTWARE_LEAVES = (
    "mel_sem_give",
    "mel_sem_take",
    "mel_task_yield",
    "mel_flags_wait_any",
    "mel_flags_take_all",
    "mel_flags_clear",
    "mel_queue_send",
    "mel_queue_post",
    "mel_queue_receive",
    "mel_mutex_lock",
    "mel_mutex_unlock",
    "mel_notification_set",
    "mel_notification_give",
    "mel_notification_send",
    "mel_notification_wait",
    "mel_notification_take",
)


@pytest.mark.parametrize("function", SOFTWARE_LEAVES)
def test_a_call_of_software_without_a_switch_saves_nothing(
    software: Compiled, function: str
) -> None:
    found = disassembly(software, function)
    if not pinned():
        pytest.skip(needed.reason("compiler", f"machine code is of {PINNED_COMPILER}"))
    assert not [line for line in found if line.startswith("jal") or "(sp)" in line], found


HANGS_ON = {  # instructions that may stand under a record
    TraceKind.OPERAND: {"csrrc"},  # or csrrci
    TraceKind.COMMAND: {"sw", "csrs"},
    TraceKind.DISPATCH: {"sw"},
    TraceKind.TICK: {"sw"},
    TraceKind.TIMEOUT: {"sw"},
    TraceKind.RELEASE: {"sw"},
    TraceKind.ORPHAN: {"sw"},
    TraceKind.IRQ: {"lw", "sw"},
    TraceKind.CLAIM: {"sw"},
    TraceKind.TURN: {"sw"},
    TraceKind.SLICE: {"sw"},
    TraceKind.ANSWER: {"lw"},
}
# Objects in C: the command's address, or the status, which is loaded for nothing else.
HANGS_ON_OF_OBJECTS = {
    TraceKind.OPERAND: {"csrrc", "nop"},
    TraceKind.COMMAND: {"lui", "li"},
    TraceKind.RELEASE: {"lui"},
    TraceKind.IRQ: {"lui", "li"},
}


def test_trace_records_hang_on_instructions_of_their_own(kernel: tuple[str, Compiled]) -> None:
    """No path reaches a record that does not speak of it. The unit reports itself: no record."""
    name, compiled = kernel
    records = [line.split() for line in compiled.image().tracepoints.splitlines()]
    places = {int(r[0], 16): TraceKind(int(r[1])) for r in records if r[0] != "stack"}
    assert len(places) == sum(r[0] != "stack" for r in records), "two records on one instruction"
    found = system(name)
    if found.unit and not found.kernel_info.in_c:
        assert not places
        return
    under = HANGS_ON_OF_OBJECTS if found.unit else HANGS_ON
    assert set(places.values()) == set(under)
    code = listing(compiled.link())
    for address, kind in places.items():
        assert code[address].mnemonic in under[kind], (kind.name, code[address])


# ---- memory.c, on this machine ------------------------------------------------------------------


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    library = tmp_path_factory.mktemp("memory") / "memory.so"
    source = paths.data_root() / "kernel" / "common" / "memory.c"
    names = [f"-D{name}=mel_{name}" for name in ("memcpy", "memmove", "memset")]
    words = [tools.find("cc"), "-O2", "-shared", "-fPIC", *names, str(source), "-o", str(library)]
    subprocess.run(words, check=True)
    return ctypes.CDLL(str(library))


def test_memory_functions(memory: ctypes.CDLL) -> None:
    """Every alignment and length up to 70, overlapping moves in both directions."""
    generator = random.Random(1)
    size = 160
    for _ in range(4000):
        start = bytes(generator.randrange(256) for _ in range(size))
        to, source = generator.randrange(80), generator.randrange(80)
        count = generator.randrange(71)
        cases = [("mel_memmove", True), ("mel_memset", False)]
        if abs(to - source) >= count:
            cases.append(("mel_memcpy", True))
        for name, copies in cases:
            buffer = ctypes.create_string_buffer(start, size)
            base = ctypes.addressof(buffer)
            second = ctypes.c_void_p(base + source) if copies else ctypes.c_int(source - 256)
            getattr(memory, name)(ctypes.c_void_p(base + to), second, ctypes.c_size_t(count))
            filling = start[source : source + count] if copies else bytes([source & 255]) * count
            expected = start[:to] + filling + start[to + count :]
            assert buffer.raw == expected, (name, to, source, count)
