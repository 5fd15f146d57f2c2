# SPDX-License-Identifier: Apache-2.0
"""Workers of one machine: processes that stay for many points.

A worker that ends within a point (killed, out of memory) is replaced, and its point given to
another one; a point that has ended so several workers is a failure, and the others go on.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Protocol

from melanion.run.parallel import end_with_parent, stop
from melanion.sweep.evaluate import Outcome, evaluate
from melanion.sweep.plan import Point

TRIES = 3  # workers that a point may end
Told = Callable[[str, str], None]
"""Called with the name of a point and what is done for it now."""


class Workers(Protocol):
    """Evaluates points, several at a time."""

    @property
    def free(self) -> int:
        """Number of points that may be begun now."""

    def begin(self, point: Point, expected: str) -> None: ...

    def ended(self) -> Iterator[Outcome]:
        """Outcomes of points that have ended; waits for one at least."""

    def close(self) -> None:
        """End what is under way."""


@dataclass
class _Worker:
    process: SpawnProcess
    pipe: Connection
    point: Point
    expected: str


class Pool:
    """At most `jobs` processes. `told`: progress."""

    def __init__(self, jobs: int, told: Told = lambda name, text: None) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._jobs, self._told = jobs, told
        self._idle: list[tuple[SpawnProcess, Connection]] = []
        self._busy: dict[Connection, _Worker] = {}
        self._ended_workers: dict[Point, int] = {}

    @property
    def free(self) -> int:
        return self._jobs - len(self._busy)

    def begin(self, point: Point, expected: str) -> None:
        process, pipe = self._idle.pop() if self._idle else self._new()
        with suppress(BrokenPipeError):  # it ended while it was idle: `ended` sees that
            pipe.send((point, expected))
        self._busy[pipe] = _Worker(process, pipe, point, expected)

    def _new(self) -> tuple[SpawnProcess, Connection]:
        here, there = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(there,), daemon=True)
        process.start()
        there.close()
        return process, here

    def ended(self) -> Iterator[Outcome]:
        found: list[Outcome] = []
        while self._busy and not found:
            for ready in wait(list(self._busy)):
                assert isinstance(ready, Connection)
                worker = self._busy[ready]
                try:
                    message: str | Outcome = ready.recv()
                except (EOFError, ConnectionResetError):
                    del self._busy[ready]
                    found += self._again(worker)
                    continue
                if isinstance(message, str):
                    self._told(worker.point.name, message)
                    continue
                del self._busy[ready]
                self._idle.append((worker.process, ready))
                found.append(message)
        yield from found

    def _again(self, worker: _Worker) -> list[Outcome]:
        """Another worker for a point whose worker has ended, or a failure."""
        worker.process.join()
        point = worker.point
        number = self._ended_workers[point] = self._ended_workers.get(point, 0) + 1
        if number < TRIES:
            self.begin(point, worker.expected)
            return []
        code = worker.process.exitcode or 0
        how = f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        cause = f"{number} workers have {how} within this point; free memory and run it again."
        return [Outcome(point, 0.0, failure=cause)]

    def close(self) -> None:
        for _, pipe in self._idle:
            pipe.close()
        busy = (worker.process for worker in self._busy.values())
        stop(busy, ending=(process for process, _ in self._idle))
        self._busy, self._idle = {}, []


def _serve(pipe: Connection) -> None:
    """Body of a worker: points until nobody asks for more."""
    end_with_parent()
    # Whoever interrupts says so; an interrupted worker only has to end.
    with suppress(KeyboardInterrupt, EOFError, BrokenPipeError, ConnectionResetError):
        try:
            while True:
                point, expected = pipe.recv()
                pipe.send(evaluate(point, expected, pipe.send))
        finally:
            # Ctrl-C reaches every process, and `close` interrupts once more.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
