"""An experiment on several systems, one process each (at most one per CPU at a time)."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from melanion.errors import MelanionError
from melanion.experiments.definition import ExperimentError
from melanion.experiments.result import Result
from melanion.experiments.work import Outcome, definition_of, work

Progress = Callable[[str, str], None]
"""Called with a kernel and what is being done for it now; an empty text: it is done."""

GRACE = 5.0  # seconds that an interrupted worker has to remove what it had begun


@dataclass(frozen=True)
class _Failure:
    """An error of a worker: what the user reads."""

    message: str
    exit_code: int


def execute(
    experiment: str,
    kernels: Sequence[str],
    *,
    command: str,
    progress: Progress = lambda kernel, text: None,
) -> Result:
    """Measure on every kernel. `command` is what the user typed, for the report. Raises
    MelanionError."""
    definition = definition_of(experiment, list(kernels))
    if len(set(kernels)) != len(kernels):
        raise ExperimentError(
            f"--kernels {','.join(kernels)} names a kernel twice; name each once.", 2
        )
    outcomes = _run_all(experiment, kernels, progress)
    return Result(
        experiment=experiment,
        definition=definition,
        kernels=tuple(kernels),
        measurements=tuple(each for kernel in kernels for each in outcomes[kernel].measurements),
        provenance=_provenance(
            command, {kernel: outcomes[kernel].provenance for kernel in kernels}
        ),
    )


def _run_all(experiment: str, kernels: Sequence[str], progress: Progress) -> dict[str, Outcome]:
    context = multiprocessing.get_context("spawn")
    waiting = list(kernels)
    active: dict[Connection, tuple[str, SpawnProcess]] = {}
    outcomes: dict[str, Outcome] = {}
    try:
        while waiting or active:
            while waiting and len(active) < (os.cpu_count() or 1):
                kernel = waiting.pop(0)
                here, there = context.Pipe(duplex=False)
                process = context.Process(
                    target=_worker, args=(there, experiment, kernel), daemon=True
                )
                process.start()
                there.close()
                active[here] = (kernel, process)
            for ready in wait(list(active)):
                assert isinstance(ready, Connection)
                kernel, process = active[ready]
                message = _receive(ready, kernel)
                if isinstance(message, str):
                    progress(kernel, message)
                    continue
                del active[ready]
                process.join()
                if isinstance(message, _Failure):
                    raise ExperimentError(message.message, message.exit_code)
                outcomes[kernel] = message
                progress(kernel, "")
    finally:
        _stop([process for _, process in active.values()])
    return outcomes


def _receive(connection: Connection, kernel: str) -> str | Outcome | _Failure:
    try:
        message: str | Outcome | _Failure = connection.recv()
    except EOFError:
        return _Failure(
            f"the process that measured {kernel} ended without a result; free memory and run it"
            f" again.",
            1,
        )
    return message


def _worker(connection: Connection, experiment: str, kernel: str) -> None:
    """Body of a worker process."""
    # The parent says what happened; a worker that is interrupted only has to end.
    with suppress(KeyboardInterrupt, BrokenPipeError):
        try:
            connection.send(work(experiment, kernel, connection.send))
        except MelanionError as error:
            connection.send(_Failure(error.message, error.exit_code))


def _stop(processes: list[SpawnProcess]) -> None:
    """Interrupt workers as Ctrl-C would, so that they remove what they had begun."""
    for process in processes:
        if process.is_alive() and process.pid is not None:
            os.kill(process.pid, signal.SIGINT)
    for process in processes:
        process.join(GRACE)
        if process.is_alive():
            process.kill()
            process.join()


def _provenance(command: str, systems: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """What is common to all runs, and one flat mapping per system."""
    first = next(iter(systems.values()))
    return {
        "command": command,
        "version": first["melanion"],
        "commit": first["commit"],
        "spec_hash": first["spec_hash"],
        "tools": first["tools"],
        "systems": {kernel: _flat(decided) for kernel, decided in systems.items()},
    }


def _flat(decided: dict[str, Any]) -> dict[str, str]:
    """One system's configuration in words."""
    system = decided["system"]
    core, memory = system["core"], system["memory"]
    return {
        "core": f"{core['count']} × {core['type']} {core['variant']}",
        "clock": f"{system['clock_mhz']} MHz",
        "memory": f"{memory['kib']} KiB, {decided['wait_states']} wait states",
        "attachment": f"{system['attachment']}, {decided['unit_wait_states']} wait states",
        "sizes": ", ".join(
            f"{value} {key}" for key, value in system["parameters"].items() if key != "time_reset"
        ),
        "flags": decided["flags"],
        "seed": str(decided["seed"]),
        "hardware": decided["hardware_key"][:12],
        "program": decided["program_key"][:12],
    }
