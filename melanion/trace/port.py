# SPDX-License-Identifier: Apache-2.0
"""Bytes of a serial port or of a file, as they come; of the standard library alone."""

from __future__ import annotations

import errno
import os
import termios
import tty
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from melanion.trace.events import TraceError

CHUNK = 1 << 14  # bytes that are read at once, at most


def of_file(path: Path) -> Iterator[bytes]:
    """The bytes of a file. Raises TraceError."""
    try:
        with path.open("rb") as file:
            while data := file.read(CHUNK):
                yield data
    except OSError as error:
        raise TraceError(
            f"{path}: the stream cannot be read ({error.strerror}); name a file with the bytes of a"
            " board's trace.",
            2,
        ) from error


def of_port(path: Path, baud: int) -> Iterator[bytes]:
    """The bytes of a serial port with 8 data bits, no parity, one stop bit, until it is gone.
    Raises TraceError."""
    speed = getattr(termios, f"B{baud}", None)
    if speed is None:
        raise TraceError(
            f"{path}: this system has no serial port of {baud} baud; write another rate to the key"
            " trace.baud of the board file, and make the bitstream again.",
            2,
        )
    try:
        port = os.open(path, os.O_RDWR | os.O_NOCTTY)
    except OSError as error:
        raise TraceError(
            f"{path}: the port cannot be opened ({error.strerror}); plug the adapter in, and check"
            " that you may use it.",
            2,
        ) from error
    try:
        _configure(port, path, speed)
        with suppress(OSError):  # unplugged: the stream ends
            while data := os.read(port, CHUNK):
                yield data
    finally:
        os.close(port)


def _configure(port: int, path: Path, speed: int) -> None:
    """Raises TraceError."""
    try:
        tty.setraw(port, termios.TCSANOW)
        attributes = termios.tcgetattr(port)
        attributes[2] |= termios.CLOCAL | termios.CREAD
        attributes[2] &= ~(termios.PARENB | termios.CSTOPB | termios.CRTSCTS)
        attributes[4] = attributes[5] = speed
        termios.tcsetattr(port, termios.TCSANOW, attributes)
    except termios.error as error:
        what = os.strerror(error.args[0]) if error.args else os.strerror(errno.ENOTTY)
        raise TraceError(
            f"{path}: it is no serial port ({what}); for a file with a stream use --file.", 2
        ) from error
