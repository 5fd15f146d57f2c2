# SPDX-License-Identifier: Apache-2.0
"""A campaign as tables and files: classes by kind of state and by module, the worst first; the
silent flips with what they were; JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from melanion.inject.bound import CONFIDENCE, upper
from melanion.inject.campaign import Prepared, Record
from melanion.inject.outcome import CLASSES, SILENT, TITLES, Class
from melanion.inject.space import KINDS, MEANINGS, Space
from melanion.run.provenance import commit

SCHEMA = 1
NOTHING = "nothing"  # there was no context to hit
UNPROTECTED = (
    "No state here is protected, by parity, a code or a copy: what is detected was noticed by"
    " chance, by exceptions and the program's own checks."
)
# `unit_protection` of a system → what is protected.
PROTECTED = {
    "none": UNPROTECTED,
    "memories": "The memories of the unit have parity; its registers, and all of the kernel's C"
    " part, are not protected.",
    "all": "The registers of the unit are doubled and its memories have parity; the kernel's C part"
    " and saved contexts are not protected.",
}


@dataclass(frozen=True)
class Line:
    """Flips of a kind, or of a module in it (`module` empty: all)."""

    kind: str
    module: str
    bits: int
    counts: Mapping[Class, int]

    @property
    def flips(self) -> int:
        return sum(self.counts.values())

    @property
    def silent(self) -> int:
        return sum(self.counts[name] for name in SILENT)

    @property
    def bound(self) -> float:
        """Upper bound of the share of silent flips."""
        return upper(self.silent, self.flips) if self.flips else 1.0

    def share(self, name: Class) -> tuple[float, float]:
        """Share of a class, and its upper bound."""
        count = self.counts[name]
        return (count / self.flips, upper(count, self.flips)) if self.flips else (0.0, 1.0)


@dataclass(frozen=True)
class Result:
    """A campaign that has ended. `found`: flips that the results store held."""

    provenance: Mapping[str, Any]
    system: str
    app: str
    seed: int
    kernel: str
    is_replayed: bool
    space: Space
    records: Sequence[Record]
    command: str
    found: int = 0
    seconds: float = 0.0

    @property
    def protection(self) -> str:
        """Sentence about what is protected."""
        return PROTECTED[self.provenance["system"].get("unit_protection", "none")]

    @property
    def hits(self) -> list[Record]:
        """Flips that hit something."""
        return [each for each in self.records if each.hit != NOTHING]

    @property
    def flips_run(self) -> int:
        """Flips that the results store did not hold."""
        return len(self.records) - self.found

    @property
    def kinds(self) -> list[Line]:
        found = [self._line(kind, "") for kind in self.space.kinds]
        return [line for line in found if line.flips]

    @property
    def modules(self) -> list[Line]:
        """The modules with the largest share of silent flips, then of any effect, first."""
        names = {(each.kind, each.module) for each in self.hits}
        found = [self._line(*each) for each in names]
        return sorted(found, key=_worst_first)

    @property
    def silent(self) -> list[Record]:
        return [each for each in self.hits if each.name in SILENT]

    @property
    def told(self) -> int:
        """Flips that were not run, because others tell their class (quiet.py)."""
        return sum(each.teller is not None for each in self.records)

    @property
    def missed(self) -> int:
        """Flips of contexts in cycles in which none was saved."""
        return len(self.records) - len(self.hits)

    @property
    def of_classes(self) -> Counter[str]:
        return Counter(each.name for each in self.hits)

    def _line(self, kind: str, module: str) -> Line:
        mine = [each for each in self.hits if each.kind == kind and module in ("", each.module)]
        counted = Counter(each.name for each in mine)
        bits = sum(
            field.size
            for field in self.space.fields
            if field.kind == kind and module in ("", field.module)
        )
        return Line(kind, module, bits, {name: counted[name] for name in CLASSES})


def _worst_first(line: Line) -> tuple[float, float, int, str, str]:
    masked = line.counts["masked"] / line.flips
    return (-line.silent / line.flips, masked, -line.flips, line.kind, line.module)


def result(
    ready: Prepared, records: Sequence[Record], command: str, found: int, seconds: float
) -> Result:
    campaign = ready.campaign
    return Result(
        ready.provenance,
        campaign.system.name,
        campaign.app.name,
        campaign.seed,
        campaign.system.kernel_info.text,
        campaign.system.kernel_info.replayed,
        ready.space,
        records,
        command,
        found,
        seconds,
    )


def where(record: Record) -> str:
    """`u_time count_q[0] bit 3`."""
    index = f"[{record.index}]" if record.index else ""
    return f"{record.module} {record.variable}{index} bit {record.bit}"


def repeats(done: Result, record: Record) -> str:
    """The command that runs a flip again."""
    return f"{done.command} --only {record.number}"


def percent(share: float) -> str:
    """`0.31 %`; of less than a hundredth percent more digits."""
    value = 100 * share
    return f"{value:.2f} %" if value >= 0.01 or value == 0 else f"{value:.2g} %"


def json_text(done: Result) -> str:
    document = {
        "schema": SCHEMA,
        "command": done.command,
        "seed": done.seed,
        "commit": done.provenance["commit"],
        "protection": done.protection,
        "confidence": CONFIDENCE,
        "classes": dict(TITLES),
        "kinds": {kind: MEANINGS[kind] for kind in KINDS},
        "provenance": dict(done.provenance),
        "lines": [_as_json(line) for line in (*done.kinds, *done.modules)],
        "missed": done.missed,
        "told": done.told,
        "flips": [asdict(each) for each in done.records],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _as_json(line: Line) -> dict[str, Any]:
    shares = {name: line.share(name) for name in CLASSES}
    return {
        "kind": line.kind,
        "module": line.module,
        "bits": line.bits,
        "flips": line.flips,
        "counts": dict(line.counts),
        "at_most": {name: round(bound, 6) for name, (_, bound) in shares.items()},
        "silent_at_most": round(line.bound, 6),
    }


def csv_text(done: Result) -> str:
    """A line for each flip."""
    stream = io.StringIO()
    names = [field.name for field in fields(Record)]
    writer = csv.DictWriter(stream, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(each) for each in done.records)
    return stream.getvalue()


def summary(done: Result) -> str:
    """`400 flips with seed 1, …`."""
    counted = done.of_classes
    words = [f"{counted[name]} {name}" for name in CLASSES]
    kept = f" ({done.found} of them from the results store)" if done.found else ""
    missed = (
        f"; {done.missed} found no saved context to hit, and do not count" if done.missed else ""
    )
    told = f"; {done.told} were not run, because earlier ones tell their class" if done.told else ""
    return (
        f"{len(done.records)} flips with seed {done.seed}{kept}: {', '.join(words)}{missed}{told};"
        f" commit {commit()}"
    )
