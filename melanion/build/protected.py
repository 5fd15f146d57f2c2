# SPDX-License-Identifier: Apache-2.0
"""The protected unit of a system (docs/decisions/0051): yosys reads its RTL, `melanion.protect`
adds what notices flipped bits, yosys writes plain Verilog, which stands in place of the RTL.

A module around it, soc/tops/mel_unit_protected.sv.j2, has the ports of mel_unit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from mel_gen import sv_sizes

import melanion.build.cache as cache
import melanion.build.tools as tools
import melanion.protect as protect
import melanion.yosys.verilog as verilog
from melanion import soc
from melanion.build.cache import Contents, Report
from melanion.build.errors import BuildError
from melanion.config import System
from melanion.protect import Netlist, Part, ProtectError
from melanion.yosys import COMMAND, PACKAGE, VERSION, location

TOP = "mel_unit_netlist"
VERILOG, JSON, SUMMARY, MARKS = f"{TOP}.v", f"{TOP}.json", "summary.json", "state.vlt"
AROUND = "mel_unit.sv"
PARTS: dict[str, tuple[Part, ...]] = {
    "memories": ("memories",),
    "all": ("registers", "memories"),
}
# Beside the netlist: read by others, or by the module around it.
KEPT = ("mel_pkg.sv", "mel_sizes_check.sv", "mel_micro_pkg.sv", "mel_clock_edge.sv")
# Memories must be cells with their registers before anything is doubled, so that block RAMs stay
# block RAMs; enables and resets are found before, too.
_READ = """\
read_slang --threads 1 -DSYNTHESIS --top mel_unit {parameters} {files}
proc -norom
{trace}opt_expr
opt_clean
opt -nodffe -nosdff
wreduce
peepopt
opt_clean
opt
memory_dff
opt_clean
memory_collect
opt_clean
write_json read.json
"""
_NO_TRACE = "delete -port mel_unit/o:trace*\n"
_WRITE = """\
read_json protected.json
hierarchy -check -top mel_unit
rename mel_unit {top}
write_json {json}
memory_nordff
bwmuxmap
bmuxmap
demuxmap
opt_clean
check -assert
setattr -unset src -unset hdlname -unset full_case -unset parallel_case *
setattr -mod -unset src -unset hdlname -unset top *
write_verilog out.v
"""
_OBSERVERS = re.compile(r"u_trace\..*|trace_.*")  # the trace port: the function does not need it
_OBSERVING = re.compile(r"(u_trace|trace)_.*")  # in the written file
_REG = re.compile(r"^  reg (?:signed )?(?:\[\d+:\d+\] )?(\w+)(?: \[\d+:\d+\])?[; ]", re.MULTILINE)
_PLACE = re.compile(r"\[\d+\]$")


@dataclass(frozen=True)
class Protected:
    """`folder`: with the files of a protected unit."""

    folder: Path

    @property
    def json(self) -> Path:
        """The netlist as yosys takes it: from the Verilog it would merge what is doubled."""
        return self.folder / JSON

    @property
    def marks(self) -> Path:
        """Verilator's configuration: what a flip can hit."""
        return self.folder / MARKS

    @property
    def groups(self) -> list[str]:
        """Bits of `fault_o`, the lowest first."""
        summary = json.loads((self.folder / SUMMARY).read_text(encoding="utf-8"))
        return list(summary["groups"])


@dataclass(frozen=True)
class Guarded:
    """A protected unit, and the module around it that has the ports of mel_unit."""

    unit: Protected
    around: Path

    def replaced(self, files: Sequence[Path]) -> tuple[Path, ...]:
        """RTL files of a system, with this unit in place of the usual one."""
        gone = {path.name for path in soc.unit_sources()} - set(KEPT)
        kept = [path for path in files if path.name not in gone]
        return (*kept, self.unit.folder / VERILOG, self.around)


def guarded(system: System, files: Sequence[Path], report: Report) -> Guarded | None:
    """The protected unit of a system, made when the cache has none; `files`: its RTL. None: the
    system wants none. Raises BuildError."""
    if system.unit_protection == "none":
        return None
    names = {path.name for path in soc.unit_sources()}
    made = protected(
        system.name,
        [(path.name, path.read_bytes()) for path in files if path.name in names],
        [
            f"Sizes={sv_sizes(**system.hashed_parameters)}",
            f"TimeReset=64'h{system.parameters.time_reset:x}",
            f"ParameterHash=32'h{system.parameter_hash_word:x}",
            f"ClockRatio={system.clock_ratio}",
            f"Staged=1'b{system.unit_stage:d}",
        ],
        PARTS[system.unit_protection],
        report,
    )
    text = soc.protected_unit(system, made.groups)
    key = cache.key_of([(AROUND, text.encode())])

    def make(work: Path) -> None:
        (work / AROUND).write_text(text, encoding="utf-8")

    around = cache.entry("around", key, make, report, f"guarding the unit of {system.name}")
    return Guarded(made, around / AROUND)


def protected(
    name: str,
    sources: Contents,
    parameters: Sequence[str],
    parts: tuple[Part, ...],
    report: Report,
    *,
    trace: bool = True,
) -> Protected:
    """A protected unit, made when the cache has none. `name`: for messages; `sources`: in compile
    order; `parameters`: `NAME=VALUE`; `trace`: it keeps its trace port. Raises BuildError."""
    if location() is None:
        raise BuildError(
            f"{name}: unit_protection needs the Python package {PACKAGE}, which is not installed;"
            f" run `pip install {PACKAGE}=={VERSION}`, or `make setup-dev` in a checkout."
        )
    sources = list(sources)
    read = _READ.format(
        parameters=" ".join(f"-G {each}" for each in parameters),
        files=" ".join(name for name, _ in sources),
        trace="" if trace else _NO_TRACE,
    )
    write = _WRITE.format(top=TOP, json=JSON)
    own = Path(__file__).parents[1]
    code = [*sorted((own / "protect").glob("*.py")), own / "yosys" / "verilog.py", Path(__file__)]
    key = cache.key_of(
        [
            *sources,
            *((path.name, path.read_bytes()) for path in code),
            ("scripts", f"{read}{write}{parts}".encode()),
            ("yosys", f"{PACKAGE} {VERSION}".encode()),
        ]
    )

    def make(work: Path) -> None:
        for file, content in sources:
            (work / file).write_bytes(content)
        _yosys(work, read, "read.json", key)
        document = json.loads((work / "read.json").read_text(encoding="utf-8"))
        try:
            done = protect.protected(Netlist(document["modules"]["mel_unit"]), _design(parts))
        except ProtectError as error:
            raise BuildError(f"{name}: {error.message}") from error
        (work / "protected.json").write_text(json.dumps(document), encoding="utf-8")
        _yosys(work, write, "out.v", key)
        text = verilog.plain_names((work / "out.v").read_text(encoding="utf-8"), TOP)
        for path in [*work.iterdir()]:
            if path.name != JSON:
                path.unlink()
        quiet = f"// verilator lint_off\n{text}// verilator lint_on\n"
        (work / VERILOG).write_text(quiet, encoding="utf-8")
        (work / SUMMARY).write_text(json.dumps(asdict(done), indent=1), encoding="utf-8")
        (work / MARKS).write_text(_marks(text), encoding="utf-8")

    return Protected(cache.entry("protected", key, make, report, f"protecting the unit of {name}"))


def _design(parts: tuple[Part, ...]) -> protect.Design:
    def group(name: str) -> str:
        instance, dot, _ = name.partition(".")
        return _PLACE.sub("", instance).removeprefix("u_") if dot else "unit"

    def is_observer(name: str) -> bool:
        return _OBSERVERS.fullmatch(name) is not None

    return protect.Design("clk_i", "rst_ni", group, is_observer, parts)


def _marks(text: str) -> str:
    """Verilator's configuration: what a flip can hit. All that yosys declares as `reg` is state,
    and what only observes is none of the unit's function."""
    state = [name for name in _REG.findall(text) if not _OBSERVING.fullmatch(name)]
    lines = [f'public_flat_rd -module "{TOP}" -var "{name}"' for name in state]
    lines.append('public_flat_rd -module "mel_guard" -var "*_q"')
    return "\n".join(["`verilator_config", *lines]) + "\n"


def _yosys(work: Path, script: str, product: str, key: str) -> None:
    (work / "script.ys").write_text(script, encoding="utf-8")
    done = tools.run([*COMMAND, "script.ys"], folder=work)
    if done.status != 0 or not (work / product).is_file():
        sentence = "yosys refused the unit; this is a defect of Melanion or of its installation"
        raise BuildError(cache.tool_failed(key, done.output, sentence))
