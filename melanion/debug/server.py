# SPDX-License-Identifier: Apache-2.0
"""The server: one GDB at a time, over a socket of this machine; it stands when GDB says so.

GDB sees an all-stop target. Where it reads, steps and stops: docs/decisions/0028.
"""

from __future__ import annotations

import select
import socket
from collections.abc import Callable
from enum import Enum
from typing import NoReturn

from mel_gen import ExitReason

import melanion.debug.description as description
import melanion.debug.packet as packet
from melanion.debug.errors import DebugError
from melanion.debug.frames import PC
from melanion.debug.target import Target
from melanion.run.held import Stop
from melanion.run.tasks import text

HOST = "127.0.0.1"
_MOST = 0x4000  # bytes of a packet
_SIGTRAP, _SIGINT, _SIGSEGV, _SIGXCPU = 5, 2, 11, 24  # as GDB numbers them
_ERROR = b"E01"
_FEATURES = (
    f"PacketSize={_MOST:x};qXfer:features:read+;qXfer:threads:read+;swbreak+;hwbreak+;"
    "vContSupported+;QStartNoAckMode+"
)


class Ending(Enum):
    """Reasons for the end of a conversation."""

    EXITED = "the program ended"
    KILLED = "GDB killed the program"
    DETACHED = "GDB let the program go"
    GONE = "GDB went without a word"


class _Over(Exception):
    """The conversation is over."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.value)
        self.ending = ending


class Server:
    """A socket on which GDB finds the target."""

    def __init__(self, port: int) -> None:
        """`port` 0: any that is free. Raises DebugError."""
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((HOST, port))
        except OSError as error:
            self._socket.close()
            raise DebugError(
                f"port {port} cannot be listened on ({error.strerror}); name a free one with"
                " --port, or 0 for any."
            ) from error
        self._socket.listen(1)

    @property
    def port(self) -> int:
        return int(self._socket.getsockname()[1])

    def close(self) -> None:
        self._socket.close()

    def serve(self, target: Target) -> Ending:
        """Wait for a GDB, and do what it says until it leaves or the program ends."""
        client, _ = self._socket.accept()
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with client:
            conversation = _Conversation(client, target)
            try:
                conversation.run()
            except _Over as over:
                return over.ending
            except ConnectionError:
                return conversation.gone()


class _Conversation:
    """One GDB."""

    def __init__(self, client: socket.socket, target: Target) -> None:
        self.client, self.target, self.held = client, target, target.held
        self.reader = packet.Reader()
        self.waiting: list[bytes | None] = []
        self.acknowledges = True
        self.marks: set[int] = set()
        self.printed = 0  # characters of the console that GDB has been told
        stop = self.held.stopped()  # before the first instruction
        self.selected = self.stopped_in = target.current(stop)
        self.last = self.reply(_SIGTRAP, stop)
        self.over = False  # the program has ended, and only looking is left
        self.verbs: dict[bytes, Callable[[bytes], bytes | None]] = {
            b"?": lambda _: self.last,
            b"g": self.registers,
            b"p": self.register,
            b"m": self.memory,
            b"M": self.write,
            b"X": self.write_binary,
            b"Z": lambda rest: self.breakpoint(rest, True),
            b"z": lambda rest: self.breakpoint(rest, False),
            b"H": self.select,
            b"T": self.alive,
            b"c": lambda _: self.resume("run", self.selected),
            b"s": lambda _: self.resume("step", self.selected),
            b"v": self.extended,
            b"q": self.query,
            b"Q": self.set,
            b"k": self.kill,
            b"D": self.detach,
            b"G": lambda _: _ERROR,  # registers cannot be written: decision 0028
            b"P": lambda _: _ERROR,
        }

    def run(self) -> NoReturn:
        """Ends with _Over."""
        while True:
            data = self.next()
            if data == packet.INTERRUPT:
                continue  # it stands already
            if data is None:
                self.client.sendall(b"-")
                continue
            if self.acknowledges:
                self.client.sendall(b"+")
            answer = self.answer(data)
            if answer is not None:
                self.send(answer)

    def answer(self, data: bytes) -> bytes | None:
        """To one packet; None: it has been answered."""
        act = self.verbs.get(data[:1])
        try:
            return b"" if act is None else act(data[1:])
        except (ValueError, IndexError):  # no number where there should be one
            return _ERROR

    # ---- packets ----------------------------------------------------------------------------

    def next(self) -> bytes | None:
        while not self.waiting:
            self.receive()
        return self.waiting.pop(0)

    def receive(self) -> None:
        data = self.client.recv(_MOST)
        if not data:
            raise _Over(self.gone())
        self.waiting += self.reader.feed(data)

    def send(self, data: bytes) -> None:
        self.client.sendall(packet.frame(data))

    # ---- looking ----------------------------------------------------------------------------

    def registers(self, _: bytes) -> bytes:
        found = self.target.registers(self.selected)
        return "".join(_register(found.get(number)) for number in range(PC + 1)).encode()

    def register(self, rest: bytes) -> bytes:
        number = int(rest, 16)
        if number > PC:
            return _ERROR
        return _register(self.target.registers(self.selected).get(number)).encode()

    def memory(self, rest: bytes) -> bytes:
        address, size = (int(word, 16) for word in rest.split(b","))
        found = self.held.read(address, min(size, _MOST // 2 - 4))
        return _ERROR if found is None else found.hex().encode()

    def query(self, rest: bytes) -> bytes:
        name, _, more = rest.decode("ascii", "replace").partition(":")
        if name.startswith("Rcmd,"):
            return self.monitor(bytes.fromhex(name.removeprefix("Rcmd,")).decode())
        if name.startswith("ThreadExtraInfo,"):
            number = int(name.removeprefix("ThreadExtraInfo,"), 16)
            about = [each.about for each in self.target.threads() if each.number == number]
            return about[0].encode().hex().encode() if about else _ERROR
        if name == "Xfer":
            kind, _, place = more.rpartition(":")
            document = {
                "features:read:target.xml": description.target,
                "threads:read:": self.thread_list,
            }.get(kind)
            return b"" if document is None else description.part(document(), place)
        answers: dict[str, Callable[[], str]] = {
            "Supported": lambda: _FEATURES,
            "Attached": lambda: "0",  # it ends with GDB
            "C": lambda: f"QC{self.stopped_in:x}",
            "fThreadInfo": lambda: "m" + ",".join(f"{t.number:x}" for t in self.target.threads()),
            "sThreadInfo": lambda: "l",
        }
        return answers[name]().encode() if name in answers else b""

    def thread_list(self) -> str:
        return description.threads(self.target.threads())

    def monitor(self, words: str) -> bytes:
        """`monitor tasks` and `monitor cycle`."""
        words = words.strip()
        if words == "tasks":
            said = text(self.target.table)
        elif words == "cycle":
            said = f"{self.cycle} cycles are over"
        else:
            said = f"{words!r}: known are `monitor tasks` and `monitor cycle`."
        return f"{said}\n".encode().hex().encode()

    def select(self, rest: bytes) -> bytes:
        number = int(rest[1:], 16)
        if number > 0:
            self.selected = number
        return b"OK"

    def alive(self, rest: bytes) -> bytes:
        known = {each.number for each in self.target.threads()}
        return b"OK" if int(rest, 16) in known else _ERROR

    # ---- changing ---------------------------------------------------------------------------

    def write(self, rest: bytes) -> bytes:
        place, _, data = rest.partition(b":")
        return self.store(place, bytes.fromhex(data.decode()))

    def write_binary(self, rest: bytes) -> bytes:
        place, _, data = rest.partition(b":")
        return self.store(place, data)

    def store(self, place: bytes, data: bytes) -> bytes:
        address = int(place.split(b",")[0], 16)
        good = not data or (self.target.writable and self.held.write(address, data))
        return b"OK" if good else _ERROR

    def breakpoint(self, rest: bytes, wanted: bool) -> bytes:
        kind, address, size = rest.split(b",", 2)
        place = int(address, 16)
        if kind == b"2":
            return b"OK" if self.held.watch(place, int(size, 16), wanted=wanted) else _ERROR
        if kind not in (b"0", b"1"):
            return b""  # loads are not watched
        if not self.held.mark(place, wanted=wanted):
            return _ERROR
        (self.marks.add if wanted else self.marks.discard)(place)
        return b"OK"

    def set(self, rest: bytes) -> bytes | None:
        if rest != b"StartNoAckMode":
            return b""
        self.send(b"OK")
        self.acknowledges = False
        return None

    # ---- running ----------------------------------------------------------------------------

    def extended(self, rest: bytes) -> bytes | None:
        if rest == b"Cont?":
            return b"vCont;c;C;s;S"
        if rest.startswith(b"Kill"):
            self.send(b"OK")
            raise _Over(Ending.KILLED)
        if not rest.startswith(b"Cont;"):
            return b""
        for action in rest.removeprefix(b"Cont;").split(b";"):
            what, _, thread = action.partition(b":")
            if what[:1] in b"sS":
                return self.resume("step", int(thread, 16) if thread else self.selected)
        return self.resume("run", self.selected)

    def resume(self, verb: str, thread: int) -> bytes:
        """Run till something happens; the stop reply."""
        if self.over:
            raise _Over(Ending.EXITED)
        stop = self.step(thread) if verb == "step" else self.go(verb)
        self.selected = self.stopped_in = self.target.current(stop)
        self.tell_console()
        if stop.reason == "end":
            return self.ended(stop)
        signal = _SIGINT if stop.reason == "halt" else _SIGTRAP
        self.last = self.reply(signal, stop)
        return self.last

    def step(self, thread: int) -> Stop:
        """One instruction of a thread; of a task that waits: when it goes on."""
        core = self.target.core_of(thread)
        if core is not None:
            return self.go("step", core)
        place = self.target.registers(thread).get(PC, 0)
        self.held.mark(place, wanted=True)
        try:
            while True:
                stop = self.go("run")
                ours = self.target.current(stop) == thread
                foreign = stop.reason == "break" and self.target.pc(stop.core) not in self.marks
                if ours or not foreign:
                    return stop
        finally:
            if place not in self.marks:
                self.held.mark(place, wanted=False)

    def go(self, verb: str, core: int = 0) -> Stop:
        self.target.moved()
        self.held.go(verb, core)
        while not self.held.ready(0):
            readable, _, _ = select.select([self.held.fileno(), self.client.fileno()], [], [])
            if self.client.fileno() in readable:
                self.receive()
                if packet.INTERRUPT in self.waiting:
                    self.waiting.remove(packet.INTERRUPT)
                    self.held.halt()
        return self.held.stopped()

    def tell_console(self) -> None:
        text = self.held.console
        if len(text) > self.printed:
            self.send(b"O" + text[self.printed :].encode().hex().encode())
            self.printed = len(text)

    def reply(self, signal: int, stop: Stop) -> bytes:
        self.cycle = stop.cycle
        why = {"break": "swbreak:;", "watch": f"watch:{stop.address:x};"}.get(stop.reason, "")
        return f"T{signal:02x}thread:{self.stopped_in:x};core:{stop.core:x};{why}".encode()

    def ended(self, stop: Stop) -> bytes:
        """A program that ended itself is gone; one that failed is there to be looked at."""
        reason, code = self.target.end()
        self.over = True
        if reason == ExitReason.PROGRAM:
            self.last = f"W{code & 0xFF:02x}".encode()
        else:
            limit = reason == ExitReason.CYCLE_LIMIT
            self.last = self.reply(_SIGXCPU if limit else _SIGSEGV, stop)
        return self.last

    def kill(self, _: bytes) -> None:
        raise _Over(Ending.EXITED if self.over else Ending.KILLED)

    def gone(self) -> Ending:
        """GDB goes without a word when the program has ended."""
        return Ending.EXITED if self.over else Ending.GONE

    def detach(self, _: bytes) -> None:
        """The run goes on to its end, as fast as it can."""
        self.send(b"OK")
        for place in self.marks:
            self.held.mark(place, wanted=False)
        while not self.over:
            self.target.moved()
            self.held.go()
            self.over = self.held.stopped().reason == "end"
        raise _Over(Ending.DETACHED)


def _register(value: int | None) -> str:
    """Eight hexadecimal digits, the lowest byte first; `x`: not known."""
    return "xxxxxxxx" if value is None else value.to_bytes(4, "little").hex()
