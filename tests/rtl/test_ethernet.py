# SPDX-License-Identifier: Apache-2.0
"""The Ethernet MAC and the traffic generator at the other end of its wire, alone: lint by both
front ends, frames that are received, lost and sent, replies that are right and wrong, with mutants.
In whole systems: tests/system/test_network.py.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from mel_gen.ethernet import PARAMETERS, Command, Region, Register

from tests.common import kept, schemata, verilated, yosys
from tests.common.verilated import ROOT
from tests.rtl.ethernet.frames import ARP, ICMP, UDP, Message, checksum, words
from tests.rtl.test_rtl_lint import complaints, verilator

FOLDER = ROOT / "hw" / "ethernet"
DRIVER = Path(__file__).resolve().parent / "ethernet" / "driver.cpp"
SOURCES = [
    (FOLDER / name).resolve()
    for name in (FOLDER / "mel_ethernet.f").read_text(encoding="utf-8").split()
]
NONE = 0xFFFFFFFF
BYTE, GAP = 8, 24  # cycles of a byte, bytes between two frames
SLOTS = PARAMETERS["slots"][1]
DEFECTS = ("ip", "station", "fragment", "sum", "cut", "short")


class Script:
    """Accesses, and what their answers must be."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.expected: list[tuple[str, Callable[[int], bool]]] = []

    def store(self, offset: int, word: int, answer: int = 0, core: int = 0) -> None:
        self._add(f"s {core:x} {offset:x} {word:x}", lambda found: found == answer)

    def load(self, offset: int, word: int, core: int = 0, mask: int = NONE) -> None:
        self._add(f"l {core:x} {offset:x}", lambda found: found & mask == word)

    def within(self, offset: int, least: int, most: int) -> None:
        self._add(f"l 0 {offset:x}", lambda found: least <= found <= most)

    def until(self, offset: int, word: int, most: int = 10_000_000, least: int = 0) -> None:
        self._add(f"p {offset:x} {word:x}", lambda found: least <= found <= most)

    def interrupts(self, levels: int) -> None:
        self._add("i", lambda found: found == levels)

    def wait(self, cycles: int) -> None:
        self.lines.append(f"w {cycles:x}")

    def _add(self, line: str, holds: Callable[[int], bool]) -> None:
        self.lines.append(line)
        self.expected.append((line, holds))

    # Steps that several tests share.

    def start(self, frames: int, form: int = UDP, size: int = 32, period: int = 0) -> None:
        self.store(Register.FORM, form)
        self.store(Register.BYTES, size)
        self.store(Register.PERIOD, period)
        self.store(Command.START, frames)

    def receive(self, frame: bytes) -> None:
        """The oldest frame, which is then released."""
        self.until(Register.LENGTH, len(frame))
        for place, word in enumerate(words(frame)):
            self.load(Region.FRAME + 4 * place, word)
        self.store(Command.RELEASE, 0)

    def send(self, frame: bytes) -> None:
        self.until(Register.ROOM, 2)
        for place, word in enumerate(words(frame)):
            self.store(Region.FRAME + 4 * place, word)
        self.store(Command.SEND, len(frame))
        self.until(Register.ROOM, 2)
        self.wait(4)

    def run(self, program: Path) -> str:
        """First difference; empty: none."""
        with tempfile.NamedTemporaryFile("w", suffix=".script") as file:
            file.write("".join(f"{line}\n" for line in self.lines))
            file.flush()
            done = verilated.run([str(program), file.name])
        if done.returncode:
            return done.stderr or f"status {done.returncode}: {done.stdout[-200:]}"
        for number, (text, (line, holds)) in enumerate(
            zip(done.stdout.split(), self.expected, strict=True)
        ):
            if not holds(int(text, 16)):
                return f"access {number}, {line}: {text}"
        return ""


# ---- what it does --------------------------------------------------------------------------------


def requests_are_right(script: Script) -> None:
    """Each form, at its least size, at an odd number of words, and longer than a slot's word."""
    forms = ((UDP, 4), (UDP, 32), (UDP, 1000), (ICMP, 4), (ICMP, 66), (ARP, 32))
    for run, (form, size) in enumerate(forms, 1):
        script.start(2, form, size)
        for number in range(2):
            script.receive(Message(form, run << 8 | number, size).request())
    script.load(Register.ACCEPTED, 12)
    script.load(Register.LOST, 0)


def right_replies_count(script: Script) -> None:
    """The round trip is from the last byte of one to the last byte of the other."""
    for run, form in enumerate((UDP, ICMP, ARP), 1):
        message = Message(form, run << 8, 34)
        script.start(1, form, 34)
        script.receive(message.request())
        script.send(message.reply())
        script.load(Register.REPLIES, 1)
        script.load(Register.WRONG, 0)
        length = max(60, len(message.reply()))
        script.within(Region.ROUND_TRIP, BYTE * length, BYTE * length + 200)
        script.load(Region.ROUND_TRIP + 4, 0)
        script.send(message.reply())  # a second one
        script.load(Register.REPLIES, 1)
        script.load(Register.WRONG, 1)
    script.load(Register.OTHERS, 0)
    script.load(Register.SENT, 6)


def changed(frame: bytes, place: int, bits: int = 1) -> bytes:
    """A frame with other bits in one byte."""
    return frame[:place] + bytes((frame[place] ^ bits,)) + frame[place + 1 :]


def resummed(frame: bytes) -> bytes:
    """The IP header's checksum made right again."""
    head = frame[14:24] + b"\0\0" + frame[26:34]
    return frame[:24] + checksum(head).to_bytes(2, "big") + frame[26:]


def wrong_replies_are_noticed(script: Script) -> None:
    message = Message(UDP, 1 << 8, 34)
    good = message.reply()
    wrong = [
        changed(good, 24),  # checksum of the IP header
        changed(good, 40),  # checksum of UDP
        changed(good, 50),  # a byte of the payload
        changed(good, len(good) - 1),
        changed(changed(good, 50), 52),  # two, so that the sum is as before, or nearly
        resummed(changed(good, 20, 0x20)),  # a fragment
        resummed(changed(good, 33)),  # for another address
        changed(good, 37),  # for another port
        good[:40] + b"\0\0" + good[42:],  # without a checksum
        good + b"\0",  # longer than it says
        good[:-2],
        Message(UDP, 9 << 8, 34).reply(),  # to an earlier run
        Message(UDP, 1 << 8 | 1, 34).reply(),  # to a frame that was not sent
        Message(ICMP, 1 << 8, 34).reply(),  # another form
    ]
    script.start(1, UDP, 34)
    script.receive(message.request())
    for count, frame in enumerate(wrong, 1):
        script.send(frame)
        script.load(Register.WRONG, count)
    script.load(Register.REPLIES, 0)
    script.load(Region.ROUND_TRIP, 0)
    script.send(good)
    script.load(Register.REPLIES, 1)
    script.send(b"\xff" * 6 + good[6:])  # for all: not the generator's
    script.load(Register.OTHERS, 1)
    script.load(Register.WRONG, len(wrong))


def echoes_need_their_own_checksum(script: Script) -> None:
    message = Message(ICMP, 1 << 8, 34)
    script.start(1, ICMP, 34)
    script.receive(message.request())
    for count, place in enumerate((36, 38, 41, 60), 1):
        script.send(changed(message.reply(), place))
        script.load(Register.WRONG, count)
    script.send(message.reply())
    script.load(Register.REPLIES, 1)


def frames_without_a_slot_are_counted(script: Script) -> None:
    """Twice as many as there are slots, one behind the other; a released slot serves again."""
    frames = 2 * SLOTS
    script.interrupts(0b10)
    script.start(frames)
    script.until(Register.BUSY, 0, frames * BYTE * (74 + GAP + 3))
    script.load(Register.OFFERED, frames)
    script.load(Register.ACCEPTED, SLOTS)
    script.load(Register.LOST, SLOTS)
    script.interrupts(0b11)
    for number in range(SLOTS):
        script.receive(Message(UDP, 1 << 8 | number).request())
    script.interrupts(0b10)
    script.load(Register.LENGTH, 0)
    script.store(Command.RELEASE, 0, NONE)
    script.load(Region.FRAME, NONE)
    script.start(1)
    script.receive(Message(UDP, 2 << 8).request())
    script.load(Register.LOST, SLOTS)
    script.load(Register.REFUSED, 2)


def frames_come_back_to_back(script: Script) -> None:
    """Each is taken while the next one arrives."""
    script.start(40, UDP, 100)
    for number in range(40):
        script.receive(Message(UDP, 1 << 8 | number, 100).request())
    script.load(Register.LOST, 0)


def both_transmit_slots_are_used(script: Script) -> None:
    message = Message(UDP, 1 << 8)
    script.start(1)
    script.receive(message.request())
    frame = message.reply()
    for room in (1, 0):
        for place, word in enumerate(words(frame)):
            script.store(Region.FRAME + 4 * place, word)
        script.store(Command.SEND, len(frame))
        script.load(Register.ROOM, room)
    script.interrupts(0b00)
    script.store(Region.FRAME, 0, NONE)
    script.store(Command.SEND, 60, NONE)
    script.until(Register.ROOM, 1, BYTE * (len(frame) + 4))
    script.interrupts(0b10)
    length = BYTE * (len(frame) + GAP)
    script.until(Register.ROOM, 2, length + 8, length - 8)
    script.wait(4)
    script.load(Register.REPLIES, 1)
    script.load(Register.WRONG, 1)


def frames_with_defects_need_no_reply(script: Script) -> None:
    """The MAC counts those that it must not take; the others reach the program."""
    for defect in range(1, len(DEFECTS) + 1):
        script.start(1, UDP | defect << 4)
        script.until(Register.BUSY, 0)
        script.wait(4)
        if DEFECTS[defect - 1] not in ("station", "short"):
            script.until(Register.LENGTH, 74)
            script.store(Command.RELEASE, 0)
        script.send(Message(UDP, defect << 8).reply())
        script.load(Register.REPLIES, 0)
        script.load(Register.WRONG, 1)
    script.load(Register.FOREIGN, 1)
    script.load(Register.MALFORMED, 1)
    script.load(Register.ACCEPTED, 4)


def the_wire_loses_what_the_seed_says(script: Script) -> None:
    """The counts are those of two draws of xorshift32 for each frame."""
    share, frames = 20_000, 100
    for register in (Register.LOSS, Register.REORDER, Register.CORRUPT):
        script.store(register, share)
    script.store(Register.SEED, 99)
    script.start(frames)
    script.until(Register.BUSY, 0)
    dropped, corrupted, order = drawn(99, frames, share)
    assert 0 < dropped < frames and corrupted > 0 and order != sorted(order)
    script.load(Register.DROPPED, dropped)
    script.load(Register.OFFERED, frames - dropped)
    script.load(Register.CORRUPTED, corrupted)
    for number in order[:SLOTS]:
        word = int.from_bytes(bytes((1, number)), "little")  # the half-word behind 42 bytes
        script.load(Region.FRAME + 4 * 11, word, mask=0xFFFF)
        script.store(Command.RELEASE, 0)


def drawn(seed: int, frames: int, share: int) -> tuple[int, int, list[int]]:
    """Frames lost, frames with a wrong checksum, the numbers of those that were sent."""

    def step(word: int) -> int:
        word ^= word << 13 & 0xFFFFFFFF
        word ^= word >> 17
        return word ^ (word << 5 & 0xFFFFFFFF)

    dropped, corrupted, order, swap = 0, 0, [], False
    for place in range(frames):
        first = step(seed)
        seed = step(first)
        if place % 2 == 0:
            swap = seed & 0xFFFF < share and place + 1 < frames
        if first & 0xFFFF < share:
            dropped += 1
            continue
        corrupted += first >> 16 < share
        order.append(place ^ swap)
    return dropped, corrupted, order


def a_late_reply_is_disordered(script: Script) -> None:
    script.start(3)
    messages = [Message(UDP, 1 << 8 | number) for number in range(3)]
    for message in messages:
        script.receive(message.request())
    for number in (1, 0, 2):
        script.send(messages[number].reply())
    script.load(Register.REPLIES, 3)
    script.load(Register.DISORDERED, 1)
    script.load(Register.WRONG, 0)


def words_out_of_range_are_refused(script: Script) -> None:
    stores = [
        (Command.RELEASE, 1),
        (Command.SEND, 13),
        (Command.SEND, 1515),
        (Command.START, 0),
        (Command.START, 257),
        (Register.FORM, 3),
        (Register.FORM, 0x70),
        (Register.FORM, 0x80),
        (Register.BYTES, 2),
        (Register.BYTES, 33),
        (Register.BYTES, 1474),
        (Register.LOSS, 0x10000),
        (Register.SEED, 0),
        (Register.LENGTH, 1),
        (Register.IDENTITY, 1),
        (0x60C, 0),
    ]
    for count, (offset, word) in enumerate(stores, 1):
        script.store(offset, word, NONE)
        script.load(Register.REFUSED, count)
    script.load(Register.ANSWER, NONE)
    script.load(0x610, NONE)
    script.start(1, period=5000)
    script.load(Register.ANSWER, 0)
    for register in (Register.FORM, Register.BYTES, Register.PERIOD, Register.SEED):
        script.store(register, 4, NONE)
    script.store(Command.START, 1, NONE)
    script.load(Register.REFUSED, len(stores) + 6)


SCRIPTS = (
    requests_are_right,
    right_replies_count,
    wrong_replies_are_noticed,
    echoes_need_their_own_checksum,
    frames_without_a_slot_are_counted,
    frames_come_back_to_back,
    both_transmit_slots_are_used,
    frames_with_defects_need_no_reply,
    the_wire_loses_what_the_seed_says,
    a_late_reply_is_disordered,
    words_out_of_range_are_refused,
)


@dataclass(frozen=True)
class Mutant:
    """`old` occurs exactly once in `file`; some script must notice it."""

    name: str
    file: str
    old: str
    new: str


RECEIVE, TRANSMIT = "mel_ethernet_receive.sv", "mel_ethernet_transmit.sv"
SEND, CHECK, TOP = "mel_traffic_send.sv", "mel_traffic_check.sv", "mel_ethernet.sv"
MUTANTS = (
    Mutant("a lost frame is not counted", RECEIVE, "(own || all) && full;", "1'b0;"),
    Mutant("a full ring takes a frame", RECEIVE, "32'(count_q) == Slots : full_q", "1'b0 : full_q"),
    Mutant("a frame for another is taken", RECEIVE, "right && !own && !all;", "1'b0;"),
    Mutant(
        "a short frame is taken",
        RECEIVE,
        "32'(bytes_q) >= LeastBytes - 1 && 32'(bytes_q) <",
        "32'(bytes_q) <",
    ),
    Mutant("a frame begins at byte 0 of its slot", RECEIVE, "bytes_q + 12'd2;", "bytes_q;"),
    Mutant(
        "the last word of a frame is not written",
        RECEIVE,
        "(wire_i.last || place[1:0] == 2'd3)",
        "place[1:0] == 2'd3",
    ),
    Mutant("a short frame is not filled up", TRANSMIT, "&& 32'(byte_q) >= LeastBytes - 1;", ";"),
    Mutant(
        "both slots are one",
        TRANSMIT,
        "head_q           <= !head_q;",
        "head_q           <= head_q;",
    ),
    Mutant(
        "frames follow without a gap",
        TRANSMIT,
        "ByteCycles * (GapBytes + 1) - 1 : ByteCycles - 1",
        "ByteCycles - 1 : ByteCycles - 1",
    ),
    Mutant("a wrong checksum is expected to be answered", SEND, "&& !corrupt_q;", ";"),
    Mutant("frames keep their order", SEND, "8'(swap_q)};", "8'd0};"),
    Mutant("the checksum of a request is wrong", SEND, "checksum = ~sum_q;", "checksum = sum_q;"),
    Mutant("a lost frame is sent", SEND, "if (!dropped_o) begin", "if (1'b1) begin"),
    Mutant(
        "checksums of replies do not matter",
        CHECK,
        "ip_sum == 16'hFFFF && whole == 16'hFFFF",
        "1'b1",
    ),
    Mutant("the checksum of UDP does not matter", CHECK, "&& whole == 16'hFFFF);", ");"),
    Mutant("words of replies do not matter", CHECK, "half != expected;", "1'b0;"),
    Mutant("a reply may be a fragment", CHECK, "half & 16'h4000;", "half;"),
    Mutant("the length of a reply does not matter", CHECK, "byte_q + 12'd1 == (", "12'd1 != ("),
    Mutant("a reply to an earlier run counts", CHECK, "number_q[15:8] == run_i", "1'b1"),
    Mutant(
        "a second reply counts",
        TOP,
        "open_q[SampleW'(answered_q)] <= 1'b0;",
        "open_q[SampleW'(answered_q)] <= 1'b1;",
    ),
    Mutant("a wrong reply is not counted", TOP, "bad || (settles && !reply)", "settles && !reply"),
    Mutant("a reply that nobody expects is not counted", TOP, "bad || (settles && !reply)", "bad"),
    Mutant("the round trip has no beginning", TOP, "time_q - first;", "time_q;"),
    Mutant("an order is not looked at", TOP, "&& answered_q < last_q", "&& 1'b0"),
    Mutant(
        "a frame is sent without room",
        TOP,
        "store_refused = room == '0 || wdata < 32'd14",
        "store_refused = wdata < 32'd14",
    ),
)


def finding(number: int) -> str:
    """First complaint of the scripts about a mutant (0: none)."""
    program = verilated.build(
        "mel_ethernet", schemata.plant(SOURCES, MUTANTS), DRIVER, ["--assert"]
    )

    def look() -> str:
        with schemata.chosen(number):
            for write in SCRIPTS:
                script = Script()
                write(script)
                if complaint := script.run(program):
                    return f"{write.__name__}: {complaint}"
        return ""

    contents = [("bench", program.parent.name.encode()), ("bug", str(number).encode())]
    here = ("tests/rtl/ethernet", "tests/rtl/test_ethernet.py")
    return kept.verdict("ethernet", contents + kept.folders(*here), look)


@pytest.mark.parametrize("write", SCRIPTS, ids=lambda write: write.__name__)
def test_it(write: Callable[[Script], None]) -> None:
    script = Script()
    write(script)
    assert script.run(verilated.build("mel_ethernet", SOURCES, DRIVER, ["--assert"])) == ""


def test_cores_take_turns() -> None:
    """Each has its own number and answer; the frames are the same."""
    script = Script()
    script.load(Register.CORE, 0, core=0)
    script.load(Register.CORE, 1, core=1)
    script.store(Command.START, 1, core=1)
    script.load(Register.ANSWER, 0, core=1)
    script.load(Register.ANSWER, NONE, core=0)
    script.receive(Message(UDP, 1 << 8).request())
    program = verilated.build("mel_ethernet", SOURCES, DRIVER, ["--assert", "-GCores=2"])
    assert script.run(program) == ""


def test_without_a_bug_all_agrees() -> None:
    assert finding(0) == ""


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_planted_bug_is_noticed(mutant: Mutant) -> None:
    complaint = finding(1 + MUTANTS.index(mutant))
    assert "access " in complaint or "cycle " in complaint, complaint


# ---- lint ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sizes",
    [(4, 384, 256, 1), (2, 32, 2, 1), (3, 100, 5, 3), (16, 384, 256, 4)],
    ids=lambda sizes: "-".join(map(str, sizes)),
)
def test_verilator_has_nothing_to_say(sizes: Sequence[int]) -> None:
    words_ = [f"-G{row[0]}={size}" for row, size in zip(PARAMETERS.values(), sizes, strict=True)]
    result = verilator("--top-module", "mel_ethernet", *words_, *map(str, SOURCES))
    assert (result.returncode, complaints(result.stdout)) == (0, "")


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        (name, value)
        for name, (_, _, minimum, maximum) in PARAMETERS.items()
        for value in (minimum - 1, maximum + 1)
    ],
)
def test_a_parameter_out_of_range_stops_elaboration(parameter: str, value: int) -> None:
    name, _, minimum, maximum = PARAMETERS[parameter]
    words_ = ("--top-module", "mel_ethernet", f"-G{name}={value}")
    result = verilator(*words_, *map(str, SOURCES))
    text = f"mel_ethernet: parameter {name} = {value} is out of range {minimum}..{maximum}"
    assert result.returncode != 0
    assert text in result.stdout


def test_yosys_accepts_it() -> None:
    """read_slang, as synthesis and proofs do."""
    names = " ".join(file.relative_to(ROOT).as_posix() for file in SOURCES)
    words_ = f"--top mel_ethernet -G Cores=3 {names}"
    assert (
        yosys.complaint(ROOT, f"read_slang --threads 1 -DSYNTHESIS {words_}; check -assert") == ""
    )


def test_the_file_list_is_complete() -> None:
    assert {file for file in SOURCES if file.parent == FOLDER} == set(FOLDER.glob("*.sv"))
