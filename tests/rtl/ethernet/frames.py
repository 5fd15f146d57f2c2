# SPDX-License-Identifier: Apache-2.0
"""Frames of the traffic generator and their replies, written down from the RFCs (826, 791, 792,
768, 1071), not from the RTL."""

from __future__ import annotations

from dataclasses import dataclass

STATION, GENERATOR = bytes.fromhex("024d454c0001"), bytes.fromhex("024d454c0002")
STATION_IP, GENERATOR_IP = bytes((10, 0, 0, 1)), bytes((10, 0, 0, 2))
ECHO_PORT, OWN_PORT, ECHO_ID = 7, 49152, 0x4D45
UDP, ICMP, ARP = 0, 1, 2
LEAST = 60


def checksum(data: bytes) -> int:
    """RFC 1071."""
    padded = data + b"\0" * (len(data) % 2)
    total = sum(int.from_bytes(padded[i : i + 2], "big") for i in range(0, len(padded), 2))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def payload(number: int, size: int) -> bytes:
    """Half-words: the number, then a pattern of it and the place."""
    halves = [number]
    for place in range(1, size // 2):
        low = place & 0xFF
        halves.append((((number & 0xFF) ^ low) << 8 | (low + 0x5A) & 0xFF) ^ place)
    return b"".join(half.to_bytes(2, "big") for half in halves)


@dataclass(frozen=True)
class Message:
    """Content of a frame; `number`: run in bits 15:8, frame in bits 7:0."""

    form: int
    number: int
    size: int = 32

    def request(self) -> bytes:
        """The generator's frame."""
        return _padded(self._frame(GENERATOR, GENERATOR_IP, STATION, STATION_IP, reply=False))

    def reply(self) -> bytes:
        """The frame that answers it."""
        return self._frame(STATION, STATION_IP, GENERATOR, GENERATOR_IP, reply=True)

    def _frame(self, mine: bytes, my_ip: bytes, other: bytes, its_ip: bytes, reply: bool) -> bytes:
        if self.form == ARP:
            head = (other if reply else b"\xff" * 6) + mine + b"\x08\x06"
            kind = b"\0\2" if reply else b"\0\1"
            whom = other if reply else bytes(6)
            return head + b"\0\1\x08\0\6\4" + kind + mine + my_ip + whom + its_ip
        head = other + mine + b"\x08\0"
        data = payload(self.number, self.size)
        body = self._echo(data, reply) if self.form == ICMP else _udp(my_ip, its_ip, data, reply)
        protocol = 1 if self.form == ICMP else 17
        length = (20 + len(body)).to_bytes(2, "big")
        ip = b"\x45\0" + length + self.number.to_bytes(2, "big") + b"\0\0" + bytes((64, protocol))
        addresses = my_ip + its_ip
        ip += checksum(ip + b"\0\0" + addresses).to_bytes(2, "big") + addresses
        return head + ip + body

    def _echo(self, data: bytes, reply: bool) -> bytes:
        rest = ECHO_ID.to_bytes(2, "big") + self.number.to_bytes(2, "big") + data
        kind = b"\0\0" if reply else b"\x08\0"
        return kind + checksum(kind + b"\0\0" + rest).to_bytes(2, "big") + rest


def _udp(my_ip: bytes, its_ip: bytes, data: bytes, reply: bool) -> bytes:
    ports = (ECHO_PORT, OWN_PORT) if reply else (OWN_PORT, ECHO_PORT)
    length = (8 + len(data)).to_bytes(2, "big")
    head = b"".join(port.to_bytes(2, "big") for port in ports) + length
    total = checksum(my_ip + its_ip + b"\0\x11" + length + head + b"\0\0" + data) or 0xFFFF
    return head + total.to_bytes(2, "big") + data


def _padded(frame: bytes) -> bytes:
    return frame + bytes(max(0, LEAST - len(frame)))


def words(frame: bytes) -> list[int]:
    """A frame in its slot, from byte 2 on."""
    slot = b"\0\0" + frame
    slot += bytes(-len(slot) % 4)
    return [int.from_bytes(slot[i : i + 4], "little") for i in range(0, len(slot), 4)]
