# SPDX-License-Identifier: Apache-2.0
"""Checks of a placed program along all its paths: M, flag, carry, results, stores before reads.

A read in word n is M from word n + 2 on, and happens also in an annulled word, as tests do. A test
is the flag of the next word only; carry and result are those of the word before.
"""

from __future__ import annotations

from dataclasses import dataclass

from melanion.micro.data import CARRY_BIT
from melanion.micro.errors import Problems
from melanion.micro.graph import Graph, Node, branches
from melanion.micro.source import leaves
from melanion.micro.tables import Tables
from melanion.micro.word import Word

ANY = "any"  # M@any: whatever page


@dataclass(frozen=True)
class Memory:
    """Content of M. `page`: None, nothing that a program may use. `chance`: read by a word that is
    behind a branch by accident. `origin`: the read, as messages call it."""

    page: str | None
    origin: str
    chance: bool = False


@dataclass(frozen=True)
class State:
    """Before a word: M, what is being read, and whether that read was made in the word before while
    M was the same as now."""

    memory: Memory
    coming: Memory | None = None
    early: bool = False


def check(graph: Graph, problems: Problems) -> None:
    """Report what is wrong on some path."""
    before = graph.reached(graph.starts)
    for address in graph.entries.values():
        if graph.idle_slot is not None:
            before[Node(address)].append(graph.idle_slot)
    _check_ends(graph, before, problems)
    _check_reached(graph, before, problems)
    for node, predecessors in before.items():
        if (word := graph.words.get(node.address)) is not None and not node.annulled:
            _check_before(graph, node, word, predecessors, problems)
    for node, states in _states(graph).items():
        word = graph.words.get(node.address)
        if word is not None and uses_memory(word) and (not node.annulled or word.slot):
            _check_memory(word, states, problems)


def uses_memory(word: Word) -> bool:
    """It looks at M."""
    tests = word.tables.machine.memory_tests
    return bool(
        word.has("a_from", "memory")
        or word.has("branch", "case")
        or word.has("object", "memory")
        or ("level" in word.fields and word.has("level", "memory"))
        or word.get("unless_held")
        or word.tables.name_of("device", word.get("device")) == "flags_scan"
        or any(word.has("test", name) for name in tests)
    )


# ---- ends and slots ------------------------------------------------------------------------------


def _check_ends(graph: Graph, before: dict[Node, list[Node]], problems: Problems) -> None:
    for node, predecessors in before.items():
        word = graph.words.get(node.address)
        if word is None and node.branch is None:
            for predecessor in predecessors:
                problems.add(
                    graph.words[predecessor.branch or predecessor.address].place,
                    f"the program goes on at {node.address:#x}, where no word is; end it with"
                    " `goto`, `end` or `done`, or write the words there",
                )
        if node.branch is None:
            continue
        branch = graph.words[node.branch]
        if word is None and not node.annulled:
            problems.add(branch.place, "`after next` has no word behind it; write it")
        if word is not None and not node.annulled and branches(word):
            problems.add(
                word.place,
                f"this word is the slot of the branch in {branch.place} and branches itself; put"
                " its branch elsewhere, or leave out `after next` there",
            )
    if (at := graph.entries.get("irq_end")) is None:
        return
    for node in graph.reached([Node(at)], irq=True):
        word = graph.words.get(node.address)
        if word is not None and node.branch is None and word.get("finish_to"):
            problems.add(
                word.place, "irq_end leads to this end, which is irq_end again; write `goto idle`"
            )


def _check_reached(graph: Graph, before: dict[Node, list[Node]], problems: Problems) -> None:
    reached = {node.address for node in before}
    for address, word in graph.words.items():
        if address not in reached:
            problems.add(word.place, "no path reaches this word; remove it")


# ---- the word before -----------------------------------------------------------------------------


def _check_before(
    graph: Graph, node: Node, word: Word, predecessors: list[Node], problems: Problems
) -> None:
    flag = word.has("branch", "flag") or word.has("branch", "not_flag")
    carry = word.has("branch", "carry") or word.has("branch", "not_carry")
    result = _uses_result(word)
    for predecessor in predecessors:
        last = graph.words.get(predecessor.address)
        where = _where(graph, predecessor)
        if flag and not _tests(graph, predecessor):
            problems.add(word.place, f"`flag` needs a test in the word before, {where}; add one")
        if carry and not _adds(last, predecessor):
            problems.add(
                word.place, f"`carry` needs an addition in the word before, {where}; add one"
            )
        if carry and last is not None and last.get("position") & CARRY_BIT and not last.carry16:
            problems.add(
                word.place,
                f"the carry of the word before, {where}, is that of bit 16, because its position is"
                " 16 or more; write `carry 16` behind its expression, or test elsewhere",
            )
        if result and (last is None or not last.computes or predecessor.annulled):
            problems.add(
                word.place,
                f"`{result}` needs a result of the word before, {where}; add one",
            )
        if last is not None and not predecessor.annulled and _collides(last, word):
            problems.add(
                word.place,
                f"it reads a page that the word before, {where}, stores to, and sees the old"
                " content; leave a word between",
            )


def _uses_result(word: Word) -> str:
    """The effect that looks at the result of the word before, or nothing."""
    if word.has("test", "zero") or (word.has("test", "bit") and not word.has("a_from", "memory")):
        return word.setters["test"]
    for name, row in word.tables.machine.device_reads.items():
        if row.of_result and word.has("a_from", "device") and word.get("a") == row.number:
            return f"device.{name}"
    return ""


def _where(graph: Graph, node: Node) -> str:
    """A predecessor, for a message."""
    word = graph.words.get(node.address)
    place = str(word.place) if word else f"address {node.address:#x}"
    if node.branch is None:
        return place
    how = "annulled behind" if node.annulled else "the slot of"
    return f"{place} ({how} the branch in {graph.words[node.branch].place})"


def _tests(graph: Graph, node: Node) -> bool:
    word = graph.words.get(node.address)
    return word is not None and bool(word.get("test")) and not _by_chance(graph, node)


def _adds(word: Word | None, node: Node) -> bool:
    if word is None or node.annulled or not word.computes:
        return False
    return word.has("alu", "add") or word.has("alu", "sub")


def _by_chance(graph: Graph, node: Node) -> bool:
    """It is annulled behind a branch that has nothing to do with it."""
    if node.branch is None or not node.annulled:
        return False
    word = graph.words.get(node.address)
    return leaves(graph.words[node.branch]) and (word is None or not word.slot)


def _collides(last: Word, word: Word) -> bool:
    """The read may be of what the word before stores."""
    if not last.get("store"):
        return False
    pages = _pages(last.get("store_page"), last.has("store_by", "caller"))
    if word.has("branch", "idle"):
        machine = word.tables.machine
        return bool(pages & {machine.pages[page] for page in machine.records.values()})
    if not word.get("read"):
        return False
    if not pages & _pages(word.get("read_page"), word.has("read_by", "caller")):
        return False
    for kind in ("immediate", "core"):
        if last.has("store_by", kind) and word.has("read_by", kind):
            return last.get("immediate") == word.get("immediate")
    return True


def _pages(page: int, by_caller: bool) -> set[int]:
    """A caller's word is in the page behind when the caller is no task."""
    return {page, page | 1} if by_caller else {page}


# ---- M -------------------------------------------------------------------------------------------


def _states(graph: Graph) -> dict[Node, set[State]]:
    """States before every node."""
    found: dict[Node, set[State]] = {}
    waiting: list[tuple[Node, State]] = []
    for name, address in graph.entries.items():
        record = graph.tables.record(name)
        waiting.append((Node(address), State(Memory(record, f"`idle` for {name}"))))
    while waiting:
        node, state = waiting.pop()
        states = found.setdefault(node, set())
        if state in states:
            continue
        states.add(state)
        word = graph.words.get(node.address)
        if word is not None and word.has("branch", "idle"):
            continue
        after = _after(graph, node, word, state)
        waiting += [(successor, after) for successor in graph.successors(node)]
    return found


def _after(graph: Graph, node: Node, word: Word | None, state: State) -> State:
    coming = None
    if word is not None and word.get("read"):
        named = word.has("read_by", "memory")  # the page that M names: whatever the program expects
        page = ANY if named else _page_name(word.tables, word.get("read_page"))
        coming = Memory(page, str(word.place), _by_chance(graph, node))
    early = coming is not None and not coming.chance and state.coming is None
    return State(state.coming or state.memory, coming, early)


def _page_name(tables: Tables, number: int) -> str:
    return next((n for n, v in tables.machine.pages.items() if v == number), str(number))


def _check_memory(word: Word, states: set[State], problems: Problems) -> None:
    held = sorted({state.memory for state in states}, key=lambda m: (m.page or "", m.origin))
    for memory in held:
        if memory.page is None:
            problems.add(
                word.place,
                f"M holds nothing on the path from {memory.origin}; read two words before",
            )
        elif memory.chance:
            problems.add(
                word.place,
                f"M comes from the read in {memory.origin}, which stands behind a branch by"
                " accident; put a word without a read behind the branch",
            )
        elif ANY not in (word.page, memory.page) and word.page not in (None, memory.page):
            problems.add(
                word.place,
                f"M holds {memory.page} (read in {memory.origin}), not {word.page}; read it two"
                " words before",
            )
    known = [memory for memory in held if memory.page not in (None, ANY)]
    different = {memory.page: memory for memory in known if not memory.chance}
    if len(different) > 1 and word.page is None:
        ways = " or ".join(f"{page} (read in {m.origin})" for page, m in different.items())
        problems.add(
            word.place,
            f"M holds {ways}; read two words before on every path, or add the effect `M@any`",
        )
    if any(state.early for state in states) and word.page is None:
        coming = next(state.coming for state in states if state.early)
        old = next(state.memory for state in states if state.early)
        problems.add(
            word.place,
            f"M is still {old.page}: the read in {coming.origin if coming else '?'} is M one word"
            f" later; put a word between, or add the effect `M@{old.page}`",
        )
