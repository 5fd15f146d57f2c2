# SPDX-License-Identifier: Apache-2.0
"""Frames of GDB's remote serial protocol: `$data#checksum`, acknowledged by `+`.

From the GDB manual, appendix "Remote Protocol": `}` escapes the next byte (xor 0x20); a byte 3
outside a frame is Ctrl-C.
"""

from __future__ import annotations

INTERRUPT = b"\x03"
_ESCAPED = b"$#}*"


def frame(data: bytes) -> bytes:
    """A packet as it is sent."""
    text = b"".join(
        b"}" + bytes([byte ^ 0x20]) if byte in _ESCAPED else bytes([byte]) for byte in data
    )
    return b"$" + text + b"#" + f"{sum(text) & 0xFF:02x}".encode()


class Reader:
    """Bytes from a client → packets; the byte of Ctrl-C comes as INTERRUPT, a packet whose
    checksum is wrong as None."""

    def __init__(self) -> None:
        self._text = b""

    def feed(self, data: bytes) -> list[bytes | None]:
        """Return the packets that these bytes complete."""
        self._text += data
        found: list[bytes | None] = []
        while self._text:
            if self._text[:1] == INTERRUPT:
                found.append(INTERRUPT)
            if self._text[:1] != b"$":
                self._text = self._text[1:]
                continue
            end = self._text.find(b"#")
            if end < 0 or len(self._text) < end + 3:
                break
            body, checksum = self._text[1:end], self._text[end + 1 : end + 3]
            self._text = self._text[end + 3 :]
            good = checksum.lower() == f"{sum(body) & 0xFF:02x}".encode()
            found.append(_unescaped(body) if good else None)
        return found


def _unescaped(body: bytes) -> bytes:
    found, escaped = bytearray(), False
    for byte in body:
        if escaped:
            found.append(byte ^ 0x20)
            escaped = False
        elif byte == ord("}"):
            escaped = True
        else:
            found.append(byte)
    return bytes(found)
