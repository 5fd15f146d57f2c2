# SPDX-License-Identifier: Apache-2.0
"""A safety sheet for people and programs: sections as of a data sheet, Markdown, a page, JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict

import melanion.datasheet.present as datasheet
from melanion.area.present import Table
from melanion.datasheet.present import Section
from melanion.inject.bound import CONFIDENCE
from melanion.report.svg import number
from melanion.safety.proof import Proofs
from melanion.safety.sheet import SafetySheet
from melanion.safety.state import Mechanism, State

SCHEMA = 1
NOBODY = "nothing"
# Mechanism → name in a table, and the time within which a flip is noticed.
NOTICED: Mapping[Mechanism, tuple[str, str]] = {
    "doubled": ("a second register", "1 cycle of the unit"),
    "parity": ("parity of row and address", "the next read of the row"),
    "alarm": ("the alarm itself", "1 cycle of the unit"),
    "none": (NOBODY, "–"),
}
EVIDENCE = "Evidence for your own analysis; it certifies nothing."
_LEFT_OUT = (
    "Core, bus, memory, caches and devices; the kernel's C part; contexts on stacks; the trace"
    " port; the registers of the guard, whose flip ends in the safe state or, after an alarm,"
    " makes one answer wrong. Two flips in one row or one pair, and transients in logic that"
    f" reach both registers of a pair. {EVIDENCE}"
)


def title(sheet: SafetySheet) -> str:
    return f"Safety sheet of {sheet.system.name}"


def sections(sheet: SafetySheet) -> list[Section]:
    """The whole sheet."""
    about = tuple(sheet.head.items())
    return [
        Section("What decides the sheet", "", Table(("", ""), about, left=2)),
        Section("State of the unit", _legend(sheet), _states(sheet)),
        *([Section("What is proved", _proved(sheet.proofs))] if sheet.proofs else []),
        Section("What flips led to", _flipped(sheet), _flips(sheet)),
        Section("After a flip", _after(sheet)),
        Section("What is not in it", _LEFT_OUT),
    ]


def coverage(sheet: SafetySheet) -> str:
    """Sentence: bits whose flip raises an alarm."""
    share = 100 * sheet.watched / sheet.bits
    return (
        f"A single flip of {number(sheet.watched)} of {number(sheet.bits)} bits of the unit"
        f" ({share:.1f} %) raises an alarm, that of a memory when the row is read."
    )


def _legend(sheet: SafetySheet) -> str:
    return (
        f"{coverage(sheet)} Counted in the netlist that is simulated and synthesized: a register is"
        " watched if an alarm follows from its comparison with another one of the same inputs, a"
        " memory if every row is written with its parity and every read is compared. Effect: of a"
        " flip that nothing notices."
    )


def _states(sheet: SafetySheet) -> Table:
    heads = ("part", "state", "bits", "watched", "effect", "noticed by", "within")
    rows = []
    last = ""
    for each in sheet.states:  # a part and the effect of a flip in it are told once
        of, effect = ("", "") if each.part == last else (each.part, each.effect)
        counts = number(each.bits), number(each.watched)
        rows.append((of, _name(each), *counts, effect, *NOTICED[each.mechanism]))
        last = each.part
    return Table(heads, tuple(rows), left=2)


def _name(state: State) -> str:
    return f"{state.name}, {state.rows}\u00a0×\u00a0{state.width}" if state.rows else state.name


def _proved(proofs: Proofs) -> str:
    """`melanion/safety/flip.py` has the theorems."""
    if proofs.open:
        said = "; ".join(f"{name} ({what.lower()})" for name, what in proofs.open.items())
        return f"{len(proofs.open)} of {len(proofs.theorems)} theorems are NOT proved: {said}."
    of_registers = (
        " A flip of any bit of any register, in any state of the unit, sets an alarm by the next"
        " edge of the clock, and in its cycle no output of the unit differs, or the guard"
        " withholds it at once."
    )
    return (
        f"{len(proofs.theorems)} theorems, all proved. When a memory's port shows a row with a"
        " flip of any bit, since any cycle, with any contents, whatever the rest of the unit does,"
        " an alarm is set by the next edge of the clock, and no output of the unit differs"
        f" before.{of_registers if 'registers' in proofs.theorems else ''} Proved for the netlist"
        " that is simulated and synthesized, by abc; registers with the same inputs hold the same"
        " before the flip."
    )


def _flipped(sheet: SafetySheet) -> str:
    if not sheet.flips:
        return sheet.source
    return (
        f"{sheet.source} Random bits in random cycles, of the unit and of what is not protected:"
        " the kernel's C part (data, configuration) and saved contexts. Silent at most: share of"
        f" all flips, with {CONFIDENCE:.0%} confidence."
    )


def _flips(sheet: SafetySheet) -> Table | None:
    if not sheet.flips:
        return None
    classes = ("detected", "masked", "hang", "program")
    rows = tuple(
        (
            each.kind,
            number(each.bits),
            number(each.flips),
            *(number(each.counts[name]) for name in classes),
            number(each.silent),
            f"{100 * each.at_most:.2f} %",
        )
        for each in sheet.flips
    )
    return Table(("state", "bits", "flips", *classes, "silent", "silent at most"), rows)


def _after(sheet: SafetySheet) -> str:
    cores = sheet.system.core.count
    guards = "a guard of its core" if cores == 1 else f"a guard for each of {cores} cores"
    return (
        f"From the cycle of the alarm until reset {guards} withholds what the unit says: every"
        " access is answered, calls with E_SYS; no task is dispatched to; the handler line rises"
        " once. This is proved for any unit and any core: `melanion prove mel_guard`."
    )


def markdown(sheet: SafetySheet) -> str:
    """Headings of the third level."""
    return datasheet.as_markdown(sections(sheet))


def page(sheet: SafetySheet) -> str:
    """One file, no script."""
    return datasheet.as_page(title(sheet), coverage(sheet), EVIDENCE, sections(sheet))


def json_text(sheet: SafetySheet) -> str:
    """All state, with what notices a flip of it; flips as they were counted."""
    document = {
        "schema": SCHEMA,
        "head": dict(sheet.head),
        "bits": sheet.bits,
        "watched": sheet.watched,
        "states": [
            {**asdict(each), "effect": each.effect, "within": NOTICED[each.mechanism][1]}
            for each in sheet.states
        ],
        "flips": [
            {**asdict(each), "counts": dict(each.counts), "silent": each.silent}
            for each in sheet.flips
        ],
        "source": sheet.source,
        **({"proofs": asdict(sheet.proofs)} if sheet.proofs else {}),
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
