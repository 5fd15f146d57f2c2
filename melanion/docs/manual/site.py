# SPDX-License-Identifier: Apache-2.0
"""Build of the manual: HTML that any static host serves, or that a browser opens from the disk. No
page asks another host for anything. Every warning of Sphinx is an error."""

from __future__ import annotations

import io
import re
import shutil
import tempfile
from pathlib import Path

from melanion import __version__
from melanion.docs.errors import DocsError
from melanion.docs.manual import staging

FOLDER = staging.ROOT / "build" / "manual"
THEME = Path(__file__).with_name("theme")
STYLES = ("manual.css", "source.css")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
TO_VERSION = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Melanion</title>
<meta http-equiv="refresh" content="0; url={version}/index.html"></head>
<body><a href="{version}/index.html">Melanion {version}</a></body></html>
"""
SETTINGS: dict[str, object] = {
    "project": "Melanion",
    "version": __version__,
    "release": __version__,
    "copyright": "The Melanion authors",
    "language": "en",
    "extensions": ["myst_parser", "melanion.docs.manual.sources"],
    "myst_heading_anchors": 6,
    "myst_url_schemes": ["http", "https", staging.SCHEME],
    "nitpicky": True,
    # Tables that a command makes begin below a page's title with a heading of the third level.
    "suppress_warnings": ["myst.header"],
    "html_theme": "furo",
    "html_title": f"Melanion {__version__}",
    "html_copy_source": False,
    "html_show_sourcelink": False,
    "html_css_files": STYLES[:1],
    "pygments_style": "default",
}


def build(folder: Path, *, root: Path = staging.ROOT) -> Path:
    """Build the manual into `folder`/<version>, whose content it replaces; returns its first page.
    DocsError: a page, link or reference is wrong, or Sphinx is not installed."""
    try:
        from sphinx.application import Sphinx
        from sphinx.util.docutils import docutils_namespace
    except ImportError:
        raise DocsError("Sphinx is not installed; `make docs` installs it.") from None
    said = io.StringIO()
    with tempfile.TemporaryDirectory(prefix="melanion-manual-") as place:
        pages, style, trees, out = (
            Path(place) / name for name in ("pages", "style", "trees", "out")
        )
        pages.mkdir()
        style.mkdir()
        staging.stage(pages, root)
        for name in STYLES:
            shutil.copyfile(THEME / name, style / name)
        with docutils_namespace():
            app = Sphinx(
                pages,
                None,
                out,
                trees,
                "html",
                confoverrides={
                    **SETTINGS,
                    "html_static_path": [str(style)],
                    "tree_root": str(root),
                },
                status=None,
                warning=said,
            )
            app.build()
        warnings = COLOUR.sub("", said.getvalue()).replace(f"{pages}/", "").strip()
        if warnings:
            raise DocsError(f"the manual has errors:\n{warnings}")
        shutil.rmtree(folder / __version__, ignore_errors=True)
        shutil.copytree(out, folder / __version__)
    (folder / "index.html").write_text(TO_VERSION.format(version=__version__), encoding="utf-8")
    return folder / "index.html"
