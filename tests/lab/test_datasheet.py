# SPDX-License-Identifier: Apache-2.0
"""The data sheet: no measured value is above its bound, on any coupling and core variant; what is
counted too low, a loop and a new branch are noticed; the command, and the texts of its errors.

Measured values are those of docs/calls_measured.csv; tests/lab/test_calls.py asserts the largest.
Cycles are asserted with the compiler version that they were taken with.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from mel_gen import KERNELS, Command, Status

from melanion import build, cli, config, paths
from melanion.build.listing import Instruction, listing
from melanion.claims import load
from melanion.datasheet import DatasheetError, Sheet, excesses, measured, present, work
from melanion.datasheet import core as core_module
from melanion.datasheet.accesses import Access
from melanion.datasheet.accesses import Kind as AccessKind
from melanion.datasheet.bounds import MASKED, WITH, WITHOUT, Bounds, bounds
from melanion.datasheet.core import CORES
from melanion.datasheet.graph import Exit, Explorer, NoBoundError, Node
from melanion.datasheet.path import Measure
from melanion.datasheet.program import APP, Program
from melanion.datasheet.unit import Unit, unit
from melanion.docs import largest
from melanion.report.svg import number
from tests.common import exact_cycles
from tests.common.planted_tree import TreeMutant

ROOT = paths.data_root()
HWRTOS, PORT, BANKED = largest.UNITS


@cache
def sheet(name: str = HWRTOS, variant: str = "main") -> Sheet:
    return largest.sheet(name, variant)


SYSTEMS = [("sw", "main")]
SYSTEMS += [(name, core) for name in largest.UNITS for core in CORES]
# The other variant of the core with one coupling in every run, with the others in `make soak`.
LATER = [(HWRTOS, "small"), (PORT, "small")]
NOW = [system for system in SYSTEMS if system not in LATER]
EACH = [*NOW, *(pytest.param(*system, marks=pytest.mark.soak) for system in LATER)]

# ---- measured against counted --------------------------------------------------------------------


@exact_cycles.pinned
@pytest.mark.parametrize(("name", "variant"), EACH)
def test_no_measured_value_is_above_its_bound(name: str, variant: str) -> None:
    found = sheet(name, variant)
    assert excesses(name, found.rows) == []
    shares = found.shares
    if name != "sw":
        assert len(shares["free"]) > 80
        assert len(shares["busy"]) > 100
        assert median(shares["free"]) > 0.5
        assert shares["free"][-1] > 0.9
        assert shares["busy"][-1] > 0.8, "bounds are near where the unit is not asked"
    assert {row.call for row in found.rows} == set(METRICS) - LACKS[name]
    for row in found.rows:
        if row.row != MASKED and not row.clearing:
            assert row.busy.measured, f"{row.call}, {row.row}: measured, or only when clearing"


METRICS = load("calls").metrics
LACKS = {
    name: {
        call
        for call, metric in METRICS.items()
        if metric.needs in KERNELS[name.partition("-")[0]].lacks
    }
    for name, _ in SYSTEMS
}


@exact_cycles.pinned
@pytest.mark.soak
@pytest.mark.parametrize(("name", "variant"), SYSTEMS)
def test_the_file_is_of_the_run(name: str, variant: str) -> None:
    """`python -m melanion.docs datasheet` writes it anew."""
    system = largest.variant(name, variant)
    built = build.program(system, build.application(APP))
    program = Program(built.elf, built.tracepoints, load("calls"))
    kept = [each for each in measured.read(largest.MEASURED) if each.system == name]
    found = work.measure(system, built, program)
    assert [each for each in kept if each.core == variant] == found


def test_the_systems_are_those_of_the_file() -> None:
    assert [(each.name, each.core.variant) for each in largest.systems()] == SYSTEMS


@pytest.mark.parametrize(("name", "variant"), EACH[1:])
def test_only_these_calls_of_the_unit_have_no_bound(name: str, variant: str) -> None:
    missing = {(row.call, row.busy.bound.missing) for row in sheet(name, variant).rows}
    assert {each for each in missing if each[1]} == {("time_get", "no bound: loop at mel_time_get")}


def test_the_software_kernel_says_where_it_searches() -> None:
    found = {row.call: row.busy.bound.missing for row in sheet("sw").rows if row.row == WITHOUT}
    without = [call for call, missing in found.items() if missing]
    assert len(without) > 20
    assert found["irq_raise"] == "no bound: serves the interrupt that it raises"
    assert all(re.match(r"no bound: (loop at \w+$|serves)", found[call]) for call in without)
    assert found["dispatch_disable"] == "", "a call that searches nothing has a bound"


@exact_cycles.pinned
@pytest.mark.parametrize(
    "kernel",
    sorted(
        {row["kernel"] for row in exact_cycles.recorded("calls")} & {name for name, _ in SYSTEMS}
    ),
)
def test_the_file_agrees_with_the_cycles_of_every_call(kernel: str) -> None:
    """tests/lab/test_calls.py asserts those."""
    most: dict[tuple[str, str], int] = {}
    for value in measured.read(largest.MEASURED):
        if (value.system, value.core) == (kernel, "main"):
            key = value.call, value.row
            most[key] = max(most.get(key, 0), value.cycles)
    rows = [row for row in exact_cycles.recorded("calls") if row["kernel"] == kernel]
    asserted = {(r["metric"], r["parameters"].removeprefix("row=")): int(r["max"]) for r in rows}
    assert most == asserted, "`python -m melanion.docs datasheet`, then `python -m melanion.docs`"


def make_anew(name: str, variant: str = "main") -> None:
    """A sheet that no earlier test has left."""
    largest.sheet.cache_clear()
    largest.sheet(name, variant)


FIELDS = {"main": ("load", "store", "jump"), "small": ("load", "store", "jump")}
SOON = {("main", "load"), ("main", "jump"), ("small", "store")}


@exact_cycles.pinned
@pytest.mark.parametrize(
    ("variant", "field"),
    [
        pytest.param(v, field, marks=[] if (v, field) in SOON else pytest.mark.soak)
        for v, fields in FIELDS.items()
        for field in fields
    ],
)
def test_a_cost_that_is_too_small_is_noticed(
    variant: str, field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    free: dict[str, Any] = {field: 0}
    wrong = replace(CORES[variant], **free)
    monkeypatch.setitem(core_module.CORES, variant, wrong)
    with pytest.raises(DatasheetError, match=r"cycles were measured in the state '.+' \(.+\), and"):
        make_anew(HWRTOS if variant == "main" else BANKED, variant)


def test_a_bound_of_the_unit_that_is_too_small_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Unit, "answer", lambda self, access: 1)
    with pytest.raises(DatasheetError, match="the bound with the unit free is"):
        make_anew(PORT)


# ---- the code ------------------------------------------------------------------------------------


def code(*lines: str) -> dict[int, Instruction]:
    """Instructions of 4 bytes from address 0 on: `function: mnemonic operands > target`."""
    found = {}
    for i, line in enumerate(lines):
        function, _, rest = line.partition(": ")
        text, _, target = rest.partition(" > ")
        name, _, operands = text.partition(" ")
        words = tuple(operands.split(",")) if operands else ()
        leads = int(target) * 4 if target else None
        found[4 * i] = Instruction(4 * i, 4, function, name, words, leads)
    return found


def longest(
    instructions: dict[int, Instruction], end: int, core: str = "main", asked: Unit | None = None
) -> dict[Exit, int]:
    graph = Explorer(instructions, [4 * end]).explore([Node(0)])
    exits = Measure(CORES[core], asked).longest(graph).exits
    return {kind: length.cycles for kind, length in exits.items()}


def test_the_longest_path_is_taken() -> None:
    branch = code("f: beqz a0 > 3", "f: lw a1,0(a2)", "f: add a1,a1,a1", "f: nop", "f: nop")
    assert longest(branch, 4) == {Exit.END: 1 + (1 + 1) + 1 + 1}
    short = code("f: beqz a0 > 2", "f: nop", "f: nop")
    assert longest(short, 2) == {Exit.END: 3}, "a taken branch to 4 bytes takes 3, both ways end"


def test_a_function_returns_to_where_it_was_called() -> None:
    """Called twice it counts twice, and is no loop."""
    twice = code(
        "f: jal ra > 4", "f: nop", "f: jal ra > 4", "f: j > 6", "g: nop", "g: ret", "f: nop"
    )
    assert longest(twice, 6) == {Exit.END: 3 + (1 + 3) + 1 + 3 + (1 + 3) + 3}


def test_a_loop_is_found() -> None:
    loop = code("f: jal ra > 2", "f: nop", "g: nop", "h: bnez a0 > 2", "g: ret")
    with pytest.raises(NoBoundError, match=r"^loop at [gh]$"):
        longest(loop, 1)


WINDOW = unit(config.find(HWRTOS)).window
START_OFFSET = Command.TASK_START * 1024


def free_unit() -> Unit:
    return replace(unit(config.find(HWRTOS)), free=True)


def asking(status: int, branch: str = "beq") -> dict[int, Instruction]:
    """Starts a task again while the answer is this."""
    return code(
        f"f: li a4,{status}", f"f: lui a5,{WINDOW >> 12:#x}", f"f: sw zero,{START_OFFSET}(a5)",
        f"f: lw a0,{START_OFFSET}(a5)", f"f: {branch} a0,a4 > 2", "f: nop", "f: nop",
    )  # fmt: skip


def test_a_command_that_is_asked_again_counts_once() -> None:
    waits = free_unit().waits(Access(AccessKind.COMMAND, Command.TASK_START))
    expected = 1 + 1 + (1 + waits) + (1 + 1) + 1 + 1
    assert longest(asking(Status.E_BUSY), 6, asked=free_unit()) == {Exit.END: expected}


@pytest.mark.parametrize(("status", "branch"), [(Status.E_OBJ, "beq"), (Status.E_BUSY, "bne")])
def test_a_command_that_is_asked_until_something_else_has_no_bound(
    status: Status, branch: str
) -> None:
    with pytest.raises(NoBoundError, match=r"^loop at f$"):
        longest(asking(status, branch), 6, asked=free_unit())
    with pytest.raises(NoBoundError, match=r"^loop at f$"):
        longest(asking(Status.E_BUSY), 6)  # there is no unit


def loading(offset: int) -> dict[int, Instruction]:
    return code(
        f"f: lui a3,{WINDOW >> 12:#x}", "f: j > 3", "f: beqz a4 > 6", f"f: lw a5,{offset}(a3)",
        "f: and a4,a5,4", "f: bgtz a5 > 2", "f: nop", "f: nop",
    )  # fmt: skip


def test_an_answer_is_loaded_until_its_chain_has_ended() -> None:
    """At most the time of the chain, and one round."""
    asked = free_unit()
    round_, settling = 1 + 1 + 1 + (2 + 1) + 1, asked.settling
    assert settling > (asked.chain - 1) * asked.step("job link") // asked.ratio
    once = 1 + (2 + 1) + (1 + 1) + 1 + (2 + 1) + (2 + 1) + 1
    found = longest(loading(START_OFFSET), 7, asked=asked)
    assert once + settling < found[Exit.END] <= once + settling + round_


def test_another_word_that_is_loaded_again_has_no_bound() -> None:
    with pytest.raises(NoBoundError, match=r"^loop at f$"):
        longest(loading(-4), 7, asked=free_unit())  # memory


def test_a_loop_that_no_call_comes_out_of_is_none_of_it() -> None:
    """The refusal of a panic."""
    panic = code("f: beqz a0 > 3", "f: nop", "f: nop", "mel_panic: j > 3")
    assert longest(panic, 2) == {Exit.END: 2}


def test_an_indirect_jump_has_no_bound() -> None:
    with pytest.raises(NoBoundError, match=r"^indirect jump at f$"):
        longest(code("f: jr a5", "f: nop"), 1)


def test_an_unknown_instruction_has_no_bound() -> None:
    with pytest.raises(NoBoundError, match=r"^instruction amoadd\.w at f, whose cycles"):
        longest(code("f: amoadd.w a0,a1,(a2)", "f: nop"), 1)


def test_a_switch_ends_in_every_kind_of_task() -> None:
    switch = code(
        "f: jal ra > 3", "f: nop", "f: nop", "unit_run: bnez t0 > 5", "unit_run: ret",
        "unit_run: bnez t0 > 7", "unit_run: mret", "unit_run: jr t1",
    )  # fmt: skip
    assert set(longest(switch, 1)) == {Exit.CALL, Exit.PREEMPTED, Exit.START}


def test_spans_with_interrupts_disabled() -> None:
    """To what enables them; other bits of mstatus do not."""
    span = code(
        "f: csrc mstatus,8", "f: lui t0,0x2", "f: add t0,t0,-1920", "f: csrs mstatus,t0",
        "f: nop", "f: csrs mstatus,8", "f: nop",
    )  # fmt: skip
    graph = Explorer(span, [24]).explore([Node(0)])
    assert Measure(CORES["main"], None).longest(graph).masked.cycles == 1 + 1 + 1 + 4 + 1


def test_the_end_of_an_inner_section_enables_nothing() -> None:
    """It restores what it found."""
    span = code(
        "f: csrrc a5,mstatus,8", "f: csrrc a4,mstatus,8", "f: csrs mstatus,a4", "f: nop",
        "f: csrs mstatus,a5", "f: nop",
    )  # fmt: skip
    graph = Explorer(span, [20]).explore([Node(0)])
    assert Measure(CORES["main"], None).longest(graph).masked.cycles == 1 + 1 + 4 + 1


def test_a_call_that_the_linker_shortened_is_read(tmp_path: Path) -> None:
    """mel_task_exit of register banks, assembled without compressed instructions."""
    program = build.program(config.find(BANKED), build.application("hello"))
    found = listing(program.elf)
    calls = [i for i in found.values() if i.function == "mel_task_exit" and i.mnemonic == "jal"]
    assert [found[call.target].function for call in calls if call.target] == ["mel_banked_exit"]


MUTANT = TreeMutant(
    "a branch in sem_give",
    "kernel/unit/semaphore.c",
    "mel_status_t mel_sem_give(mel_id_t sem)\n{\n",
    "mel_status_t mel_sem_give(mel_id_t sem)\n{\n"
    '    if (sem == 77) {\n        __asm__ volatile("nop; nop; nop; nop; nop");\n    }\n',
)


def counted() -> dict[str, Bounds]:
    system = config.find(HWRTOS)
    built = build.program(
        system, build.application(str(paths.data_root() / "apps/benchmarks/calls"))
    )
    program = Program(built.elf, built.tracepoints, load("calls"))
    return bounds(program, Measure(CORES["main"], unit(system)))


def test_a_new_branch_raises_the_bound(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The bound of its call alone rises, though no run takes the branch. Other code moves: where
    the linker then makes a jump of 4 bytes, that takes a cycle more."""
    right = counted()
    MUTANT.plant(monkeypatch, tmp_path)
    wrong = counted()
    changed = {call for call in right if right[call] != wrong[call]}
    assert "sem_give" in changed and len(changed) < 4
    for call in changed:
        for row in (WITHOUT, WITH):
            before, after = right[call].rows[row].length, wrong[call].rows[row].length
            assert before and after
            more = after.cycles - before.cycles
            assert 5 < more < 12 if call == "sem_give" else 0 <= more <= 1


# ---- texts ---------------------------------------------------------------------------------------


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as end:
        cli.main(["datasheet", *words])
    assert isinstance(end.value.code, int)
    return end.value.code


def given(*words: str) -> int:
    return run(*words, "--measured", str(largest.MEASURED))


GIVE = 9  # cycles of the core: 18 of the unit


@exact_cycles.pinned
def test_the_command_prints_and_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {kind: str(tmp_path / f"sheet.{kind}") for kind in ("json", "markdown", "html")}
    options = [word for kind, name in names.items() for word in (f"--{kind}", name)]
    assert given(HWRTOS, *options, "--save", str(tmp_path / "saved.csv")) == 0
    assert capsys.readouterr().out == ""
    assert given(HWRTOS) == 0
    text = capsys.readouterr().out
    assert "mel_sem_give" in text
    assert "None is above its bound." in " ".join(text.split())
    document = json.loads(Path(names["json"]).read_text(encoding="utf-8"))
    (row,) = [r for r in document["rows"] if (r["call"], r["row"]) == ("sem_give", WITHOUT)]
    assert row["busy"]["measured"]["cycles"] < row["busy"]["bound"]["cycles"]
    assert row["busy"]["measured"]["state"] in text.replace("\n", " ")
    markdown = Path(names["markdown"]).read_text(encoding="utf-8")
    give = f"[{GIVE}](microprogram.md#commands-and-queries)"
    assert f"| `mel_sem_give` | without | {give} |" in markdown
    page = Path(names["html"]).read_text(encoding="utf-8")
    assert ">mel_sem_give</td>" in page
    assert "](" not in page
    assert measured.read(tmp_path / "saved.csv") == list(sheet().measured)
    assert given(HWRTOS, "--json", "-") == 0
    served = json.loads(capsys.readouterr().out)["unit"]
    assert served["ratio"] == 2
    turns = {"cores": 0, "interrupts": 1, "jobs": 2}
    assert served["before"] == {**turns, "ticks": 1, "found": 2 * 64 + 8}
    assert served["plain_cycles"] < served["served_cycles"]


def test_measured_and_counted_stand_in_columns_of_their_own() -> None:
    tables = [section.table for section in present.sections(sheet()) if section.table]
    (calls,) = [table for table in tables if "counted" in table.heads and "switch" in table.heads]
    assert [head for head in calls.heads if head.startswith("measured")] == [
        "measured, unit free",
        "measured",
    ]
    free = [section.title for section in present.sections(sheet("sw"))]
    assert "In the unit" not in free
    assert "Area and clock of the unit" not in free


def test_area_is_of_a_measured_design_and_says_which() -> None:
    found = sheet().area
    assert found and not found.same
    with (ROOT / "docs" / "area.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert any(
        all(float(row[name]) == value for name, value in {**found.sizes, **found.figures}.items())
        for row in rows
    )
    assert found.sizes["tasks"] == 64
    (section,) = [s for s in present.sections(sheet()) if s.title.startswith("Area")]
    assert "nearest measured design (64 tasks, " in section.text


def test_a_value_above_its_bound_is_one_sentence_and_exit_code_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = [
        replace(value, cycles=9999, state="planted") if value.call == "sem_give" else value
        for value in sheet().measured
        if value.row == WITHOUT
    ]
    path = tmp_path / "wrong.csv"
    path.write_text(measured.text(values), encoding="utf-8")
    assert run(HWRTOS, "--measured", str(path)) == 1
    first = capsys.readouterr().err.splitlines()[-1]
    assert re.fullmatch(
        r"melanion: mel_sem_give on hwrtos, without: 9999 cycles were measured in the"
        r" state 'planted' \(.*\), and the bound whatever else asks is \d+; measure again"
        r" \(without --measured\), or find what melanion/datasheet counts too low\.",
        first,
    )


def errors(tmp_path: Path) -> Iterator[tuple[list[str], int, str]]:
    """Words of the command, exit code, message."""
    text = config.text(config.find("sw"))
    slow = tmp_path / "slow.yaml"
    slow.write_text(text.replace("wait_states: 0}", "wait_states: 3}"), encoding="utf-8")
    other = tmp_path / "other.csv"
    other.write_text(f"system,cycles\n{HWRTOS},1\n", encoding="utf-8")
    yield (
        ["sw-2"],
        2,
        "sw-2 has 2 cores on one memory, and the cycles that they cost each other are not"
        " bounded; take a system with one core, such as sw.",
    )
    yield (
        ["sw-vexriscv"],
        2,
        "sw-vexriscv has the core vexriscv linux, and the cycles of instructions are known of"
        " ibex main, ibex small; take a system with one of these.",
    )
    yield (
        [str(slow)],
        2,
        "sw has memory with 3 wait states, and bounds are counted for 0; write `memory:"
        " {wait_states: 0}`.",
    )
    yield (
        [f"{HWRTOS}@bus:20", "--measured", str(largest.MEASURED)],
        2,
        f"{largest.MEASURED}: it has no values of {HWRTOS}-bus-20 on the core variant main; leave"
        " --measured out to measure them.",
    )
    yield (
        [HWRTOS, "--measured", str(tmp_path / "none.csv")],
        1,
        f"{tmp_path / 'none.csv'}: cannot be read (No such file or directory); correct the name.",
    )
    yield (
        [HWRTOS, "--measured", str(other)],
        1,
        f"{other}, line 2: this is no row of system, core, call, row, when, cycles, state,"
        " environment; take a file that `melanion datasheet --save` wrote.",
    )


def test_errors_are_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, code, message in errors(tmp_path):
        assert run(*words) == code, message
        said = [line for line in capsys.readouterr().err.splitlines() if "melanion: " in line]
        assert said == [f"melanion: {message}"]


# ---- what is left out ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (
            "hwrtos-2",
            "hwrtos-2 has 2 cores on one memory, and the cycles that they cost each other",
        ),
        ("hwrtos-vexriscv", "hwrtos-vexriscv has the core vexriscv linux, and the cycles of"),
    ],
)
def test_of_a_system_whose_calls_cannot_be_counted_the_unit_is_printed(name: str, why: str) -> None:
    """With what an access waits for, the turns of other cores among it."""
    made = work.make(config.find(name), None)
    found = {section.title: section for section in present.sections(made)}
    assert "Cycles of a call" not in found and "Interrupts disabled" not in found
    left_out = found["What decides the figures"].text
    assert left_out.startswith("Cycles of calls, and spans with interrupts disabled, are left out:")
    assert why in left_out and left_out.endswith("What the unit takes has bounds.")
    known, inside = unit(config.find(name)), found["In the unit"]
    assert known.cores == config.find(name).core.count
    assert f"{number(known.served_cycles)} cycles of the core for an access" in inside.text
    assert ("up to 1 of other cores" in inside.text) == (known.cores == 2)
    assert inside.table
    named = [word for row in inside.table.rows for word in row[1].split(", ")]
    assert sorted(named) == sorted(f"`{command.name.lower()}`" for command in Command)
    waited = found["Interrupts in the unit"].table
    assert waited and ("`irq_give`", *map(number, known.interrupts()["irq_give"])) in (waited.rows)
    assert "From an interrupt to its task" not in found
    assert json.loads(present.json_text(made))["rows"] == []


def test_a_system_too_small_for_the_program_has_counted_values_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its code is read, and nothing runs. One sentence says all that the program needs."""
    name = f"{HWRTOS}[tasks=24,priorities=8]"
    made = work.make(config.find(name), None)
    needs = (
        "Needs at least 60 tasks, 29 priorities, 3 semaphores, 2 event flags, 14 mutexes,"
        " 4 queues, 56 messages, 2 timers, 2 interrupts; with fewer, only counted values."
    )
    assert made.left_out == needs == present.tightness(made)
    assert made.measured == () and made.unit and made.unit.tasks == 24
    (calls,) = [s.table for s in present.sections(made) if s.title == "Cycles of a call"]
    assert calls and calls.heads[3:] == ("counted, unit free", "counted")
    assert "*measured*" not in present.markdown(made) and "*seen*" not in present.markdown(made)
    whole = {(row.call, row.row): row.busy.bound.length for row in sheet().rows}
    give, less = whole["sem_give", WITHOUT], made.rows
    (small,) = [r.busy.bound.length for r in less if (r.call, r.row) == ("sem_give", WITHOUT)]
    assert give and small and small.cycles < give.cycles, "fewer entries end with a tick"
    saved = tmp_path / "none.csv"
    assert run(name, "--save", str(saved)) == 2
    assert f"melanion: --save {saved}: {needs} Leave --save out." in capsys.readouterr().err
    assert not saved.exists()


def test_a_file_is_written_in_the_place_of_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The standard error has a line for each stage."""
    file = tmp_path / "sheet.md"
    assert given(HWRTOS, "--markdown", str(file)) == 0
    said = capsys.readouterr()
    assert said.out == ""
    lines = said.err.splitlines()
    assert lines[-1] == f"data sheet: {file}"
    assert {"counting the longest paths", "measuring code and memory"} <= set(lines)
    assert "`mel_sem_give`" in file.read_text(encoding="utf-8")


# ---- from an interrupt to its task ---------------------------------------------------------------


@pytest.mark.parametrize("name", largest.UNITS)
def test_an_interrupt_is_counted_to_its_task(name: str) -> None:
    """The sum of its parts, and no measured value of any experiment is above it."""
    made = sheet(name)
    assert made.arrivals and made.unit
    soon, late = made.arrivals
    assert soon.held.cycles == CORES["main"].divide and late.without == ("time_get",)
    spans = [r.busy.bound.length for r in made.rows if r.row == MASKED and r.busy.bound.length]
    assert late.held.cycles >= max(span.cycles for span in spans)
    (section,) = [s for s in present.sections(made) if s.title == "From an interrupt to its task"]
    assert section.table
    rows = {row[0]: row[1:] for row in section.table.rows}
    assert not {"`irq_none`", "`irq_set_flags`"} & rows.keys()
    sums = []
    for cell in rows["`irq_give`"]:
        whole, parts = "".join(cell.split()).split("=")
        assert int(whole) == sum(map(int, parts.split("+")))
        sums.append(int(whole))
    free, busy = sums
    assert free < busy
    for experiment, metric in (("latency", "irq_to_task"), ("interference", "irq_to_task")):
        path = ROOT / "tests" / "asserted" / f"{experiment}_cycles.csv"
        with path.open(newline="", encoding="utf-8") as stream:
            found = [
                int(row["max"])
                for row in csv.DictReader(stream)
                if (row["kernel"], row["metric"]) == (name, metric)
            ]
        assert all(cycles <= busy for cycles in found)
