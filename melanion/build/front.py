# SPDX-License-Identifier: Apache-2.0
"""The browser's side of the page (studio/): its packages by lock file, its bundles by esbuild."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import melanion.build.cache as cache
import melanion.build.tools as tools
from melanion import paths
from melanion.build.cache import Report
from melanion.build.errors import BuildError

FOLDER = "studio"
LEFT_OUT = ("node_modules", "README.md")
_ERROR = re.compile(r"npm ERR!|\bERROR\b|error TS")


@dataclass(frozen=True)
class Front:
    """`site`: scripts, styles, index.html; `studio`: those of the page of `melanion studio`;
    `tools`: scripts for Node, of the same sources, with which tests compare the page with other
    parts."""

    site: Path
    studio: Path
    tools: Path


def front(*, report: Report = lambda _: None) -> Front:
    """The browser's side, made when the cache has none. Raises BuildError."""
    source = paths.data_root() / FOLDER
    files = sorted(path for path in source.rglob("*") if path.is_file() and _counts(path, source))
    key = cache.key_of(
        [
            *((str(path.relative_to(source)), path.read_bytes()) for path in files),
            ("tools", "\n".join(tools.version(name) for name in ("node", "npm")).encode()),
        ]
    )

    def make(work: Path) -> None:
        copy = work / "source"
        for path in files:
            place = copy / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)
        install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        made = (("build", "site"), ("studio", "studio"), ("tools", "tools"))
        for words in (install, *(["run", name, "--", str(work / to)] for name, to in made)):
            done = tools.run([tools.find("npm"), *words], folder=copy)
            if done.status != 0:
                sentence = (
                    f"npm {words[0]} failed in {FOLDER}/:"
                    f" {cache.first_error(done.output, _ERROR)}; correct what it names, or look"
                    " whether the network reaches the registry of npm"
                )
                raise BuildError(cache.tool_failed(key, done.output, sentence))
        tools.remove_folder(copy)

    place = cache.entry("front", key, make, report, "bundling the page's scripts")
    return Front(place / "site", place / "studio", place / "tools")


def _counts(path: Path, source: Path) -> bool:
    first = path.relative_to(source).parts[0]
    return first not in LEFT_OUT
