# SPDX-License-Identifier: Apache-2.0
"""Requests of the studio's page. Every answer is made by the functions of the command
line; an error is a sentence under `message`."""

from __future__ import annotations

import json
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from melanion import export
from melanion.build import Report
from melanion.errors import MelanionError
from melanion.run.provenance import commit
from melanion.spec.check import check
from melanion.spec.schema import Row
from melanion.spec.yaml_file import YamlFile
from melanion.studio import page, stored, systems
from melanion.studio.catalog import Catalog
from melanion.studio.errors import StudioError
from melanion.studio.files import Folder, below
from melanion.studio.gallery import load
from melanion.studio.limits import (
    ExportRequest,
    KeepRequest,
    Limits,
    NewRequest,
    OpenRequest,
    RunRequest,
    SaveRequest,
    SystemRequest,
    WatchRequest,
)
from melanion.studio.outcome import ANSWER, CYCLES, IMAGE, LISTING, TRACE
from melanion.studio.worker import Worker

Each = TypeVar("Each", bound=Row)
Handler = Callable[[Request], Awaitable[Response]]
FILES = dict.fromkeys((TRACE, IMAGE, CYCLES, LISTING), "application/octet-stream")
FILES[ANSWER] = "application/json"
SIDES, WATCHED = ("a", "b"), "unit"  # workers: of both sides, and of windows of their runs
GONE = "this run is not the newest of its side any more; run it again."
ROWS = {"json": "application/json", "csv": "text/csv"}
STARTER_RUN = {"cycles": 60_000, "pulses": "3@40000 3@44000"}  # of the program that is begun with
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}


@dataclass
class Studio:
    """`site`: file of the page → its content; `place`: a folder for results, which is ours."""

    site: dict[str, bytes]
    place: Path
    folder: Folder | None = None
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        self.catalog = Catalog(self.folder)
        self.workers = {
            side: Worker(self.place / side, self.folder, self.limits) for side in (*SIDES, WATCHED)
        }
        self.manifest: dict[str, Any] = {}

    @property
    def exports(self) -> Path:
        """Exported folders come below it."""
        return self.folder.root / "build" if self.folder else Path.cwd()

    def prepare(self, report: Report = lambda _: None) -> None:
        """Build what the manifest needs to know of the gallery. Raises BuildError."""
        names = list(load().systems)
        found = [systems.described(name, systems.named(name, None)) for name in names]
        self.manifest = {
            "format": page.FORMAT,
            "commit": commit(),
            "clock_mhz": found[0]["sizes"]["clock_mhz"],
            "systems": found,
            "programs": self.catalog.rows(names, report),
            "names": page.names(),
            "studio": {
                "folder": str(self.folder.root) if self.folder else None,
                "exports": str(self.exports),
                "limits": self.limits.text,
                "choices": systems.choices(),
            },
        }

    def routes(self) -> Starlette:
        """The application behind the guard."""
        api: list[tuple[str, str, Handler]] = [
            ("GET", "start", self._start),
            ("POST", "system", self._system),
            ("GET", "files", self._files),
            ("GET", "file", self._file),
            ("POST", "file", self._save),
            ("POST", "new", self._new),
            ("POST", "begin", self._begin),
            ("POST", "run", self._run),
            ("POST", "watch", self._watch),
            ("GET", "sets", self._sets),
            ("GET", "set/{number:int}/{kind}", self._rows),
            ("POST", "open", self._open),
            ("POST", "keep", self._keep),
            ("POST", "export", self._export),
            ("GET", "result/{side}/{number:int}/{file}", self._result),
        ]
        routes = [
            Route(f"/api/{path}", _answered(handler), methods=[method])
            for method, path, handler in api
        ]
        routes += [Route(f"/{name}", self._static) for name in self.site]
        routes.append(Route("/", self._static))
        return Starlette(routes=routes, lifespan=self._life)

    @asynccontextmanager
    async def _life(self, _: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            for worker in self.workers.values():
                worker.close()
            for worker in self.workers.values():
                await worker.ended()

    async def _static(self, request: Request) -> Response:
        name = request.url.path.removeprefix("/") or "index.html"
        return Response(self.site[name], media_type=TYPES[Path(name).suffix])

    async def _start(self, _: Request) -> Response:
        programs = await run_in_threadpool(self.catalog.ordered, self.manifest["programs"])
        return JSONResponse({**self.manifest, "programs": programs})

    async def _system(self, request: Request) -> Response:
        wanted = await _body(request, SystemRequest)
        name = wanted.name or systems.composed(wanted)
        found = systems.named(name, self.folder)
        return JSONResponse(systems.described(name, found, wanted.beside))

    async def _files(self, _: Request) -> Response:
        return JSONResponse(await run_in_threadpool(self._folder.listed))

    async def _file(self, request: Request) -> Response:
        return JSONResponse(self._folder.read(request.query_params.get("path", "")))

    async def _save(self, request: Request) -> Response:
        wanted = await _body(request, SaveRequest)
        version = self._folder.save(wanted.path, wanted.text, wanted.version)
        return JSONResponse({"version": version})

    async def _new(self, request: Request) -> Response:
        wanted = await _body(request, NewRequest)
        return JSONResponse({"version": self._folder.make(wanted.path, "")})

    async def _begin(self, _: Request) -> Response:
        return JSONResponse({"files": self._folder.begin(), **STARTER_RUN})

    async def _run(self, request: Request) -> Response:
        wanted = await _body(request, RunRequest)
        systems.named(wanted.system, self.folder)  # a sentence before a process
        messages = self.workers[wanted.side].run(wanted.model_dump(mode="json"))
        return StreamingResponse(
            _lines(messages, self.catalog.command(wanted)), media_type="application/x-ndjson"
        )

    async def _watch(self, request: Request) -> Response:
        wanted = await _body(request, WatchRequest)
        systems.named(wanted.system, self.folder)
        shown = self.workers[wanted.side].result(wanted.run) / TRACE
        if not shown.is_file():
            raise StudioError(GONE, 2)
        words = {**wanted.model_dump(mode="json"), "trace": str(shown)}
        messages = self.workers[WATCHED].run(words)
        return StreamingResponse(
            _lines(messages, self.catalog.command(wanted)), media_type="application/x-ndjson"
        )

    async def _result(self, request: Request) -> Response:
        side, name = request.path_params["side"], request.path_params["file"]
        if side in self.workers and name in FILES:
            path = self.workers[side].result(request.path_params["number"]) / name
            if path.is_file():
                return FileResponse(path, media_type=FILES[name])
        raise StudioError(GONE, 2)

    async def _sets(self, _: Request) -> Response:
        return JSONResponse(await run_in_threadpool(stored.listed))

    async def _rows(self, request: Request) -> Response:
        number, kind = request.path_params["number"], request.path_params["kind"]
        if kind not in ROWS:
            raise StudioError(f"{kind!r}: a set is exported as json or csv; name one of them.", 2)
        text = await run_in_threadpool(stored.text, number, as_csv=kind == "csv")
        return Response(text, media_type=ROWS[kind])

    async def _open(self, request: Request) -> Response:
        wanted = await _body(request, OpenRequest)
        return JSONResponse(await run_in_threadpool(stored.opened, wanted, self.catalog))

    async def _keep(self, request: Request) -> Response:
        wanted = await _body(request, KeepRequest)
        workers = {side: self.workers[side] for side in SIDES}
        folders = {side: worker.result(worker.runs) for side, worker in workers.items()}
        return JSONResponse(await run_in_threadpool(stored.keep, wanted.name, folders))

    async def _export(self, request: Request) -> Response:
        wanted = await _body(request, ExportRequest)
        place = below(self.exports, wanted.folder)
        system = systems.named(wanted.system, self.folder)
        count = await run_in_threadpool(export.write, system, place)
        command = shlex.join(["melanion", "export", wanted.system, str(place)])
        return JSONResponse({"folder": str(place), "files": count, "command": command})

    @property
    def _folder(self) -> Folder:
        if self.folder is None:
            raise StudioError(
                "the studio was started without a folder, so it opens no files; start it as"
                " `melanion studio FOLDER`.",
                2,
            )
        return self.folder


async def _body(request: Request, model: type[Each]) -> Each:
    """Raises StudioError with a sentence for each thing that is wrong."""
    try:
        value = json.loads(await request.body())
    except ValueError as error:
        raise StudioError(f"the request is no JSON: {error}.", 2) from error
    found, problems = check(model, YamlFile("the request", value))
    if found is None:
        raise StudioError("\n".join(problems), 2)
    return found


async def _lines(messages: AsyncIterator[dict[str, Any]], command: str) -> AsyncIterator[bytes]:
    """A line of JSON for each; a failure has the command that does the same."""
    async for message in messages:
        if message["kind"] == "failed":
            message["command"] = command
        yield json.dumps(message).encode() + b"\n"


def _answered(handler: Handler) -> Handler:
    """The handler, whose errors become sentences."""

    async def answered(request: Request) -> Response:
        try:
            return await handler(request)
        except MelanionError as error:
            return JSONResponse({"message": error.message}, status_code=400)

    return answered
