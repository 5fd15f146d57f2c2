# SPDX-License-Identifier: Apache-2.0
"""Tables that say what is where equal the tree: interfaces, folders, headers, the glossary.

Each rule is a function from a text to findings, and is itself tested with a planted stale row.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import get_args

from mel_gen import KERNELS
from pydantic import BaseModel

from melanion import config, paths
from melanion.build import library

ROOT = paths.data_root()
KERNEL = ROOT / "kernel"
SPAN = re.compile(r"`([\w-]+)`")
# The names that open an entry of a cell: "`one`, `several`: …; `smp`: …".
LISTED = re.compile(r"(?:^|[;,] )`(\w+)`(?=[:,]|$)")
INCLUDE = re.compile(r'#include [<"]([\w/]+)/([\w.]+)[">]')


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def rows(text: str, head: str) -> dict[str, list[str]]:
    """First cell → other cells, of the table whose first row begins with `head`."""
    found = {}
    table = re.search(rf"^\| {head} \|.*\n\|.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table, head
    for line in table[1].splitlines():
        name, *cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        found[name.strip("`")] = cells
    return found


def difference(said: set[str], there: set[str]) -> list[str]:
    """Names in a text that do not exist, and names that it leaves out."""
    return sorted(
        [f"{x}: not there" for x in said - there] + [f"{x}: left out" for x in there - said]
    )


# ---- interfaces of the kernel --------------------------------------------------------------------


def chosen() -> dict[str, set[str]]:
    """Interface → its implementations, as the configurations of the tree choose them."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in config.names():
        for interface, implementation in config.find(name).implementations.items():
            found[interface].add(implementation)
    return found


def wrong_interfaces(text: str) -> list[str]:
    """Interfaces and implementations of the table that differ from those that are linked."""
    table, there = rows(text, "interface"), chosen()
    found = difference(set(table), set(there))
    for interface in sorted(set(table) & set(there)):
        listed = set(LISTED.findall(table[interface][1]))
        found += [f"{interface}: {wrong}" for wrong in difference(listed, there[interface])]
    return found


def test_the_table_of_interfaces_is_that_of_the_tree() -> None:
    linked = {name: set(each) for name, each in library.kernels().interfaces.items()}
    assert linked == chosen()
    assert wrong_interfaces(text_of("kernel/README.md")) == []


def test_a_stale_interface_and_implementation_are_found() -> None:
    text = text_of("kernel/README.md")
    assert wrong_interfaces(text.replace("| `cores` |", "| `corps` |")) == [
        "cores: left out",
        "corps: not there",
    ]
    assert wrong_interfaces(text.replace("`poll`: none", "`pull`: none")) == [
        "ipi: poll: left out",
        "ipi: pull: not there",
    ]


# ---- sources of the kernel -----------------------------------------------------------------------


def unlisted(table: library.Kernels) -> list[str]:
    """Sources that no list of kernel/sources.yaml has, and names that are no file."""
    lists = [table.every, *table.kernels.values(), table.original, table.streams]
    lists += [*table.several.values(), table.original_several]
    ways = [each for of in table.interfaces.values() for each in of.values()]
    said = {name for names in lists for name in names if not name.startswith("<")}
    said |= {name for way in ways for name in (way.header, *way.sources)}
    there = {
        path.relative_to(KERNEL).as_posix()
        for path in KERNEL.rglob("*.[cS]")
        if "compat" not in path.parts
    }
    missing = {name for name in said if not (KERNEL / name).is_file()}
    return sorted([f"{name}: in no list" for name in there - said] + [*missing])


def test_every_source_of_the_kernel_is_in_a_list() -> None:
    assert unlisted(library.kernels()) == []


def test_a_source_in_no_list_and_a_name_without_a_file_are_found() -> None:
    table = library.kernels()
    tasks = [name.replace("unit/task.c", "unit/tusk.c") for name in table.kernels["hwrtos"]]
    bus = {**table.interfaces["coupling"]}
    bus["port"] = bus["port"].model_copy(update={"header": "unit/port/prt.h"})
    changed = table.model_copy(
        update={
            "kernels": {"hwrtos": tasks, "sw": table.kernels["sw"]},
            "interfaces": {**table.interfaces, "coupling": bus},
        }
    )
    assert {
        "booster/booster.c: in no list",
        "unit/port/prt.h",
        "unit/task.c: in no list",
        "unit/tusk.c",
    } <= set(unlisted(changed))


# ---- glossary ------------------------------------------------------------------------------------


def wrong_glossary(text: str) -> list[str]:
    """Names in rows of the glossary that list a kind whole."""
    table = rows(text, "word")
    kinds = {
        "coupling": {info.coupling for info in KERNELS.values()} - {"none"},
        "kernel": set(KERNELS),
    }
    return [
        f"{word}: {wrong}"
        for word, names in kinds.items()
        for wrong in difference(set(SPAN.findall(table[word][0])), names)
    ]


def test_the_glossary_lists_what_there_is() -> None:
    assert wrong_glossary(text_of("docs/glossary.md")) == []


def test_a_stale_glossary_is_found() -> None:
    text = text_of("docs/glossary.md").replace("`rtu`", "`utr`")
    assert wrong_glossary(text) == [
        "kernel: rtu: left out",
        "kernel: utr: not there",
    ]


# ---- folders and headers -------------------------------------------------------------------------


def folders(place: Path) -> set[str]:
    return {path.name for path in place.iterdir() if path.is_dir()}


def wrong_kernel_folders(text: str) -> list[str]:
    """Rows for the folders of kernel/, and the lists in them."""
    table = rows(text, "folder")
    found = difference({name.split("/")[0] for name in table}, folders(KERNEL))
    layers = set(SPAN.findall(table["compat/<interface>/"][0])) - {"ecall"}
    found += difference(layers, folders(KERNEL / "compat"))
    return found


def wrong_headers(text: str) -> list[str]:
    """The headers that melanion.h does not include."""
    folder = KERNEL / "include" / "melanion"
    included = {match[2] for match in INCLUDE.finditer((folder / "melanion.h").read_text())}
    there = {path.name for path in folder.iterdir()} - included - {"melanion.h"}
    cell = rows(text, "folder")["include/melanion/"][0]
    return difference(set(re.findall(r"`(\w+\.h)`", cell)) - {"melanion.h"}, there)


def wrong_soc_folders(text: str) -> list[str]:
    soc = ROOT / "soc"
    cores = {f"cores/{name}" for name in folders(soc / "cores")}
    there = folders(soc) - {"cores"} | cores
    return difference({name.rstrip("/") for name in rows(text, "folder")}, there)


def test_the_tables_of_folders_are_those_of_the_tree() -> None:
    kernel = text_of("kernel/README.md")
    assert wrong_kernel_folders(kernel) == []
    assert wrong_headers(kernel) == []
    assert wrong_soc_folders(text_of("soc/README.md")) == []


def test_stale_folders_and_headers_are_found() -> None:
    kernel, soc = text_of("kernel/README.md"), text_of("soc/README.md")
    assert wrong_kernel_folders(kernel.replace("`itron` (", "`tron` (")) == [
        "itron: left out",
        "tron: not there",
    ]
    assert wrong_kernel_folders(kernel.replace("| `arch/riscv/` |", "| `arc/riscv/` |")) == [
        "arc: not there",
        "arch: left out",
    ]
    assert wrong_headers(kernel.replace("`device.h`", "`devices.h`")) == [
        "device.h: left out",
        "devices.h: not there",
    ]
    assert wrong_soc_folders(soc.replace("| `debug/` |", "| `debugger/` |")) == [
        "debug: left out",
        "debugger: not there",
    ]


# ---- keys of a configuration ---------------------------------------------------------------------


def keys(row: type[BaseModel], before: str = "") -> set[str]:
    """Dotted names of all keys; of `parameters`, which have a page of their own, that name."""
    found: set[str] = set()
    for name, field in row.model_fields.items():
        kinds = [field.annotation, *get_args(field.annotation)]
        inner = [x for x in kinds if isinstance(x, type) and issubclass(x, BaseModel)]
        if inner and name != "parameters":
            found |= keys(inner[0], f"{before}{name}.")
        else:
            found.add(f"{before}{name}")
    return found


def wrong_keys(text: str) -> list[str]:
    """Keys of the page that are not those of a system. A row of a part stands for its keys."""
    said = {name for row in rows(text, "key") for name in re.findall(r"`([\w.]+)`", f"`{row}`")}
    there = keys(config.System)
    whole = {name for name in said if any(key.startswith(f"{name}.") for key in there)}
    parts = tuple(f"{name}." for name in whole - {"core"})
    return difference(said - whole, {key for key in there if not key.startswith(parts)})


def test_the_page_of_keys_has_all_keys() -> None:
    assert wrong_keys(text_of("docs/reference/configuration.md")) == []


def test_a_stale_key_is_found() -> None:
    text = text_of("docs/reference/configuration.md")
    assert wrong_keys(text.replace("`core.pmp`", "`core.mpp`").replace("`lock_cache`", "–")) == [
        "core.mpp: not there",
        "core.pmp: left out",
        "lock_cache.hand_over: left out",
        "lock_cache.long_locks: left out",
        "lock_cache.short_locks: left out",
    ]


# ---- pages ---------------------------------------------------------------------------------------


def unlinked(pages: dict[str, str]) -> list[str]:
    """Pages to which no other page leads. Decisions are found by their numbers."""
    targets = {
        str((ROOT / page).parent.joinpath(target.partition("#")[0]).resolve().relative_to(ROOT))
        for page, text in pages.items()
        for target in re.findall(r"\]\(([^)\s#:]+(?:#[^)\s]*)?)\)", text)
        if (ROOT / page).parent.joinpath(target.partition("#")[0]).resolve().is_relative_to(ROOT)
    }
    return sorted(page for page in pages if page != "README.md" and page not in targets)


def pages() -> dict[str, str]:
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *KERNEL.glob("*.md")]
    names = [str(path.relative_to(ROOT)) for path in [*found, ROOT / "soc" / "README.md"]]
    return {name: text_of(name) for name in names if "/decisions/" not in name}


def test_every_page_is_reached_from_another() -> None:
    assert unlinked(pages()) == []


def test_a_page_that_nothing_reaches_is_found() -> None:
    assert unlinked({**pages(), "docs/howto/lost.md": "[a](lost.txt)"}) == ["docs/howto/lost.md"]
