# SPDX-License-Identifier: Apache-2.0
"""The sheet of a system: state of its unit as it stands in the protected netlist, and flips that
were run: recorded ones (tests/asserted/injection.csv), or those of `melanion inject`."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from melanion import paths, soc
from melanion.build import protected
from melanion.config import System
from melanion.errors import MelanionError
from melanion.inject.outcome import CLASSES, SILENT
from melanion.run.provenance import commit
from melanion.safety.proof import Proofs, prove
from melanion.safety.state import State, states
from melanion.yosys import PACKAGE, VERSION

RECORDED = Path("tests", "asserted", "injection.csv")


class SafetyError(MelanionError):
    """No sheet can be made."""


@dataclass(frozen=True)
class Flips:
    """Outcomes of flips of one kind of state. `at_most`: upper bound of the share of silent ones,
    with 95 % confidence."""

    kind: str
    bits: int
    counts: Mapping[str, int]
    at_most: float

    @property
    def flips(self) -> int:
        return sum(self.counts.values())

    @property
    def silent(self) -> int:
        return sum(self.counts[name] for name in SILENT)


@dataclass(frozen=True)
class SafetySheet:
    """`head`: what decides the sheet, in words; `source`: where the flips come from, a sentence;
    `proofs`: None where nobody asked for them."""

    system: System
    head: Mapping[str, str]
    states: tuple[State, ...]
    flips: tuple[Flips, ...]
    source: str
    proofs: Proofs | None = None

    @property
    def bits(self) -> int:
        return sum(each.bits for each in self.states)

    @property
    def watched(self) -> int:
        """Bits whose flip raises an alarm."""
        return sum(each.watched for each in self.states)


def make(
    system: System,
    campaign: Path | None,
    report: Callable[[str], None] = lambda text: None,
    *,
    proves: bool = False,
) -> SafetySheet:
    """`campaign`: inject.json of `melanion inject`; None: what is recorded of the system. `proves`:
    what flip.py says of the netlist is proved. Raises SafetyError, BuildError."""
    if not system.unit:
        raise SafetyError(
            f"{system.name}: the kernel {system.kernel} has no hardware unit, and a safety sheet is"
            " about the state of one; name a system with one, such as hwrtos-protected.",
            2,
        )
    if system.unit_protection == "none":
        raise SafetyError(
            f"{system.name}: unit_protection is 'none', so nothing notices a flipped bit of the"
            " unit; name the system with the word protected or parity, or write unit_protection:"
            " all.",
            2,
        )
    flips, source = _campaign(system, campaign) if campaign else _recorded(system)
    report("reading the protected unit")
    made = protected.guarded(system, soc.rtl_sources(system).files, report)
    assert made is not None
    module = json.loads(made.unit.json.read_text(encoding="utf-8"))["modules"][protected.TOP]
    proofs = None
    if proves:
        report("proving what a flip of any bit in any cycle leads to")
        proofs = prove(module, registers=system.unit_protection == "all")
    return SafetySheet(system, _head(system), states(module), flips, source, proofs)


def _head(system: System) -> dict[str, str]:
    sizes = system.parameters.model_dump()
    return {
        "system": f"`{system.name}`: kernel {system.kernel}, coupling {system.coupling}",
        "protection": f"unit_protection: {system.unit_protection}",
        "sizes": ", ".join(f"{n} {key}" for key, n in sizes.items() if key != "time_reset"),
        "netlist": f"{PACKAGE} {VERSION}",
        "sources": f"commit `{commit()}`",
    }


def _recorded(system: System) -> tuple[tuple[Flips, ...], str]:
    file = paths.data_root() / RECORDED
    rows: Sequence[Mapping[str, str]] = []
    if file.is_file():
        with file.open(newline="", encoding="utf-8") as stream:
            rows = [row for row in csv.DictReader(stream) if row["system"] == system.name]
    if not rows:
        return (), (
            f"No flips of {system.name} are on record here: `melanion inject {system.name} PROGRAM`"
            " runs some, and `--flips` adds its file inject.json to this sheet."
        )
    flips = tuple(
        Flips(
            row["kind"],
            int(row["bits"]),
            {name: int(row[name]) for name in CLASSES},
            float(row["at_most"]),
        )
        for row in rows
    )
    first = rows[0]
    return flips, f"Recorded flips with seed {first['seed']}, commit {first['commit']}."


def _campaign(system: System, file: Path) -> tuple[tuple[Flips, ...], str]:
    """Raises SafetyError: it is no campaign of such a system."""
    try:
        document: Any = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        text = f"--flips {file}: {error.strerror}; name a file that can be read."
        raise SafetyError(text, 2) from error
    except ValueError as error:
        raise _no_campaign(file, "it is not JSON") from error
    try:
        of = document["provenance"]["system"]
        name, parameters = of["name"], {key: of[key] for key in ("parameters", "unit_protection")}
        flips = tuple(
            Flips(
                line["kind"],
                int(line["bits"]),
                {name: int(line["counts"][name]) for name in CLASSES},
                float(line["silent_at_most"]),
            )
            for line in document["lines"]
            if not line["module"]
        )
        source = f"`{document['command']}`, seed {document['seed']}, commit {document['commit']}."
    except KeyError as error:
        raise _no_campaign(file, f"it has no key {error}") from error
    except (TypeError, ValueError) as error:
        raise _no_campaign(file, "its keys have other values") from error
    mine = system.model_dump(mode="json")
    if parameters != {key: mine[key] for key in parameters}:
        raise SafetyError(
            f"--flips {file}: its flips are of {name}, with other sizes or another protection than"
            f" {system.name}; name the inject.json of `melanion inject {system.name} PROGRAM`.",
            2,
        )
    return flips, source


def _no_campaign(file: Path, why: str) -> SafetyError:
    return SafetyError(
        f"--flips {file}: {why}, so it is no inject.json of `melanion inject`; name such a file.", 2
    )
