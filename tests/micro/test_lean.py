# SPDX-License-Identifier: Apache-2.0
"""The lean program: what a unit without objects never reaches is not in it, all else is."""

from __future__ import annotations

import pytest

from melanion import micro
from melanion.micro.disassembler import disassemble
from melanion.micro.errors import MicroError
from melanion.micro.program import Program, assemble_lean_texts, assemble_texts
from tests.micro.machine import HERE, tables

TEXT = """
at idle: idle
at command semaphore_give:
        x = 1; goto both
both:   x = 2
both_2: x = 3; end
given:  x = 4; end
at command task_start:
        x = 5; goto both_2
at irq:
        test runs
        if flag goto of_object
        x = 6; end
of_object:
        objects only; x = 7; goto given
"""


def lean(text: str = TEXT) -> Program:
    return assemble_lean_texts({"test.mu": text}, tables())


def texts(program: Program) -> set[str]:
    return {disassemble(word.encode(), program.tables) for word in program.words.values()}


def test_what_only_objects_lead_to_is_left_out() -> None:
    whole = assemble_texts({"test.mu": TEXT}, tables())
    found = texts(lean())
    assert {"x = 0x1; goto 0x42", "x = 0x4; end"} & found == set()
    assert {"x = 0x3; end", "x = 0x6; end", "test runs"} <= found
    assert "x = 0x4; end" in texts(whole)
    assert not any("0x2" in text or "0x7" in text for text in found)


def test_a_word_for_objects_only_ends_the_step() -> None:
    program = lean()
    assert program.words[program.symbols["of_object"]].encode() == program.values[1000]
    assert disassemble(program.values[program.symbols["of_object"]], program.tables) == "end"


def test_a_word_that_is_not_marked_stays() -> None:
    found = texts(lean(TEXT.replace("objects only; ", "")))
    assert {"x = 0x4; end"} <= found
    assert any("x = 0x7" in text for text in found)


def test_requests_begin_where_they_do_in_the_whole_program() -> None:
    program = lean()
    entries = program.graph.entries
    assert set(entries) == {"irq", "command task_start"}
    assert all(at == program.tables.slots[name] for name, at in entries.items())


def test_a_lean_program_that_is_too_large_is_refused() -> None:
    machine = (HERE / "machine.yaml").read_text(encoding="utf-8")
    larger = tables(machine=machine.replace("\nwords: 1024", "\nwords: 2048"))
    many = "x = 1\n" * 1100
    text = {"test.mu": f"at idle: idle\nat command task_start: goto many\nmany:\n{many}end\n"}
    assemble_texts(text, larger)
    with pytest.raises(MicroError, match=r"fits nowhere in 1024 words; shorten the program\."):
        assemble_lean_texts(text, larger)


def test_a_slot_behind_the_lean_words_takes_the_whole_store() -> None:
    machine = (HERE / "machine.yaml").read_text(encoding="utf-8")
    far = tables(machine=machine.replace("lean_words: 1024", "lean_words: 512"))
    assert (tables().lean_words, far.lean_words) == (1024, far.machine.words)


def test_another_text_is_no_effect() -> None:
    with pytest.raises(MicroError, match=r"`objects never` is no effect; write `objects only`\."):
        lean("at idle: idle\nat irq: objects never; end")


def test_the_lean_program_of_the_unit() -> None:
    """Every request that such a unit serves has its words, and no word is there without one."""
    whole, small = micro.assemble(), micro.assemble_lean()
    gone = set(whole.graph.entries) - set(small.graph.entries)
    kinds = ("semaphore", "event_flags", "queue", "mutex")
    assert gone == {
        name
        for name in whole.graph.entries
        if name.startswith(tuple(f"command {k}" for k in kinds))
    }
    assert set(small.words) <= set(range(small.size))
    assert small.size == len(small.values) == whole.size // 2
    reached = {node.address for node in small.graph.reached(small.graph.starts)}
    assert set(small.words) <= reached
