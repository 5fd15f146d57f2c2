# SPDX-License-Identifier: Apache-2.0
"""Libraries that an application compiles out of a crate (docs/decisions/0047): fetched by cargo,
pinned file by file, never part of this project.

The crate is fetched once, at the first build of the application; its listed files are kept in the
cache. A list has a line for each file, as `sha256sum` writes it; sources among them are compiled.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import melanion.build.cache as cache
import melanion.build.tools as tools
from melanion.build.app import App, Crate
from melanion.build.cache import Report
from melanion.build.errors import BuildError, FetchError

SUFFIXES = (".c", ".S")


def complete(app: App, report: Report = lambda _: None) -> App:
    """The application with the sources and header folders of its crate. Raises BuildError."""
    crate = app.crate
    if crate is None:
        return app
    folder = fetched(crate, report)
    sources = [folder / name for name in checksums(crate) if Path(name).suffix in SUFFIXES]
    return replace(
        app,
        sources=(*app.sources, *sources),
        folders=(*app.folders, *(folder / name for name in crate.include)),
    )


def fetched(crate: Crate, report: Report = lambda _: None) -> Path:
    """The listed files, in the cache. Raises BuildError."""
    pinned = crate.files.read_bytes()
    key = cache.key_of([("crate", f"{crate.name} {crate.version}".encode()), ("list", pinned)])
    what = f"fetching the crate {crate.name} {crate.version}"
    return cache.entry("crate", key, lambda work: _fetch(crate, work), report, what)


def checksums(crate: Crate) -> dict[str, str]:
    """Place of a file → SHA-256. Raises BuildError."""
    found = {}
    for number, line in enumerate(crate.files.read_text(encoding="utf-8").splitlines(), 1):
        match = re.fullmatch(r"([0-9a-f]{64})  ([\w./-]+)", line)
        if match is None or ".." in match[2] or match[2].startswith("/"):
            raise BuildError(
                f"{crate.files}:{number}: {line!r} is no SHA-256, two spaces and a file of the"
                " crate; write what sha256sum says in the crate's folder.",
                2,
            )
        found[match[2]] = match[1]
    return found


def _fetch(crate: Crate, work: Path) -> None:
    """Copy the listed files of the crate into a cache entry."""
    pinned = checksums(crate)  # a wrong list is told of without cargo
    folder = _folder(crate, work / "cargo")
    for name, digest in pinned.items():
        place = folder / name
        there = hashlib.sha256(place.read_bytes()).hexdigest() if place.is_file() else "missing"
        if there != digest:
            raise BuildError(
                f"{name} of the crate {crate.name} {crate.version} has the SHA-256 {there[:16]}…,"
                f" and {digest[:16]}… is pinned in {crate.files.name}; the crate that cargo has is"
                f" not the one that was measured: remove {folder} and build again."
            )
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(place, work / name)
    tools.remove_folder(work / "cargo")


def _folder(crate: Crate, project: Path) -> Path:
    """The crate's sources. Raises BuildError."""
    cargo = shutil.which("cargo")
    if cargo is None:
        raise FetchError(
            f"cargo was not found on PATH; it fetches the crate {crate.name} {crate.version};"
            " install Rust (`melanion doctor` looks for it)."
        )
    found = located(cargo, project, crate.name, crate.version)
    if isinstance(found, Path):
        return found
    raise FetchError(
        f"cargo could not fetch the crate {crate.name} {crate.version}: {complaint(found)}; connect"
        " to the network once."
    )


def located(cargo: str, project: Path, name: str, version: str) -> Path | str:
    """The folder of a crate's sources, fetched by a package in `project` that needs nothing else;
    or what cargo said instead."""
    (project / "src").mkdir(parents=True)
    (project / "src" / "lib.rs").write_text("", encoding="ascii")
    (project / "Cargo.toml").write_text(
        '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\n'
        f'{name} = "={version}"\n',
        encoding="ascii",
    )
    done = tools.run([cargo, "metadata", "--format-version", "1", "--quiet"], folder=project)
    if done.status != 0:
        return done.output
    for line in done.output.splitlines():
        if line.startswith("{"):
            packages = json.loads(line)["packages"]
            found = [each["manifest_path"] for each in packages if each["name"] == name]
            return Path(found[0]).parent
    return ""


def complaint(output: str) -> str:
    """The first error in what cargo said."""
    return cache.first_error(output, re.compile(r"^\s*(error|Caused by|.*failed)\b"))
