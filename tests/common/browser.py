# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium over the pipe of its DevTools protocol: one process, one page.

`open_browser` starts it without network and with a profile of its own; `Browser` loads a file, asks
the page, and takes pictures. Messages are JSON, each ended by a zero byte: file descriptor 3 takes
commands, 4 gives answers and events. Standard library only.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from melanion.doctor.needs import BROWSERS
from tests.common.limited import HUNG

PAGE_HEIGHT = 900
OPTIONS = (
    "--headless",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)


def program() -> str | None:
    """The browser of this machine; None: there is none."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


# Gives the program its descriptors 3 and 4, whatever ours are called.
PLUMB = """
import fcntl, os, sys
ours, theirs = (fcntl.fcntl(int(word), fcntl.F_DUPFD, 10) for word in sys.argv[1:3])
os.dup2(ours, 3)
os.dup2(theirs, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Browser:
    """A page in a running browser. `console`: what the page, or the browser about it, said."""

    def __init__(self, process: subprocess.Popen[bytes], commands: int, answers: int) -> None:
        self._process, self._commands, self._answers = process, commands, answers
        self._text, self._number, self._session = b"", 0, ""
        self._own: tuple[str, ...] = ("file:", "data:", "about:")  # what a page may ask for
        self._events: list[dict[str, Any]] = []
        self.console: list[str] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def load(self, file: Path, width: int, *, dark: bool = False, query: str = "") -> None:
        """Show a file in a window so many pixels wide; returns when it is laid out. `query`: what
        follows the file's name in its address."""
        self._open(file.resolve().as_uri() + query, width, dark)

    def visit(self, address: str, width: int, *, dark: bool = False) -> None:
        """Show a page of a server on this machine, as `load` does; it may ask that server alone."""
        self._own = ("data:", "about:", "blob:", address.split("#")[0].rpartition("/")[0])
        self._open("about:blank", width, dark)  # an address with another # alone loads nothing
        self._open(address, width, dark)

    def _open(self, address: str, width: int, dark: bool) -> None:
        self.console.clear()
        size = {"width": width, "height": PAGE_HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        self._call("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])
        self._events.clear()
        self._call("Page.navigate", url=address)
        self._wait("Page.loadEventFired")
        self.ask("new Promise(done => requestAnimationFrame(() => done(0)))")

    def ask(self, expression: str) -> Any:
        """The value of an expression in the page, as JSON."""
        found = self._call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def click(self, x: float, y: float) -> None:
        """Press and release the mouse at a point of the window."""
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self, file: Path, top: float, height: float, width: int) -> None:
        """A part of the page as PNG."""
        clip = {"x": 0, "y": top, "width": width, "height": height, "scale": 1}
        found = self._call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(found["data"]))

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                result: dict[str, Any] = answer["result"]
                return result

    def _wait(self, method: str) -> None:
        while not any(event["method"] == method for event in self._events):
            self._receive()

    def _receive(self) -> dict[str, Any]:
        """The next message; events are kept, and what was said on the console."""
        end = time.monotonic() + HUNG
        while b"\0" not in self._text:
            ready, _, _ = select.select([self._answers], [], [], max(end - time.monotonic(), 0))
            part = os.read(self._answers, 1 << 20) if ready else b""
            assert part, f"the browser is silent (exit code {self._process.poll()})"
            self._text += part
        line, _, self._text = self._text.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self._events.append(message)
            self._note(message["method"], message["params"])
        return message

    def _note(self, method: str, found: dict[str, Any]) -> None:
        if method == "Runtime.consoleAPICalled":
            words = (str(each.get("value", each)) for each in found["args"])
            self.console.append(f"{found['type']}: {' '.join(words)}")
        elif method == "Runtime.exceptionThrown":
            self.console.append(f"exception: {found['exceptionDetails']['text']}")
        elif method == "Log.entryAdded":
            self.console.append(f"{found['entry']['level']}: {found['entry']['text']}")
        elif method == "Network.requestWillBeSent":
            url = found["request"]["url"]
            if not url.startswith(self._own):
                self.console.append(f"request: {url}")


@contextlib.contextmanager
def open_browser(path: str) -> Iterator[Browser]:
    """A browser for the body; its process and profile are gone afterwards."""
    with tempfile.TemporaryDirectory(
        prefix="melanion-browser-", ignore_cleanup_errors=True
    ) as folder:
        ours, commands = os.pipe()
        answers, theirs = os.pipe()
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []  # as root there is none
        words = [path, *OPTIONS, *sandbox, f"--user-data-dir={folder}", "about:blank"]
        process = subprocess.Popen(
            [sys.executable, "-S", "-E", "-c", PLUMB, str(ours), str(theirs), *words],
            pass_fds=(ours, theirs),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": folder},
            start_new_session=True,
        )
        os.close(ours)
        os.close(theirs)
        try:
            yield Browser(process, commands, answers)
        finally:
            os.close(commands)  # tells it to end
            os.close(answers)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # its helpers, too
            process.wait()
