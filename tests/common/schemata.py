# SPDX-License-Identifier: Apache-2.0
"""Many mutants of the RTL in one build: one of them is chosen when the simulation starts.

Contract: a bug is a text of a SystemVerilog file and what replaces it. The smallest expression that
holds the change in both texts becomes `(mel_mutant_pkg::chosen == K ? (new) : (old))`; where none
does, the smallest statement, with if and else. Bugs nest. The environment variable VARIABLE of the
simulation (`chosen`) holds K; without it, or with 0, every old text counts: the control.
A change of several nodes at once becomes a choice in each.
Refused, with a sentence: what must be constant (parameters, ranges, conditions of generate blocks).
"""

from __future__ import annotations

import difflib
import itertools
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pyslang import syntax

from melanion.build import cache

VARIABLE = "MEL_MUTANT"
# Before every woven text: it says which bug is planted. Fixed before the first cycle.
PACKAGE = f"""\
`ifndef MEL_MUTANT
`define MEL_MUTANT
package mel_mutant_pkg;
  int chosen = $c32("std::atoi(std::getenv(\\"{VARIABLE}\\") ?: \\"0\\")");
endpackage
`endif
"""
CHOSEN = "mel_mutant_pkg::chosen"
EXPRESSION, STATEMENT, ASSIGNMENT = "expression", "statement", "assignment"


class SchemataError(Exception):
    """A bug cannot be chosen at run time; the text names it and says why."""


@dataclass(frozen=True)
class Change:
    """`old` occurs once in the text. `number` (from 1) chooses it, `name` is for messages."""

    number: int
    name: str
    old: str
    new: str


@dataclass
class _Site:
    """Place of a change: bytes of the text, and the replacement of each mutant there."""

    start: int
    end: int
    category: str
    bugs: list[tuple[int, bytes]] = field(default_factory=list)


def weave(text: str, changes: Sequence[Change], name: str = "text") -> str:
    """The text with all changes, each made when it is chosen. Raises SchemataError."""
    source = text.encode()
    nodes = list(_nodes(source, name))
    sites: dict[tuple[int, int, str], _Site] = {}
    for change in changes:
        for site, replacement in _sites(source, nodes, change, name):
            found = sites.setdefault((site.start, site.end, site.category), site)
            found.bugs.append((change.number, replacement))
    return _woven(source, sorted(sites.values(), key=_outer_first), 0, len(source)).decode()


def _outer_first(site: _Site) -> tuple[int, int, bool]:
    return site.start, -site.end, site.category == EXPRESSION


# ---- writing -------------------------------------------------------------------------------------


def _woven(source: bytes, sites: Sequence[_Site], start: int, end: int) -> bytes:
    """The bytes from `start` to `end` with these sites, which lie there, the outer ones first."""
    parts, place, index = [], start, 0
    while index < len(sites):
        site = sites[index]
        inner = index + 1
        while inner < len(sites) and sites[inner].end <= site.end:
            inner += 1
        old = _woven(source, sites[index + 1 : inner], site.start, site.end)
        parts += [source[place : site.start], _chosen(site, old)]
        place, index = site.end, inner
    return b"".join([*parts, source[place:end]])


def _chosen(site: _Site, old: bytes) -> bytes:
    if site.category == EXPRESSION:
        choices = b"".join(_is(number) + b" ? (%b) : " % new for number, new in site.bugs)
        return b"(%b(%b))" % (choices, old)
    choices = b"".join(
        b"if (%b) begin %b\nend else " % (_is(number), new) for number, new in site.bugs
    )
    block = b"begin %bbegin %b\nend end" % (choices, old)
    return b"always_comb " + block if site.category == ASSIGNMENT else block


def _is(number: int) -> bytes:
    return f"{CHOSEN} == {number}".encode()


# ---- reading -------------------------------------------------------------------------------------

Node = tuple[int, int, str]  # start, end, category


def _nodes(source: bytes, name: str) -> Iterator[Node]:
    """Every node of the text that may be another one at run time."""
    tree = syntax.SyntaxTree.fromText(source.decode(), name)
    errors = [item for item in tree.diagnostics if item.isError()]
    if errors:
        raise SchemataError(f"{name}: this is no SystemVerilog any more ({len(errors)} errors).")
    return _below(tree.root, False)


# Children whose value, or name, is fixed: they and all in them stay.
_CONSTANT = (
    syntax.DataTypeSyntax,
    syntax.VariableDimensionSyntax,
    syntax.ParameterDeclarationBaseSyntax,
    syntax.ParameterValueAssignmentSyntax,
    syntax.ModuleHeaderSyntax,
    syntax.FunctionPortListSyntax,
    syntax.TimingControlSyntax,
    syntax.RangeListSyntax,  # ranges of `inside`: Verilator wants constants
    syntax.ForVariableDeclarationSyntax,
    syntax.ConcurrentAssertionStatementSyntax,
    syntax.ConcurrentAssertionMemberSyntax,
    syntax.ImmediateAssertionStatementSyntax,
    syntax.ImmediateAssertionMemberSyntax,
)
# Names of the children of a node that stay, but for an index in them.
_FIXED = {
    "IfGenerateSyntax": ("condition",),
    "CaseGenerateSyntax": ("condition",),
    "LoopGenerateSyntax": ("initialExpr", "stopExpr", "iterationExpr"),
    "ForLoopStatementSyntax": ("initializers", "stopExpr", "steps"),
    "StandardCaseItemSyntax": ("expressions",),
    "InvocationExpressionSyntax": ("left",),
    "ElementSelectExpressionSyntax": ("left",),
    "MemberAccessExpressionSyntax": ("left",),
    "CastExpressionSyntax": ("left",),
    "MultipleConcatenationExpressionSyntax": ("expression",),
    "AssignmentPatternItemSyntax": ("key",),
    "ReplicatedAssignmentPatternSyntax": ("countExpr",),
}
# Nodes whose content runs.
_RUNS = (
    syntax.StatementSyntax,
    syntax.ContinuousAssignSyntax,
    syntax.PortConnectionSyntax,
    syntax.FunctionDeclarationSyntax,
)
_NO_VALUE = (
    syntax.AssignmentPatternExpressionSyntax,  # its type comes from what it is assigned to
    syntax.DataTypeSyntax,
)


def _below(node: syntax.SyntaxNode, runs: bool) -> Iterator[Node]:
    """The nodes below a node. `runs`: it is code that runs, not a declaration of what is built."""
    fixed = _fixed(node)
    for child in node:
        if not isinstance(child, syntax.SyntaxNode) or isinstance(child, _CONSTANT):
            continue
        here = runs or isinstance(child, _RUNS)
        span = child.sourceRange
        place = (span.start.offset, span.end.offset)
        if place in fixed:
            yield from _indices(child, here)
            continue
        if here and (category := _category(child)):
            yield (*place, category)
        yield from _below(child, here)


def _category(node: syntax.SyntaxNode) -> str:
    """Return the category of a node; empty when it cannot be chosen."""
    if isinstance(node, syntax.ContinuousAssignSyntax):
        return ASSIGNMENT
    if isinstance(node, syntax.StatementSyntax):
        return "" if isinstance(node, syntax.TimingControlStatementSyntax) else STATEMENT
    assigns = node.kind.name.endswith("AssignmentExpression")
    if not isinstance(node, syntax.ExpressionSyntax) or isinstance(node, _NO_VALUE) or assigns:
        return ""
    return EXPRESSION


def _fixed(node: syntax.SyntaxNode) -> set[tuple[int, int]]:
    """Spans of the node's children that stay."""
    kind = node.kind.name
    if isinstance(node, syntax.ScopedNameSyntax):
        names = ["left", "right"]
    elif kind.endswith("AssignmentExpression") or kind == "AscendingRangeSelect":
        names = ["left" if kind.endswith("Expression") else "right"]
    elif kind in ("SimpleRangeSelect", "DescendingRangeSelect"):
        names = ["left", "right"]
    elif kind.startswith(("Pre", "Post")) and kind.endswith(("increment", "decrement")):
        names = ["operand"]
    else:
        names = list(_FIXED.get(type(node).__name__, ()))
    spans = set()
    for name in names:
        found = getattr(node, name, None)
        for child in [found] if isinstance(found, syntax.SyntaxNode) else found or ():
            if isinstance(child, syntax.SyntaxNode):
                spans.add((child.sourceRange.start.offset, child.sourceRange.end.offset))
    if isinstance(node, syntax.MultipleConcatenationExpressionSyntax):
        span = node.concatenation.sourceRange
        spans.discard((span.start.offset, span.end.offset))
    return spans


def _indices(node: syntax.SyntaxNode, runs: bool) -> Iterator[Node]:
    """The indices in a name that stays."""
    for child in node:
        if isinstance(child, syntax.BitSelectSyntax):
            yield from _below(child, runs)
        elif isinstance(child, syntax.SyntaxNode) and not isinstance(child, _CONSTANT):
            yield from _indices(child, runs)


# ---- finding -------------------------------------------------------------------------------------


Found = tuple[_Site, bytes]  # and its new text


def _sites(source: bytes, nodes: list[Node], change: Change, name: str) -> list[Found]:
    """The smallest node that holds the change; where none does, one for each of its parts."""
    old, new = change.old.encode(), change.new.encode()
    if source.count(old) != 1:
        raise SchemataError(
            f"mutant {change.name}: the old text is {source.count(old)} times in {name}, not once."
        )
    start = source.index(old)
    whole = _site(source, nodes, (start, start + len(old), new), f"{name} with {change.name}")
    parts = [whole] if whole else [
        _site(source, nodes, (start + first, start + last, text), f"{name} with {change.name}")
        for first, last, text in _parts(old, new)
    ]  # fmt: skip
    found = [part for part in parts if part]
    if len(found) < len(parts):
        raise SchemataError(
            f"mutant {change.name}: no expression or statement of {name} holds it; it changes what"
            " must be constant. Plant it where the constant is used."
        )
    return found


def _site(
    source: bytes, nodes: list[Node], edit: tuple[int, int, bytes], name: str
) -> Found | None:
    """The smallest node that holds an edit (from, to, new text) in both texts."""
    changed = source[: edit[0]] + edit[2] + source[edit[1] :]
    growth = len(changed) - len(source)
    first, last = _difference(source, changed)
    there = set(_nodes(changed, name))
    for begin, end, category in sorted(nodes, key=lambda node: node[1] - node[0]):
        if not begin <= first <= last <= end:
            continue
        text = changed[begin : end + growth]
        fits = (begin, end + growth, category) in there
        if fits or (category == STATEMENT and _statements(text) and not _left(there, begin, text)):
            return _Site(begin, end, category), _body(text, category)
    return None


def _parts(old: bytes, new: bytes) -> list[tuple[int, int, bytes]]:
    """From, to and new text of each part of `old` in which the texts differ, in whole words."""
    words, others = (re.findall(rb"\w+|\s+|.", text) for text in (old, new))
    at = [0, *itertools.accumulate(map(len, words))]
    matcher = difflib.SequenceMatcher(None, words, others, autojunk=False)
    return [
        (at[a], at[b], b"".join(others[c:d]))
        for kind, a, b, c, d in matcher.get_opcodes()
        if kind != "equal"
    ]


def _difference(one: bytes, other: bytes) -> tuple[int, int]:
    """From and to which byte of `one` the texts differ."""
    least = min(len(one), len(other))
    first = next((i for i in range(least) if one[i] != other[i]), least)
    same = 0
    while same < least - first and one[-1 - same] == other[-1 - same]:
        same += 1
    return first, len(one) - same


def _statements(text: bytes) -> bool:
    """The text is a row of whole statements, perhaps none."""
    wrapped = f"module m; always_comb begin {text.decode()} end endmodule"
    return not any(item.isError() for item in syntax.SyntaxTree.fromText(wrapped).diagnostics)


def _left(there: set[Node], begin: int, text: bytes) -> bool:
    """A statement of the changed text begins in this node and ends behind it, an `else` that has
    gone over to another `if`."""
    end = begin + len(text)
    inside = (node for node in there if begin <= node[0] < end and node[2] == STATEMENT)
    return any(last > end for _, last, _ in inside)


def _body(text: bytes, category: str) -> bytes:
    return text.removeprefix(b"assign") if category == ASSIGNMENT else text


# ---- whole designs -------------------------------------------------------------------------------


class Bug(Protocol):
    """Properties common to all lists of mutants. `file`: a path, of which only the name counts."""

    @property
    def name(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def old(self) -> str: ...
    @property
    def new(self) -> str: ...


def plant(files: Sequence[Path], bugs: Sequence[Bug]) -> list[Path]:
    """The files of a design, those with bugs as woven copies; the first bug is number 1. Kept by
    content. Raises SchemataError."""
    changes: dict[str, list[Change]] = {}
    for number, bug in enumerate(bugs, 1):
        change = Change(number, bug.name, bug.old, bug.new)
        changes.setdefault(Path(bug.file).name, []).append(change)
    missing = set(changes) - {file.name for file in files}
    if missing:
        raise SchemataError(f"{', '.join(sorted(missing))}: not among the files of the design.")
    touched = [file for file in files if file.name in changes]
    key = cache.key_of(
        [
            ("changes", repr(sorted(changes.items())).encode()),
            *((file.name, file.read_bytes()) for file in [*touched, Path(__file__)]),
        ]
    )

    def make(folder: Path) -> None:
        for file in touched:
            text = weave(file.read_text(encoding="utf-8"), changes[file.name], file.name)
            (folder / file.name).write_text(PACKAGE + text, encoding="utf-8")

    place = cache.entry("woven", key, make, lambda _: None, "planting bugs")
    return [place / file.name if file in touched else file for file in files]


@contextmanager
def chosen(number: int) -> Iterator[None]:
    """Simulations that start meanwhile have this bug; 0: none."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = str(number)
    try:
        yield
    finally:
        os.environ.pop(VARIABLE)
        if before is not None:
            os.environ[VARIABLE] = before
