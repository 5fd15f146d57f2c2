# SPDX-License-Identifier: Apache-2.0
"""The coupling `port` on RTL: its inline calls give the commands that the library gives, in the
promised instructions; its other accesses; and that devices alone have wait states.

Its translation is proved (hw/formal/mel_port.sv); scenarios, random programs, interrupts in every
cycle, several cores and exact cycles are in the tests of those, with `port` among the kernels.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from mel_gen import PORT_BASE, PORT_BYTES, Command, Register, Status, TraceKind
from ruamel.yaml import YAML

from melanion import build, config, paths
from melanion.run import RunResult, Settings, run_program
from tests.common import bare, findings, kept, needed, planted_tree
from tests.common.kernel_program import Compiled, compile_program, system
from tests.common.planted_tree import TreeMutant
from tests.faults import silence
from tests.faults.silence import SilentTree
from tests.kernel.test_kernel_build import (
    DECLARATION,
    INCLUDE,
    PINNED_COMPILER,
    declared,
    disassembly,
    pinned,
)

HEADERS = paths.data_root() / "kernel" / "unit" / "port" / "include" / "melanion"
MUTANTS = paths.data_root() / "tests" / "mutants" / "port.yaml"

SAVED = re.compile(r"\(sp\)|sp,sp|ra,")  # instructions that keep ra for the switch

# ---- every form of every call --------------------------------------------------------------------

# By what a call takes: o an object, t a task, a an argument or operand, v where a word goes.
CALLS = {
    "": ("dispatch_disable", "task_yield"),
    "o": ("sem_give", "mutex_unlock", "irq_raise"),
    "t": (
        *("task_wakeup", "task_suspend", "task_resume"),
        *("notification_give", "notification_cancel"),
    ),
    "a": ("task_rotate", "task_sleep", "task_delay", "task_delay_until"),
    "av": ("notification_take", "notification_take_all"),
    "aav": ("notification_wait",),
    "oa": ("sem_take", "mutex_lock", "flags_set", "flags_clear"),
    "ta": ("notification_set", "notification_overwrite", "notification_send"),
    "oav": ("queue_receive",),
    "tav": ("notification_clear",),
    "oaa": ("queue_send", "queue_post"),
    "oaav": ("flags_wait_any", "flags_wait_all", "flags_take_any", "flags_take_all"),
}
# One starts the kernel: the loops of other tests have it. The other ends an atomic sequence, of
# which programs for FreeRTOS and µITRON are made (test_freertos_api.py, test_itron.py).
ELSEWHERE = {"dispatch_enable", "compound_end"}
# 24 bits, signed: what fits the packed form, and the first that does not.
ARGUMENTS = (
    *(0, 1, 77, 0x7F_FFFF, 0x80_0000, 0xFF_FFFF, 1 << 24, 0x7FFF_FFFF, 1 << 31),
    *(0xFF7F_FFFF, 0xFF80_0000, 0xFFFF_FF00, 0xFFFF_FFFE, 0xFFFF_FFFF),
)
NUMBERS = (0, 5, 63, 64, 127, 128, 254, 255, 256, 261, 0xFFFF_FFFF)
KINDS = (TraceKind.COMMAND, TraceKind.OPERAND, TraceKind.VALUE, TraceKind.ANSWER)
TYPES = {"o": "mel_id_t", "t": "mel_id_t", "a": "uint32_t", "v": "uint32_t *"}


def arguments(shape: str) -> Iterator[tuple[int, ...]]:
    """Every number with the arguments 3, then every argument in each place with object 5."""
    numbers = [c for c in shape if c != "v"]
    if not numbers:
        yield ()
    for place, kind in enumerate(numbers):
        for value in ARGUMENTS if kind == "a" else NUMBERS:
            yield tuple(
                value if i == place else 5 if c in "ot" else 3 for i, c in enumerate(numbers)
            )


FORMS_OF_CALL = ("constants", "variables", "library")


def forms() -> str:
    """A program that gives every command three times: with constants, with numbers that the
    compiler does not know, and by the functions of the library. A function for each command: a
    long one takes the compiler much longer than many short ones."""
    pointers, functions = [], []
    for shape, names in CALLS.items():
        for name in names:
            types = ", ".join(TYPES[c] for c in shape) or "void"
            pointers.append(f"static mel_status_t (*volatile of_{name})({types}) = mel_{name};")
            bodies: dict[str, list[str]] = {form: [] for form in FORMS_OF_CALL}
            for values in arguments(shape):
                plain = [f"{v}u" for v in values]
                end = ["&word"] if "v" in shape else []
                hidden = [f"hide({v})" for v in plain]
                bodies["constants"].append(f"mel_{name}({', '.join(plain + end)})")
                bodies["variables"].append(f"mel_{name}({', '.join(hidden + end)})")
                bodies["library"].append(f"of_{name}({', '.join(plain + end)})")
            functions += [
                f"__attribute__((noinline)) static void {form}_{name}(void)\n{{\n"
                + "".join(f"    (void){call};\n" for call in calls)
                + "}\n"
                for form, calls in bodies.items()
            ]
    given = "".join(
        "".join(f"    {form}_{name}();\n" for names in CALLS.values() for name in names)
        + "    MARK;\n"
        for form in FORMS_OF_CALL
    )
    return (
        "#include <melanion/device.h>\n#include <melanion/melanion.h>\n"
        "#define MARK MEL_MARK(1, 0)\n"
        "static uint32_t word;\n"
        "static inline uint32_t hide(uint32_t value)\n"
        '{ __asm__ volatile("" : "+r"(value)); return value; }\n'
        + "\n".join(pointers)
        + "\n"
        + "\n".join(functions)
        + f"int main(void)\n{{\n    (void)mel_tick_set(0);\n    MARK;\n{given}    return 0;\n}}\n"
    )


def run_text(folder: Path, text: str, name: str = "port", waits: int = 0) -> RunResult:
    folder.mkdir(exist_ok=True)
    (folder / "app.yaml").write_text("name: text\nmax_cycles: 3_000_000\n")
    (folder / "main.c").write_text(text)
    return run_program(
        config.find(name), build.application(folder), Settings(unit_wait_states=waits)
    )


def thirds(result: RunResult) -> list[list[tuple[int, ...]]]:
    """Events of the unit in each of the three functions, without the cycles."""
    parts: list[list[tuple[int, ...]]] = [[]]
    for event in result.events:
        if event["kind"] == TraceKind.MARKER:
            parts.append([])
        elif event["kind"] in KINDS:
            parts[-1].append(tuple(int(event[k]) for k in ("kind", "a", "b", "c", "d")))
    assert len(parts) == 5
    return parts[1:4]


def difference(folder: Path) -> str | None:
    """The first event in which the forms differ; None: there is none."""
    constants, variables, library = thirds(run_text(folder, forms()))
    for form, found in (("constants", constants), ("variables", variables)):
        for event, wanted in itertools.zip_longest(found, library):
            if event != wanted:
                return f"{form}: {event}, the library: {wanted}"
    commands = [event for event in library if event[0] == TraceKind.COMMAND]
    assert len(commands) > 400
    assert {e[3] for e in commands} >= set(ARGUMENTS)
    assert {e[2] for e in commands} >= {n for n in NUMBERS if n < 256}
    return None


def test_every_form_of_a_call_gives_the_same_command(tmp_path: Path) -> None:
    assert difference(tmp_path) is None


def test_every_inline_call_is_compared() -> None:
    text = "".join(path.read_text() for path in sorted(HEADERS.glob("*.h")))
    call = re.compile(r"^MEL_PORT_CALL mel_status_t mel_(?!port_)(\w+)\(", re.MULTILINE)
    inline = set(call.findall(text))
    compared = {name for names in CALLS.values() for name in names}
    assert inline == compared | ELSEWHERE
    steps = set(
        DECLARATION.findall((INCLUDE / "compound.h").read_text())
    )  # functions for layers, not for programs
    assert {f"mel_{name}" for name in inline} <= declared() | steps


# ---- order ---------------------------------------------------------------------------------------

ORDER = """
#include <melanion/melanion.h>
static int16_t shared; /* of a type that no store to the unit can be one to */
__attribute__((noinline)) int code(void)
{
    const int before = shared;
    (void)mel_sem_give(3);
    return before + shared;
}
int main(void) { shared = (int16_t)code(); return code(); }
"""


def order(folder: Path) -> str | None:
    """A word that another task may change is loaded before the call, and again after it."""
    folder.mkdir(exist_ok=True)
    found = disassembly(compile_program(folder, system("port"), ORDER), "code")
    code = [line for line in found[: found.index("ret")] if not SAVED.search(line)]
    port = [i for i, line in enumerate(code) if "(zero)" in line]
    loads = [i for i, line in enumerate(code) if line.startswith("lh ")]
    good = len(port) == len(loads) == 2 and loads[0] < port[0] < port[1] < loads[1]
    return None if good else str(code)


def test_a_call_is_a_barrier(tmp_path: Path) -> None:
    assert order(tmp_path) is None


# ---- machine code --------------------------------------------------------------------------------

FORMS = {  # up to the return, without SAVED
    "mel_sem_give(3)": ["li", "sw", "lw", "bgtz"],
    "mel_sem_take(3, MEL_FOREVER)": ["li", "sw", "lw", "bgtz"],
    "mel_sem_take(3, MEL_POLL)": ["li", "sw", "lw", "bgtz"],
    "mel_mutex_lock(0, MEL_POLL)": ["sw", "lw", "bgtz"],
    "mel_sem_give(a)": ["li", "minu", "sw", "lw", "bgtz"],
    "mel_sem_take(3, b)": ["lui", "sw", "lw", "bgtz"],
    "mel_sem_take(a, b)": ["li", "minu", "lui", "sh2add", "sw", "lw", "bgtz"],
    "mel_task_yield()": ["li", "sw", "lw", "bgtz"],
    "mel_task_delay(b)": ["sw", "lw", "bgtz"],
    "mel_flags_set(1, 6)": ["li", "sw", "lw", "bgtz"],
    "mel_queue_send(2, b, MEL_POLL)": ["sw", "lui", "sw", "lw", "bgtz"],
    "mel_queue_receive(2, MEL_FOREVER, word)": ["li", "sw", "lw", "bgtz", "bnez", "lw", "sw"],
}


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    """A program with a function for each of them, numbered from 0."""
    lines = ["#include <melanion/melanion.h>"]
    for i, call in enumerate(FORMS):
        lines += [
            f"mel_status_t code_{i}(uint32_t a, uint32_t b, uint32_t *word)",
            f"{{ (void)a; (void)b; (void)word; return {call}; }}",
        ]
    numbers = range(len(FORMS))
    lines.append("mel_status_t (*const all[])(uint32_t, uint32_t, uint32_t *) =")
    lines.append(f"{{ {', '.join(f'code_{i}' for i in numbers)} }};")
    lines += ["static volatile uint32_t chosen;", "int main(void) { return all[chosen](1, 2, 0); }"]
    source = "".join(f"{line}\n" for line in lines)
    return compile_program(tmp_path_factory.mktemp("calls"), system("port"), source)


@pytest.mark.parametrize("call", FORMS)
def test_instructions_of_a_call(calls: Compiled, call: str) -> None:
    found = disassembly(calls, f"code_{[*FORMS].index(call)}")
    if not pinned():
        pytest.skip(needed.reason("compiler", f"machine code is of {PINNED_COMPILER}"))
    body = [line for line in found[: found.index("ret")] if not SAVED.search(line)]
    mnemonics = [line.split()[0] for line in body]
    mnemonics = [m for m in mnemonics if m != "mv"]
    assert sorted(mnemonics) == sorted(FORMS[call]), found
    port = [line for line in body if "(zero)" in line]
    assert len(port) >= 1 and all(line.startswith(("sw", "lw")) for line in port), found


# ---- other accesses ------------------------------------------------------------------------------

ACCESSES = f"""
#include <melanion/mel_spec.h>
#define AT(address) (*(volatile uint32_t *)(address))
#define BYTE(address) (*(volatile uint8_t *)(address))
#define WINDOW(offset) AT(MEL_UNIT_BASE + (offset))
#define PORT(offset) AT(MEL_PORT_BASE + (offset))
#define REFUSED WINDOW(MEL_REG_REFUSED)
int main(void)
{{
    while (!AT(MEL_PORT_REGISTER(MEL_REG_READY))) {{ }}
    for (uint32_t offset = MEL_REG_IDENTITY; offset < {int(Register.DISPATCH)}; offset += 4)
        if (AT(MEL_PORT_REGISTER(offset)) != WINDOW(offset)) return 1;
    if (AT(MEL_PORT_REGISTER(MEL_REG_IDENTITY)) != MEL_IDENTITY) return 2;

    AT(MEL_PORT_PLAIN(MEL_OP_TASK_DELAY)) = 1;                 /* refused: the idle context */
    for (uint32_t offset = 0; offset < 0x400; offset += 4)     /* every load there is the answer */
        if (PORT(offset) != (uint32_t)MEL_E_CTX) return 3;
    uint32_t before = REFUSED;
    for (uint32_t offset = 0x200; offset < 0x400; offset += 4) PORT(offset) = 0;
    PORT(0xFC) = 0x0D;                  /* with the number of `operand`, were it a window store */
    PORT(0x1FC) = 0;
    if (REFUSED != before + 128 + 2) return 4;
    before = REFUSED;
    BYTE(MEL_PORT_PLAIN(MEL_OP_TASK_DELAY)) = 1;
    BYTE(MEL_PORT_PACKED(MEL_OP_TASK_CREATE)) = 1;
    (void)BYTE(MEL_PORT_ANSWER);
    AT(MEL_PORT_REGISTER(MEL_REG_IDENTITY)) = 1;               /* read-only */
    if (REFUSED != before + 4) return 5;

    AT(MEL_PORT_PACKED(MEL_OP_TASK_CREATE)) = 3 << 8 | 7;
    if (AT(MEL_PORT_ANSWER) != 0) return 6;
    if (WINDOW(MEL_QUERY_TASK_STATE * 1024 + 7 * 4) != (3 << 8 | MEL_TASK_STATE_DORMANT)) return 7;
    return 0;
}}
"""


def accesses(folder: Path) -> str | None:
    """The program found what it should (else it says where it did not), and gave two commands."""
    result = bare.run(folder, ACCESSES, config.find("port"))
    commands = result.events[result.events["kind"] == TraceKind.COMMAND]
    given = list(zip(commands["a"] & 0xFF, commands["d"].astype("int32"), strict=True))
    wanted = [(Command.TASK_DELAY, Status.E_CTX), (Command.TASK_CREATE, Status.E_OK)]
    return None if result.code == 0 and given == wanted else f"exit code {result.code}: {given}"


def test_registers_answers_and_refused_accesses(tmp_path: Path) -> None:
    assert accesses(tmp_path / "app") is None


TIMED = """
#include <melanion/device.h>
#include <melanion/melanion.h>
int main(void)
{
    (void)mel_sem_create(0, 0, 9);
    MEL_TRACEPOINT(1, 0);
    (void)mel_sem_give(0);
    (void)mel_sem_take(0, MEL_POLL);
    (void)mel_flags_set(0, 0x12345678);
    MEL_TRACEPOINT(2, 0);
    MEL_MARK(1, 0);
    MEL_MARK(2, 0); /* waits for the one before */
    MEL_TRACEPOINT(3, 0);
    return 0;
}
"""


def spans(result: RunResult) -> list[int]:
    tracepoints = result.events[result.events["kind"] == TraceKind.TRACEPOINT]
    cycles = [int(c) for c in tracepoints["cycle"]]
    return [after - before for before, after in itertools.pairwise(cycles)]


def waits(folder: Path, name: str = "port") -> str | None:
    """Wait states lengthen accesses to devices, not calls, be they at the port or in the window."""
    calls, device = spans(run_text(folder, TIMED, name))
    slow_calls, slow_device = spans(run_text(folder, TIMED, name, waits=20))
    if slow_calls == calls and slow_device >= device + 19:
        return None
    return f"calls {calls} and {slow_calls} cycles, a device {device} and {slow_device}"


def test_only_devices_have_wait_states(tmp_path: Path) -> None:
    assert waits(tmp_path) is None
    assert waits(tmp_path, "hwrtos") is not None


def test_the_port_is_the_end_of_the_address_space() -> None:
    assert PORT_BASE + PORT_BYTES == 1 << 32


# ---- mutants -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant(TreeMutant):
    """`check` notices the bug. A `quick` one of the C side is planted in every run, those of the
    RTL are."""

    check: str
    quick: bool = False


CHECKS = {"forms": difference, "order": order, "accesses": accesses, "waits": waits}
BUGS = [Mutant(**row) for row in YAML(typ="safe").load(MUTANTS.read_text(encoding="utf-8"))]


RTL = [bug for bug in BUGS if bug.file.endswith(".sv")]


def check(name: str, folder: Path) -> None:
    found = CHECKS[name](folder)
    assert found is None, found


def named(bug: Mutant) -> str:
    return bug.name.replace(" ", "_")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> SilentTree:
    return SilentTree(tmp_path_factory.mktemp("woven"), RTL)


def finding(tree: SilentTree, bug: Mutant | None, name: str, folder: Path) -> str:
    contents = [
        ("check", name.encode()),
        *kept.folders("tests/kernel/test_port.py", "tests/common/bare"),
    ]
    return planted_tree.finding(tree, bug, lambda: check(name, folder / "app"), contents)


def test_unit_that_falls_silent_ends_the_run_with_a_sentence(
    tree: SilentTree, tmp_path: Path
) -> None:
    with tree.chosen(None):
        silence.check_falls_silent(tmp_path, "port")


@pytest.mark.parametrize("name", sorted({bug.check for bug in RTL}))
def test_the_port_without_a_bug_passes(tree: SilentTree, name: str, tmp_path: Path) -> None:
    assert finding(tree, None, name, tmp_path) == ""


@pytest.mark.parametrize("bug", RTL, ids=named)
def test_bug_in_the_port_is_noticed(tree: SilentTree, bug: Mutant, tmp_path: Path) -> None:
    said = finding(tree, bug, bug.check, tmp_path)
    assert said, f"{bug.check} passed with the bug: {bug.name}"
    print(said)


def _marked(bug: Mutant) -> object:
    return pytest.param(bug, id=named(bug), marks=() if bug.quick else (pytest.mark.soak,))


@pytest.mark.parametrize("bug", [_marked(bug) for bug in BUGS if bug not in RTL])
def test_planted_bug_is_caught(
    bug: Mutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Mutants of the C side. Tests above run the same checks without one."""
    (tmp_path / "root").mkdir()
    bug.plant(monkeypatch, tmp_path / "root")
    with findings.noticed():
        check(bug.check, tmp_path / "app")
