# SPDX-License-Identifier: Apache-2.0
"""The assembler of the microprogram: every effect, round trips, placement, what it makes.

Errors: test_faults.py. The machine is tests/micro/machine.yaml, the fields are those of hw/micro.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from melanion import micro
from melanion.micro import output, report
from melanion.micro.disassembler import disassemble
from melanion.micro.errors import EffectError
from melanion.micro.graph import longest, loops
from melanion.micro.program import Program, assemble_texts
from tests.micro.machine import apply, assemble, rows, tables

ROWS = rows("grammar.yaml")

TABLES = tables()


def number(field: str, value: int | str) -> int:
    return TABLES.values[field][value] if isinstance(value, str) else value


# ---- the language --------------------------------------------------------------------------------


@pytest.mark.parametrize("row", ROWS, ids=[row["text"] for row in ROWS])
def test_effects_set_their_fields(row: dict[str, Any]) -> None:
    found = {name: value for name, value in apply(row["text"]).fields.items() if value}
    assert found == {name: number(name, value) for name, value in row["fields"].items()}


@pytest.mark.parametrize("row", ROWS, ids=[row["text"] for row in ROWS])
def test_a_disassembled_word_assembles_to_itself(row: dict[str, Any]) -> None:
    value = apply(row["text"]).encode()
    assert apply(disassemble(value, TABLES)).encode() == value


PREFIXES = ("", "if flag: ", "if not carry: ")
TEXTS = [row["text"] for row in ROWS if ":" not in row["text"] and row["text"] != "pass"]


@given(st.sampled_from(PREFIXES), st.lists(st.sampled_from(TEXTS), min_size=2, max_size=5))
def test_several_effects_round_trip(prefix: str, effects: list[str]) -> None:
    """Whatever fits into one word; what does not says so."""
    try:
        word = apply(prefix + "; ".join(effects))
    except EffectError:
        assume(False)
    assert apply(disassemble(word.encode(), TABLES)).encode() == word.encode()


def test_every_value_of_every_field_is_in_the_language() -> None:
    """A value that nobody can write is of no use."""
    written: dict[str, set[int]] = {name: set() for name in TABLES.fields}
    for row in ROWS:
        for name, value in row["fields"].items():
            written[name].add(number(name, value))
    for name in ("branch", "a_from", "b_from", "alu", "waits", "ready", "waits_key", "waits_node"):
        assert written[name] | {0} == set(TABLES.values[name].values()), name
    for name in ("subject", "object"):
        for value in TABLES.values[name]:
            text = {"a": "x", "memory": "M"}.get(value, value)
            if value != "keep":
                assert apply(f"{name} <- {text}").has(name, value)
    for name, prefix in (("test", "test"), ("report", "report")):
        for value in set(TABLES.values[name]) - {"none", "bit", "device"}:
            assert apply(f"{prefix} {value}").has(name, value)


def test_a_word_is_encoded_first_field_first() -> None:
    value = apply("x = 0x12345678; goto 0x42").encode()
    widths = [row.width for row in TABLES.fields.values()]
    assert value >> sum(widths[1:]) == 0x12345678
    assert value >> sum(widths[2:]) & (1 << widths[1]) - 1 == 0x42


def test_the_number_of_a_size_stands_before_its_word() -> None:
    value = apply("x = size.monitor").encode()
    assert value >> TABLES.width == TABLES.machine.sizes["monitor"] == 3
    assert TABLES.size_width == 2
    assert apply("x = 0").encode() == value - (3 << TABLES.width)
    program = assemble("at idle: idle\nat init: x = size.tasks; end")
    line = output.program_hex(program).splitlines()[-TABLES.machine.words + 64]
    assert int(line, 16) >> TABLES.width == TABLES.machine.sizes["tasks"]


def test_a_new_field_can_be_written_at_once() -> None:
    changed = tables(
        new="  extra: {width: 2}\n  mark: {width: 1}\n  kind: {width: 2, values: {no: 0, yes: 2}}\n"
    )
    assert changed.width == TABLES.width + 5
    word = apply("extra 3; mark; kind yes", changed)
    assert word.encode() == 0b11_1_10
    assert disassemble(word.encode(), changed) == "extra 3; mark; kind yes"


def test_comments_labels_and_blanks() -> None:
    program = assemble("""
        // a comment
        at command task_start: goto first
        at 0x80: first: second:   // heads in a line
          x  =  y ;test held      // blanks do not count

        goto second""")
    assert program.words[0x80].encode() == apply("test held; x = y").encode()
    assert program.words[0x81].get("next") == 0x80


# ---- placement -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "address"),
    [
        ("idle", 1),
        ("irq_end", 12),
        ("job drain", 16 + 4 * 6),
        ("command semaphore_give", 0x100 + 4 * 18),
        ("command task_state", 0x100 + 4 * 48),
        ("load time_low", 0x220),
        ("load latency_15", 0x2BC),
        ("store operand", 0x334),
    ],
)
def test_slots(where: str, address: int) -> None:
    end = "idle" if where == "idle" else "goto idle"
    assert address in assemble(f"at {where}: {end}").words


@pytest.mark.parametrize(("where", "address"), [("0x123", 0x123), ("77", 77)])
def test_addresses(where: str, address: int) -> None:
    assert address in assemble(f"at {where}: here: goto idle\nat init: goto here").words


def test_words_without_a_place_keep_away_from_slots() -> None:
    blocks = "".join(f"b{i}: x = x + {i}\n y = x\n goto b{i + 1}\n" for i in range(200))
    program = assemble(f"at command task_create: goto b0\n{blocks}b200: goto idle")
    written = {TABLES.slots["command task_create"], TABLES.slots["idle"]}
    assert set(program.words) & set(TABLES.slots.values()) == written
    assert 0 not in program.words


def test_words_that_run_on_stay_together() -> None:
    program = assemble(
        "at init: goto b\na: x = y\nb: y = x\n goto a after next\n x = x + 1\nc: goto c\n"
        "at irq: goto c"
    )
    at = program.symbols
    assert at["b"] == at["a"] + 1
    assert program.words[at["a"] + 3].text == "x = x + 1"


def test_a_table_is_aligned_and_whole() -> None:
    program = assemble(
        "at init: read task[object]\n pass\n case M.wait at kinds\n"
        "table kinds:\n goto idle\n goto first\n" + "goto idle\n" * 6 + "first: goto idle"
    )
    at = program.symbols["kinds"]
    assert at % 8 == 0
    assert [program.words[at + i].target for i in range(8)] == ["idle", "first", *["idle"] * 6]
    assert program.words[64 + 2].get("next") == at


def test_a_read_is_not_put_behind_a_branch_that_annuls() -> None:
    """It would happen, and change M at the target."""
    chain = "".join(f"b{i}: read task[object]\n pass\n x = M\n goto b{i + 1}\n" for i in range(20))
    program = assemble(f"at init: goto b0\n{chain}b20: goto idle")
    behind = [program.words.get(at + 1) for at, word in program.words.items() if word.get("annul")]
    assert not any(word.get("read") for word in behind if word)


def test_a_command_is_called_by_its_name_alone() -> None:
    program = assemble("at command semaphore_give: done E_OK\nat irq: goto semaphore_give")
    assert program.words[8].get("next") == 0x148


def test_the_word_behind_a_branch_may_be_written() -> None:
    program = assemble(
        "at idle: idle\n test waiter\nat command semaphore_give: if flag: done E_OK\n done E_OBJ"
    )
    assert program.words[2].text == "test waiter"


# ---- what it makes -------------------------------------------------------------------------------


SMALL = """
at idle: idle
  test waiter
at irq: goto serve
at irq_end: goto idle
serve: device irq_take
  goto give
at command semaphore_give: goto give
give: read task[subject]
  x = y
again: = x - 1
  if not carry goto again after next
  pass
  done E_OK
"""


@pytest.fixture(scope="module")
def small() -> Program:
    return assemble(SMALL)


def test_hex_has_every_word(small: Program) -> None:
    lines = _words(output.program_hex(small))
    assert len(lines) == 1024
    assert {len(line) for line in lines} == {(TABLES.width + 3) // 4}
    assert int(lines[1], 16) == small.words[1].encode()


def _words(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("//")]


def test_unwritten_slots_answer_and_other_words_end(small: Program) -> None:
    assert disassemble(small.values[0x100 + 4 * 19], TABLES) == "done E_SYS"
    assert disassemble(small.values[0x220], TABLES) == "done E_SYS"
    assert disassemble(small.values[64], TABLES) == "end"
    assert disassemble(small.values[1023], TABLES) == "end"
    assert "command semaphore_take" in small.missing
    assert "command semaphore_give" not in small.missing


def test_longest_steps(small: Program) -> None:
    lengths = longest(small.graph)
    # idle and its slot; goto and its slot, 2 words, the loop of 3, pass, done and its slot.
    assert lengths["command semaphore_give"] == 2 + 2 + 2 + 3 + 3
    assert lengths["irq"] > lengths["command semaphore_give"]
    assert [len(loop) for loop in loops(small.graph)] == [3]


def test_listing_names_words_and_places(small: Program) -> None:
    text = report.listing(small)
    assert "command semaphore_give:\n148 " in text
    assert "device irq_take" in text
    assert "// hw/micro/test.mu:2" in text
    assert f"// {len(small.words)} of 1024 words" in text
    assert "// not written: refuse, init, job tick" in text
    assert "loop of 3 words: again" in text
    assert report.symbols(small).splitlines()[0] == "001 idle"


def test_package_has_the_fields_in_order() -> None:
    text = output.package(TABLES)
    struct = text[text.index("typedef struct packed") :]
    places = [struct.index(f" {name};") for name in TABLES.fields]
    assert places == sorted(places)
    for line in (
        "    BranchNotFlag = 3'd3,",
        "  } branch_e;",
        "  localparam logic [4:0] PageValueCore = 5'd19;",
        "  localparam logic [3:0] DeviceReadSwapped = 4'd12;",
        "  localparam logic [10:0] EntryIrqEnd = 11'd12;",
        "  localparam logic [10:0] EntryCommands = 11'd256;",
    ):
        assert line in text.splitlines()


def test_check_table() -> None:
    spec, store, register = TABLES.spec, 256, 128  # bits of the index
    give = output.check_row(spec, store + 18)
    assert give == {"answer": 0, "exists": 1, "kind": 2, "callers": 7, "blocks": 0}
    lock = output.check_row(spec, store + 38)
    assert lock == {"answer": 0, "exists": 1, "kind": 6, "callers": 1, "blocks": 2}
    assert output.check_row(spec, store + 48)["exists"] == 0  # a store to a query
    assert output.check_row(spec, 48) == {
        "answer": 0,
        "exists": 1,
        "kind": 1,
        "callers": 7,
        "blocks": 0,
    }
    assert output.check_row(spec, 5)["answer"] == 1
    assert output.check_row(spec, register + 8)["exists"] == 1  # load of time_low
    assert output.check_row(spec, register + 7)["exists"] == 0
    assert output.check_row(spec, store + register + 8)["exists"] == 0  # it is read-only
    assert output.check_row(spec, store + register + 13)["exists"] == 1  # store to operand
    assert output.check_row(spec, store + 64)["exists"] == 0
    assert output.check_row(spec, 64)["answer"] == 1
    rows = output.check_rows(TABLES)
    assert len(rows) == 512
    assert rows[store + 38] == 0b0_1_110_0001_10


# ---- the program of the repository ---------------------------------------------------------------


@pytest.fixture(scope="module")
def real() -> Program:
    return micro.assemble()


def test_the_program_assembles_and_its_words_are_readable(real: Program) -> None:
    for word in real.words.values():
        text = disassemble(word.encode(), real.tables)
        assert apply(text, real.tables).encode() == word.encode(), word.place


SECTIONS = """
at irq:
        with flag_lanes:
        x = 1; end
        end with
        without flag_lanes:
        x = 2; end
        end with
"""


@pytest.mark.parametrize(("features", "number"), [((), 2), (("flag_lanes",), 1)])
def test_a_section_is_for_units_with_its_feature(features: tuple[str, ...], number: int) -> None:
    program = assemble_texts({"test.mu": SECTIONS}, TABLES, None, features)
    (word,) = program.words.values()
    assert word.get("constant") == number and program.features == set(features)


def test_a_task_enters_the_ready_list_or_leaves_the_due_list() -> None:
    word = apply("ready.tail(M) or due.remove; M@task")
    assert [word.get(name) for name in ("due", "unless_held")] == [1, 1]
    assert disassemble(word.encode(), TABLES).startswith("ready.tail(M) or due.remove")
