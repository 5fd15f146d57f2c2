# SPDX-License-Identifier: Apache-2.0
"""Runs yosys and nextpnr on one design; each result is kept in the content-addressed cache."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import melanion.area.netlist as netlist
import melanion.area.tools as tools
from melanion.area.design import NO_PROTECTION, Design
from melanion.area.errors import AreaError
from melanion.area.netlist import Cells, Placed
from melanion.area.tools import Liberty
from melanion.build import cache, protected
from melanion.build.cache import Report
from melanion.build.tools import remove_folder, run
from melanion.yosys import PACKAGE

# The largest ECP5, slowest speed grade: the conditions of every ECP5 figure of this project. Out of
# context: a unit alone has more ports than the package has pins, so ports are not placed.
DEVICE = ["--85k", "--speed", "6", "--package", "CABGA756", "--out-of-context"]
# More than can be reached, so that placer and router do not stop early.
WANTED_MHZ = 100
# Wide multiplexers make a function of 5 or 6 inputs out of two or four LUT4: without them the lists
# take a quarter less, and are as fast.
SYNTH = "synth_ecp5 -nowidelut"
# Raised when the meaning of a kept summary changes.
SUMMARY = 1

# Memories stay whole for gate counts: on a chip they are macros of another kind. Every memory cell
# becomes black boxes of one bit's width; registered reads keep their register inside.
MEMORIES = """\
ram block $__MEL_SYNC_ { abits 12; width 1; cost 1; init any;
  port sw "W" { clock anyedge; } port sr "R" { clock anyedge; rden; } }
ram distributed $__MEL_ASYNC_ { abits 12; width 1; cost 9; init any;
  port sw "W" { clock anyedge; } port ar "R" { } }
"""


def placed(design: Design, seed: int, report: Report) -> Placed:
    """Area and speed on ECP5, with one seed of the placer. Raises AreaError, BuildError."""
    key, place = netlist_of(design, report)
    command = [*DEVICE, "--freq", str(WANTED_MHZ), "--timing-allow-fail", "--seed", str(seed)]
    placed_key = cache.key_of(
        [("netlist", key.encode()), ("nextpnr", f"{SUMMARY} {command} {tools.versions()}".encode())]
    )

    def make(work: Path) -> None:
        (work / "netlist.json").write_bytes((place / "netlist.json").read_bytes())
        words = [tools.nextpnr(), *command, "-q", "--json", "netlist.json"]
        done = run([*words, "--report", "timing.json", "--write", "cells.json"], folder=work)
        if done.status != 0 or not (work / "cells.json").is_file():
            raise _failed("nextpnr-ecp5", design, placed_key, done.output)
        summary = netlist.summary(work / "timing.json", work / "cells.json")
        for file in ("netlist.json", "timing.json", "cells.json"):
            (work / file).unlink()
        (work / "placed.json").write_text(json.dumps(summary), encoding="utf-8")

    what = f"placing and routing, seed {seed}"
    folder = cache.entry("placed", placed_key, make, report, what)
    return Placed.read(folder / "placed.json")


def luts(design: Design, report: Report) -> int:
    """LUT4 of the netlist on ECP5."""
    _, place = netlist_of(design, report)
    counts: dict[str, int] = json.loads((place / "counts.json").read_text(encoding="utf-8"))
    return counts.get("LUT4", 0)


def gates(design: Design, library: Liberty, report: Report) -> Cells:
    """Cells of a standard-cell library, memories apart, if they are not flip-flops too. Raises
    AreaError, BuildError."""
    read = _read(design, report)
    lines = [
        *read.lines,
        f"synth -top {design.top} -flatten -run begin:fine",
        *(["memory_map"] if design.flip_flops else []),
        "write_json memories.json",
        "memory_libmap -lib memories.txt",
        f"synth -top {design.top} -run fine:check",
        "dfflibmap -liberty cells.lib",
        "abc -liberty cells.lib",
        "opt_clean -purge",
        "tee -q -o gates.json stat -json -liberty cells.lib",
    ]
    more = [("library", library.text), ("memories", f"{SUMMARY} {MEMORIES}".encode())]
    key = _key(read, lines, more)

    def make(work: Path) -> None:
        (work / "cells.lib").write_bytes(library.text)
        (work / "memories.txt").write_text(MEMORIES, encoding="utf-8")
        _yosys(design, read, key, lines, work, "gates.json")
        summary = netlist.gates(work / "gates.json", work / "memories.json")
        (work / "cells.json").write_text(json.dumps(summary), encoding="utf-8")
        for file in ("cells.lib", "memories.txt", "memories.json", "gates.json"):
            (work / file).unlink()

    folder = cache.entry("gates", key, make, report, "mapping to standard cells")
    return Cells(**json.loads((folder / "cells.json").read_text(encoding="utf-8")))


def netlist_of(design: Design, report: Report) -> tuple[str, Path]:
    """Key and folder of the ECP5 netlist."""
    read = _read(design, report)
    lines = read.lines
    synth = f"{SYNTH} -nolutram -nobram" if design.flip_flops else SYNTH
    if design.modules:
        lines += [
            f"{synth} -top {design.top} -noflatten",
            "setattr -mod -unset keep_hierarchy *",
            "flatten",
            "clean",
        ]
    else:
        lines.append(f"{synth} -top {design.top}")
    lines.append("write_json netlist.json")
    key = _key(read, lines, [])

    def make(work: Path) -> None:
        _yosys(design, read, key, lines, work, "netlist.json")
        counts = netlist.counts(work / "netlist.json", design.top)
        (work / "counts.json").write_text(json.dumps(counts), encoding="utf-8")

    return key, cache.entry("netlist", key, make, report, "synthesizing")


@dataclass(frozen=True)
class _Read:
    """`lines`: the commands that read a design; `contents`: what they read, from the folder src."""

    lines: list[str]
    contents: list[tuple[str, bytes]]


def _read(design: Design, report: Report) -> _Read:
    """Read a design's RTL, or its netlist with its protection. Its trace port is cut off unless it
    is wanted."""
    if design.protection != NO_PROTECTION:
        made = protected.protected(
            design.name,
            design.contents(),
            [f"{name}={value}" for name, value in design.parameters.items()],
            protected.PARTS[design.protection],
            report,
            trace=design.trace,
        )
        lines = [f"read_json src/{made.json.name}", f"rename {protected.TOP} {design.top}"]
        return _Read(lines, [(made.json.name, made.json.read_bytes())])
    sources = design.sources()
    names = [f"src/{file.name}" for file in sources.files]
    sizes = [f"-G {name}={value}" for name, value in design.parameters.items()]
    keep = ["--keep-hierarchy"] if design.modules else []
    words = [*keep, "--top", design.top, *sizes, *names]
    # Tables of constants stay logic: yosys would move one, as a memory, in front of the register
    # that addresses it, into the middle of another path.
    lines = [f"read_slang --threads 1 -DSYNTHESIS -I src {' '.join(words)}", "proc -norom"]
    if design.unit and not design.trace:
        lines.append(f"delete -port {design.top}/o:trace*")
    return _Read(lines, design.contents())


def _key(read: _Read, lines: list[str], more: list[tuple[str, bytes]]) -> str:
    return cache.key_of(
        [
            *((f"src/{name}", content) for name, content in read.contents),
            ("script", "\n".join(lines).encode()),
            ("yosys", tools.versions()[PACKAGE].encode()),
            *more,
        ]
    )


def _yosys(
    design: Design, read: _Read, key: str, lines: list[str], work: Path, product: str
) -> None:
    """Run a script in a folder that holds the sources; `product` is what it must leave."""
    (work / "src").mkdir()
    for name, content in read.contents:
        (work / "src" / name).write_bytes(content)
    (work / "run.ys").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = run(tools.yosys("run.ys"), folder=work)
    if done.status != 0 or not (work / product).is_file():
        raise _failed("yosys", design, key, done.output)
    remove_folder(work / "src")


def _failed(tool: str, design: Design, key: str, output: str) -> AreaError:
    return AreaError(tools.refused(tool, f"{design.top} ({design.name})", key, output))
