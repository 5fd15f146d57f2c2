# SPDX-License-Identifier: Apache-2.0
"""The process of one side of the page, from the server's end: one run at a time, the newest wins.

A run that its limits end, that is stopped, or whose page has gone, takes its process with it, and
every process that came of that: first they are interrupted, then killed.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import mel_gen

from melanion import paths
from melanion.studio.files import Folder
from melanion.studio.limits import Limits

GRACE = 3.0  # seconds that an interrupted process has to remove what it had begun
LINE = 1 << 20  # bytes of a message at most
# Whoever closes the page at once ends a process that still imports: without a traceback.
PROGRAM = (
    "import signal; signal.signal(signal.SIGINT, signal.SIG_DFL);"
    " from melanion.studio import job; job.main()"
)
Message = dict[str, Any]


class Worker:
    """`place`: folder of its results, one for each run."""

    def __init__(self, place: Path, folder: Folder | None, limits: Limits) -> None:
        self._place, self._folder, self._limits = place, folder, limits
        self._process: Process | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._running: int | None = None
        self.runs = 0

    @property
    def busy(self) -> bool:
        return self._running is not None

    def result(self, number: int) -> Path:
        """Folder of a run's files; it is gone when another run has begun."""
        return self._place / str(number)

    async def run(self, wanted: dict[str, Any]) -> AsyncIterator[Message]:
        """Messages of a run, the last of which is `done` or `failed`."""
        self.stop()
        self.runs += 1
        number = self._running = self.runs
        done = False
        try:
            await self.ended()
            if self._running != number:
                yield _replaced()
                return
            shutil.rmtree(self._place, ignore_errors=True)
            self.result(number).mkdir(parents=True)
            process = self._process or await self._start()
            request = {"run": wanted, "folder": str(self.result(number))}
            async for message in self._messages(process, request, number):
                done = bool(message.pop("alive", False))
                yield {**message, "run": number}
        finally:
            if self._running == number:
                self._running = None
                if not done:
                    self._end()

    def stop(self) -> None:
        """End what is running; `ended` waits for it."""
        if self._running is not None:
            self._running = None
            self._end()

    def close(self) -> None:
        """End the process, whether it runs something or not."""
        self._running = None
        self._end()

    async def ended(self) -> None:
        """Wait until every process that was to end has ended."""
        while self._ending:
            await asyncio.wait(self._ending)

    async def _messages(
        self, process: Process, request: Message, number: int
    ) -> AsyncIterator[Message]:
        """`alive`: the process can take another request."""
        assert process.stdin is not None and process.stdout is not None
        until = asyncio.get_running_loop().time() + self._limits.seconds
        with suppress(ConnectionError):
            process.stdin.write(json.dumps(request).encode() + b"\n")
            await process.stdin.drain()
        while True:
            try:
                async with asyncio.timeout_at(until):
                    line = await process.stdout.readline()
            except TimeoutError:
                yield _failed(
                    f"the build or the run was stopped after {self._limits.seconds:g} s, the limit"
                    " of the studio; choose fewer cycles, or use the command line."
                )
                return
            if not line.endswith(b"\n"):  # it ended, perhaps within a line
                yield _replaced() if self._running != number else await self._vanished(process)
                return
            message: Message = json.loads(line)
            last = message["kind"] != "progress"
            yield {**message, **({"alive": True} if last else {})}
            if last:
                return

    async def _vanished(self, process: Process) -> Message:
        status = await process.wait()
        how = f"signal {-status}" if status < 0 else f"exit code {status}"
        return _failed(
            f"the process of the run ended with {how}; run it again (limits of the studio:"
            f" {self._limits.text})."
        )

    async def _start(self) -> Process:
        # -P: a file of the current folder, which may be the visitor's, stands in for no module.
        words = [sys.executable, "-P", "-c", PROGRAM, json.dumps(self._limits.words)]
        words += [str(os.getpid()), str(self._folder.root) if self._folder else ""]
        self._process = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=_environment(),
            limit=LINE,
            start_new_session=True,
        )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        task = asyncio.get_running_loop().create_task(_ended(process))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)


def _environment() -> dict[str, str]:
    """Ours, in which the packages of this process come first."""
    roots = [str(Path(str(each.__file__)).parents[1]) for each in (paths, mel_gen)]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*roots, *filter(None, [os.environ.get("PYTHONPATH")])]),
    }


async def _ended(process: Process) -> None:
    """Interrupt a process, and kill what is left of its family."""
    family = _family(process.pid)
    with suppress(ProcessLookupError):
        process.send_signal(signal.SIGINT)
    with suppress(TimeoutError):
        async with asyncio.timeout(GRACE):
            await process.wait()
    if process.returncode is None:
        family |= _family(process.pid)
        process.kill()
    began = _processes()
    for pid, (_, at) in family.items():
        if pid in began and began[pid][1] == at:  # no other one has the number now
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
    await process.wait()


def _family(pid: int) -> dict[int, tuple[int, str]]:
    """Processes that came of a process. They have sessions of their own: no signal reaches all."""
    processes = _processes()
    found: set[int] = set()
    fresh = {pid}
    while fresh:
        fresh = {child for child, (parent, _) in processes.items() if parent in fresh} - found
        found |= fresh
    return {each: processes[each] for each in found}


def _processes() -> dict[int, tuple[int, str]]:
    """Parent and begin of every process."""
    found: dict[int, tuple[int, str]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            state = path.read_text(errors="replace").rpartition(")")[2].split()
            found[int(path.parent.name)] = int(state[1]), state[19]
    return found


def _failed(message: str) -> Message:
    return {"kind": "failed", "message": message}


def _replaced() -> Message:
    return _failed("the run was stopped: another one of this side was asked for.")
