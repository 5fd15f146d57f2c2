# SPDX-License-Identifier: Apache-2.0
"""A studio that runs in a thread of the test, and a client that sends what it likes."""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from melanion.studio.limits import Limits
from melanion.studio.server import Server


@dataclass
class Answer:
    """Answer of the server. `headers` by lower-case name."""

    status: int
    body: bytes
    headers: dict[str, str]

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def message(self) -> str:
        found: str = self.json["message"]
        return found

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.body.splitlines()]


@dataclass
class Client:
    """Sends the token, unless `token` is another one."""

    server: Server
    others: dict[str, str] = field(default_factory=dict)

    def send(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] | None = None,
        raw: bytes | Iterator[bytes] | None = None,
    ) -> Answer:
        """One request on a connection of its own; `raw` instead of JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=900)
        try:
            given = {"X-Melanion-Token": self.server.token, **(headers or {})}
            content = raw if raw is not None else None if body is None else json.dumps(body)
            # Python's client sends the path as it is: `..` reaches the server.
            connection.request(method, path, content, given, encode_chunked=raw is not None)
            found = connection.getresponse()
            names = {name.lower(): value for name, value in found.getheaders()}
            return Answer(found.status, found.read(), names)
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.send("GET", path, headers=headers)

    def post(self, path: str, body: object) -> Answer:
        return self.send("POST", path, body)


@contextlib.contextmanager
def studio(
    place: Path, folder: Path | None = None, limits: Limits | None = None
) -> Iterator[Client]:
    """A server for the body; afterwards its thread and its processes have ended."""
    server = Server(place, folder, limits=limits)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield Client(server)
    finally:
        server.stop()
        thread.join(30)
        assert not thread.is_alive()
