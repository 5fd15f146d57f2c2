# SPDX-License-Identifier: Apache-2.0
"""Several jobs at a time, each in a process of its own: runs are parallel processes, not threads.

A job is a function of a module (it is found again by name in the new process) and its arguments; it
reports what it does through the `report` that it gets as its last argument.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Generic, TypeVar

from melanion.errors import MelanionError
from melanion.run.errors import RunError

Value = TypeVar("Value")

Progress = Callable[[str, str], None]
"""Called with a job's name and what it does now; an empty text: it is done."""

PR_SET_PDEATHSIG = 1  # linux/prctl.h
GRACE = 5.0  # seconds that an interrupted job has to remove what it had begun


@dataclass(frozen=True)
class _Failure:
    """An error of a job: what the user reads."""

    message: str
    exit_code: int


@dataclass(frozen=True)
class _Success(Generic[Value]):
    value: Value


def run_jobs(
    function: Callable[..., Value],
    jobs: Mapping[str, tuple[Any, ...]],
    progress: Progress = lambda name, text: None,
) -> dict[str, Value]:
    """`function(*arguments, report)` for every job, at most one per CPU at a time.

    Returns name → value. The first error ends the other jobs and is raised as RunError with its
    message and exit code.
    """
    context = multiprocessing.get_context("spawn")
    waiting = dict(jobs)
    active: dict[Connection, tuple[str, SpawnProcess]] = {}
    values: dict[str, Value] = {}
    try:
        while waiting or active:
            while waiting and len(active) < (os.cpu_count() or 1):
                name = next(iter(waiting))
                here, there = context.Pipe(duplex=False)
                words = (there, function, waiting.pop(name))
                process = context.Process(target=_job, args=words, daemon=True)
                process.start()
                there.close()
                active[here] = (name, process)
            for ready in wait(list(active)):
                assert isinstance(ready, Connection)
                name, process = active[ready]
                message = _receive(ready, name)
                if isinstance(message, str):
                    progress(name, message)
                    continue
                del active[ready]
                process.join()
                if isinstance(message, _Failure):
                    raise RunError(message.message, message.exit_code)
                values[name] = message.value
                progress(name, "")
    finally:
        stop(process for _, process in active.values())
    return values


def _receive(connection: Connection, name: str) -> str | _Failure | _Success[Any]:
    try:
        message: str | _Failure | _Success[Any] = connection.recv()
    except EOFError:
        return _Failure(
            f"the process for {name} ended without a result; free memory and run it again.", 1
        )
    return message


def _job(connection: Connection, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Body of a process."""
    end_with_parent()
    # Whoever interrupts says so; an interrupted job only has to end.
    with suppress(KeyboardInterrupt, BrokenPipeError):
        try:
            connection.send(_Success(function(*arguments, connection.send)))
        except MelanionError as error:
            connection.send(_Failure(error.message, error.exit_code))


def end_with_parent() -> None:
    """However the parent ends; the simulation of this process then ends, too. Linux alone."""
    parent = multiprocessing.parent_process()
    if sys.platform != "linux" or parent is None:
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent.pid:
        os._exit(1)


def stop(processes: Iterable[SpawnProcess], ending: Iterable[SpawnProcess] = ()) -> None:
    """Interrupt jobs as Ctrl-C would, so that they remove what they had begun, and wait for them;
    also for those that are `ending` by themselves."""
    interrupted = list(processes)
    for process in interrupted:
        if process.is_alive() and process.pid is not None:
            os.kill(process.pid, signal.SIGINT)
    for process in (*interrupted, *ending):
        process.join(GRACE)
        if process.is_alive():
            process.kill()
            process.join()
