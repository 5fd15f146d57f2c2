# SPDX-License-Identifier: Apache-2.0
"""A simulation that somebody may hold between two cycles: its process, and one line for each
question (soc/sim/debug/session.h says what the questions are, docs/decisions/0028 why).

A held run takes exactly the cycles of the run without, unless memory is written.
"""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import melanion.run.simulation as simulation
import melanion.run.switches as switches
from melanion import trace
from melanion.build import Hardware, Program
from melanion.build.tools import end_group
from melanion.run.errors import RunError
from melanion.run.settings import Decided
from melanion.trace import Events

MOST_BYTES = 4096  # bytes of memory in one answer


@dataclass(frozen=True)
class Stop:
    """`reason`: break, step, halt, watch (the instruction shown stores to `address`), or end (the
    run is over); `cycle`: how many are over."""

    reason: str
    core: int
    cycle: int
    address: int = 0


class Held:
    """The process. It stands, and answers, or it runs, until `stopped` says that it stands."""

    def __init__(self, process: subprocess.Popen[bytes], folder: Path) -> None:
        self._process = process
        self._folder = folder
        self._text = b""

    def fileno(self) -> int:
        """For select: readable when a running simulation may have stopped."""
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    # ---- it stands --------------------------------------------------------------------------

    def registers(self, core: int) -> list[int]:
        """x0 … x31, then the pc: before the last instruction that the core retired."""
        return [int(word, 16) for word in self._ask(f"registers {core:x}").split()]

    def bank(self, core: int, number: int) -> list[int]:
        """x0 … x31 of one set of registers (soc/sim/trace.h)."""
        return [int(word, 16) for word in self._ask(f"bank {core:x} {number:x}").split()]

    def read(self, address: int, size: int) -> bytes | None:
        """Bytes of memory; None: some are no memory."""
        found = b""
        while size > 0:
            part = min(size, MOST_BYTES)
            answer = self._ask(f"read {address:x} {part:x}")
            if answer == "error":
                return None
            found += bytes.fromhex(answer[1:])
            address, size = address + part, size - part
        return found

    def word(self, address: int) -> int:
        """One word of memory; 0 where there is none."""
        return int.from_bytes(self.read(address, 4) or b"", "little")

    def write(self, address: int, data: bytes) -> bool:
        """False: that is no memory."""
        return self._ask(f"write {address:x} {data.hex()}") == "ok"

    def mark(self, address: int, *, wanted: bool) -> bool:
        """Make or remove a breakpoint. False: that is no memory."""
        return self._ask(f"{'break' if wanted else 'clear'} {address:x}") == "ok"

    def watch(self, address: int, size: int, *, wanted: bool) -> bool:
        """Stop at stores to these bytes, or no longer. False: that is no memory."""
        return self._ask(f"{'watch' if wanted else 'unwatch'} {address:x} {size:x}") == "ok"

    def events(self) -> Events:
        """Events so far; complete whenever the simulation stands still."""
        return trace.read(self._folder / "trace")

    @property
    def console(self) -> str:
        """Output of the program so far."""
        return (self._folder / "console").read_text(encoding="utf-8", errors="replace")

    def go(self, verb: str = "run", core: int = 0) -> None:
        """Let it run: to a breakpoint (`run`), over one instruction of a core (`step`) or of any
        core (`next`)."""
        self._say(f"{verb} {core:x}")

    # ---- it runs ----------------------------------------------------------------------------

    def halt(self) -> None:
        """Ask a running simulation to stop; it soon does."""
        self._say("halt")

    def stopped(self) -> Stop:
        """Wait until it stands."""
        words = self._line().split()
        if len(words) != 5 or words[0] != "stopped":
            raise RunError(f"the simulation said {' '.join(words)!r}; start it again.")
        return Stop(words[1], int(words[2]), int(words[3]), int(words[4], 16))

    # ---- the lines --------------------------------------------------------------------------

    def _ask(self, question: str) -> str:
        self._say(question)
        return self._line()

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()
        except OSError:
            raise self._ended() from None

    def _line(self) -> str:
        while b"\n" not in self._text:
            got = os.read(self.fileno(), 1 << 16)
            if not got:
                raise self._ended()
            self._text += got
        line, _, self._text = self._text.partition(b"\n")
        return line.decode()

    def _ended(self) -> RunError:
        assert self._process.stderr is not None
        said = self._process.stderr.read().decode()
        return simulation.failed(self._process.wait(), said, self._folder)

    def ready(self, seconds: float) -> bool:
        """Whether it has said something, or does within this time."""
        return b"\n" in self._text or bool(select.select([self], [], [], seconds)[0])


@contextmanager
def held(hardware: Hardware, program: Program, settings: Decided) -> Iterator[Held]:
    """A simulation (built with `debug`) that stands before its first instruction; it ends with the
    block. Raises RunError."""
    with simulation.scratch() as folder:
        (folder / "trace").touch()
        (folder / "console").touch()
        words = simulation.command(
            hardware, program, settings, folder, ["--trace", str(folder / "trace")]
        )
        process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the debugger
        )
        try:
            yield Held(process, folder)
        finally:
            end_group(process)
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    stream.close()


def named(events: Events, program: Program, idle: int) -> Events:
    """The events of a kernel that names no task in its switches (docs/decisions/0025)."""
    return switches.named(events, program.content.stacks, idle)
