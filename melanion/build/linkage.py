# SPDX-License-Identifier: Apache-2.0
"""A program: an application linked with the library of one kernel (its files: kernel/sources.yaml).

Objects of a kernel are compiled once for all programs of a system.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import melanion.build.cache as cache
import melanion.build.crate as crate
import melanion.build.freertos as freertos
import melanion.build.library as library
import melanion.build.limits as limits
import melanion.build.missing as missing
import melanion.build.own as made
import melanion.build.remedies as remedies
import melanion.build.source_names as source_names
import melanion.build.stdio as stdio
import melanion.build.tools as tools
import melanion.build.units as units
from melanion import paths, soc
from melanion.build.app import App
from melanion.build.cache import Report
from melanion.build.errors import BuildError
from melanion.build.image import Image, read_elf
from melanion.build.source_names import SYSTEM, Names
from melanion.build.units import Unit
from melanion.config import System

# There is no rv32imc multilib: code is compiled for the core, and linked as rv32im.
ISA = {
    # Without Zbs, which the core has: with it gcc 12.2 fails ("unrecognizable insn") on a 2048.
    "main": "rv32imc_zicsr_zifencei_zba_zbb",
    "small": "rv32imc_zicsr_zifencei",
    "linux": "rv32ima_zicsr_zifencei",
}
# Functions begin at whole words: the core fetches words, so a call would otherwise take up to two
# cycles more or less with every change in another file.
C_FLAGS = shlex.split(
    "-std=c11 -O2 -g -ffreestanding -ffunction-sections -fdata-sections -fno-common"
    " -falign-functions=4"
    " -mabi=ilp32 --specs=picolibc.specs"
)
LINK_FLAGS = shlex.split(
    "-march=rv32im -mabi=ilp32 --specs=picolibc.specs -nostartfiles -static -Wl,--gc-sections"
    " -Wl,--no-warn-rwx-segments"
)

_FULL = re.compile(r"overflowed by (?P<bytes>\d+) bytes")


@dataclass(frozen=True)
class Program:
    """A built program. `folder` holds program.elf, image.bin, tracepoints; `kernel_origin`: where a
    kernel of others comes from; `sources`: where the folders are that its ELF names;
    `notes`: sentences about objects that its system has too few of."""

    app: App
    key: str
    folder: Path
    content: Image
    kernel_origin: str = ""
    sources: Names = ()
    notes: tuple[str, ...] = ()

    @property
    def elf(self) -> Path:
        return self.folder / "program.elf"

    @property
    def image(self) -> Path:
        return self.folder / "image.bin"

    @property
    def tracepoints(self) -> Path:
        return self.folder / "tracepoints"


def flags(system: System) -> list[str]:
    """Compiler flags of every source of a system's programs."""
    return [*C_FLAGS, f"-march={ISA[system.core.variant]}"]


def has_atomics(system: System) -> bool:
    """Its core has the instructions of the extension A."""
    return "a" in ISA[system.core.variant].partition("_")[0].removeprefix("rv32")


def versions() -> dict[str, str]:
    """The tools that make a program."""
    return {tools.CROSS_GCC: tools.version(tools.CROSS_GCC)}


def program(
    system: System,
    app: App,
    *,
    defines: Mapping[str, int | str] | None = None,
    report: Report = lambda _: None,
) -> Program:
    """An application linked for a system, built when the cache has none. `defines` are added to the
    application's own. Raises BuildError."""
    root = paths.data_root()
    app = crate.complete(app, report)
    if library.is_freertos(system):
        _refuse_interface(app, system)
    upstream = freertos.upstream(report) if library.is_freertos(system) else None
    macros = {**app.defines, **(defines or {})}
    own = _app_units(system, root, app, macros)
    config = _original_flags(root, app, macros) if library.is_original(system, app) else None
    common = _kernel_units(system, root, app, config)
    common += _upstream_units(system, upstream, root, config, macros)
    common += _calls(system, root)
    streams = stdio.stdio_units(system, root, app, config)
    generated = soc.files(system, {})
    used = {name: generated[name] for name in ("mel_system.h", "link.ld")}
    gcc = [*flags(system), *_found(upstream)]
    names = source_names.of_kernel(root, upstream)
    key = _key(system, app, [*own, *common, *streams], used, upstream)

    def make(work: Path) -> None:
        for name, text in used.items():
            (work / name).write_text(text, encoding="utf-8")
        words = [*_words(work, root), *source_names.flags((*names, *source_names.of_app(app)))]
        if app.compat and config is None:
            mine = [
                (u.source, [*words, *gcc, *u.flags]) for u in own if u.target.startswith("app_")
            ]
            missing.check(app.name, app.compat, mine)
        every = (*names, *source_names.of_app(app))
        # Errors of its own are told first.
        _own(work, system, app, own, used["mel_system.h"], upstream, every, key)
        if config is None:
            kept = [*common, *streams]
            _kept(work, system, gcc, kept, used["mel_system.h"], upstream, names, report)
        else:
            units.compile_all(work, [*words, *gcc], [*common, *streams], app.name, key)
        archive = stdio.link_words(work, streams, macros)
        _link(work, words[0], [*own, *common], archive, app, key, system)
        remedies.refuse_thread_local(app, system, work / "program.elf")
        limits.keep(app, work)
        image = read_elf(work / "program.elf")
        (work / "image.bin").write_bytes(image.data)
        (work / "tracepoints").write_text(image.tracepoints, encoding="ascii")

    what = f"building {app.name} for {system.name}"
    folder = cache.entry("program", key, make, report, what)
    origin = upstream.origin if upstream else ""
    names = (*names, (SYSTEM, folder), *source_names.of_app(app))
    content, notes = read_elf(folder / "program.elf"), limits.notes(system, app, folder)
    return Program(app, key, folder, content, origin, names, notes)


def _own(
    work: Path,
    system: System,
    app: App,
    own: Sequence[Unit],
    header: str,
    upstream: freertos.Upstream | None,
    names: Names,
    key: str,
) -> None:
    """The objects of an application and its interface come into `work`: after a change of one
    source, of it or of the kernel, the others are not compiled again. `header`: mel_system.h."""
    root = paths.data_root()
    shared = [
        ("mel_system.h", header.encode()),
        *units.included(_headers(root, app)),
        *_fetched(upstream),
        *_tools(flags(system)),
    ]

    def compile_into(place: Path, some: Sequence[Unit]) -> None:
        (place / "mel_system.h").write_text(header, encoding="utf-8")
        words = [*_words(place, root), *source_names.flags(names), *flags(system)]
        words += _found(upstream)
        name = f"{key}-{some[0].target}"
        units.compile_all(place, words, some, app.name, name, remedies.of_compiler(app, system))

    units.objects(work, own, {app.folder.resolve(): "app", root: "melanion"}, shared, compile_into)


def _words(work: Path, root: Path) -> list[str]:
    """The compiler, and where it finds what is generated."""
    generated = [f"-I{work}", f"-I{root / 'gen' / 'c'}"]
    return [tools.find(tools.CROSS_GCC), *generated, *source_names.flags([(SYSTEM, work)])]


def _kept(
    work: Path,
    system: System,
    gcc: Sequence[str],
    kernel: Sequence[Unit],
    header: str,
    upstream: freertos.Upstream | None,
    names: Names,
    report: Report,
) -> None:
    """The objects of the kernel, the same for all programs of a system, come into `work`.
    `header`: mel_system.h."""
    root = paths.data_root()
    headers = units.headers(_common_headers(root))
    decides = [
        ("mel_system.h", header.encode()),
        *_fetched(upstream),
        *_tools(flags(system)),
    ]
    key = cache.key_of(
        [
            *decides,
            *units.contents(kernel, {root: "melanion"}),
            *headers,
        ]
    )

    def compile_into(place: Path, some: Sequence[Unit]) -> None:
        (place / "mel_system.h").write_text(header, encoding="utf-8")
        words = [*_words(place, root), *source_names.flags(names), *gcc]
        units.compile_all(place, words, some, "the kernel", key)

    def make(place: Path) -> None:
        shared = [*decides, *units.included(headers)]
        units.objects(place, kernel, {root: "melanion"}, shared, compile_into)

    what = f"building the kernel of {system.name}"
    place = cache.entry("kernel", key, make, report, what)
    for unit in kernel:
        cache.same_file(place / unit.target, work / unit.target)


def _refuse_interface(app: App, system: System) -> None:
    """Interfaces that stand on atomic sequences (melanion/compound.h), which it does not have."""
    if (
        app.compat is None
        or app.compat.name in freertos.INTERFACES
        or library.is_original(system, app)
    ):
        return
    carried = ", ".join([freertos.KERNEL, *freertos.INTERFACES])
    raise BuildError(
        f"{app.name} is written for the interface {app.compat.name}, which the kernel {system.name}"
        f" does not carry (it carries {carried}); run it on another kernel.",
        2,
    )


def _key(
    system: System,
    app: App,
    sources: list[Unit],
    used: dict[str, str],
    upstream: freertos.Upstream | None,
) -> str:
    """Cache key of everything that decides a program; `used`: files that are made for its
    system."""
    root = paths.data_root()
    return cache.key_of(
        [
            *((name, text.encode()) for name, text in used.items()),
            *units.contents(sources, {app.folder.resolve(): "app", root: "melanion"}),
            *_headers(root, app),
            *((path.name, path.read_bytes()) for path in _constructors(app)),
            *_fetched(upstream),
            *_tools([*flags(system), *link_flags(system)]),
        ]
    )


def _common_headers(root: Path) -> list[tuple[str, Path]]:
    """All but interfaces of other kernels, which only their own programs include."""
    rooms = (path for path in sorted((root / "kernel").iterdir()) if path.is_dir())
    kernel = [(f"kernel/{path.name}", path) for path in rooms if path.name != "compat"]
    return [*kernel, ("gen", root / "gen" / "c")]


def _headers(root: Path, app: App) -> cache.Contents:
    """All that the sources of a program may include."""
    own = _app_headers(app)
    folders = [folder for _, folder in own]
    beyond = units.beyond(app.folder.resolve(), app.sources, folders)
    return [*units.headers([*_common_headers(root), *own]), *beyond]


def _app_headers(app: App) -> list[tuple[str, Path]]:
    """Header folders of an application and of its interface."""
    own = app.folder.resolve()
    named = (*(path.parent for path in app.sources), *app.folders)
    beside = {path.resolve() for path in named if not path.resolve().is_relative_to(own)}
    folders = [("app", app.folder), *((f"beside/{path.name}", path) for path in sorted(beside))]
    return [*folders, *([("compat", app.compat)] if app.compat else [])]


def _fetched(upstream: freertos.Upstream | None) -> cache.Contents:
    files = upstream.files if upstream else []
    return [(f"freertos/{path.name}", path.read_bytes()) for path in files]


def _tools(words: list[str]) -> cache.Contents:
    """The flags that all sources have, how debug information names them, the tools' versions."""
    return [
        ("flags", " ".join(words).encode()),
        ("names", Path(source_names.__file__).read_bytes()),
        ("tools", "\n".join(versions().values()).encode()),
    ]


def link_flags(system: System) -> list[str]:
    """Flags for the linker."""
    return [*LINK_FLAGS, *(freertos.LINK_FLAGS if library.is_freertos(system) else ())]


def _kernel_units(
    system: System, root: Path, app: App, config: tuple[str, ...] | None
) -> list[Unit]:
    """`config`: how the configuration of a program for the kernel itself is found."""
    flags = [*(config or ()), *library.flags(system, root, plain=config is not None)]
    sources = enumerate(library.sources(system, app))
    return [Unit(path, tuple(flags), library.object_name(i, path)) for i, path in sources]


def _calls(system: System, root: Path) -> list[Unit]:
    """The calls of a user's own commands."""
    own = made.own(system)
    if own is None:
        return []
    flags = (f"-I{own.folder}", *library.flags(system, root))
    return [Unit(own.source, flags, library.object_name(0, own.source))]


def _found(upstream: freertos.Upstream | None) -> list[str]:
    """Flags to find FreeRTOS's headers, for every source; -isystem silences their warnings."""
    if upstream is None:
        return []
    return [word for folder in upstream.includes for word in ("-isystem", str(folder))]


def _original_flags(root: Path, app: App, macros: Mapping[str, int | str]) -> tuple[str, ...]:
    """Flags to find FreeRTOSConfig.h, for a program for the kernel itself and for that kernel. The
    machine's own file comes first and includes the program's."""
    defines = [f"-D{name}={value}" for name, value in macros.items()]
    first = root / "kernel" / "compat" / freertos.KERNEL / freertos.KERNEL
    folders = (first, *(folder.resolve() for folder in (app.folder, *app.folders)))
    return (*(f"-I{folder}" for folder in folders), *defines)


def _upstream_units(
    system: System,
    upstream: freertos.Upstream | None,
    root: Path,
    config: tuple[str, ...] | None,
    macros: dict[str, int | str],
) -> list[Unit]:
    """FreeRTOS's own files, with our configuration and what an application says about it, or with
    that of a program for it."""
    if upstream is None:
        return []
    kernel = root / "kernel"
    port = tuple(f"-I{kernel / folder}" for folder in library.own_port(system))
    ours = (
        *(f"-I{kernel / folder}" for folder in library.implementations(system)["current"].include),
        f"-I{kernel / freertos.KERNEL / 'include'}",
        *(f"-D{name}={macros[name]}" for name in macros if name.startswith(freertos.OPTION)),
    )
    include = (f"-I{kernel / 'include'}", f"-I{kernel}")
    names = tuple(f"-D{old}={new}" for old, new in freertos.RENAMED.items())
    return [
        Unit(
            p,
            (*ours, *include, *names) if p.suffix == ".S" else (*(config or ours), *port, *include),
            f"freertos_{i}_{p.name}.o",
        )
        for i, p in enumerate(upstream.sources(system.core.count))
    ]


def _app_units(
    system: System, root: Path, app: App, defines: Mapping[str, int | str]
) -> list[Unit]:
    """Its own sources, and those of the interface that it is written for."""
    mine = [app.folder, *app.folders]
    place = [*(f"-I{folder.resolve()}" for folder in mine), *library.WARNINGS]
    place += [f"-D{name}={value}" for name, value in defines.items()]
    if (added := made.own(system)) is not None:
        place.append(f"-I{added.folder}")
    layer = app.compat
    if layer and library.is_original(system, app):
        layer = layer / freertos.KERNEL  # that alone
        kernel = (*library.own_port(system), "include", "")
        flags = [f"-I{layer}", *place, *(f"-I{root / 'kernel' / folder}" for folder in kernel)]
    else:
        flags = [*library.interface(system, root), *place]
    between = sorted(layer.glob("*.[cS]")) if layer else []
    if layer:
        part = layer / system.kernel_info.of  # files that differ on that kernel
        flags += [f"-I{folder}" for folder in dict.fromkeys((part, layer)) if folder.is_dir()]
    own = tuple(flags)
    if app.optimization:
        own += (app.optimization,)
    for header in app.included:
        own += ("-include", header)
    sources = [path.resolve() for path in app.sources]
    return [
        *(
            Unit(p, (*own, *_refused(app, p), *_options(app, p, defines)), f"app_{i}_{p.name}.o")
            for i, p in enumerate(sources)
        ),
        *(Unit(p, tuple(flags), f"compat_{i}_{p.name}.o") for i, p in enumerate(between)),
    ]


def _refused(app: App, source: Path) -> list[str]:
    """Flags that make an error of what would fail later, or would not: a call of a function that
    nobody declared. They change no code. Programs of other interfaces compile as they are."""
    refused = source.suffix == ".c" and app.compat is None
    return ["-Werror=implicit-function-declaration"] if refused else []


def _options(app: App, source: Path, defines: Mapping[str, int | str]) -> list[str]:
    """Flags of one source, without macros that have a value for the whole program."""
    given = tuple(f"-D{name}=" for name in defines)
    return [flag for flag in app.options.get(source, ()) if not flag.startswith(given)]


def _constructors(app: App) -> list[Path]:
    """The linker script of a program with sources in C++, which lists constructors of variables."""
    if not any(units.is_cpp(path) for path in app.sources):
        return []
    return [paths.data_root() / "kernel" / "compat" / freertos.KERNEL / "constructors.ld"]


def _link(
    work: Path,
    gcc: str,
    parts: list[Unit],
    libraries: list[str],
    app: App,
    key: str,
    system: System,
) -> None:
    objects = [str(work / part.target) for part in parts]
    words = [gcc, *link_flags(system)]
    for script in _constructors(app):
        words += ["-Wl,--wrap=main", "-T", str(script)]  # cpp.c runs them before main()
    words += ["-T", str(work / "link.ld"), *objects, *libraries]
    done = tools.run([*words, "-o", str(work / "program.elf")])
    if done.status == 0:
        return
    if match := _FULL.search(done.output):
        raise BuildError(
            f"{app.name}: the program is {match['bytes']} bytes too large for the"
            f" {system.memory.kib} KiB of {system.name}; raise memory.kib of the"
            " configuration, or make stacks and arrays smaller."
        )
    raise remedies.of_linker(app, system, parts, key, done.output)
