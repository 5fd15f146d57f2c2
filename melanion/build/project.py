# SPDX-License-Identifier: Apache-2.0
"""A program for FreeRTOS as it is, without app.yaml: a folder, or what a list or a
compile_commands.json names. FreeRTOS's own files in it are left out: the kernel brings them."""

from __future__ import annotations

import re
from pathlib import Path

import melanion.build.given as given_files
import melanion.build.kernel_copy as kernel_copy
from melanion import paths
from melanion.build.app import CONFIG, CYCLES, App
from melanion.build.errors import BuildError
from melanion.build.given import SUFFIXES, Given

# Compilers of FreeRTOS projects know GNU's extensions of C unless they are told otherwise.
C_STANDARD = "-std=gnu17"


def freertos_application(text: str | Path, sources: Path | None = None) -> App:
    """A program for FreeRTOS by folder, or by name when it comes with Melanion; `sources`: a list,
    or a compile_commands.json, instead of all that the folder holds. Raises BuildError."""
    folder = Path(text)
    if not folder.is_dir() and (known := _delivered().get(str(text))) is not None:
        folder = known
    _check(folder, str(text))
    given = given_files.of_folder(folder) if sources is None else _of_list(sources, folder)
    left_out = [path for path in given.sources if kernel_copy.is_copied(path, folder)]
    own = [path for path in given.sources if path not in set(left_out)]
    if not own:
        raise BuildError(
            f"{text}: there is no {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file of its own in"
            f" {'it' if sources is None else sources}; name the folder that holds the program's"
            " sources.",
            2,
        )
    folders = [
        path for path in (*given.folders, *given.found) if not kernel_copy.holds_headers(path)
    ]
    place = _place_of_config(folder, given, str(text), sources)
    kernel_copy.refuse_mixed([place, *([folder] if sources is None else [])], own, CONFIG)
    name = re.sub(r"[^a-z0-9]+", "_", folder.resolve().name.lower()).strip("_") or "program"
    return App(
        name,
        name,
        folder if sources is None else place,
        tuple(own),
        given.defines,
        CYCLES,
        paths.data_root() / "kernel" / "compat" / "freertos",
        folders=tuple(dict.fromkeys([place, *folders] if place != folder else folders)),
        left_out=len(left_out),
        options={path.resolve(): tuple(_options(given, path)) for path in own},
        named_in=str(text if sources is None else sources),
        notes=(*kernel_copy.notes(left_out), *given.notes),
    )


def _of_list(file: Path, folder: Path) -> Given:
    """Content of a list; the program's folder is searched for headers, too."""
    given = given_files.of_list(file, folder)
    given.found.append(folder)
    return given


def _options(given: Given, source: Path) -> list[str]:
    """Flags of one source: the standard of its language, and what its own entry says."""
    c = given.standards.get("c", C_STANDARD) if source.suffix == ".c" else ""
    cpp = given.standards.get("c++", "") if source.suffix not in (".c", ".S") else ""
    return [*(flag for flag in (c, cpp) if flag), *given.options.get(source.resolve(), [])]


def _delivered() -> dict[str, Path]:
    found = (path.parent for path in (paths.data_root() / "apps").glob(f"*/*/{CONFIG}"))
    return {folder.name: folder for folder in found if not (folder / "app.yaml").is_file()}


def _check(folder: Path, text: str) -> None:
    if not folder.is_dir():
        known = ", ".join(sorted(_delivered())) or "there are none"
        raise BuildError(
            f"{text!r} is neither a folder nor a program for FreeRTOS that comes with Melanion"
            f" ({known}); with --freertos name a folder that holds {CONFIG} and sources.",
            2,
        )
    if (folder / "app.yaml").is_file():
        raise BuildError(
            f"{text}: it holds app.yaml, which says what to build; leave --freertos out, or remove"
            " app.yaml.",
            2,
        )


def _place_of_config(folder: Path, given: Given, text: str, sources: Path | None) -> Path:
    """The folder of the program's FreeRTOSConfig.h: the first that a list names; else the
    program's; else the only one in it, not counting those of a copy of FreeRTOS."""
    named = [path for path in given.folders if (path / CONFIG).is_file()]
    if sources is not None and named:
        return named[0]
    if (folder / CONFIG).is_file():
        return folder
    whole = sorted(path.parent for path in folder.rglob(CONFIG))
    found = [place for place in whole if not kernel_copy.is_within(place / CONFIG, folder)] or whole
    if len(found) == 1:
        return found[0]
    if found:
        raise BuildError(
            f"{text}: {CONFIG} is in several folders of it"
            f" ({', '.join(str(path.relative_to(folder)) for path in found)}); name one of them"
            " with a line -IFOLDER in a list of sources (--sources LIST).",
            2,
        )
    raise BuildError(
        f"{text}: there is no {CONFIG} in it; put the program's own there, with"
        " configTICK_RATE_HZ and configMAX_PRIORITIES at least.",
        2,
    )
