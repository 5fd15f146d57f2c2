# SPDX-License-Identifier: Apache-2.0
"""Writes the page: a folder of static files (studio/src/contract.ts says what is in it)."""

from __future__ import annotations

import json
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mel_gen
from mel_gen import ANSWER_WAITING, Command, ExitReason, IrqAction, Status, TraceKind

import melanion.studio.page_model as page_model
from melanion import config
from melanion.build import Report
from melanion.build.front import front
from melanion.build.image import Region
from melanion.build.wasm import MODULE, SCRIPT, web_hardware
from melanion.measure.regions import FIRST_TRACEPOINT
from melanion.model.describe import HANDLER_ANSWER
from melanion.report.colours import slots
from melanion.run.provenance import commit
from melanion.studio.errors import StudioError
from melanion.studio.gallery import Gallery, ProgramRow
from melanion.studio.microprogram import listing
from melanion.studio.programs import Known, described, known

FORMAT = 1
MANIFEST = "manifest.json"
MICROPROGRAM = "microprogram.json.gz"
TASK_TRACEPOINT = 0x1F0  # apps/gallery/common/gallery.h
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # equal sources make an equal file


def write_page(out: Path, gallery: Gallery, *, report: Report = lambda _: None) -> None:
    """Write the page of these systems and programs into `out`, which is replaced when it holds one.

    Nothing is there before everything is. Raises BuildError, StudioError.
    """
    if out.exists() and not (out / MANIFEST).is_file() and any(out.iterdir()):
        raise StudioError(
            f"{out}: this folder holds other files and no page; name an empty or a new folder.", 2
        )
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent) as name:
        work = Path(name) / "page"
        shutil.copytree(front(report=report).site, work)
        write_data(work, gallery, report=report)
        shutil.rmtree(out, ignore_errors=True)
        work.rename(out)


def write_data(work: Path, gallery: Gallery, *, report: Report = lambda _: None) -> None:
    """All but the browser's side."""
    systems = [_system(work, name, gallery, report) for name in gallery.systems]
    programs = [_program(work, name, gallery, report) for name in gallery.programs]
    _microprogram(work, gallery)
    (work / "model.zip").write_bytes(b"")
    with zipfile.ZipFile(work / "model.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted(_model_files()):
            archive.writestr(zipfile.ZipInfo(name, _ZIP_TIME), path.read_bytes())
    first = config.find(next(iter(gallery.systems)))
    manifest = {
        "format": FORMAT,
        "commit": commit(),
        "clock_mhz": first.clock_mhz,
        "systems": systems,
        "programs": programs,
        "names": names(),
    }
    _write(work / MANIFEST, manifest)


def _microprogram(work: Path, gallery: Gallery) -> None:
    """The listing of the units of all systems, which execute the same program."""
    found = {listing(system) for name in gallery.systems if (system := config.find(name)).unit}
    if len(found) > 1:
        raise StudioError(
            "apps/gallery/gallery.yaml: units of its systems execute different programs, and the"
            " page lists one; name systems with the same one.",
            2,
        )
    for content in found:
        (work / MICROPROGRAM).write_bytes(content)


def _system(work: Path, name: str, gallery: Gallery, report: Report) -> dict[str, Any]:
    system = config.find(name)
    hardware = web_hardware(system, report=report)
    folder = work / "systems" / name
    folder.mkdir(parents=True)
    for path, here in ((hardware.script, SCRIPT), (hardware.module, MODULE)):
        shutil.copyfile(path, folder / here)
    row = gallery.systems[name]
    return {
        "name": name,
        "title": row.title,
        "text": row.text,
        "slot": slots([name])[name],
        "unit": system.unit,
        "replayed": system.kernel_info.replayed,
        "idle": system.parameters.tasks,
        "cores": system.core.count,
        "shortest_tick": system.tick_cycles_minimum,
        "bytes": hardware.module.stat().st_size,
    }


def _program(work: Path, name: str, gallery: Gallery, report: Report) -> dict[str, Any]:
    folder = work / "programs" / name
    folder.mkdir(parents=True)
    found = {each: known(gallery, name, config.find(each), report) for each in gallery.systems}
    for system, program in found.items():
        each = described(config.find(system), program)
        (folder / f"{system}.bin").write_bytes(each.image)
        _write(folder / f"{system}.json", each.document)
    return row(name, gallery.programs[name], list(found), next(iter(found.values())))


def row(name: str, row: ProgramRow, systems: list[str], first: Known) -> dict[str, Any]:
    """A program as the manifest has it; `first`: built for one of the systems."""
    return {
        "name": name,
        "title": row.title,
        "text": row.text,
        "systems": systems,
        "cycles": row.cycles,
        "lines": [line.model_dump() for line in row.lines],
        "region": region(first.region),
        "knobs": [
            {
                "name": knob,
                "title": each.title,
                "unit": each.unit,
                "minimum": each.least,
                "maximum": each.most,
                "value": first.values[knob],
                **({"choices": each.choices} if each.choices else {}),
                **({"tick": True} if each.tick else {}),
            }
            for knob, each in row.knobs.items()
        ],
    }


def region(found: Region | None) -> dict[str, Any] | None:
    """A measured region as the manifest has it."""
    if found is None:
        return None
    return {"number": found.number, "name": found.name, "line": found.line}


def names() -> dict[str, Any]:
    """The values of spec/ by number, as a page shows them."""
    return {
        "trace": {kind.name: int(kind) for kind in TraceKind},
        "exit": {reason.name: int(reason) for reason in ExitReason},
        "command": {str(int(command)): command.name.lower() for command in Command},
        "status": {str(int(status)): status.name for status in Status},
        "action": {str(int(action)): action.name.lower() for action in IrqAction},
        "waiting": int(ANSWER_WAITING),
        "handler": HANDLER_ANSWER,
        "first_tracepoint": FIRST_TRACEPOINT,
        "task_tracepoint": TASK_TRACEPOINT,
    }


def _model_files() -> Iterator[tuple[str, Path]]:
    """Name in the archive, and the file: the golden model, what it imports, page_model.py. Folders
    without an `__init__.py` are there for single files, and import nothing else."""
    package = Path(page_model.__file__).parents[1]
    for name in ("__init__.py", "errors.py", "run/annotator.py", "trace/annotations.py"):
        yield f"melanion/{name}", package / name
    for path in (package / "model").glob("*.py"):
        yield f"melanion/model/{path.name}", path
    for path in Path(mel_gen.__file__).parent.glob("*.py"):
        yield f"mel_gen/{path.name}", path
    yield "page_model.py", Path(page_model.__file__)


def _write(path: Path, document: Any) -> None:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    path.write_text(text + "\n", encoding="utf-8")
