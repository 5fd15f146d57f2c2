# SPDX-License-Identifier: Apache-2.0
"""The experiment `itron-calls`: program, definition and the facts of the layer agree, its metrics
on synthetic events, exact cycles on RTL, what its page says, and that a slower layer is seen.

Cycle counts are asserted with the compiler version that they were taken with.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from mel_gen import TraceKind
from ruamel.yaml import YAML

from melanion import build, config, paths
from melanion.claims import load
from melanion.claims.execute import outcome
from melanion.docs import sources
from melanion.docs.pages import itron_calls as page
from melanion.measure import ExperimentError
from melanion.measure.experiments import itron_calls
from melanion.measure.recording import Recording
from melanion.measure.work import applications
from melanion.run import Settings, run_program
from melanion.trace import EVENT, Events
from tests.common import exact_cycles
from tests.common.planted_tree import TreeMutant

ROOT = paths.data_root()
DEFINITION = load("itron-calls")
PROGRAM = ROOT / "apps" / "benchmarks" / "itron_calls"
FACTS = YAML(typ="safe").load((ROOT / "kernel/compat/itron/calls.yaml").read_text(encoding="utf-8"))
NAMES = [name for group in FACTS["calls"].values() for name in group]
ROWS = exact_cycles.recorded_rows("itron-calls")

# ---- program, definition, layer ------------------------------------------------------------------


def test_every_call_of_the_layer_is_measured() -> None:
    assert list(DEFINITION.metrics) == NAMES


def test_program_and_definition_use_the_same_numbers() -> None:
    text = (PROGRAM / "itron_calls.h").read_text(encoding="utf-8")
    enum = re.search(r"enum \{\s+(CALL_cre_tsk = 1,.*?)\};", text, re.DOTALL)
    assert enum
    names = re.findall(r"CALL_(\w+)", enum[1])
    assert {name: number for number, name in enumerate(names, 1)} == DEFINITION.phases
    assert list(DEFINITION.phases) == NAMES
    constants = {name: int(value) for name, value in re.findall(r"\b([A-Z_]+) = (\d+)", text)}
    for prefix, expected in (("MARK", DEFINITION.marks), ("TRACEPOINT", DEFINITION.tracepoints)):
        for name, number in expected.items():
            assert constants[f"{prefix}_{name.upper()}"] == number
    found = [constants[f"ROW_{kind.upper()}"] for kind in itron_calls.KINDS]
    assert found == [0, 1, 2]
    assert constants["NATIVE"] == len(itron_calls.KINDS)


def test_the_page_knows_states_of_every_row() -> None:
    states = page.states()
    assert list(states) == NAMES
    for name, kinds in states.items():
        rows = [str(row["row"]) for row in DEFINITION.metrics[name].combinations]
        for kind, texts in zip(itron_calls.KINDS, kinds, strict=True):
            assert bool(texts) == (kind in rows), (name, kind)
            alone = all(text.endswith(page.ALONE) for text in texts)
            assert alone != (f"native_{kind}" in rows), (name, kind)
    assert "8 receivers, less urgent" in states["snd_dtq"][0]  # text of a macro beside the table
    assert "number out of range" in states["sig_sem"][2]  # of a macro in the header
    assert "active: queued*" in states["act_tsk"][0]


def test_every_call_refuses_something_that_can() -> None:
    """But those that return one status only, and those that the facts give none."""
    cannot = {
        name
        for group in FACTS["calls"].values()
        for name, row in group.items()
        if not any(status.startswith("E_") and status != "E_OK" for status in row["statuses"])
    }
    without = {
        name
        for name, metric in DEFINITION.metrics.items()
        if not any(row["row"] == "refuses" for row in metric.combinations)
    }
    # Their one refusal is that of a handler, or of a task: the same three instructions as all have.
    assert without - cannot == {"get_tim", "set_tim"}


def test_the_layer_counts_among_the_sources_of_the_rows() -> None:
    (app,) = applications(DEFINITION)
    names = {path.name for path in sources.layer(app)}
    assert {"mailbox.c", "kernel.h", "layer.h", "itron_cfg.h", "itron_calls.h"} <= names
    (other,) = applications(load("calls"))
    assert sources.layer(other) == []


# ---- metrics -------------------------------------------------------------------------------------


def tape(row: int, *records: tuple[int, TraceKind, int, int]) -> Events:
    """Events of a phase of sig_sem."""
    value = DEFINITION.phases["sig_sem"] | row << 8
    every = [
        (0, TraceKind.MARKER, DEFINITION.marks["begin"], value),
        *records,
        (records[-1][0] + 1, TraceKind.MARKER, DEFINITION.marks["end"], value),
    ]
    return np.array([(c, kind, 0, a, b, 0, 0) for c, kind, a, b in every], dtype=EVENT)


def found(*tapes: Events) -> dict[str, list[int]]:
    recording = Recording(DEFINITION, np.concatenate(tapes))
    samples = itron_calls.metric("sig_sem")(recording)
    return {str(row["row"]): values.tolist() for row, values in samples}


START, END = DEFINITION.tracepoints["start"], DEFINITION.tracepoints["end"]


def span(cycles: int, ender: int) -> list[tuple[int, TraceKind, int, int]]:
    """A measured call, with a switch when another task ends it."""
    switch = [(3, TraceKind.DISPATCH, 4, 3)] if ender == 0 else []
    return [
        (2, TraceKind.TRACEPOINT, START, 1),
        *switch,
        (2 + cycles, TraceKind.TRACEPOINT, END, ender),
    ]


def test_rows_by_their_numbers() -> None:
    tapes = [tape(row, *span(10 + row, 0 if row in (1, 4) else 1)) for row in range(6)]
    assert found(*tapes) == {
        "stays": [10],
        "switches": [11],
        "refuses": [12],
        "native_stays": [13],
        "native_switches": [14],
        "native_refuses": [15],
    }


def test_a_call_that_ends_elsewhere_is_refused() -> None:
    with pytest.raises(ExperimentError) as caught:
        found(tape(1, *span(10, 1)))
    assert "ended in another task before the next one" in caught.value.message
    with pytest.raises(ExperimentError) as caught:
        found(tape(3, *span(10, 0)))
    assert "ended in its caller before the next one" in caught.value.message


# ---- cycles --------------------------------------------------------------------------------------


# A run of all calls takes a minute. In every run: that the rows are of the present sources
# (test_sources), and that a short run of a few is within them (below).
@pytest.mark.soak
@pytest.mark.parametrize("kernel", DEFINITION.kernels)
def test_exact_cycles(kernel: str) -> None:
    measured = [each.row for each in outcome("itron-calls", kernel, lambda _: None).measurements]
    exact_cycles.check("itron-calls", [kernel], measured)


def test_calls_that_are_one_call_add_three_instructions() -> None:
    """The look at the context; where the ID is known when the program is built, no more. Behind an
    inline call of the kernel the word that it brings is in a register, and must be stored."""
    for kernel, rows in page.added().items():
        by_call = {call: least for least, _, call, row in rows if row == "stays"}
        for call in ("sig_sem", "wai_sem", "pol_sem", "snd_dtq", "wup_tsk", "slp_tsk", "rot_rdq"):
            assert by_call[call] == 3, (kernel, call)
        assert by_call["rcv_dtq"] == (8 if kernel in ("port", "banked") else 3)


def test_the_layer_costs_in_every_call_that_is_not_refused() -> None:
    """But ref_flg of a group for one task on `sw`, which the kernel is not asked for."""
    cheaper = {
        (kernel, call)
        for kernel, rows in page.added().items()
        for least, _, call, row in rows
        if least < 3 and row != "refuses"
    }
    assert cheaper == {("sw", "ref_flg")}


def test_the_page_shows_all_rows() -> None:
    shown = page.cycles()
    ours = {
        (row.metric, row.parameters["row"])
        for rows in ROWS.values()
        for row in rows
        if not str(row.parameters["row"]).startswith("native")
    }
    lines = [line for line in shown.splitlines() if line.startswith("| ") and " … " in line]
    kinds = tuple(f"| {kind} |" for kind in itron_calls.KINDS)
    every = [line for line in shown.splitlines() if any(kind in line for kind in kinds)]
    assert len(every) == len(ours)
    assert lines
    assert len(page.overhead().splitlines()) == 2 + len(DEFINITION.kernels) * len(itron_calls.KINDS)


# The layer's check of the context is slower by two instructions.
SLOWER = TreeMutant(
    "snd_mbx of the layer",
    "kernel/compat/itron/mailbox.c",
    "ER snd_mbx(ID mbxid, T_MSG *pk_msg)\n{\n",
    'ER snd_mbx(ID mbxid, T_MSG *pk_msg)\n{\n    __asm__ volatile("nop; nop");\n',
)

SHORT = (
    (
        "environment < ENVIRONMENTS; environment++",
        "environment <= QUIET; environment++",
    ),
    ("i < sizeof tables / sizeof *tables", "i < 1"),
    ("measure(tables[i], environment)", "measure(&mailbox_table, environment)"),
    ("ROUNDS_QUIET = 8", "ROUNDS_QUIET = 2"),
)


def of_mailboxes(folder: Path) -> dict[str, tuple[int, int]]:
    """Smallest and largest value of each row of snd_mbx, from a short run of mailboxes alone."""
    app = folder / "short"
    app.mkdir()
    for path in PROGRAM.iterdir():
        text = path.read_text(encoding="utf-8")
        if path.name == "main.c":
            for old, new in SHORT:
                assert text.count(old) == 1, old
                text = text.replace(old, new)
        (app / path.name).write_text(text, encoding="utf-8")
    run = run_program(config.find("sw"), build.application(app), Settings(max_cycles=5_000_000))
    recording = Recording(DEFINITION, run.events)
    return {
        str(row["row"]): (int(samples.min()), int(samples.max()))
        for row, samples in itron_calls.metric("snd_mbx")(recording)
    }


def test_a_slower_layer_is_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("right", "root", "wrong"):
        (tmp_path / name).mkdir()
    right = of_mailboxes(tmp_path / "right")
    for name, (least, most) in right.items():
        (known,) = (r for r in ROWS["sw"] if r.label == f"snd_mbx {name}")
        assert known.min <= least <= most <= known.max or not exact_cycles.is_pinned(), name
    SLOWER.plant(monkeypatch, tmp_path / "root")
    wrong = of_mailboxes(tmp_path / "wrong")
    for row in itron_calls.ROWS:
        by = 0 if row.startswith("native") else 2
        assert [w - r for w, r in zip(wrong[row], right[row], strict=True)] == [by, by], row
