# SPDX-License-Identifier: Apache-2.0
"""`melanion debug`: what GDB sees of a program on simulated RTL (docs/decisions/0028)."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from mel_gen import ExitReason

from melanion import build, config, paths
from melanion.build import cache
from melanion.debug import frames
from melanion.debug.frames import PC, RA, SP
from melanion.run import Settings, run_program
from tests.common import limited, needed
from tests.system.debug_session import APP, BUSY, OWNER, URGENT, WAITER, Session, session

SYSTEMS = [
    "hwrtos",
    *(
        pytest.param(name, marks=pytest.mark.soak)
        for name in ("banked", "sw", "port", "hwrtos-2", "sw-2", "sw-vexriscv")
    ),
]
KEPT = {16 + n: 0x12345600 + n for n in range(2, 12)}  # s2 … s11
SPUN = {n: 0x6540 + n for n in (1, *range(5, 32))}


needs_gdb = needed.needs("gdb", needed.problem("gdb"))


# ---- what is shown -------------------------------------------------------------------------------


def expected_stores(seen: int) -> list[tuple[int, int]]:
    """The first two words of `seen` (whose address it is) before each store of `stores`."""
    words = [0, 0x11, 0x11, 0x1111, 0x111111, 0x11111111, 0x11110000, 0]
    return [*((word, 0) for word in words), (0, seen)]


def stores_shown(of: Session) -> list[tuple[int, int]]:
    seen = of.target.program.content.symbols["seen"]
    of.to("stores")
    while of.held.registers(0)[15] != seen or of.held.registers(0)[14] != 0x11:
        of.go("step")
    found = []
    for _ in range(9):
        found.append((of.held.word(seen), of.held.word(seen + 4)))
        of.go("step")
    return found


@pytest.mark.parametrize("name", SYSTEMS)
def test_memory_is_that_before_the_instruction_shown(name: str) -> None:
    """Between two stores one sees the first alone, though the core has begun the second."""
    with session(name) as of:
        seen = of.target.program.content.symbols["seen"]
        assert stores_shown(of) == expected_stores(seen)


def test_slow_memory_changes_nothing_of_that() -> None:
    """Each access draws its own wait states: a held run draws as the run does."""
    usual = run_program(
        config.find("hwrtos"), build.application(str(APP)), Settings(wait_states="0-7")
    )
    with session("hwrtos", "0-7") as of:
        seen = of.target.program.content.symbols["seen"]
        assert stores_shown(of) == expected_stores(seen)
        of.to("woken")
        assert wrong_registers(of) == []
        assert of.go() == "end"
        assert np.array_equal(of.target.events, usual.events)


def wrong_registers(of: Session) -> list[str]:
    """Return the wrong registers of the three tasks that do not run at `woken`."""
    symbols = of.target.program.content.symbols
    stacks = {s.number: s for s in of.target.program.content.stacks}
    wrong = []
    for thread, known in ((WAITER, KEPT), (BUSY, {**SPUN, PC: symbols["spin"]})):
        found = of.target.registers(thread)
        wrong += [f"{thread}: x{n}" for n, value in known.items() if found.get(n) != value]
    for thread in (OWNER, WAITER, BUSY):
        stack = stacks[thread - 1]
        if not stack.base < of.target.registers(thread)[SP] <= stack.base + stack.size - 16:
            wrong.append(f"{thread}: sp")
    for thread, function in ((OWNER, "owner"), (WAITER, "wait")):  # small functions
        if not 0 <= of.target.registers(thread)[PC] - symbols[function] < 64:
            wrong.append(f"{thread}: pc")
    return wrong


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_task_has_its_own_registers(name: str) -> None:
    """From a store of contexts, or from the frame of a call or of a preemption; and states with
    waits."""
    with session(name) as of:
        of.to("woken")
        assert wrong_registers(of) == []
        threads = {each.number: each for each in of.target.threads()}
        assert [threads[n].name for n in (URGENT, OWNER, WAITER, BUSY)] == [
            *("urgent", "owner", "waiter", "busy")
        ]
        assert threads[URGENT].core is not None
        assert threads[URGENT].about.startswith("running on core ")
        assert threads[OWNER].about.startswith("waiting for a wake-up, priority 5, since cycle ")
        assert threads[WAITER].about.startswith(
            "waiting for mutex 0 of task 1 (owner) until tick 100, priority 5, since cycle "
        )
        cores = of.target.system.core.count
        assert threads[BUSY].about.startswith("ready" if cores == 1 else "running on core ")
        idle = [each for each in threads.values() if each.number > of.target.tasks]
        assert [each.name for each in idle] == ["idle"] * cores


def test_wrong_frames_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: registers of a frame in another order, and another size of it."""
    with session("hwrtos") as of:
        of.to("woken")
        for name, value in (
            ("_CALL_ORDER", (RA, *range(18, 28), 8, 9)),
            ("_FRAME_ORDER", (*frames._FRAME_ORDER[1:], RA)),
            ("_FRAME_BYTES", 1024),
        ):
            with monkeypatch.context() as planted:
                planted.setattr(frames, name, value)
                assert wrong_registers(of) != [], name
        assert wrong_registers(of) == []


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_held_run_is_the_run(name: str) -> None:
    """Stopped, stepped and looked at, a run has the same events in the same cycles."""
    usual = run_program(config.find(name), build.application(str(APP)))
    with session(name) as of:
        stores_shown(of)
        of.target.threads()
        of.to("woken")
        of.target.registers(BUSY)
        of.go("next")
        assert of.go() == "end"
        assert of.target.end() == (ExitReason.PROGRAM, 0)
        assert np.array_equal(of.target.events, usual.events)
        assert of.held.console == usual.console


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_store_to_what_is_watched_stops_it(name: str) -> None:
    """Before every store to the byte, and no other: of word, byte, halfword."""
    with session(name) as of:
        seen = of.target.program.content.symbols["seen"]
        of.to("stores")
        assert of.held.watch(seen + 2, 1, wanted=True)
        found = []
        for _ in range(3):
            assert of.go() == "watch"
            found.append(of.held.word(seen))
        assert found == [0, 0x1111, 0x11110000]
        assert of.held.watch(seen + 2, 1, wanted=False)
        assert not of.held.watch(seen + 2, 1, wanted=False)
        assert not of.held.watch(0, 4, wanted=True)
        assert of.go() == "end"


def test_memory_can_be_written() -> None:
    with session("hwrtos") as of:
        seen = of.target.program.content.symbols["seen"]
        of.to("stores")
        assert of.held.write(seen + 9, b"\x12\x34\x56")
        assert of.held.word(seen + 8) == 0x56341200
        of.to("woken")
        assert of.held.word(seen + 8) == 0x56341200
        assert of.held.read(0, 4) is None
        assert not of.held.write(0, b"\0")
        assert not of.held.mark(0x4000_0000, wanted=True)


# ---- GDB itself ----------------------------------------------------------------------------------


def gdb(name: str, *commands: str, app: Path = APP, flags: tuple[str, ...] = ()) -> tuple[str, str]:
    """Return the output of GDB, and the last words of `melanion debug`."""
    words = [sys.executable, "-m", "melanion", "debug", str(app), "--kernel", name, "--port", "0"]
    words += flags
    server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        assert "waits for GDB at port" in server.stdout.readline()
        program, elf, *begin = shlex.split(server.stdout.readline())
        assert program == "gdb-multiarch"
        options = ["-batch", "-nx", "-iex", "set debuginfod enabled off", elf, *begin]
        told = [word for command in commands for word in ("-ex", command)]
        path = shutil.which("gdb-multiarch")
        assert path
        done = subprocess.run(
            [path, *options, *told],
            capture_output=True,
            text=True,
            timeout=limited.HUNG,
            check=False,
        )
        rest, _ = server.communicate(timeout=limited.HUNG)
        assert server.returncode == 0
        return done.stdout + done.stderr, rest.strip()
    finally:
        server.kill()
        server.wait()


@needs_gdb
@pytest.mark.parametrize("name", SYSTEMS)
def test_gdb_debugs(name: str) -> None:
    """Breakpoints, stepping, tasks as threads with their own registers, memory, the end."""
    said, last = gdb(
        name,
        *("break woken", "continue", "info threads", "monitor tasks", "monitor cycle", "bt 1"),
        *(f"thread apply 2-6 -q -s printf {text}, {reg}" for text, reg in PRINTED),
        *("print/x seen[1] == &seen", "finish", "next", "stepi", "print *urgent_stack@4"),
        *(("set var seen[3] = 7", "print seen[3]") if name not in CACHED else ()),
        *("delete", "continue"),
    )
    assert re.search(r'Thread \d+ "urgent" hit Breakpoint 1, woken \(\) at \S+/debugged\.c:', said)
    assert 'Thread 2 "owner" (waiting for a wake-up, priority 5, since cycle ' in said
    assert 'Thread 3 "waiter" (waiting for mutex 0 of task 1 (owner) until tick 100, ' in said
    assert re.search(r"^   3 busy +\S+ .*9 +\d+", said, re.M)
    assert re.search(r"^\d+ cycles are over$", said, re.M)
    assert "s2 0x12345602" in said
    assert "s11 0x1234560b" in said
    assert "t6 0x655f" in said
    assert "= 0x1" in said
    assert ("= 7" in said) == (name not in CACHED)
    assert "[Inferior 1 (Remote target) exited normally]" in said
    assert "woken" in said
    cycles = run_program(config.find(name), build.application(str(APP))).cycles
    assert last == f"debugged: the program ended: exit code 0 after {cycles} cycles."


CACHED = ("sw-vexriscv",)  # its core would not see what is written behind its cache
PRINTED = [(f'"{name} %#x\\n"', f"${name}") for name in ("s2", "s11", "t6")]


@needs_gdb
def test_gdb_watches_every_store() -> None:
    """Also stores that follow one another at once."""
    said, _ = gdb("hwrtos", "break stores", "continue", "watch seen[0]", *["continue"] * 6, "kill")
    values = [int(text) for text in re.findall(r"^New value = (\d+)$", said, re.M)]
    assert values == [0x11, 0x1111, 0x111111, 0x11111111, 0x11110000, 0]


# ---- sources -------------------------------------------------------------------------------------

HELLO = build.application("hello").folder


@needs_gdb
def test_every_copy_of_an_application_shows_its_own_sources(tmp_path: Path) -> None:
    """Both have the ELF that was built for the first."""
    first, second = tmp_path / "first", tmp_path / "the second copy"
    for copy in (first, second):
        shutil.copytree(HELLO, copy)
    places = {
        build.program(config.find("hwrtos"), build.application(each)).elf
        for each in (first, second)
    }
    assert len(places) == 1, "one ELF serves both"
    for copy in (first, second):
        said, _ = gdb("hwrtos", "list hello.c:1", "info source", "kill", app=copy)
        assert f"{copy / 'hello.c'}" in said
        other = first if copy == second else second
        assert f"{other}/" not in said
        assert "SPDX-License-Identifier" in said


@needs_gdb
def test_no_folder_of_this_machine_is_in_an_elf(tmp_path: Path) -> None:
    """But those of the toolchain: an ELF is shown with the sources of whoever looks at it."""
    shutil.copytree(HELLO, tmp_path / "copy")
    for name in ("hwrtos", "sw"):
        elf = build.program(
            config.find(name), build.application(tmp_path / "copy")
        ).elf.read_bytes()
        for folder in (tmp_path, paths.data_root(), cache.folder()):
            assert str(folder).encode() not in elf


@needs_gdb
def test_the_kernel_shows_its_own_sources() -> None:
    """In C and in assembly, and the header that is made for the system."""
    said, _ = gdb(
        "hwrtos",
        *("list mel_idle", "info source", "list mel_kernel_start", "info source", "kill"),
    )
    kernel = paths.data_root() / "kernel"
    assert "wfi" in said
    assert f"Located in {kernel / 'arch' / 'riscv' / 'start.S'}" in said
    assert f"Located in {kernel / 'common'}" in said or f"Located in {kernel / 'software'}" in said


@needs_gdb
@pytest.mark.parametrize("name", ["hwrtos"])
def test_a_program_for_freertos_is_debugged(name: str) -> None:
    app = paths.data_root() / "apps" / "examples" / "motor_control"
    said, _ = gdb(
        name,
        *("break main", "continue", "info source", "kill"),
        app=app,
        flags=("--freertos",),
    )
    assert re.search(r"Breakpoint 1, main \(\) at app/main\.c:\d+", said), said
    assert f"Located in {app / 'main.c'}" in said
