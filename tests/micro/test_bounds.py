# SPDX-License-Identifier: Apache-2.0
"""Bounds of steps: the rows of hw/micro, the time of words and lists, paths that cannot be."""

from __future__ import annotations

import functools
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from melanion import paths
from melanion.micro import MicroError, Program, bound_files, bound_tables
from melanion.micro import assemble as assemble_folder
from melanion.micro.__main__ import ASSERTED, main
from melanion.micro.bound_page import PAGE, page
from melanion.micro.bound_tables import BoundTables
from melanion.micro.bounds import BEGIN, Bound, Bounds, Formula, formula
from melanion.micro.graph import Node
from melanion.micro.paths import SEARCH
from melanion.micro.tables import FOLDER
from tests.micro.machine import assemble

ROOT = paths.data_root()
ANEW = "; `python -m melanion.micro bounds --write` writes rows and page anew"
COMMAND = "command task_start"
LANES = ("flag_lanes",)


@functools.cache
def program() -> Program:
    return assemble_folder()


@functools.cache
def bounds() -> Bounds:
    return Bounds(program(), bound_tables.load(ROOT / FOLDER, program()))


@functools.cache
def with_lanes() -> Bounds:
    found = assemble_folder(features=LANES)
    return Bounds(found, bound_tables.load(ROOT / FOLDER, found))


# ---- hw/micro ------------------------------------------------------------------------------------


def test_bounds_are_the_asserted_ones() -> None:
    recorded = (ROOT / ASSERTED / bound_files.BOUNDS).read_text(encoding="utf-8")
    assert bound_files.table(bounds().rows) == recorded, f"bounds moved{ANEW}"
    assert bound_files.read_table(recorded) == bounds().rows


def test_targets_are_the_asserted_ones() -> None:
    recorded = (ROOT / ASSERTED / bound_files.TARGETS).read_text(encoding="utf-8")
    assert list(bound_files.grown(bounds(), bound_files.gaps(recorded))) == []
    assert bound_files.targets(bounds()) == recorded, f"targets moved{ANEW}"


def test_bounds_with_lanes_are_the_asserted_ones() -> None:
    for name, text in (
        (bound_files.bounds_with(*LANES), bound_files.differing(with_lanes(), bounds())),
        (bound_files.targets_with(*LANES), bound_files.targets(with_lanes())),
    ):
        assert text == (ROOT / ASSERTED / name).read_text(encoding="utf-8"), f"bounds moved{ANEW}"


def test_a_set_with_lanes_takes_at_most_30_cycles_whatever_waits() -> None:
    """No loop of a set has rounds, and an interrupt and each further waiter have limits, too."""
    (row,) = (r for r in with_lanes().rows if r[:3] == ("command event_flags_set", "", "ok"))
    assert row.answer == Formula(30)
    own = {case.name for case in with_lanes().tables.cases} - {
        case.name for case in bounds().tables.cases
    }
    kept = {v.case.name: v.found <= v.case.limit for v in with_lanes().verdicts}
    assert len(own) == 4 and all(kept[name] for name in own)


def test_no_waiter_comes_while_ages_follow_another() -> None:
    """Between two insertions into waits of event flags lie more cycles than a sweep of ages takes
    (mel_flag_lanes): words that make them, and the fewest of a step before and behind."""
    found = with_lanes().program
    inserts = [
        at
        for at, word in found.words.items()
        if word.has("waits", "tail") and word.has("waits_key", "object")
    ]
    of_flags = [
        at for at in inserts if "flags" in _label(found, at) or "chain" in _label(found, at)
    ]
    assert len(of_flags) == 2
    before = min(
        _words(found, Node(entry), at) for entry in found.graph.entries.values() for at in of_flags
    )
    behind = min(_words(found, Node(at), found.graph.idle) for at in of_flags)
    assert behind + BEGIN + before >= SEARCH + 2


def _label(found: Program, address: int) -> str:
    """The label before a word."""
    return max((at, name) for name, at in found.symbols.items() if at <= address)[1]


def _words(found: Program, start: Node, end: int) -> int:
    """The fewest words from one to another, without the last; many: there is no path."""
    reached, edge = {start}, [start]
    for count in range(1000):
        if any(node.address == end and not node.annulled for node in edge):
            return count
        edge = [n for node in edge for n in found.graph.successors(node) if n not in reached]
        reached |= set(edge)
    return 1000


def test_the_page_is_that_of_the_bounds() -> None:
    assert page(bounds(), [with_lanes()]) == (ROOT / PAGE).read_text(encoding="utf-8"), (
        f"bounds moved{ANEW}"
    )


def test_every_case_has_a_path() -> None:
    """Labels and operations of a case are those of the program, so it speaks of something."""
    assert {v.case.name for v in bounds().verdicts if v.found == 0} == set()


def test_every_request_has_a_row() -> None:
    rows = {row.request for row in bounds().rows}
    assert rows == set(program().graph.entries) - {"irq_end"}


def test_a_gap_that_grows_is_refused(tmp_path: Path) -> None:
    text = bound_files.targets(bounds())
    name, found = next((v.case.name, v.found) for v in bounds().verdicts if v.case.limit == 4)
    recorded = bound_files.gaps(text) | {"yield": 0}
    limit = 8
    worse = next(v.found for v in bounds().verdicts if v.case.name == "yield")
    sentences = list(bound_files.grown(bounds(), recorded))
    if worse > limit:
        assert sentences == [
            f"engine_targets.csv: 'yield' takes {worse} cycles, {worse - limit} above its limit of"
            " 8, and 0 are allowed; shorten its path (`python -m melanion.micro bounds` shows"
            " all), or raise `gap` by hand and give the reason in the commit"
        ]
        (tmp_path / bound_files.TARGETS).write_text(_with_gap(text, "yield", 0), encoding="utf-8")
        with pytest.raises(MicroError, match="raise `gap` by hand"):
            bound_files.write(bounds(), tmp_path)
    assert (name, found) != ("", 0)
    (tmp_path / bound_files.TARGETS).write_text(text, encoding="utf-8")
    bound_files.write(bounds(), tmp_path)
    assert (tmp_path / bound_files.TARGETS).read_text(encoding="utf-8") == text


def _with_gap(text: str, case: str, gap: int) -> str:
    lines = text.splitlines()
    changed = [",".join([*line.split(",")[:-1], str(gap)]) for line in lines if case + "," in line]
    return "\n".join([lines[0], *changed, ""])


# ---- small programs ------------------------------------------------------------------------------

NOTHING = BoundTables(counts={}, loops={}, at_once=[], ways={}, cases=[])


def row(text: str, tables: BoundTables = NOTHING, outcome: str = "ok") -> Bound:
    """Bounds of the command of a small program."""
    found = Bounds(assemble(f"at {COMMAND}:\n{text}\n"), tables).rows
    return next(r for r in found if r.request == COMMAND and r.outcome == outcome)


@pytest.mark.parametrize(
    ("text", "answer", "step"),
    [
        ("done E_OK", 3, 4),
        ("pass\n pass\n done E_OK", 5, 6),
        ("done E_OK, go on\n pass\n end", 3, 6),
        ("done E_OK after next\n pass", 3, 4),
        ("test waiter\n if flag: done E_OK\n pass\n done E_OK", 6, 7),
        ("goto on\non: done E_OK", 5, 6),
        ("goto on after next\n pass\non: done E_OK", 5, 6),
    ],
)
def test_words_take_a_cycle(text: str, answer: int, step: int) -> None:
    """The first word of an entry executes in cycle 3; the word behind a branch takes one, too."""
    found = row(text)
    assert found[3:] == (Formula(answer), Formula(step), Formula(step - answer))


@pytest.mark.parametrize(
    ("text", "answer", "step"),
    [
        # An answer waits for the outcome of the ready lists; `idle` for both engines, and a cycle.
        ("ready.tail(loaded)\n done E_OK", 5, 6),
        ("ready.remove(loaded)\n done E_OK", 8, 9),
        ("ready.remove(loaded); done E_OK", 3, 9),
        ("ready.tail(loaded); done E_OK", 3, 6),
        ("ready.first(loaded)\n done E_OK", 6, 7),
        ("waits.tail(object, loaded, subject)\n done E_OK", 4, 5),
        ("waits.remove(object, loaded, subject); done E_OK", 3, 8),
        ("waits.remove(object, loaded, subject)\n test waiter\n done E_OK", 10, 11),
        ("waits.walk(object, loaded, subject)\n waits.look(object)\n done E_OK", 10, 11),
        ("waits.tail(object, loaded, subject)\n waits.look(object)\n done E_OK", 7, 8),
        ("waits.look(object)\n waits.look(object)\n done E_OK", 5, 6),
        ("ready.tail(loaded)\n ready.tail(loaded)\n done E_OK", 8, 9),
        # An operation waits although its word does nothing.
        ("ready.remove(loaded); test took\n if flag: ready.tail(loaded)\n done E_OK", 11, 12),
    ],
)
def test_words_wait_for_lists(text: str, answer: int, step: int) -> None:
    found = row(text.replace("test took", "test device.took"))
    assert (found.answer, found.step) == (Formula(answer), Formula(step))


FAR = "goto far after next\n pass\nfar: "  # more words than an entry has
LONG = "\n done E_OK\nlong: pass\n pass\n pass\n done E_OK"


@pytest.mark.parametrize(
    ("text", "long"),
    [
        # A bit that is tested twice has one value; of two reads each has its own.
        ("pass\n test M.due\n if flag goto long", True),
        ("test M.due\n if flag: done E_OBJ\n test M.due\n if flag goto long", False),
        ("x = M\n test M.due\n if flag: done E_OBJ"
         "\n = x\n test result.due\n if flag goto long", False),
        ("x = M\n test M.due\n if flag: done E_OBJ"
         "\n = x\n test result.stale\n if flag goto long", True),
        ("read task[object]\n test M.due; M@any\n if flag: done E_OBJ"
         "\n test M.due\n if flag goto long", True),
        # Numbers that registers hold.
        ("x = 1\n = x\n test zero\n if flag goto long", False),
        ("x = 0\n = x\n test zero\n if flag goto long", True),
        ("x = 0\n x = M\n = x\n test zero\n if flag goto long", True),
        ("x = 2\n = x - 1\n if not carry goto long", False),
        ("x = 2\n = x - now\n if not carry goto long", True),
        ("x = zero.0 is object\n = x\n test result.due\n if flag goto long", False),
        ("x = zero.0 is object\n = x\n test zero\n if flag goto long", True),
        ("x = (M | 0x40000000) ^ 0x40000000\n = x\n test result.due\n if flag goto long", False),
        # A number that a value is not; a part of it may be.
        ("test nothing\n if flag: done E_OBJ\n test nothing\n if flag goto long", False),
        ("test held\n if not flag: done E_OBJ\n test nothing\n if flag goto long", False),
        ("test nothing\n if flag: done E_OBJ\n test held\n if not flag goto long", True),
        ("x = M & 0x47000000\n = x\n test zero\n if flag: done E_OBJ"
         "\n test nothing\n if flag goto long", False),
        # The argument is the same in every word of a step.
        ("test no_argument\n if flag: done E_OBJ\n test no_argument\n if flag goto long", False),
        ("test no_argument\n if flag: done E_OBJ"
         "\n = argument\n test zero\n if flag goto long", False),
        # Tests of devices are free.
        ("test device.took\n if flag: done E_OBJ\n test device.took\n if flag goto long", True),
    ],
)  # fmt: skip
def test_paths_know_what_they_tested(text: str, long: bool) -> None:
    """Whether a path to `long` is left that answers E_OK three words later."""
    lines = text.count("\n") + 1
    split = text.replace("x = (M | 0x40000000) ^ 0x40000000", "x = M | DUE\n x = x ^ DUE")
    lines += split.count("\n") - text.count("\n")
    assert row(FAR + split + LONG).answer == Formula(4 + lines + (5 if long else 1))


def test_what_was_not_put_into_a_list_is() -> None:
    """`unless held` and the test of the same word agree, so the entry waits for nothing."""
    text = "ready.remove(M) unless held; test held\n if not flag: done E_OBJ\n ready.tail(M)"
    assert row(f"{text}\n done E_OK").answer == Formula(7)
    assert row(f"{text}\n done E_OK".replace(" unless held", "")).answer == Formula(11)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("done E_OBJ", "refused"),
        ("= E_OBJ; done result", "refused"),
        ("= zero; done result", "ok"),
        ("= M; done result", "ok or refused"),
        ("= zero; note waits; done result", "waits"),
        ("= zero; note gets_ready; done result", "ok"),
        ("goto idle", ""),
    ],
)
def test_answers_have_kinds(text: str, outcome: str) -> None:
    found = row(text, outcome=outcome)
    assert (found.answer is None) == (not outcome)


# ---- loops ---------------------------------------------------------------------------------------

LOOP = "again: test waiter\n if not flag: done E_OK\n x = x + 1\n goto again"
COUNTED = BoundTables(
    counts={"rounds": "rounds"}, loops={"again": "rounds"}, at_once=[], ways={}, cases=[]
)


def test_a_loop_adds_cycles_for_each_round() -> None:
    found = row(LOOP, COUNTED)
    assert found.answer == Formula(-1, (("rounds", 5),))
    assert str(found.step) == "0 + 5 rounds"


def test_a_loop_without_a_count_is_an_error() -> None:
    with pytest.raises(MicroError) as error:
        row(LOOP)
    assert str(error.value) == (
        "hw/micro/test.mu:2: `test waiter` is in a loop whose rounds nothing counts; give a word of"
        " the loop a label, and name it in `loops` of hw/micro/bounds.yaml."
    )


@pytest.mark.parametrize("text", ["5", "12 + 3 owners", "12 + 3 passed + 4 released"])
def test_a_formula_is_read_as_it_is_written(text: str) -> None:
    assert str(formula(text)) == text


def test_a_formula_has_a_value() -> None:
    found = formula("12 + 3 passed + 4 released")
    assert found.at({"passed": 2, "released": 1, "owners": 9}) == 22
    assert found.once == 19


# ---- the file and the command --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("mutex_search: owners", "mutex_saerch: owners",
         "loops.mutex_saerch is no label of the program; correct the name."),
        ("mutex_search: owners", "mutex_search: ovners",
         "loops.mutex_search is 'ovners', which is no name of `counts`; add it there."),
        ("  more_cores:", '  users: "of it"\n  more_cores:',
         "counts.users counts no loop; remove it."),
        ("[load dispatch, load claim]", "[load dispatsh]",
         "at_once[0] is 'load dispatsh', which is no entry; correct the name."),
        ("{irq: [", "{irk: [", "ways.irk is no entry; correct the name."),
        ("irq_none,", "irq_nine,",
         "ways.irq[0] is 'irq_nine', which is no label; correct the name."),
        ("[command semaphore_take]", "[command semaphore_tak]",
         "cases[0].requests[0] is 'command semaphore_tak', which is no entry; correct the name."),
        ("without: [give_to_waiter]", "without: [gift]",
         "cases[1].without[0] is 'gift', which is no label; write one, or an operation"
         " (ready.remove, due.remove, waits.remove)."),
        ("cycles: after", "cycles: later",
         "cases[12].cycles is 'later'; allowed is answer, step, after, owners, passed, anew,"
         " more_cores, messages; correct the value."),
        ("limit: 4}", "limit: 0}",
         "cases[0].limit is 0; allowed is a whole number, at least 1; correct the value."),
    ],
)  # fmt: skip
def test_a_wrong_file_has_a_sentence(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    text = (ROOT / FOLDER / bound_tables.FILE).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / bound_tables.FILE).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(MicroError) as error:
        bound_tables.load(tmp_path, program())
    assert sentence in str(error.value)
    assert str(error.value).startswith("hw/micro/bounds.yaml:")


def test_the_command_shows_bounds(tmp_path: Path) -> None:
    shutil.copy(ROOT / FOLDER / "word.yaml", tmp_path)
    shutil.copy(Path(__file__).with_name("machine.yaml"), tmp_path)
    text = f"at idle: idle\nat {COMMAND}:\n ready.tail(loaded)\n done E_OK\n"
    (tmp_path / "test.mu").write_text(text, encoding="utf-8")
    file = tmp_path / bound_tables.FILE
    file.write_text(
        "counts: {}\nloops: {}\nat_once: []\nways: {}\ncases:\n"
        f"  - {{name: start, requests: [{COMMAND}], cycles: answer, limit: 4}}\n",
        encoding="utf-8",
    )
    result = CliRunner().invoke(main, ["bounds", "--source", str(tmp_path)])
    assert result.output == (
        "request             way  outcome  answer  step  after\n"
        "command task_start       ok       5       6     1\n\n"
        "case   limit  found  gap\nstart  4      5      1\n\n"
    )
    file.write_text("counts: 3\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["bounds", "--source", str(tmp_path)])
    assert result.exit_code == 1
    assert "counts is 3" in result.output


def test_the_command_assembles_as_before(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, [str(tmp_path)])
    assert result.exit_code == 0
    assert (tmp_path / "mel_program.lst").is_file()
