# SPDX-License-Identifier: Apache-2.0
"""From the text of a `.mu` file to segments: words that stand together."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from melanion.micro.effects import apply
from melanion.micro.errors import EffectError, Place, Problems
from melanion.micro.expression import number
from melanion.micro.tables import TABLE, Tables
from melanion.micro.word import Word

_LABEL = re.compile(r"(?P<table>table\s+)?(?P<name>[A-Za-z_]\w*)\s*:\s*")
_AT = re.compile(r"at\s+(?P<where>[^:]+?)\s*:\s*")
_WORDS_WITH_COLON = ("if",)
_SECTION = re.compile(r"(?P<how>with|without)\s+(?P<feature>\w+)\s*:$")
_SECTION_END = "end with"
# Parameters of the unit that have words of their own: programs are assembled with and without.
FEATURES = ("flag_lanes",)
# Fields of what an annulled word does not do.
EFFECTS = (
    *("write", "store", "subject", "object", "load_level", "waits", "ready", "note", "done"),
    *("report", "device", "branch"),
)


@dataclass
class Label:
    """`slot`: what `at` names; None: a label of the program."""

    name: str
    place: Place
    index: int  # place of the word in its segment
    slot: bool = False


@dataclass
class Segment:
    """`address`: fixed by `at`; None: anywhere. `table`: a case table, aligned. `own`: of a user,
    who gets what others leave free."""

    place: Place
    address: int | None = None
    what: str = ""
    table: bool = False
    own: bool = False
    slot: bool = False  # its last word is behind a branch that annuls it
    words: list[Word] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.what or (self.labels[0].name if self.labels else "the words")

    @property
    def ended(self) -> bool:
        """The last word does not run on."""
        if self.table and len(self.words) < TABLE:
            return False
        if self.slot:
            return True
        if len(self.words) > 1 and leaves(self.words[-2]) and self.words[-2].after_next:
            return True
        return bool(self.words) and leaves(self.words[-1]) and not self.words[-1].after_next


def leaves(word: Word) -> bool:
    """It branches always."""
    always = ("always", "idle", "case")
    return any(word.has("branch", name) for name in always) and not word.get("predicate")


def parse(
    text: str,
    file: str,
    tables: Tables,
    problems: Problems,
    features: Collection[str] = (),
) -> list[Segment]:
    """Segments of one file, for a unit with these features; what is wrong goes to `problems`."""
    segments: list[Segment] = []
    pending: list[Label] = []
    opened: Place | None = None  # section
    taken = True
    for line, raw in enumerate(text.splitlines(), 1):
        place = Place(file, line)
        rest, _, comment = (part.strip() for part in raw.partition("//"))
        try:
            if section := _SECTION.match(rest):
                before, opened, rest = opened, place, ""
                taken = _section(section, features, before)
            elif rest == _SECTION_END:
                if opened is None:
                    raise EffectError(f"`{rest}` ends no section; remove it")
                taken, opened, rest = True, None, ""
            if not taken:
                continue
            rest = _heads(rest, place, tables, segments, pending, problems)
            if rest:
                _word(rest, comment, place, tables, segments, pending, problems)
        except EffectError as error:
            problems.add(place, str(error))
    _close(segments, problems)
    if opened is not None:
        problems.add(opened, f"this section has no end; write `{_SECTION_END}` behind it")
    for label in pending:
        problems.add(label.place, f"the label {label.name} has no word; add one or remove it")
    return [segment for segment in segments if segment.words]


def _section(section: re.Match[str], features: Collection[str], opened: Place | None) -> bool:
    """Whether the words of a section are taken."""
    if opened is not None:
        raise EffectError(f"`{section[0]}` stands in a section ({opened}); write `{_SECTION_END}`")
    if section["feature"] not in FEATURES:
        known = ", ".join(FEATURES)
        raise EffectError(f"{section['feature']!r} is no feature of a unit; known are {known}")
    return (section["feature"] in features) == (section["how"] == "with")


def _heads(
    rest: str,
    place: Place,
    tables: Tables,
    segments: list[Segment],
    pending: list[Label],
    problems: Problems,
) -> str:
    """Take `at …:` and labels from the beginning of a line; returns what is behind."""
    while rest:
        if match := _AT.match(rest):
            _close(segments, problems)
            where = " ".join(match["where"].split())
            segments.append(Segment(place, None, f"at {where}"))
            try:
                segments[-1].address = _address(where, tables)
            except EffectError as error:
                problems.add(place, str(error))
            if not where[0].isdigit():
                pending.append(Label(where, place, 0, slot=True))
        elif match := _LABEL.match(rest):
            if match["name"] in _WORDS_WITH_COLON:
                return rest
            if match["table"]:
                _close(segments, problems)
                segments.append(Segment(place, table=True))
            pending.append(Label(match["name"], place, 0))
        else:
            return rest
        rest = rest[match.end() :]
    return rest


def _address(where: str, tables: Tables) -> int:
    if where[0].isdigit():
        try:
            return number(where)
        except ValueError:
            raise EffectError(f"`at {where}` is no number; correct it, such as 0x100") from None
    if where not in tables.slots:
        entries = ", ".join(tables.machine.entries)
        raise EffectError(
            f"`at {where}` is no place; write a number, an entry ({entries})"
            " or `command`, `load`, `store`, `job` and a name of spec/ or of `jobs`"
        )
    return tables.slots[where]


def _word(
    text: str,
    comment: str,
    place: Place,
    tables: Tables,
    segments: list[Segment],
    pending: list[Label],
    problems: Problems,
) -> None:
    word = Word(tables, place, text, comment)
    try:
        apply(word, text)
    except EffectError as error:
        problems.add(place, str(error))
        word.wrong = True
    if not segments or segments[-1].ended:
        if not pending and segments and leaves(segments[-1].words[-1]) and not segments[-1].slot:
            _slot(word, segments[-1], problems)
            return
        segments.append(Segment(place))
        if not pending:
            problems.add(place, "nothing reaches this word; give it a label, or remove it")
            word.wrong = True
    segment = segments[-1]
    for label in pending:
        label.index = len(segment.words)
        segment.labels.append(label)
    pending.clear()
    segment.words.append(word)


def _slot(word: Word, segment: Segment, problems: Problems) -> None:
    """The word behind a branch that annuls it: its read and test happen all the same."""
    segment.words.append(word)
    segment.slot = word.slot = True
    effects = [n for n in EFFECTS if word.get(n)]
    if effects:
        problems.add(
            word.place,
            f"the branch before annuls `{word.setters[effects[0]]}`; write `after next` there, or"
            " give this word a label",
        )


def _close(segments: list[Segment], problems: Problems) -> None:
    """No word may run on from the last segment."""
    if not segments or not segments[-1].words or segments[-1].ended:
        return
    segment = segments[-1]
    if segment.words[-1].wrong:
        return
    if segment.table and len(segment.words) < TABLE:
        problems.add(
            segment.place,
            f"the table {segment.name} has {len(segment.words)} words; write {TABLE}",
        )
        return
    problems.add(
        segment.words[-1].place,
        f"{segment.name} runs off its end behind this word; end it with `goto`, `end` or `done`"
        " (with `after next`: and one word more)",
    )


def labels(segments: list[Segment]) -> Iterator[tuple[Label, Segment]]:
    """Every label, with its segment."""
    for segment in segments:
        for label in segment.labels:
            yield label, segment
