# SPDX-License-Identifier: Apache-2.0
"""Documents with made parts: the blocks between `<!-- made: NAME -->` and `<!-- made: end -->` of
README.md and docs/, and the pages and pictures that are made whole."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path

from melanion import paths
from melanion.docs import blocks, boards, injection, litex, protection
from melanion.docs.errors import DocsError
from melanion.docs.facts import Facts
from melanion.docs.pages import (
    aquila,
    attached,
    baseline,
    calls,
    command_line,
    commands,
    datasheet,
    deadlock,
    debug,
    decisions,
    dmmu,
    faults,
    freertos,
    freertos_action,
    front,
    heaps,
    interference,
    isolation,
    itron,
    itron_calls,
    network,
    nouns,
    objects,
    reproduced,
    rtu_memories,
    smp,
    thread_metric,
    tour,
    unit_clock,
)
from melanion.measure.experiments.interference import EDGES

ROOT = paths.data_root()
KIND = "made"
# Blocks of which a program is walked through.
WALKED: Mapping[str, Callable[[Facts], str]] = {
    "tour-code": tour.code,
    "tour-timeline": tour.steps,
    "tour-marks": tour.marks,
    "port-give-take": attached.port_give_take,
    "port-give-switch": attached.port_give_switch,
    "banked-give-take": attached.banked_give_take,
    "banked-yield": attached.banked_yield,
    "banked-give-switch": attached.banked_give_switch,
    "banked-interrupt": attached.banked_interrupt,
    "vexriscv-give-take": attached.vexriscv_give_take,
    "vexriscv-interrupt": attached.vexriscv_interrupt,
}
OTHERS: blocks.Blocks = {
    "worst": front.shown,
    "couplings": front.couplings,
    "measurements": front.measurements,
    "tour-address": tour.address,
    "debug-threads": debug.threads,
    "port-cycles": attached.port_cycles,
    "booster-cycles": attached.booster_cycles,
    "port-forms": attached.port_forms,
    "banked-cycles": attached.banked_cycles,
    "vexriscv-cycles": attached.vexriscv_cycles,
    "boards": boards.measured,
    "boards-ns": boards.in_nanoseconds,
    "litex-cycles": litex.cycles,
    "injection-classes": injection.classes,
    "protection-area": protection.shown,
    "isolation-cycles": isolation.shown,
    "baseline-count": baseline.count,
    "baseline-slower": baseline.slower,
    "unit-clock-cycles": unit_clock.cycles,
    "unit-clock-missed": unit_clock.missed,
    "calls-cycles": calls.cycles,
    "calls-states": calls.states_table,
    "calls-booster": calls.booster,
    "interference-worst": interference.worst,
    "interference-targets": interference.targets,
    "interference-random": interference.random,
    "interference-calls": interference.by_call,
    "white-paper-verdicts": partial(reproduced.verdicts, "white-paper"),
    "white-paper-curves": partial(reproduced.curves, "white-paper"),
    "thread-metric-optimized": partial(thread_metric.cycles, "O2"),
    "thread-metric-reasons": thread_metric.reasons,
    "thread-metric-plain": partial(thread_metric.cycles, "O0"),
    "thread-metric-entry": thread_metric.entry,
    "thread-metric-verdicts": partial(reproduced.verdicts, "thread-metric"),
    "rtu-memories": rtu_memories.rows,
    "rtu-memories-verdicts": rtu_memories.verdicts,
    "rtu-verdicts": partial(reproduced.verdicts, "rtu"),
    "rtu-curves": partial(reproduced.curves, "rtu"),
    "lock-cache-hand-over": reproduced.hand_over,
    "lock-cache-program-locks": rtu_memories.locks,
    "smp-cycles": smp.cycles,
    "smp-beside": smp.beside,
    "deadlock-cycles": deadlock.cycles,
    "dmmu-cycles": dmmu.cycles,
    "dmmu-failures": dmmu.failures,
    "heaps-fragments": heaps.fragments,
    "heaps-cycles": heaps.cycles,
    "heaps-pools": heaps.pools,
    "network-small": partial(network.loads, "b32"),
    "network-large": partial(network.loads, "b1024"),
    "network-limits": network.limits,
    "aquila-notes": aquila.notes,
    "aquila-switch": aquila.switches,
    "aquila-totals": aquila.totals,
    "aquila-sync": aquila.locks,
    "aquila-verdicts": partial(reproduced.verdicts, "aquila"),
    "booster-verdicts": partial(reproduced.verdicts, "booster"),
    "booster-curves": partial(reproduced.curves, "booster"),
    "datasheet-sheet": datasheet.sheet,
    "datasheet-tightness": datasheet.tightness,
    "command-numbers": commands.numbers,
    "own-command": commands.own,
    "itron-kernels": itron.kernels,
    "itron-count": itron.count,
    "itron-calls": itron.calls,
    "itron-absent": itron.absent,
    "itron-calls-cycles": itron_calls.cycles,
    "itron-calls-overhead": itron_calls.overhead,
    "itron-calls-states": itron_calls.states_table,
    "freertos-action": freertos_action.changed,
    "freertos-count": freertos.count,
    "freertos-costs": freertos.costs,
    "freertos-calls": freertos.calls,
    "freertos-absent": freertos.absent,
    "freertos-uncalled": freertos.uncalled,
}
# Files that are made as a whole.
WHOLE: Mapping[Path, Callable[[], str]] = {
    front.PICTURE: front.picture,
    **{interference.picture_path(edge): partial(interference.picture, edge) for edge in EDGES},
    command_line.PAGE: command_line.page,
    decisions.PAGE: decisions.page,
    objects.PAGE: objects.page,
    **{nouns.page_of(noun): partial(nouns.page, noun) for noun in nouns.EVERY},
    faults.PAGE: faults.page,
}


def made_blocks(facts: Facts) -> blocks.Blocks:
    """Every block."""
    return {**OTHERS, **{name: partial(make, facts) for name, make in WALKED.items()}}


def documents() -> list[Path]:
    """The files that may hold blocks."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in pages if page not in WHOLE]


def chosen(names: Collection[str]) -> list[Path]:
    """Documents by their paths, from where the reader is; none: all. Raises DocsError."""
    every = [*documents(), *WHOLE]
    found = [Path(name).resolve() for name in names]
    for name, path in zip(names, found, strict=True):
        if path not in every:
            raise DocsError(
                f"{name} is no document with made parts; name README.md, a page or a made picture"
                " of docs/.",
                2,
            )
    return found or every


def stale(
    facts: Facts, among: Collection[Path], *, settle: bool = False
) -> Iterator[tuple[Path, str]]:
    """The documents that differ from what would be written now, and that text. `settle`: see
    `blocks.rewritten`. Raises MelanionError."""
    for path in among:
        old = path.read_text(encoding="utf-8") if path.is_file() else ""
        if path in WHOLE:
            new = WHOLE[path]()
        else:
            new = blocks.rewritten(old, KIND, made_blocks(facts), settle=settle)
        if new != old:
            yield path, new
