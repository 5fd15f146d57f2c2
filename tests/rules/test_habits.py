# SPDX-License-Identifier: Apache-2.0
"""Files by which others join: CI, hooks, version, citation. Nothing here looks at git's history."""

from __future__ import annotations

import re
import shlex
from typing import Any

from ruamel.yaml import YAML

from melanion import __version__
from tests.docs.test_docs import PROGRAMS, ROOT, text_of

KINDS = ("Added", "Changed", "Fixed", "Breaking")


def yaml(name: str) -> Any:
    return YAML(typ="safe").load(text_of(ROOT / name))


# ---- commands ------------------------------------------------------------------------------------


def wrong_hooks(text: str) -> list[str]:
    """Hooks that are fetched, or whose command is none of the tree."""
    found = []
    for repository in YAML(typ="safe").load(text)["repos"]:
        found += [f"{repository['repo']}: is fetched"] * (repository["repo"] != "local")
        for hook in repository.get("hooks", []):
            program, *words = shlex.split(hook.get("entry", "fetched"))
            path = re.fullmatch(r"\.venv/bin/(python|melanion)", program)
            if hook.get("language") != "system" or path is None:
                found.append(f"{hook['id']}: is not a command of .venv")
            elif words[:2] != ["-m", "ruff"]:  # a module of others
                found += [wrong] if (wrong := PROGRAMS[path[1]](words)) else []
    return found


def test_hooks_are_commands_of_the_tree() -> None:
    assert wrong_hooks(text_of(ROOT / ".pre-commit-config.yaml")) == []


def test_wrong_hooks_are_found() -> None:
    text = text_of(ROOT / ".pre-commit-config.yaml")
    assert wrong_hooks(text.replace("gen --check\n        pass", "gem --check\n        pass")) == [
        "melanion gem: no such command"
    ]
    assert wrong_hooks(text.replace("repo: local", "repo: elsewhere")) == ["elsewhere: is fetched"]
    assert wrong_hooks(text.replace("language: system", "language: python", 1)) == [
        "ruff: is not a command of .venv"
    ]


def test_the_workflow_calls_make_test() -> None:
    (job,) = yaml(".github/workflows/test.yml")["jobs"].values()
    assert job["container"] == "debian:12"
    assert job["steps"][-1] == {"run": "make test"}
    assert [step["uses"].split("@")[0] for step in job["steps"] if "uses" in step] == [
        "actions/checkout"
    ]


# ---- version -------------------------------------------------------------------------------------


def wrong_changes(text: str, version: str) -> list[str]:
    """A first section that is not of this version, and headings that are no kind of change."""
    sections = re.findall(r"^## (\S+)", text, re.MULTILINE)
    found = [] if sections[0] == version else [f"the first section is {sections[0]}"]
    kinds = re.findall(r"^### (.*)$", text, re.MULTILINE)
    return found + [f"{kind}: no kind of change" for kind in kinds if kind not in KINDS]


def test_changes_and_citation_are_of_this_version() -> None:
    assert wrong_changes(text_of(ROOT / "CHANGELOG.md"), __version__) == []
    citation = yaml("CITATION.cff")
    assert citation["version"] == __version__
    assert citation["authors"] == [{"name": "The Melanion authors"}]


def test_wrong_changes_are_found() -> None:
    text = "# Changelog\n\n## 1.0.0\n\n### Improved\n"
    assert wrong_changes(text, "1.1.0") == [
        "the first section is 1.0.0",
        "Improved: no kind of change",
    ]
