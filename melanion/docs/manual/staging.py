# SPDX-License-Identifier: Apache-2.0
"""Pages of the manual in a folder for Sphinx: links lead to pages of the site or to files of the
tree, and contents pages become its navigation.

A page belongs to one contents page: pages in the folder of a contents page to that, every other
page to the first one that links it, beginning with the front page. A page in none is an error, and
so is a link that leads nowhere.
"""

from __future__ import annotations

import posixpath
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from melanion import paths
from melanion.docs.errors import DocsError

ROOT = paths.data_root()
FRONT = "docs/README.md"
# Contents pages, in the order of the navigation.
CONTENTS = (
    "docs/firmware.md",
    "docs/soc.md",
    "docs/research.md",
    "docs/reference/README.md",
    "docs/decisions/README.md",
)
# Pages outside docs/ → their names in the site.
BESIDE: Mapping[str, str] = {
    "kernel/README.md": "reference/c-interface.md",
    "soc/README.md": "reference/soc-folders.md",
    "CAVEATS.md": "caveats.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
SCHEME = "tree"  # scheme of links to files and folders of the tree: `tree:hw/engine/mel_unit.sv`
SHOWN = (".svg", ".png")  # files that a page shows; others that it links are files of the tree

NAMED = re.compile(r"^ *```[^\n]*\n.*?^ *```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<=\]\()(?P<path>[^)\s#]*)(?P<anchor>#[^)\s]*)?(?=\))")


def pages(root: Path = ROOT) -> dict[str, str]:
    """Page of the tree → its name in the site. Both are paths with `/`."""
    found = {FRONT: "index.md"}
    for path in sorted((root / "docs").rglob("*.md")):
        name = path.relative_to(root).as_posix()
        inside = PurePosixPath(name).relative_to("docs")
        found.setdefault(name, str(inside.with_name("index.md") if _is_index(inside) else inside))
    return {**found, **BESIDE}


def _is_index(page: PurePosixPath) -> bool:
    return page.name == "README.md"


def stage(target: Path, root: Path = ROOT) -> None:
    """Write the pages and what they show into an empty folder. Raises DocsError."""
    names = pages(root)
    children = contents(root)
    for page, name in names.items():
        text = pointed(page, (root / page).read_text(encoding="utf-8"), names, root)
        text += _toctree(name, [names[child] for child in children.get(page, ())])
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text(text, encoding="utf-8")
    for path in sorted((root / "docs").rglob("*.*")):
        if path.suffix in SHOWN:
            copy = target / path.relative_to(root / "docs")
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


def links(page: str, text: str) -> Iterator[str]:
    """Paths in the tree that a page links, in order; hosts and anchors of its own are left out."""
    for match in LINK.finditer(NAMED.sub(_blank, text)):
        if match["path"] and "://" not in match["path"]:
            yield _resolved(page, match["path"])


def pointed(page: str, text: str, names: Mapping[str, str], root: Path = ROOT) -> str:
    """The text with each link to a page of the site or with the scheme of files of the tree.
    DocsError: a link leads nowhere."""
    here = posixpath.dirname(names[page])

    def target(match: re.Match[str]) -> str:
        path, anchor = match["path"], match["anchor"] or ""
        if not path or "://" in path:
            return match[0]
        name = _resolved(page, path)
        if not (root / name).exists() or name.startswith(".."):
            raise DocsError(f"{page}: link {path} leads to nothing; correct it.")
        inner = names.get(name) or names.get(f"{name}/README.md")
        if inner is None and name.startswith("docs/") and name.endswith(SHOWN):
            inner = name.removeprefix("docs/")
        if inner is None:
            return f"{SCHEME}:{name}"
        return posixpath.relpath(inner, here or ".") + anchor

    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\0{len(kept) - 1}\0"

    linked = LINK.sub(target, NAMED.sub(keep, text))
    return re.sub(r"\0(\d+)\0", lambda match: kept[int(match[1])], linked)


def contents(root: Path = ROOT) -> dict[str, list[str]]:
    """Contents page → the pages below it, in the order in which it links them. DocsError: a page is
    in none."""
    names = pages(root)
    order = (FRONT, *CONTENTS)
    owner: dict[str, str] = dict.fromkeys(CONTENTS, FRONT)
    below: dict[str, list[str]] = {page: [] for page in order}
    below[FRONT] = [*CONTENTS]
    for contents_page in order:
        text = (root / contents_page).read_text(encoding="utf-8")
        for name in links(contents_page, text):
            if name not in names or name in owner or name == FRONT:
                continue
            folder = f"{posixpath.dirname(name)}/README.md"
            if (folder in CONTENTS and folder != contents_page) or name == contents_page:
                continue
            owner[name] = contents_page
            below[contents_page].append(name)
    if lost := [page for page in names if page not in owner and page != FRONT]:
        folder = f"{posixpath.dirname(lost[0])}/README.md"
        raise DocsError(
            f"{lost[0]}: no contents page links it; link it from"
            f" {folder if folder in CONTENTS else f'{FRONT} or {CONTENTS[0]}'}."
        )
    return below


def _resolved(page: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path))


def _toctree(name: str, below: list[str]) -> str:
    """Hidden: the page itself has the links, with words."""
    if not below:
        return ""
    here = posixpath.dirname(name) or "."
    lines = [posixpath.relpath(child.removesuffix(".md"), here) for child in below]
    return "\n".join(["", "```{toctree}", ":hidden:", "", *lines, "```", ""])


def _blank(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")
