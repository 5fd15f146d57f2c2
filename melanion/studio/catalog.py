# SPDX-License-Identifier: Apache-2.0
"""Programs of the studio: the gallery, the examples for FreeRTOS, and the folder that was named."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from melanion import build, config, paths
from melanion.build import App, Report, freertos
from melanion.build.app import CONFIG
from melanion.errors import meant
from melanion.results.repeat import Repeat, repeatable
from melanion.run import RunResult
from melanion.studio.errors import StudioError
from melanion.studio.files import Folder
from melanion.studio.gallery import load
from melanion.studio.limits import Chosen
from melanion.studio.page import row
from melanion.studio.programs import known

FOLDER = "folder"  # name of the program in the visitor's own folder
FIRST = "hwrtos"  # built to know the values that variables have in the source
CYCLES = 200_000  # of a run that nothing describes


class Catalog:
    """`folder`: of the visitor."""

    def __init__(self, folder: Folder | None) -> None:
        self.folder = folder
        self.examples = {
            path.parent.name: path.parent
            for path in sorted((paths.data_root() / "apps" / "examples").glob(f"*/{CONFIG}"))
            if not (path.parent / "app.yaml").is_file()
        }

    @property
    def names(self) -> list[str]:
        return [*([FOLDER] if self.folder else []), *load().programs, *self.examples]

    def rows(self, systems: list[str], report: Report) -> list[dict[str, Any]]:
        """All programs as the manifest has them. Raises BuildError."""
        gallery = load()
        found = [] if self.folder is None else [self._own(self.folder, systems)]
        for name, each in gallery.programs.items():
            first = known(gallery, name, config.find(FIRST), report)
            found.append({**row(name, each, systems, first), "own": False})
        for name in self.examples:
            title = f"example: {name.replace('_', ' ')}"
            text = f"A program for FreeRTOS as it is (apps/examples/{name})."
            found.append(_plain(name, title, text, systems))
        return found

    def ordered(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The first program is the one that a page begins with: not that of an empty folder."""
        if self.folder is None or self.folder.listed():
            return rows
        return sorted(rows, key=lambda row: row["name"] == FOLDER)

    def _own(self, folder: Folder, systems: list[str]) -> dict[str, Any]:
        text = f"The sources in {folder.root}, edited below."
        title = f"your folder: {folder.root.name}"
        return _plain(FOLDER, title, text, self._fitting(systems))

    def application(self, name: str) -> App:
        """Raises BuildError, StudioError."""
        if name == FOLDER and self.folder is not None:
            root = self.folder.root
            return (
                build.freertos_application(root) if self._is_freertos else build.application(root)
            )
        return build.freertos_application(self._delivered(name))

    def command(self, wanted: Chosen) -> str:
        """The command that does the same as a run of the studio."""
        place, system, is_freertos = self._named(wanted)
        words = ["melanion", "run", place, "--kernel", system]
        words += ["--freertos"] if is_freertos else []
        words += ["--seed", str(wanted.seed), "--wait-states", wanted.wait_states]
        words += ["--max-cycles", str(wanted.cycles)]
        for name, value in wanted.knobs.items():
            words += ["--set", f"{name}={value}"]
        for pulse in wanted.pulses:
            words += ["--pulse", f"{pulse.line}@{pulse.cycle}"]
        return shlex.join(words)

    def repeat(self, wanted: Chosen, result: RunResult) -> dict[str, Any]:
        """Entry of a stored run that lets it be repeated."""
        place, system, is_freertos = self._named(wanted)
        return repeatable(result, place, system, freertos=is_freertos)

    def program_of(self, found: Repeat) -> str:
        """Name in the studio of the program of a stored run. Raises StudioError."""
        if self.folder is not None and found.program == str(self.folder.root):
            return FOLDER
        delivered = {
            **{name: load().folder(name) for name in load().programs},
            **self.examples,
        }
        for name, folder in delivered.items():
            if found.freertos and found.program in (name, str(folder.resolve())):
                return name
        raise StudioError(
            f"its program is {found.program}, which is none of this studio; start it as `melanion"
            f" studio {shlex.quote(found.program)}`.",
            2,
        )

    def system_of(self, found: Repeat) -> str:
        """Name in the studio of the system of a stored run."""
        if self.folder is None or not Path(found.system).is_relative_to(self.folder.root):
            return found.system
        return f"./{Path(found.system).relative_to(self.folder.root).as_posix()}"

    def _named(self, wanted: Chosen) -> tuple[str, str, bool]:
        """Program and system as a command line names them, and whether `--freertos` is there."""
        own = wanted.program == FOLDER and self.folder is not None
        place = str(self.folder.root) if own and self.folder else wanted.program
        system = wanted.system
        if self.folder and (system.endswith((".yaml", ".yml")) or "/" in system):
            system = str(self.folder.root / system.removeprefix("./"))
        return place, system, not own or self._is_freertos

    def _fitting(self, systems: list[str]) -> list[str]:
        """Systems for the program of the folder: FreeRTOS runs its own programs, and interfaces
        that it carries."""
        compat = None if self._is_freertos else self.application(FOLDER).compat
        if self._is_freertos or (compat and compat.name in freertos.INTERFACES):
            return systems
        return [name for name in systems if config.find(name).kernel != freertos.KERNEL]

    @property
    def _is_freertos(self) -> bool:
        return self.folder is not None and not (self.folder.root / "app.yaml").is_file()

    def _delivered(self, name: str) -> Path:
        gallery = load()
        if name in gallery.programs:
            return gallery.folder(name)
        if name in self.examples:
            return self.examples[name]
        hint = meant(name, self.names, "name one of them")
        raise StudioError(
            f"{name!r} is no program of the studio (there are {', '.join(self.names)}); {hint}.", 2
        )


def _plain(name: str, title: str, text: str, systems: list[str]) -> dict[str, Any]:
    """A program that nothing describes: its region comes with its first run. `own`: the page lets
    the visitor say how long it runs and which interrupts it gets."""
    return {
        "name": name,
        "title": title,
        "text": text,
        "systems": systems,
        "cycles": CYCLES,
        "lines": [],
        "region": None,
        "knobs": [],
        "own": True,
    }
