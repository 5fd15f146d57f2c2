# SPDX-License-Identifier: Apache-2.0
"""Names in comments and documents are those of the tree: words of the code, files, commands.

A word with an underscore that stands in prose must stand in code, too; a path must lead to a file,
or to one that some code makes. Prose outside tests/ may not lean on words that only tests know.
Each rule is a function from a text to findings, and is itself tested with a planted stale name.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

import click

from melanion import cli, paths
from tests.common.tree import tree
from tests.docs.test_docs import CODE, FENCE, INDENTED, PROGRAMS
from tests.rules.prose import split

ROOT = paths.data_root()

# History, and what is made of other files of the tree or of others.
LEFT_OUT = re.compile(r"CHANGELOG\.md|LICENSE|requirements.*|gen/.*|.*\.(csv|svg|patch)")

# Names of others, and names that stand for one of the reader's own.
FOREIGN_WORDS = {
    *("freertos_risc_v_trap_handler", "ibex_id_stage", "sync_exc_seen"),  # FreeRTOS, Ibex
    *("stp_ovr", "sta_ovr", "att_isr", "TPRI_RUN", "sched_yield"),  # µITRON, POSIX
    *("set_flag", "time_slice"),  # the white paper, ThreadX
    *("my_folder", "my_link", "melanion_banked"),
    # In a folder that `melanion export --verilog` wrote.
    *("mel_unit_apb4", "core0_psel_i", "core0_irq_handler_o", "core0_irq_dispatch_o"),
}
FOREIGN_FILES = {
    *("ibex_id_stage.sv", "ruamel.yaml", "prctl.h"),
    *("my.yaml", "my.c", "a.c", "b.c"),
}

# Commands of an exported folder, and of a module of others.
ELSEWHERE = {"make run", "make -j4", "python -m pytest"}

WORD = re.compile(r"(?<![\w./-])_?[A-Za-z]\w*_\w*")
SUFFIXES = r"(?:sv|c|h|S|py|md|yaml|cpp|vlt|sby|j2|csv|svg|f|toml)"
ROOMS = "spec|gen|hw|kernel|soc|melanion|configs|apps|experiments|tests|docs|scripts"
FILE = re.compile(rf"(?<![\w$<{{@:*>}}…)/-])(?:[\w.-]+/)*[\w.-]*\w\.{SUFFIXES}(?![\w/-])")
PLACE = re.compile(rf"(?<![\w./$<{{@:-])(?:{ROOMS})/[\w./-]*\w")
CONTEXT = click.Context(cli.group)
TOKEN = re.compile(r"[\w./-]+")
IN_AN_ELF_FILE = re.compile(r"^(app/|melanion/(?=kernel/))")  # melanion/build/source_names.py
PATTERN = "*<{…[("  # characters that follow a name that stands for several


@dataclass(frozen=True)
class Names:
    """Names for prose: words of the code, files, and files that the code makes or reads."""

    words: frozenset[str]
    files: frozenset[str]  # paths of files and folders, and all their ends
    made: frozenset[str]  # paths that stand in the code
    options: frozenset[str]  # that stand there: also those of other programs

    def knows(self, word: str, after: str) -> bool:
        """A word of the code, or its beginning (`mel_sem_…`), or its end (`_take`), or a constant
        without its prefix (`SWITCH_TRAP`)."""
        if word in self.words:
            return True
        begins = after[:1] in tuple(PATTERN) or word.endswith("_")
        if begins and any(known.startswith(word) for known in self.words):
            return True
        end = word if word.startswith("_") else f"_{word}"
        short = word.startswith("_") or word.isupper()
        return short and any(known.endswith(end) for known in self.words)

    def leads(self, name: str, after: str) -> bool:
        """A file or folder, or its beginning, or a name that the code makes or reads."""
        path = re.sub(r"^(\.{1,2}/)+", "", name).rstrip("/.")
        if path in self.files or f"{path}.py" in self.files:
            return True
        if re.sub(IN_AN_ELF_FILE, "", path) in self.files:
            return True
        decision = re.fullmatch(r"docs/decisions/\d{4}", path)
        begins = decision or after[:1] in tuple(PATTERN + "-")
        if begins and any(known.startswith(path) for known in self.files):
            return True
        return path in self.made


@cache
def parted() -> dict[str, tuple[str, str]]:
    """File of the tree → prose and code."""
    found = {}
    for path in tree():
        name = str(path.relative_to(ROOT))
        if not LEFT_OUT.fullmatch(name) and path.is_file():
            found[name] = split(path, path.read_text(encoding="utf-8"))
    return found


def ends(name: str) -> Iterator[str]:
    """`a/b/c` → `a/b/c`, `b/c`, `c`; and those of its folders."""
    words = name.split("/")
    for last in range(1, len(words) + 1):
        for first in range(last):
            yield "/".join(words[first:last])


@cache
def names(*, tests: bool) -> Names:
    """Names for prose outside tests/, or (`tests`) for prose in tests/ and about them."""
    everything = [str(path.relative_to(ROOT)) for path in tree()]
    counts = {name for name in everything if tests or not name.startswith("tests/")}
    counts -= {"tests/rules/test_names.py"}  # its stale names are planted
    code = [text for name, (_, text) in parted().items() if name in counts]
    code += [
        path.read_text(encoding="utf-8")
        for path in (ROOT / "gen").rglob("*.*")
        if path.suffix != ".pyc"
    ]
    tokens = frozenset(TOKEN.findall("\n".join(code)))
    words = {word for token in tokens for word in re.findall(r"\w+", token)}
    words |= {Path(name).name.split(".")[0] for name in counts}
    files = frozenset(end for name in everything for end in ends(name))
    made = frozenset(
        end for token in tokens if re.search(r"\w[./]\w", token) for end in ends(token)
    )
    options = frozenset(token for token in tokens if token.startswith("--"))
    return Names(frozenset(words), files, made, options)


def names_for(name: str) -> Names:
    return names(tests=name.startswith(("tests/", "docs/", "CONTRIBUTING", "CAVEATS", "README")))


def stale_words(prose: str, known: Names, own: str = "") -> list[str]:
    """Words that no code has; `own` is code that stands in the page itself."""
    found = []
    for match in WORD.finditer(prose):
        word = match[0]
        if word in FOREIGN_WORDS or known.knows(word, prose[match.end() :][:1]):
            continue
        if not re.search(rf"\b{word}\b", own):
            found.append(f"{word} (line {prose[: match.start()].count(chr(10)) + 1})")
    return found


def stale_paths(prose: str, known: Names) -> list[str]:
    """Files and folders that are not there."""
    found = []
    for rule in (FILE, PLACE):
        for match in rule.finditer(prose):
            name = match[0]
            if Path(name).name in FOREIGN_FILES or known.leads(name, prose[match.end() :][:1]):
                continue
            found.append(f"{name} (line {prose[: match.start()].count(chr(10)) + 1})")
    return sorted(set(found))


def stale_commands(prose: str) -> list[str]:
    """Commands in code spans that a reader could not run."""
    found = []
    for span in CODE.findall(prose):
        match = re.match(r"(melanion|make|python) (?=\S)", span)
        if match and span not in ELSEWHERE and not re.search("[…<{*]", span):
            wrong = PROGRAMS[match[1]](shlex.split(span.split("  ")[0])[1:])
            found += [wrong] if wrong else []
    return found


def stale_options(prose: str, known: Names) -> list[str]:
    """Options in code spans that neither a command nor any code has."""
    options = {
        option
        for name in cli.COMMANDS
        for each in cast(click.Command, cli.group.get_command(CONTEXT, name)).params
        for option in [*each.opts, *each.secondary_opts]
    }
    named = re.findall(r"`(--[a-z][\w-]*)", prose)
    return sorted(
        {name for name in named if name not in options | known.options | {"--strict"}}
    )  # mypy's


def test_words_of_prose_are_words_of_the_code() -> None:
    found = []
    for name, (prose, _) in parted().items():
        blocks = [*FENCE.findall(prose), *INDENTED.findall(prose)] if name.endswith(".md") else []
        stale = stale_words(prose, names_for(name), "\n".join(blocks))
        found += [f"{name}: {word}" for word in stale]
    assert found == []


def test_files_that_prose_names_are_there() -> None:
    found = []
    for name, (prose, _) in parted().items():
        found += [f"{name}: {path}" for path in stale_paths(prose, names_for(name))]
    assert found == []


def test_options_that_prose_names_exist() -> None:
    found = []
    for name, (prose, _) in parted().items():
        found += [f"{name}: {option}" for option in stale_options(prose, names_for(name))]
    assert found == []


def test_commands_in_comments_exist() -> None:
    found = []
    for name, (prose, _) in parted().items():
        if not name.endswith((".md", ".md.j2")):  # tests/docs/test_docs.py
            found += [f"{name}: {command}" for command in stale_commands(prose)]
    assert found == []


# ---- controls ------------------------------------------------------------------------------------


def test_prose_and_code_are_parted() -> None:
    cases = {
        "a.c": ('int a; /* b */ char *c = "// d"; // e \'f\n', "b e f", "int a char c d"),
        "a.sv": ("assign a = 8'h0; // b\n", "b", "assign a 8 h0"),
        "a.py": ('"""a"""\nb = "c # d"  # e\nf = """g"""\n', "a e", "b c d f g"),
        "a.yaml": ('a: "b # c" # d\n# e\nf: g#h\n', "d e", "a b c f g h"),
        "a.md": ("a `b`\n", "a b", ""),
        "a.h.j2": ("{# a #}\n#define b /* c */\n# d\n", "a c d", "define b"),
        "a.txt": ("a\n", "", "a"),
    }
    for name, (text, prose, code) in cases.items():
        found = split(Path(name), text)
        assert [re.findall(r"\w+", part) for part in found] == [prose.split(), code.split()], name
        assert all(part.count("\n") == text.count("\n") for part in found), name


def test_stale_words_are_found() -> None:
    known = names(tests=False)
    text = (
        "Verbs: mel_context_start,\nmel_context_forget, mel_task_…, _take, SWITCH_TRAP; a_refusal"
    )
    assert stale_words(text, known) == ["mel_context_start (line 1)", "a_refusal (line 2)"]
    assert stale_words("mel_sem_…, mel_sam_…, sched_yield", known) == ["mel_sam_ (line 1)"]
    assert stale_words("my_own_word", known, "int my_own_word;") == []
    assert stale_words("planted_kernel", known) == ["planted_kernel (line 1)"]  # in tests alone
    assert stale_words("planted_kernel", names(tests=True)) == []


def test_stale_paths_are_found() -> None:
    known = names(tests=True)
    text = "unit/bus/unit.S, unit.S;\nsoftware/switch.S (hw/engine, hw/enginx), mel_system.h"
    assert stale_paths(text, known) == [
        "hw/enginx (line 2)",
        "unit.S (line 1)",
        "unit/bus/unit.S (line 1)",
    ]
    good = (
        "kernel/<folder>/<file>.c ../software/state.h configs/*.yaml docs/decisions/0002 ./my.yaml"
    )
    assert stale_paths(f"{good} `tests/*.py` melanion/measure/extractors", known) == []


def test_stale_commands_are_found() -> None:
    text = "`melanion runn app`, `make tests`, `python scripts/no.py`, `melanion gen --chek`"
    assert stale_commands(text) == [
        "melanion runn: no such command",
        "make tests: no such target",
        "python scripts/no.py: no such file",
        "melanion gen: no option --chek",
    ]
    options = "`--kernel sw`, `--lint-only`, `--kernle`, --prose"
    assert stale_options(options, names(tests=True)) == ["--kernle"]
    assert stale_commands("`make test`, `melanion new NAME`, `melanion …`, make it so") == []
