# SPDX-License-Identifier: Apache-2.0
"""The simulation with bit flips as a process (soc/sim/inject): what it can hit, the run without a
flip, and a run for each flip, read from its files as it ends."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import melanion.run.switches as switches
from melanion.build import Hardware, Program
from melanion.build.tools import end_group
from melanion.config import System
from melanion.inject.errors import InjectError
from melanion.inject.outcome import Seen
from melanion.run import RunError
from melanion.run.settings import Decided
from melanion.run.simulation import command, failed
from melanion.trace import EVENT, Events

REFERENCE = "reference"
_STACK_LINES = re.compile(r"^stack .*\n", re.MULTILINE)


@dataclass(frozen=True)
class Ended:
    """A run with a flip. `hit`: in the words of the simulation; `left`: its state at the end was
    not that of the run without a flip; `early`: it was equal before, and ended there."""

    number: int
    seen: Seen
    hit: str
    left: bool
    early: bool
    strange: str = ""  # a sentence: its events cannot be named


class Harness:
    """A system, a program and its settings. `folder`: for files, empty; `early`: a run ends as soon
    as its state is that of the run without a flip, for the rest is the same, or as the flip is
    noticed by the status E_SYS, for that decides its class."""

    def __init__(
        self,
        system: System,
        hardware: Hardware,
        program: Program,
        settings: Decided,
        folder: Path,
        *,
        early: bool = True,
    ) -> None:
        self._program, self._folder, self._early = program, folder, early
        self._hardware, self._settings = hardware, settings
        self._idle = None if system.kernel_info.replayed else system.parameters.tasks
        # Whoever watches stacks in a simulation ends a run that hardware would go on with.
        self._points = folder / "tracepoints"
        text = program.tracepoints.read_text(encoding="utf-8")
        self._points.write_text(_STACK_LINES.sub("", text), encoding="utf-8")
        self._raw: Events = np.empty(0, dtype=EVENT)
        self._console = b""
        self.state: list[str] = []

    def reference(self) -> Seen:
        """The run without a flip. Raises RunError."""
        for _ in self._lines("", 1, self._settings.max_cycles, False):
            pass
        return self._read_reference()

    def run(
        self, plan: str, jobs: int, limit: int, *, early: bool | None = None
    ) -> Iterator[Ended]:
        """The runs of a plan as they end, none of them longer than `limit` cycles; `early`: other
        than the harness's. Raises InjectError."""
        begun: dict[int, tuple[int, int, str]] = {}
        early = self._early if early is None else early
        for line in self._lines(plan, jobs, limit, early):
            word, number, *rest = line.split()
            if word == "flip":
                begun[int(number)] = int(rest[0]), int(rest[1]), rest[2]
            elif word == "end":
                yield self._ended(int(number), begun.pop(int(number)), rest)
            elif word == "died":
                raise InjectError(
                    f"flip {number}: the simulation itself broke (signal {rest[0]}); this is a"
                    " defect of Melanion, please report it with the command, or of too little"
                    " memory."
                )

    def _ended(self, number: int, begun: tuple[int, int, str], rest: Sequence[str]) -> Ended:
        if not self._console and not len(self._raw):
            self._read_reference()
        records, printed, hit = begun
        how = rest[1]
        early = how == "equal"
        trace, console = (self._file(number, end) for end in ("trace", "console"))
        mine = np.fromfile(trace, dtype=EVENT)
        text = console.read_bytes()
        trace.unlink()
        console.unlink()
        before, after = self._raw[:records], self._raw[:0]
        if early:  # from here on it is the run without a flip
            after = self._raw[int(rest[2]) :]
            mine = mine[:-1]  # the end of the run, which is not one
        events = np.concatenate([before, mine, after])
        printed_all = self._console[:printed] + text
        if early:
            # Equal state: the output until then must be a beginning of that without a flip.
            same = self._console.startswith(printed_all)
            printed_all = self._console if same else printed_all + b"\n(and the rest)\n"
        events, strange = self._named(events)
        seen = Seen(printed_all.decode("utf-8", "replace"), events)
        return Ended(number, seen, hit, how in ("latent", "noticed"), early, strange)

    def _named(self, events: Events) -> tuple[Events, str]:
        ordered = events[np.argsort(events["cycle"], kind="stable")]
        if self._idle is None:
            return ordered, ""
        try:
            return switches.named(ordered, self._program.content.stacks, self._idle), ""
        except RunError as error:
            return ordered, error.message

    def _read_reference(self) -> Seen:
        self._raw = np.fromfile(self._file(REFERENCE, "trace"), dtype=EVENT)
        self._console = self._file(REFERENCE, "console").read_bytes()
        return Seen(self._console.decode("utf-8", "replace"), self._named(self._raw)[0])

    def _file(self, name: str | int, end: str) -> Path:
        return self._folder / f"{name}.{end}"

    def _lines(self, plan: str, jobs: int, limit: int, early: bool) -> Iterator[str]:
        """Start the simulation and yield its lines; those about state are kept."""
        file = self._folder / "plan"
        file.write_text(plan, encoding="ascii")
        self._raw, self._console = self._raw[:0], b""
        words = self._words(limit)
        own = [str(file), str(jobs), str(self._folder), str(int(early))]
        words = [words[0], *own, *words[1:]]
        errors = self._folder / "errors"
        with errors.open("wb") as stderr:
            process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
                start_new_session=True,
            )
            try:
                assert process.stdout is not None
                state = []
                for line in process.stdout:
                    if line.startswith("state "):
                        state.append(line)
                    else:
                        yield line
                self.state = state
                status = process.wait()
            except BaseException:
                end_group(process)
                raise
            finally:
                if process.stdout is not None:
                    process.stdout.close()
        if status != 0:
            raise failed(status, errors.read_text(errors="replace"), self._folder)

    def _words(self, limit: int) -> list[str]:
        more = ["--trace", str(self._folder / "trace")]
        words = command(self._hardware, self._program, self._settings, self._folder, more)
        for name, value in (("--tracepoints", str(self._points)), ("--max-cycles", str(limit))):
            words[words.index(name) + 1] = value
        return words
