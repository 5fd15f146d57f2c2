# SPDX-License-Identifier: Apache-2.0
"""Digests of the sources that decided the asserted rows (tests/asserted/*_cycles.csv).

Most rows are measured in long campaigns only, and documents show them. Therefore each experiment
and system has a digest beside its rows, over everything that decides them: RTL, kernel, programs,
the headers that these include, the definition of the measurement. `python -m melanion.docs
asserted` writes it with the rows; a test fails when the sources moved and nobody measured again.
Comments, white space and assertions of the RTL are left out, because they decide no cycle: a run
in which an assertion fails has no rows. Lines of programs count, because their checks name the
line.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from os.path import normpath
from pathlib import Path

from melanion import config, paths, soc
from melanion.build import App, library
from melanion.claims.reader import load
from melanion.docs.rows import lines
from melanion.measure.work import applications

ROOT = paths.data_root()
BENCHMARKS = ROOT / "apps" / "benchmarks"
FILE = ROOT / "tests" / "asserted" / "sources.csv"
COLUMNS = ("experiment", "kernel", "digest")
# Layer of a program → the folders of kernel/compat that count with it.
_LAYERS = {"itron": ("itron",), "thread_metric_dmmu": ("thread_metric_dmmu", "thread_metric")}
_INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_ASSERTION = re.compile(r"^ *\w+: *assert property \(@.*?;\n", re.DOTALL | re.MULTILINE)
_SPACE = re.compile(r"\s+")
# Text that only some builds have, and text that these have not: a unit at twice the clock
# (docs/decisions/0035), a MAC (docs/decisions/0047); a board (docs/decisions/0037) or a console
# with an input (docs/decisions/0043), neither of which a measurement uses.
_DOUBLE, _ETHERNET, _BOARD, _TRACE, _INPUT = (
    re.compile(rf"`ifdef {macro}\n(.*?)(?:`else\n(.*?))?`endif\n", re.DOTALL)
    for macro in ("MEL_UNIT_CLOCK_2", "MEL_ETHERNET", "MEL_BOARD", "MEL_BOARD_TRACE", "MEL_INPUT")
)

Recorded = dict[tuple[str, str], str]  # experiment and kernel → digest


def recorded() -> Recorded:
    """The digests of the sources with which the rows were measured."""
    if not FILE.is_file():
        return {}
    return {(row["experiment"], row["kernel"]): row["digest"] for row in lines(FILE)}


def present(experiment: str, kernels: Iterable[str]) -> Recorded:
    """The digests of the sources as they are."""
    definition = load(experiment)
    apps = applications(definition)
    programs = [source for app in apps for source in (*app.sources, *layer(app))]
    programs += [app.crate.files for app in apps if app.crate]
    return {
        (experiment, kernel): _digest(kernel, definition.measured, programs) for kernel in kernels
    }


def layer(app: App) -> list[Path]:
    """The files of the layer under a program, and the headers of the program, which the layer
    reads. Not those of the other layers: their rows were measured before these files counted."""
    if app.compat is None or app.compat.name not in _LAYERS:
        return []
    folders = dict.fromkeys(path.parent for path in app.sources)
    own = [path for folder in folders for path in sorted(folder.glob("*.h"))]
    layers = (app.compat.parent / name for name in _LAYERS[app.compat.name])
    return [*(path for each in layers for path in sorted(each.glob("*.[chS]"))), *own]


def write(digests: Recorded) -> None:
    """Replace these; the others stay."""
    every = sorted({**recorded(), **digests}.items())
    rows = [COLUMNS, *((*names, digest) for names, digest in every)]
    text = "".join(f"{','.join(row)}\n" for row in rows)
    FILE.write_text(text, encoding="utf-8")


def complaints(measured: Recorded, now: Recorded) -> list[str]:
    """A sentence for each experiment with systems whose sources moved."""
    moved: dict[str, list[str]] = {}
    for (experiment, kernel), digest in now.items():
        if measured.get((experiment, kernel)) != digest:
            moved.setdefault(experiment, []).append(kernel)
    return [
        f"the sources of {', '.join(kernels)} moved since tests/asserted/{experiment}_cycles.csv"
        f" was measured: `python -m melanion.docs asserted {experiment}` measures anew"
        for experiment, kernels in moved.items()
    ]


def of_programs(kernel: str, programs: Iterable[Path]) -> str:
    """The digest of a system with the sources of a program, without a definition of a
    measurement."""
    return _digest(kernel, "", list(programs))


def _digest(kernel: str, measured: str, programs: Iterable[Path]) -> str:
    system = config.find(kernel)
    rtl = (*soc.rtl_sources(system).files, *soc.top_sources(system))
    own = library.sources(system)
    files = [*rtl, *own, *headers(system, (*own, *programs))]
    digest = hashlib.sha256(f"{dense(soc.system_package(system))}\0{measured}".encode())
    for path in files:
        has = system.ethernet is not None
        text = chosen(text_of(path), double=system.clock_ratio == 2, ethernet=has)
        digest.update(f"{path.name}\0{dense(text)}\0".encode())
    for path in programs:
        text = "\n".join(map(dense, _bare(text_of(path)).splitlines()))
        digest.update(f"{path.name}\0{text}\0".encode())
    return digest.hexdigest()[:16]


def headers(system: config.System, sources: Iterable[Path]) -> list[Path]:
    """The headers of kernel and benchmarks that sources include, those that these include, and
    those behind the system's interfaces. A name that two folders have stands for both."""
    words = library.interface(system, ROOT)
    folders = [*(Path(word.removeprefix("-I")) for word in words), ROOT / "kernel", BENCHMARKS]
    waiting = [ROOT / "kernel" / each.header for each in library.implementations(system).values()]
    waiting += sources
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        found.add(path)
        for name in _INCLUDE.findall(text_of(path)):
            places = [Path(normpath(folder / name)) for folder in (path.parent, *folders)]
            waiting += [place for place in places if place not in found and place.is_file()]
    return sorted(path for path in found if path.suffix == ".h")


def chosen(text: str, *, double: bool, ethernet: bool = False) -> str:
    """A file of the top as a system with a unit at twice the clock, or with a MAC, reads it, or
    another one."""
    simulated = _BOARD.sub(lambda found: found[2] or "", untraced(text))
    simulated = _INPUT.sub(lambda found: found[2] or "", simulated)
    simulated = wired(simulated, ethernet=ethernet)
    return _DOUBLE.sub(lambda found: found[1 if double else 2] or "", simulated)


def untraced(text: str) -> str:
    """A file as all read it but a board with a trace (docs/decisions/0042)."""
    return _TRACE.sub(lambda found: found[2] or "", text)


def wired(text: str, *, ethernet: bool) -> str:
    """A file as a system with a MAC reads it, or another one."""
    return _ETHERNET.sub(lambda found: found[1 if ethernet else 2] or "", text)


def text_of(path: Path) -> str:
    """Text of a file, as UTF-8."""
    return path.read_text(encoding="utf-8", errors="replace")


@cache
def _bare(text: str) -> str:
    """Without comments; the lines keep their numbers."""
    return _COMMENT.sub(lambda found: "\n" * found.group().count("\n"), text)


@cache
def dense(text: str) -> str:
    """Without comments, assertions and white space."""
    return _SPACE.sub("", _ASSERTION.sub("", _bare(text)))
