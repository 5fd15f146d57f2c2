# SPDX-License-Identifier: Apache-2.0
"""Files and folders of the tree as pages of the site: a link of the manual to a source shows the
source, with its lines numbered."""

from __future__ import annotations

import html
import os
from collections.abc import Collection
from pathlib import Path

from docutils import nodes
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx.application import Sphinx

from melanion.docs.manual.staging import ROOT, SCHEME

FOLDER = "tree"
LARGEST = 400_000  # characters that a page shows
TEMPLATE = Path(__file__).with_name("theme") / "source.html"
LANGUAGES = {".sv": "systemverilog", ".svh": "systemverilog", ".sby": "ini", ".S": "gas"}
# The lexer is dear and most files are read for their words: languages that pages quote are enough.
COLOURED = (".sv", ".c", ".h", ".py", ".yaml", ".S", ".cpp")


def setup(app: Sphinx) -> None:
    """Register with Sphinx: links with the scheme of files of the tree become addresses."""
    linked: set[str] = set()

    def finish(app: Sphinx, error: Exception | None) -> None:
        if error is None:
            write(Path(app.outdir), linked, Path(app.config.tree_root))

    app.add_config_value("tree_root", str(ROOT), "env", str)
    app.connect("doctree-resolved", lambda app, tree, page: _point(app, tree, page, linked))
    app.connect("build-finished", finish)


def _point(app: Sphinx, tree: nodes.document, page: str, linked: set[str]) -> None:
    for link in tree.findall(nodes.reference):
        scheme, _, name = link.get("refuri", "").partition(":")
        if scheme == SCHEME:
            linked.add(name)
            link["refuri"] = app.builder.get_relative_uri(page, f"{FOLDER}/{name}")


def write(out: Path, linked: Collection[str], root: Path) -> None:
    """Write a page for each linked file and folder, and for the files in such a folder."""
    folders = {name for name in linked if (root / name).is_dir()}
    files = {name for name in linked if name not in folders}
    files |= {
        f"{folder}/{path.name}" for folder in folders for path in _listed(root / folder, files=True)
    }
    template = TEMPLATE.read_text(encoding="utf-8")
    for name in sorted(folders | files):
        page = out / FOLDER / f"{name}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        body = _listing(root / name) if name in folders else _text(root / name)
        text = template.replace("{base}", os.path.relpath(out, page.parent))
        text = text.replace("{name}", html.escape(name)).replace("{body}", body)
        page.write_text(text, encoding="utf-8")


def _listed(folder: Path, *, files: bool = False) -> list[Path]:
    return sorted(
        path
        for path in folder.iterdir()
        if not path.name.startswith(("__pycache__", ".")) and (path.is_file() or not files)
    )


def _listing(folder: Path) -> str:
    """The folder's files, each with a link, and its folders."""
    rows = []
    for path in _listed(folder):
        name = html.escape(path.name)
        href = f"{html.escape(folder.name)}/{name}.html"
        rows.append(f'<li><a href="{href}">{name}</a></li>' if path.is_file() else f"<li>{name}/")
    return f"<ul>{''.join(rows)}</ul>"


def _text(path: Path) -> str:
    """The file's lines with their numbers."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return "<p>This file is not text.</p>"
    if len(text) > LARGEST:
        return f"<p>This file has {len(text):_} characters and is not shown.</p>"
    try:
        language = LANGUAGES.get(path.suffix)
        found = get_lexer_by_name(language) if language else get_lexer_for_filename(path.name)
        lexer = found if path.suffix in COLOURED else get_lexer_by_name("text")
    except ClassNotFound:
        lexer = get_lexer_by_name("text")
    shown: str = highlight(text, lexer, HtmlFormatter(linenos="inline", nowrap=False))
    return shown
