# SPDX-License-Identifier: Apache-2.0
"""The studio as a server of this machine alone: its socket, its token, its page."""

from __future__ import annotations

import contextlib
import secrets
import signal
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path

import uvicorn

from melanion.build import Report
from melanion.build.front import front
from melanion.studio.api import Studio
from melanion.studio.errors import StudioError
from melanion.studio.files import Folder
from melanion.studio.guard import Guard
from melanion.studio.limits import Limits

HOST = "127.0.0.1"
GRACE = 2  # seconds for answers that are under way when the studio ends


class Server:
    """Bound when it is made. `address`: of the page, with the token behind the #, which no browser
    sends to a server. Raises BuildError, StudioError."""

    def __init__(
        self,
        place: Path,
        folder: Path | None = None,
        port: int = 0,
        limits: Limits | None = None,
        report: Report = lambda _: None,
    ) -> None:
        if folder is not None and not folder.is_dir():
            raise StudioError(f"{folder}: this folder does not exist; name an existing one.", 2)
        self._socket = bound(port)
        self.port = int(self._socket.getsockname()[1])
        self.token = secrets.token_urlsafe(32)
        self.address = f"http://{HOST}:{self.port}/#token={self.token}"
        site = {path.name: path.read_bytes() for path in front(report=report).studio.iterdir()}
        own = Folder(folder) if folder else None
        self.studio = Studio(site, place, own, limits or Limits())
        self.studio.prepare(report)
        app = Guard(self.studio.routes(), self.port, self.token)
        settings = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
            limit_concurrency=64,
            ws="none",
        )
        self._server = uvicorn.Server(settings)

    def opener(self, place: Path) -> Path:
        """Make a file that leads a browser to the page: other users see the words that start it."""
        path = place / "open.html"
        path.touch(0o600)
        path.chmod(0o600)
        path.write_text(
            f'<!DOCTYPE html><meta http-equiv="refresh" content="0; url={self.address}">\n',
            encoding="utf-8",
        )
        return path

    def run(self) -> None:
        """Serve until it is interrupted or told to stop."""
        self._server.run(sockets=[self._socket])

    def stop(self) -> None:
        """End `run`, from another thread."""
        self._server.should_exit = True


def bound(port: int) -> socket.socket:
    """Raises StudioError."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((HOST, port))
        found.listen()
    except OSError as error:
        found.close()
        raise StudioError(
            f"port {port} of {HOST} cannot be used ({error.strerror}); leave --port out, and the"
            " studio takes a free one.",
            2,
        ) from error
    return found


def serve(
    folder: Path | None, port: int, report: Report, ready: Callable[[str, Path], None]
) -> None:
    """The studio until Ctrl-C; `ready` is called before the first answer, with the address and a
    file that leads there. Raises BuildError, StudioError."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # else the folder would be left
    with tempfile.TemporaryDirectory(prefix="melanion-studio-") as name:
        server = Server(Path(name), folder, port, report=report)
        ready(server.address, server.opener(Path(name)))
        with contextlib.suppress(KeyboardInterrupt):  # raised when all has ended
            server.run()
