"""`melanion debug`: what GDB sees of a program on simulated RTL (docs/decisions/0028)."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mel_gen import ExitReason

from melanion import build, config
from melanion.debug import DebugError, Ending, Server, Target, frames, packet
from melanion.debug.frames import PC, RA, SP
from melanion.doctor import Machine
from melanion.doctor.needs import SYSTEM
from melanion.run import held, run_program, settings_of
from melanion.run.held import Held

APP = Path(__file__).parent / "debugged"
SYSTEMS = [
    "hwrtos",
    *(
        pytest.param(name, marks=pytest.mark.soak)
        for name in ("banked", "sw", "port", "hwrtos-2", "sw-2", "sw-vexriscv")
    ),
]
URGENT, OWNER, WAITER, BUSY = 1, 2, 3, 4  # threads: the task's number and one
KEPT = {16 + n: 0x12345600 + n for n in range(2, 12)}  # s2 … s11
SPUN = {n: 0x6540 + n for n in (1, *range(5, 32))}


def gdb_problem() -> str:
    """What the doctor says of GDB here; empty: it is there."""
    return next(need for need in SYSTEM if need.name == "gdb").probe(Machine()).problem


needs_gdb = pytest.mark.skipif(bool(gdb_problem()), reason=gdb_problem() or "GDB is there")


@dataclass
class Session:
    """A held run of tests/debugged."""

    target: Target
    held: Held

    def to(self, symbol: str) -> None:
        """Run to a label, without a breakpoint that stays."""
        address = self.target.program.content.symbols[symbol]
        self.held.mark(address, wanted=True)
        self.go()
        self.held.mark(address, wanted=False)

    def go(self, verb: str = "run") -> str:
        self.held.go(verb)
        self.target.moved()
        return self.held.stopped().reason


@contextmanager
def session(name: str) -> Iterator[Session]:
    system, app = config.find(name), build.application(str(APP))
    hardware = build.hardware(system, debug=True)
    program = build.program(system, app)
    with held(hardware, program, settings_of(system, app)) as simulation:
        assert simulation.stopped().cycle > 0
        yield Session(Target(system, program, simulation), simulation)


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


def wrong_registers(of: Session) -> list[str]:
    """What the three tasks that do not run at `woken` should hold, and do not."""
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
    """From a bank, or from the frame of a call or of a preemption; and states with waits."""
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


# ---- the protocol --------------------------------------------------------------------------------


def test_packets_are_framed_and_read_back() -> None:
    assert packet.frame(b"OK") == b"$OK#9a"
    data = bytes(range(256))
    reader = packet.Reader()
    text = b"+" + packet.frame(data) + b"\x03" + packet.frame(b"m0,4")
    found = [each for i in range(len(text)) for each in reader.feed(text[i : i + 1])]
    assert found == [data, packet.INTERRUPT, b"m0,4"]
    assert packet.Reader().feed(b"$OK#9b$OK#9a") == [None, b"OK"]


class Client:
    """A GDB that says what the test says."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.reader = packet.Reader()
        self.waiting: list[bytes | None] = []

    def say(self, text: str) -> None:
        self.socket.sendall(packet.frame(text.encode()))

    def hear(self) -> str:
        while not self.waiting:
            data = self.socket.recv(1 << 16)
            if not data:
                raise EOFError
            self.waiting += self.reader.feed(data)
        answer = self.waiting.pop(0)
        assert answer is not None
        return answer.decode()

    def ask(self, text: str) -> str:
        self.say(text)
        return self.hear()


@contextmanager
def client(of: Session) -> Iterator[tuple[Client, list[Any]]]:
    """A conversation with a server of its own; the list gets how it ended."""
    server = Server(0)
    endings: list[Any] = []
    worker = threading.Thread(target=lambda: endings.append(server.serve(of.target)))
    worker.start()
    talk = Client(server.port)
    try:
        yield talk, endings
    finally:
        talk.socket.close()
        worker.join(timeout=60)
        server.close()


@contextmanager
def served(max_cycles: int | None = None) -> Iterator[tuple[Client, list[Any], Session]]:
    system, app = config.find("hwrtos"), build.application(str(APP))
    hardware, program = build.hardware(system, debug=True), build.program(system, app)
    with held(hardware, program, settings_of(system, app, max_cycles=max_cycles)) as simulation:
        of = Session(Target(system, program, simulation), simulation)
        with client(of) as (talk, endings):
            yield talk, endings, of


def test_ctrl_c_stops_a_program_that_runs() -> None:
    """While `busy` spins; the rest of the run is as if nobody had asked."""
    with served() as (talk, endings, of):
        assert talk.ask("QStartNoAckMode") == "OK"
        assert talk.ask("?") == "T05thread:41;core:0;"
        talk.say("vCont;c")
        talk.socket.sendall(packet.INTERRUPT)
        stopped = talk.hear()
        assert stopped.startswith("T02thread:")
        talk.say("vCont;c")
        assert talk.hear() == "O" + b"woken\n".hex()
        assert talk.hear() == "W00"
        usual = run_program(config.find("hwrtos"), build.application(str(APP)))
        assert np.array_equal(of.target.events, usual.events)
        talk.say("k")
    assert endings == [Ending.EXITED]


def test_detach_and_kill() -> None:
    with served() as (talk, endings, of):
        woken = of.target.program.content.symbols["woken"]
        assert talk.ask(f"Z0,{woken:x},2") == "OK"
        assert talk.ask("D") == "OK"
    assert endings == [Ending.DETACHED]
    with served() as (talk, endings, _):
        assert talk.ask("vKill;1") == "OK"
    assert endings == [Ending.KILLED]
    with served() as (_, endings, _of):
        pass
    assert endings == [Ending.GONE]


def test_a_program_that_does_not_end_stands_at_its_limit() -> None:
    """As after a signal (SIGXCPU), to be looked at; then it is over."""
    with served(max_cycles=20_000) as (talk, endings, of):
        talk.say("vCont;c")
        assert talk.hear() == f"T18thread:{BUSY:x};core:0;"
        assert of.target.end() == (ExitReason.CYCLE_LIMIT, 0)
        assert (
            int.from_bytes(bytes.fromhex(talk.ask("p20")), "little")
            == (of.target.program.content.symbols["spin"])
        )
        talk.say("vCont;c")
        with pytest.raises(EOFError):  # the server has hung up
            talk.hear()
    assert endings == [Ending.EXITED]


def test_wrong_packets_are_refused() -> None:
    with served() as (talk, _, _of):
        for text in ("m", "mzz,4", "m0,4", "pff", "Z0,0", "Z0,40000000,2", "G00", "P20=0", "T7f"):
            assert talk.ask(text) == "E01", text
        for text in ("Z2,10000000,4", "qXfer:auxv:read::0,100", "vMustReplyEmpty", "!", "qTStatus"):
            assert talk.ask(text) == "", text
        assert talk.ask("Hg42") == "OK"  # no such thread: nothing is known of it


def test_a_step_of_a_waiting_task_ends_where_it_goes_on() -> None:
    with served() as (talk, _, of):
        symbols = of.target.program.content.symbols
        talk.ask(f"Z0,{symbols['spin']:x},2")
        talk.say("vCont;c")
        assert talk.hear().startswith(f"T05thread:{BUSY:x};core:0;swbreak")
        talk.ask(f"z0,{symbols['spin']:x},2")
        talk.say(f"vCont;s:{URGENT:x};c")
        assert talk.hear().startswith(f"T05thread:{URGENT:x};core:0;")
        assert symbols["urgent"] <= of.held.registers(0)[PC] < symbols["urgent"] + 64


def test_a_taken_port_is_told() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen(1)
        port = other.getsockname()[1]
        with pytest.raises(DebugError) as error:
            Server(port)
    assert error.value.message == (
        f"port {port} cannot be listened on (Address already in use); name a free one with --port,"
        " or 0 for any."
    )


# ---- GDB itself ----------------------------------------------------------------------------------


def gdb(name: str, *commands: str) -> tuple[str, str]:
    """What GDB prints, and what `melanion debug` says at the end."""
    words = [sys.executable, "-m", "melanion", "debug", str(APP), "--kernel", name, "--port", "0"]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        assert "waits for GDB at port" in server.stdout.readline()
        match = re.search(r"gdb-multiarch (\S+) (.*)$", server.stdout.readline())
        assert match, "no command for GDB"
        begin = re.findall(r"-ex '([^']*)'", match[2])
        flags = ["-batch", "-nx", "-iex", "set debuginfod enabled off", match[1]]
        told = [word for command in (*begin, *commands) for word in ("-ex", command)]
        path = shutil.which("gdb-multiarch")
        assert path
        done = subprocess.run(
            [path, *flags, *told], capture_output=True, text=True, timeout=120, check=False
        )
        rest, _ = server.communicate(timeout=60)
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
