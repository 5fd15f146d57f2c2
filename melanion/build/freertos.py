# SPDX-License-Identifier: Apache-2.0
"""The files of FreeRTOS-Kernel (docs/decisions/0025): fetched by cargo, never part of this project.

The crate is fetched once, at the first build, and what is compiled of it is kept in the cache. At
every build each file is compared with the list of checksums in the kernel's folder. A copy of the
user's own (`--freertos-kernel`, which sets FOLDER) must have the version; its files may differ, and
the provenance says which.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import melanion.build.cache as cache
import melanion.build.crate as crate
import melanion.build.tools as tools
from melanion import paths
from melanion.build.cache import Report
from melanion.build.errors import BuildError, FetchError

KERNEL = "freertos"  # spec/kernels.yaml
CRATE, CRATE_VERSION = "freertos-next", "0.12.0"
VERSION = "V11.2.0"
CARGO_MINIMUM = (1, 85)  # the first that knows the edition of the crate, 2024
FOLDER = "MELANION_FREERTOS_KERNEL"  # in the environment, so that parallel runs have it, too

OPTION = "MEL_FREERTOS_"  # begins what an application's `defines` say to FreeRTOSConfig.h
INTERFACES = ("thread_metric",)  # folders of kernel/compat that it can carry
PORT = Path("portable", "GCC", "RISC-V")
_COMMON = "event_groups.c list.c queue.c stream_buffer.c tasks.c timers.c"
# Kernel files that are compiled, and those of its port, which serves one core.
SOURCES = tuple(map(Path, shlex.split(_COMMON)))
PORT_SOURCES = (PORT / "port.c", PORT / "portASM.S")
OWN_PORT = f"{KERNEL}/smp/port"  # in kernel/: headers of the port for several cores, which is ours
HEAP = Path("portable", "MemMang", "heap_4.c")
# The port's three handlers are our vectors: its assembly is compiled with other names.
RENAMED = {
    "freertos_risc_v_exception_handler": "mel_vector_exception",
    "freertos_risc_v_mtimer_interrupt_handler": "mel_vector_timer",
    "freertos_risc_v_interrupt_handler": "mel_vector_external",
}
# The port's handlers run on the stack of ours: frame.h, MEL_INTERRUPT_STACK_TOP.
LINK_FLAGS = ("-Wl,--defsym=__freertos_irq_stack_top=mel_interrupt_stack+2048-16",)

_VERSION_TEXT = re.compile(r'tskKERNEL_VERSION_NUMBER\s+"(?P<version>[^"]*)"')
_OWN_COPY = "give a copy of the kernel with --freertos-kernel DIR"


@dataclass(frozen=True)
class Upstream:
    """The kernel's files. `origin`: where they come from, for provenance."""

    folder: Path
    origin: str

    @property
    def includes(self) -> tuple[Path, ...]:
        """Include folders of FreeRTOS."""
        return self.folder / "include", self.folder / PORT, (self.folder / HEAP).parent

    def sources(self, cores: int) -> list[Path]:
        """Sources compiled for every program; the allocator is in kernel/compat/freertos/freertos,
        the port for several cores in kernel/freertos/smp."""
        names = SOURCES if cores > 1 else (*SOURCES, *PORT_SOURCES)
        return [self.folder / name for name in names]

    @property
    def files(self) -> list[Path]:
        """Everything that decides a program."""
        return [self.folder / name for name in _checksums()]


def upstream(report: Report = lambda _: None) -> Upstream:
    """The kernel's files: of FOLDER, else of the crate, fetched when the cache has none. Raises
    BuildError."""
    given = os.environ.get(FOLDER)
    if given:
        return _given(Path(given))
    list_of_ours = _list().read_bytes()
    key = cache.key_of([("crate", f"{CRATE} {CRATE_VERSION}".encode()), ("list", list_of_ours)])
    what = f"fetching FreeRTOS-Kernel {VERSION} (crate {CRATE} {CRATE_VERSION})"
    folder = cache.entry("freertos", key, _fetch, report, what)
    return Upstream(folder, f"{VERSION}, crate {CRATE} {CRATE_VERSION}, checksums as pinned")


def _given(folder: Path) -> Upstream:
    """A copy of the user's own."""
    header = folder / "include" / "task.h"
    try:
        match = _VERSION_TEXT.search(header.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise BuildError(
            f"--freertos-kernel {folder}: {header} cannot be read ({error.strerror}); name the"
            " folder of FreeRTOS-Kernel that holds tasks.c and include/task.h.",
            2,
        ) from error
    found = match["version"] if match else "no version"
    if found != VERSION:
        raise BuildError(
            f"--freertos-kernel {folder}: include/task.h says {found}; this kernel is measured as"
            f" {VERSION}; name a copy of that version.",
            2,
        )
    missing = [name for name in _checksums() if not (folder / name).is_file()]
    if missing:
        raise BuildError(
            f"--freertos-kernel {folder}: there is no {missing[0]} in it; name a whole copy of"
            f" {VERSION}.",
            2,
        )
    differing = _differing(folder)
    files = f"files that differ from the pinned ones: {', '.join(differing)}" if differing else ""
    return Upstream(folder.resolve(), f"{VERSION}, a given copy, {files or 'checksums as pinned'}")


# ---- checksums -----------------------------------------------------------------------------------


def _list() -> Path:
    return paths.data_root() / "kernel" / KERNEL / "kernel.sha256"


def _checksums() -> dict[str, str]:
    """Place of a file → SHA-256."""
    lines = _list().read_text(encoding="ascii").split("\n")
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines) if name}


def _differing(folder: Path) -> list[str]:
    return [name for name, digest in _checksums().items() if _digest(folder / name) != digest]


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return "missing"


# ---- cargo ---------------------------------------------------------------------------------------


def _fetch(work: Path) -> None:
    """Copy the files of the crate that are on the list into a cache entry."""
    kernel = _crate(work / "cargo") / "FreeRTOS-Kernel"
    for name, digest in _checksums().items():
        if (found := _digest(kernel / name)) != digest:
            raise BuildError(
                f"{name} of the crate {CRATE} {CRATE_VERSION} has the SHA-256 {found[:16]}…, and"
                f" {digest[:16]}… is pinned in {_list().name}; the crate that cargo has is not the"
                f" one that was measured: remove {kernel.parent} and build again, or {_OWN_COPY}."
            )
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(kernel / name, work / name)
    tools.remove_folder(work / "cargo")


def _crate(project: Path) -> Path:
    """The crate's sources, fetched by a package that needs nothing else. Raises BuildError."""
    cargo = _cargo()
    found = crate.located(cargo, project, CRATE, CRATE_VERSION)
    if isinstance(found, Path):
        return found
    if not found:
        raise BuildError(
            f"cargo said nothing about the crate {CRATE}; run it again, or {_OWN_COPY}."
        )
    raise FetchError(
        f"cargo could not fetch the crate {CRATE} {CRATE_VERSION}, which holds the kernel"
        f" freertos: {crate.complaint(found)}; connect to the network once, or {_OWN_COPY}."
    )


@lru_cache(maxsize=1)
def _cargo() -> str:
    path = shutil.which("cargo")
    least = ".".join(map(str, CARGO_MINIMUM))
    remedy = f"install Rust {least} or newer, or {_OWN_COPY} (`melanion doctor` looks for it)"
    if path is None:
        raise FetchError(
            "cargo was not found on PATH; it fetches the kernel freertos (crate"
            f" {CRATE} {CRATE_VERSION}); {remedy}."
        )
    text = tools.run([path, "--version"]).output
    match = re.search(r"(\d+)\.(\d+)", text)
    if match is None or (int(match[1]), int(match[2])) < CARGO_MINIMUM:
        raise FetchError(
            f"cargo is {match[0] if match else 'of an unknown version'}; the crate {CRATE}"
            f" {CRATE_VERSION}, which holds the kernel freertos, needs {least}; {remedy}."
        )
    return path
