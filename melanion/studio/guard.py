# SPDX-License-Identifier: Apache-2.0
"""Guard of the studio: it answers only pages that the studio itself has served, with its token.

Another page of the browser may send requests to this machine. It does not know the token, its
Origin is another one, and a name that it made point here (DNS rebinding) is no host of ours.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from melanion.studio.limits import BODY

TOKEN = b"x-melanion-token"
API = "/api/"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Guard:
    """`port`: of this server; `token`: what a page must know."""

    def __init__(self, app: App, port: int, token: str) -> None:
        self._app, self._token = app, token.encode()
        self._hosts = {f"127.0.0.1:{port}".encode(), f"localhost:{port}".encode()}
        self._origins = {b"http://" + host for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no socket of another kind is opened
        refused = self._refused(scope)
        if refused is not None:
            await _answer(send, *refused)
            return
        content = await _content(receive)
        if content is None:
            await _answer(send, 413, _too_large())
            return

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_headers()]
            await send(message)

        await self._app(scope, _with(content, receive), secured)

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        """Status and sentence for a request that is not answered."""
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        found = {name: [v for n, v in headers if n == name] for name, _ in headers}
        host = found.get(b"host", [])
        if len(host) != 1 or host[0] not in self._hosts:
            return 403, "This server answers to 127.0.0.1 alone; open the address that it printed."
        if any(origin not in self._origins for origin in found.get(b"origin", [])):
            return 403, "A page of another origin asked; only the studio's own page is answered."
        length = found.get(b"content-length", [b"0"])[0]
        if not length.isdigit() or int(length) > BODY:
            return 413, _too_large()
        if scope["path"].startswith(API):
            if any(v not in (b"same-origin", b"none") for v in found.get(b"sec-fetch-site", [])):
                return 403, "A page of another site asked; open the address that was printed."
            given = found.get(TOKEN, [b""])
            if len(given) != 1 or not secrets.compare_digest(given[0], self._token):
                return 401, (
                    "The token is missing or is that of another start of the studio; open the"
                    " address that it printed."
                )
        return None


async def _content(receive: Receive) -> bytes | None:
    """The body of a request, however it comes; None: it is too large."""
    parts: list[bytes] = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if sum(map(len, parts)) > BODY:
            return None
        if not message.get("more_body", False):
            return b"".join(parts)


def _with(content: bytes, receive: Receive) -> Receive:
    """Gives the body first, then whatever else comes: that the page has gone."""
    given = False

    async def received() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": content, "more_body": False}

    return received


def _too_large() -> str:
    return f"The request has more than {BODY} bytes; send less."


def _headers() -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in HEADERS.items()]


async def _answer(send: Send, status: int, sentence: str) -> None:
    body = json.dumps({"message": sentence}).encode()
    headers = [(b"content-type", b"application/json"), *_headers(), (b"connection", b"close")]
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
