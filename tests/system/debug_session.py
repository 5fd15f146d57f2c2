# SPDX-License-Identifier: Apache-2.0
"""A held run of tests/system/debugged, and a client of its server, for tests of the debugger."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from melanion import build, config
from melanion.debug import Server, Target, packet
from melanion.run import Settings, held
from melanion.run.held import Held
from melanion.soc import Purpose
from tests.common import limited

APP = Path(__file__).parent / "debugged"
URGENT, OWNER, WAITER, BUSY = 1, 2, 3, 4  # threads: the task's number and one


@dataclass
class Session:
    """A held run of tests/system/debugged."""

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
def session(name: str, wait_states: str | None = None) -> Iterator[Session]:
    system, app = config.find(name), build.application(str(APP))
    hardware = build.hardware(system, Purpose.DEBUG)
    program = build.program(system, app)
    settings = Settings(wait_states=wait_states).decide(system, app)
    with held(hardware, program, settings) as simulation:
        assert simulation.stopped().cycle > 0
        yield Session(Target(system, program, simulation), simulation)


class Client:
    """A GDB that says what the test says."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=limited.HUNG)
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
        worker.join(timeout=limited.HUNG)
        server.close()


@contextmanager
def served(max_cycles: int | None = None) -> Iterator[tuple[Client, list[Any], Session]]:
    system, app = config.find("hwrtos"), build.application(str(APP))
    hardware, program = build.hardware(system, Purpose.DEBUG), build.program(system, app)
    with held(hardware, program, Settings(max_cycles=max_cycles).decide(system, app)) as simulation:
        of = Session(Target(system, program, simulation), simulation)
        with client(of) as (talk, endings):
            yield talk, endings, of
