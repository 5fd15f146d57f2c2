# SPDX-License-Identifier: Apache-2.0
"""Bugs that are chosen at run time: what becomes of a text, what is refused, and that a build with
bugs in it is the design without them until one is chosen."""

from __future__ import annotations

import pytest

from tests.common.schemata import CHOSEN, Change, SchemataError, plant, weave
from tests.random.mutants import Mutant

TEXT = """\
module m #(parameter int P = 3) (input logic clk, input logic [3:0] a, b, output logic [3:0] y);
  localparam int Last = P - 1;
  logic [3:0] mem [4];
  assign y = (a == 4'd1 && b != 4'd0) ? mem[a[1:0]] : b;
  always_ff @(posedge clk) begin
    if (a == b) mem[b[1:0]] <= 4'(a);
    else if (a > b) mem[0] <= '0;
  end
endmodule
"""


def woven(*pairs: tuple[str, str]) -> str:
    changes = [Change(number, f"bug {number}", *pair) for number, pair in enumerate(pairs, 1)]
    return weave(TEXT, changes, "m.sv")


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        # The smallest expression, in an index also; operators bind as in the changed text.
        ("4'd1 &&", "4'd2 &&", "(a == (K ? (4'd2) : (4'd1)) && b"),
        ("== 4'd1", "!= 4'd1", "((K ? (a != 4'd1) : (a == 4'd1)) && b"),
        ("b != 4'd0", "b", "a == 4'd1 && (K ? (b) : (b != 4'd0))) ?"),
        ("b != 4'd0", "b || a", "((K ? (a == 4'd1 && b || a) : (a == 4'd1 && b != 4'd0)))"),
        ("mem[b[1:0]]", "mem[~b[1:0]]", "mem[(K ? (~b[1:0]) : (b[1:0]))] <="),
        # The smallest statement, where the left side or the kind of statement changes, or it goes.
        ("mem[0] <=", "other <=", "if (K) begin other <= '0;\nend else begin mem[0] <="),
        ("if (a > b) mem[0] <= '0;", ";", "begin ;\nend else begin if (a > b) mem[0] <= '0;\nend"),
        ("else if (a > b) mem[0] <= '0;", "", "4'(a);\n    \nend else begin if (a == b) mem"),
    ],
)
def test_a_bug_becomes_a_choice(old: str, new: str, line: str) -> None:
    assert line.replace("K", f"{CHOSEN} == 1") in woven((old, new))


def test_bugs_nest_and_share_a_place() -> None:
    text = woven(("4'd1 &&", "4'd2 &&"), ("a == 4'd1 && b", "b"), ("4'd1 &&", "4'd3 &&"))
    inner = f"({CHOSEN} == 1 ? (4'd2) : {CHOSEN} == 3 ? (4'd3) : (4'd1))"
    assert f"({CHOSEN} == 2 ? (b != 4'd0) : (a == {inner} && b != 4'd0))" in text


def test_a_bug_of_two_pieces_is_chosen_in_both() -> None:
    both = TEXT[TEXT.index("b != 4'd0") : TEXT.index(" mem[b[1:0]]")]
    text = woven((both, both.replace("4'd0", "4'd5").replace("a == b", "a != b")))
    assert f"b != ({CHOSEN} == 1 ? (4'd5) : (4'd0))" in text
    assert f"if (({CHOSEN} == 1 ? (a != b) : (a == b)))" in text


def test_without_bugs_nothing_changes() -> None:
    assert woven() == TEXT


@pytest.mark.parametrize(
    ("old", "new"),
    [("Last = P - 1", "Last = P - 2"), ("int P = 3", "int P = 4"), ("[3:0] mem", "[2:0] mem")],
)
def test_constants_are_refused(old: str, new: str) -> None:
    with pytest.raises(SchemataError, match=r"^mutant bug 1: no expression or statement of m\.sv"):
        woven((old, new))


def test_a_text_that_does_not_fit_is_refused() -> None:
    with pytest.raises(SchemataError, match=r"mutant bug 3: the old text is 2 times in m\.sv, not"):
        woven(("mem[0", "mem[1"), ("4'd1", "4'd2"), ("a ==", "b =="))
    with pytest.raises(SchemataError, match=r"bug 1: this is no SystemVerilog any more"):
        woven(("a == 4'd1", "a == == 4'd1"))


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(SchemataError, match=r"mel_x\.sv: not among the files of the design"):
        plant([], [Mutant("gone", "mel_x.sv", "a", "b", "no reason")])
