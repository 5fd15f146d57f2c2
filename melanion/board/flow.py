# SPDX-License-Identifier: Apache-2.0
"""Runs yosys, nextpnr and ecppack on a design; each result is kept in the content-addressed cache.

Synthesis and routing know no program (contents.py), so one routed design serves all of them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import melanion.board.contents as contents
import melanion.board.crossing as crossing
import melanion.board.timing as timing
from melanion.area.tools import NEXTPNR, installed, nextpnr, refused, versions, yosys
from melanion.board.design import MEMORY, TOP, Design
from melanion.board.device import OPTIONS
from melanion.board.errors import BoardError
from melanion.board.timing import Timing
from melanion.build import Program, cache
from melanion.build.cache import Report
from melanion.build.tools import Finished, optional, remove_folder, run
from melanion.yosys import PACKAGE

ECPPACK = "yowasp-ecppack"
LOADER = "openFPGALoader"
BLACK_BOX = "EHXPLLL"
# As melanion/area/synthesis.py: wide multiplexers cost more than they give.
SYNTH = f"synth_ecp5 -nowidelut -top {TOP}"


@dataclass(frozen=True)
class Routed:
    """A routed design. `folder` has `board.config`; `seed`: of the placer."""

    design: Design
    seed: int
    key: str
    folder: Path
    timing: Timing


def netlist(design: Design, report: Report = lambda _: None) -> Path:
    """The folder with `netlist.json`. Raises BoardError, BuildError."""
    return _netlist(design, report)[1]


def routed(design: Design, seed: int, report: Report = lambda _: None) -> Routed:
    """The design placed and routed with one seed, whether its timing closes or not. Raises
    BoardError, BuildError."""
    words = _placing(design, seed)
    key = _routed_key(design, seed)
    _, place = _netlist(design, report)

    def make(work: Path) -> None:
        (work / "board.lpf").write_text(design.constraints(), encoding="ascii")
        (work / "netlist.json").write_bytes((place / "netlist.json").read_bytes())
        command = [nextpnr(), *words, "-q", "--json", "netlist.json", "--lpf", "board.lpf"]
        command += ["--textcfg", "board.config", "--report", "report.json", "--sdf", "board.sdf"]
        done = run(command, folder=work)
        if done.status != 0 or not (work / "board.config").is_file():
            raise _failed("nextpnr-ecp5", design, key, done)
        read = json.loads((work / "report.json").read_text(encoding="utf-8"))
        whole = timing.longest(read, "clk_fast", "clk_slow", "clk")
        half = crossing.longest(design, work / "netlist.json", work / "board.sdf", whole)
        (work / "timing.json").write_text(json.dumps(timing.summary(read, half)), encoding="utf-8")
        for name in ("netlist.json", "report.json", "board.sdf"):
            (work / name).unlink()

    what = f"placing and routing {design.name}, seed {seed} (minutes)"
    folder = cache.entry("routed", key, make, report, what)
    return Routed(design, seed, key, folder, timing.read(folder / "timing.json", design))


def kept(design: Design, seeds: int) -> list[Routed]:
    """`closed`, of what the cache holds. Raises BoardError when that is not all."""
    tried: list[Routed] = []
    for seed in range(1, seeds + 1):
        key = _routed_key(design, seed)
        folder = cache.find("routed", key)
        if folder is None:
            break
        there = timing.read(folder / "timing.json", design)
        tried.append(Routed(design, seed, key, folder, there))
        if not there.misses:
            return tried
    raise BoardError(
        f"{design.name}: no routed design of these sources is in the build cache; run `melanion"
        f" board {design.board.name} {design.system.name} APP` first."
    )


def closed(design: Design, seeds: int, report: Report = lambda _: None) -> list[Routed]:
    """Routed with one seed after another until the timing closes, `seeds` at most; the last is the
    one that closed. Raises BoardError when none does."""
    tried: list[Routed] = []
    for seed in range(1, seeds + 1):
        tried.append(routed(design, seed, report))
        if not tried[-1].timing.misses:
            return tried
    best = min(tried, key=lambda one: one.timing.shortfall)
    raise BoardError(
        f"{design.name}: the timing does not close with {seeds} seeds; the best,"
        f" seed {best.seed}: {'; '.join(best.timing.misses)}; ask for a lower clock with --clock,"
        " or for more seeds with --seeds."
    )


def bitstream(
    routed: Routed, program: Program, target: Path, report: Report = lambda _: None
) -> None:
    """Write the bitstream of a routed design with a program in its memory. Raises BoardError."""
    design = routed.design
    text = (routed.folder / "board.config").read_text(encoding="utf-8")
    words = contents.words(design, program)
    report(f"packing {program.app.name}")
    filled = contents.in_configuration(text, design.filling(), words)
    config = target.with_suffix(".config")
    config.write_text(filled, encoding="utf-8")
    command = [_tool(ECPPACK), "--compress", "--input", config.name, "--bit", target.name]
    done = run(command, folder=target.parent)
    if done.status != 0 or not target.is_file():
        raise _failed("ecppack", design, routed.key, done)


def load(design: Design, bit: Path) -> None:
    """Write a bitstream into the FPGA of a board that is plugged in; it is gone when the board is
    switched off. Raises BoardError."""
    board = design.board
    if board.programmer is None:
        raise BoardError(
            f"{board.name}: the board file has no key `programmer`; add it, as openFPGALoader calls"
            " the board, or load the file with the board's own tool.",
            2,
        )
    program = optional(LOADER)
    if program is None:
        raise BoardError(
            f"{LOADER} is not on the PATH, so the board cannot be loaded; install it (Debian:"
            f" `apt-get install openfpgaloader`), or load {bit} with another tool."
        )
    done = run([program, "--board", board.programmer, str(bit)])
    if done.status != 0:
        lines = [line for line in done.output.splitlines() if line.strip()]
        said = lines[-1].strip().rstrip(".") if lines else "it said nothing"
        raise BoardError(
            f"{LOADER} did not load {bit} ({said}); plug the board in, and check that you may use"
            " its USB port."
        )


def _placing(design: Design, seed: int) -> list[str]:
    """Options of nextpnr."""
    board = design.board
    words = [OPTIONS[board.device], "--package", board.package, "--speed", str(board.speed)]
    return [*words, "--timing-allow-fail", "--seed", str(seed)]


def _routed_key(design: Design, seed: int) -> str:
    words = f"{timing.FORM} {_placing(design, seed)} {versions()[NEXTPNR]}"
    return cache.key_of(
        [
            ("netlist", _netlist_key(design).encode()),
            ("constraints", design.constraints().encode()),
            ("nextpnr", words.encode()),
        ]
    )


def commands(design: Design) -> list[str]:
    """Commands of yosys. Hierarchy is kept until the memories are mapped: yosys looks for the
    registers of a memory in the whole module, which takes minutes in a flat one."""
    names = [f"src/{name}" for name, _ in design.compiled() if name != f"{BLACK_BOX}.sv"]
    defines = [f"-D{name}" for name in design.defines]
    read = ["read_slang", "--threads 1", "--keep-hierarchy", "--single-unit", *defines, "-I src"]
    read += [f"--blackboxed-module {BLACK_BOX}", f"--top {TOP}", f"src/{BLACK_BOX}.sv", *names]
    named = " ".join(crossing.selections(design))
    return [
        " ".join(read),
        *([f"setattr -set keep 1 {named}"] if named else []),
        # A vector has a bit at least, and an output without a place would be put anywhere.
        *([] if design.board.fixed else [f"delete -port {TOP}/fixed_o"]),
        "proc -norom",
        f"{SYNTH} -noflatten -run begin:map_gates",
        "flatten",
        "opt_clean",
        "opt -fast",
        f"{SYNTH} -run map_gates:",
        "write_json netlist.json",
    ]


def _netlist_key(design: Design) -> str:
    return cache.key_of(
        [
            *((f"src/{name}", text) for name, text in (*design.compiled(), *design.included())),
            (MEMORY, contents.hexadecimal(design.filling()).encode()),
            ("script", "\n".join(commands(design)).encode()),
            ("yosys", versions()[PACKAGE].encode()),
        ]
    )


def _netlist(design: Design, report: Report) -> tuple[str, Path]:
    """Key and folder of the netlist."""
    key, lines = _netlist_key(design), commands(design)

    def make(work: Path) -> None:
        (work / "src").mkdir()
        for name, content in (*design.included(), *design.compiled()):
            (work / "src" / name).write_bytes(content)
        filling = contents.hexadecimal(design.filling())
        (work / MEMORY).write_text(filling, encoding="ascii")
        (work / "run.ys").write_text("\n".join(lines) + "\n", encoding="utf-8")
        done = run(yosys("run.ys"), folder=work)
        if done.status != 0 or not (work / "netlist.json").is_file():
            raise _failed("yosys", design, key, done)
        remove_folder(work / "src")
        (work / MEMORY).unlink()

    return key, cache.entry("board", key, make, report, f"synthesizing {design.name} (minutes)")


def _tool(name: str) -> str:
    """The path of a tool that comes with nextpnr. Raises BoardError."""
    path = installed(name)
    if path is None:
        raise BoardError(
            f"the program {name} of the Python package {NEXTPNR}, which `melanion board` needs, is"
            " not installed; run `make setup-dev` in a checkout."
        )
    return path


def _failed(tool: str, design: Design, key: str, done: Finished) -> BoardError:
    return BoardError(refused(tool, design.name, key, done.output))
