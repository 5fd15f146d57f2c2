# SPDX-License-Identifier: Apache-2.0
"""soc/sim/inject/state.vlt names all state of the kernel's hardware: what the sources assign in an
`always_ff`, and nothing that is no more there."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator

from melanion import paths

ROOT = paths.data_root()
FILE = ROOT / "soc" / "sim" / "inject" / "state.vlt"
FOLDERS = ("engine", "contexts", "banks", "bridges", "lock_cache", "deadlock", "dmmu")
MARK = re.compile(r'public_flat_rd -module "(\w+)" -var "([\w*]+)"')

# Only observe: the trace port.
OBSERVERS = re.compile(r"mel_engine_trace\..*|mel_unit\.trace_\w+_o|mel_unit\.trace_o")
# Outputs that are registers: the module around them has the variable that holds the value, by the
# name of the connection; soc/sim/inject/state.cpp drops whichever does not keep a flip.
HELD_OUTSIDE = {
    "mel_accounts.before_o": "mel_unit.previous",
    "mel_accounts.budget_over_o": "mel_unit.budget_over",
    "mel_accounts.cycles_o": "mel_unit.cycles",
    "mel_accounts.limits_o": "mel_unit.limits",
    "mel_accounts.stamp_o": "mel_unit.stamp",
    "mel_datapath.level_o": "mel_unit.level",
    "mel_datapath.level_affinity_o": "mel_unit.level_affinity",
    "mel_best.best_o": "mel_unit.best",
    "mel_best.best_affinity_o": "mel_unit.best_affinity",
    "mel_engine.failed_o": "mel_unit.failed",
    "mel_engine.readied_o": "mel_unit.readied",
    "mel_choice.by_irq_o": "mel_engine.by_irq",
    "mel_choice.caller_o": "mel_engine.caller",
    "mel_choice.number_o": "mel_engine.job_number",
    "mel_choice.jobs_o": "mel_unit.jobs_begun",
    "mel_interrupts.pending_o": "mel_unit.irq_pending",
    "mel_interrupts.first_o": "mel_unit.irq_first",
    "mel_interrupts.first_offered_o": "mel_unit.first_offered",
    "mel_interrupts.offered_o": "mel_unit.offered",
    "mel_interrupts.offered_first_o": "mel_unit.offered_first",
    "mel_interrupts.lost_o": "mel_unit.lost",
}
# Compared with `<=`, and not assigned.
COMPARED = {"mel_interrupts.subject", "mel_lists.op_i", "mel_lock_turn.distance"}
# Memories that nothing writes: the microprogram and the check table.
CONSTANT = {"mel_engine.program_mem", "mel_access.check_mem"}
_TARGET = re.compile(
    r"(?:^|[;)}:]|\bbegin|\bend|\belse)\s*(?:\{([\w, ]+)\}|(\w+)(?:\s*\[[^;=<]*\])*(?:\.\w+)*)\s*<="
)


def marks(text: str) -> set[str]:
    return {f"{module}.{name}" for module, name in MARK.findall(text)}


def assigned() -> set[str]:
    """`MODULE.VARIABLE` of what a register or memory is made of."""
    found = set()
    for folder in FOLDERS:
        for path in sorted((ROOT / "hw" / folder).glob("*.sv")):
            text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
            if module := re.search(r"^module (\w+)", text, re.MULTILINE):
                found |= {f"{module[1]}.{name}" for name in _targets(text)}
    return found - COMPARED


def _targets(text: str) -> Iterator[str]:
    for several, one in _TARGET.findall(_without_functions(text)):
        yield from (name.strip() for name in several.split(",")) if several else [one]


def _without_functions(text: str) -> str:
    """A comparison in a function looks like an assignment."""
    return re.sub(r"\bfunction\b.*?\bendfunction\b", "", text, flags=re.DOTALL)


def unlisted(marked: set[str], found: set[str]) -> set[str]:
    """Assigned, and no flip can hit it."""
    return {
        name
        for name in found
        if not OBSERVERS.fullmatch(name)
        and not any(fnmatch.fnmatchcase(HELD_OUTSIDE.get(name, name), mark) for mark in marked)
    }


def test_all_state_can_be_hit() -> None:
    assert unlisted(marks(FILE.read_text(encoding="utf-8")), assigned()) == set()


def test_names_of_outputs_are_those_of_their_connections() -> None:
    for inside, outside in HELD_OUTSIDE.items():
        output, (module, name) = inside.split(".")[1], outside.split(".")
        text = (ROOT / "hw" / "engine" / f"{module}.sv").read_text(encoding="utf-8")
        assert re.search(rf"\.{output}\s*\(\s*{name}\s*\)", text), inside


def test_a_mark_that_is_gone_is_noticed() -> None:
    text = FILE.read_text(encoding="utf-8")
    less = re.sub(r'.*"mel_datapath" -var "store"\n', "", text)
    assert unlisted(marks(less), assigned()) == {"mel_datapath.store"}
    less = re.sub(r'.*"mel_time" -var "\*_q"\n', "", text)
    assert "mel_time.count_q" in unlisted(marks(less), assigned())


def test_every_mark_names_something() -> None:
    """A module or variable that was renamed would leave a mark without effect."""
    known = {*assigned(), *HELD_OUTSIDE.values(), *CONSTANT}
    marked = marks(FILE.read_text(encoding="utf-8"))
    assert {mark for mark in marked if not fnmatch.filter(known, mark)} == set()
