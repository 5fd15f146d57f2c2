# SPDX-License-Identifier: Apache-2.0
"""Import rules of the modules (docs/decisions/0003-rooms.md), and content forbidden in the tree.

Each rule is a function from a text or tree to findings, and is itself tested with a planted breach.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from melanion import paths
from tests.common.tree import tree
from tests.rules.imports import imports, modules_named

ROOT = paths.data_root()
PACKAGE = ROOT / "melanion"

# Room → what it imports directly; what those import is allowed, too. `errors` and `paths` are for
# all.
MAY_IMPORT: dict[str, set[str]] = {
    "spec": set(),
    "micro": {"spec"},
    "gen": {"spec", "micro"},
    "model": {"mel_gen"},
    "scenario": {"model", "mel_gen", "spec"},
    "config": {"spec", "mel_gen"},
    "soc": {"config"},
    "commands": {"spec", "model", "mel_gen"},
    "yosys": set(),
    "protect": set(),
    "build": {"soc", "config", "micro", "commands", "protect", "yosys"},
    "trace": {"mel_gen"},
    "run": {"build", "model", "trace"},
    "debug": {"run"},
    "measure": {"run", "trace"},
    "claims": {"measure"},
    "results": {"claims", "config", "run"},
    "report": {"claims", "results"},
    "area": {"run", "soc", "config", "report", "yosys"},
    "board": {"area"},
    "datasheet": {"claims", "area", "soc", "config", "micro"},
    "sweep": {"datasheet"},
    "inject": {"report"},
    "safety": {"datasheet", "inject"},
    "studio": {"area", "export"},
    "export": {"run", "soc", "config", "yosys", "mel_gen"},
    "prove": {"yosys"},
    "doctor": {"yosys"},
    "docs": {"datasheet", "area", "board", "debug", "doctor", "inject", "cli"},
}
FOR_ALL = {"errors", "paths", "templates"}
# Rooms that start processes; doctor only asks tools for their versions.
STARTS_PROCESSES = {"build", "run", "sweep", "inject", "studio", "prove", "yosys", "doctor"}
PRINTS = ("melanion/cli/", "melanion/docs/command.py", "melanion/micro/__main__.py")
NOT_IN_A_WHEEL = {"docs"}  # folders that nobody else may import


def reached(start: Iterable[str], direct: Mapping[str, set[str]]) -> set[str]:
    """Names that follow one from another, those of the start included."""
    found: set[str] = set()
    todo = list(start)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += direct.get(name, set())
    return found


def allowed_rooms(room: str) -> set[str]:
    """Modules that one may import, directly or through another."""
    return reached(MAY_IMPORT[room], MAY_IMPORT) | FOR_ALL | {room}


def breaches(room: str, text: str) -> list[str]:
    """Imports of other folders that the folder may not have."""
    allowed = allowed_rooms(room)
    found = []
    for line, name in imports(text):
        words = name.split(".")
        if words[0] == "tests":
            found.append(f"{line}: nothing imports tests")
        elif words[0] == "mel_gen" and "mel_gen" not in allowed:
            found.append(f"{line}: {room} may not import mel_gen")
        elif words[0] == "melanion" and words[1] not in allowed and words[1] != "__version__":
            found.append(f"{line}: {room} may not import melanion.{words[1]}")
    return found


def starts_processes(text: str) -> bool:
    """The module can start a process."""
    direct = {name for _, name in imports(text)}
    return any(
        re.match(r"(subprocess|multiprocessing|concurrent\.futures|pty)\b", name)
        or re.fullmatch(r"os\.(system|popen|fork|spawn\w*|exec\w*|posix_spawn\w*)", name)
        for name in direct
    ) or bool(
        re.search(
            r"\bos\.(system|popen|fork|spawn\w+|exec[lv]\w*|posix_spawn\w*)\("
            r"|\basyncio\.create_subprocess_\w+\(",
            text,
        )
    )


def prints(text: str) -> list[int]:
    """Lines with a call of print, or a write to the standard outputs."""
    lines = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name in ("print", "sys.stdout.write", "sys.stderr.write", "click.echo"):
                lines.append(node.lineno)
    return lines


def modules() -> list[tuple[str, Path]]:
    """Room and path of every module in a room."""
    return [
        (path.relative_to(PACKAGE).parts[0].removesuffix(".py"), path)
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.parent != PACKAGE or path.stem not in ("__init__", "__main__")
    ]


MODULES = modules()
IDS = [str(path.relative_to(ROOT)) for _, path in MODULES]


def unlike(rooms: set[str], starting: set[str]) -> list[str]:
    """Rooms that no table names, rooms of tables that are not there, or that start nothing."""
    named = set(MAY_IMPORT) | FOR_ALL | {"cli"}
    return sorted((rooms ^ named) | (STARTS_PROCESSES - starting))


def test_the_tables_name_the_rooms_that_there_are() -> None:
    rooms = {room for room, _ in MODULES}
    starting = {room for room, path in MODULES if starts_processes(path.read_text("utf-8"))}
    assert unlike(rooms, starting) == []
    assert unlike(rooms - {"soc"} | {"spare"}, starting - {"run"}) == ["run", "soc", "spare"]


def test_rooms_have_no_circle() -> None:
    for room, others in MAY_IMPORT.items():
        for other in others & set(MAY_IMPORT):
            assert room not in allowed_rooms(other), (room, other)


def circular(texts: Mapping[str, str]) -> set[str]:
    """Modules that import themselves through others; `texts`: text of each by its dotted name."""
    direct = {
        name: {other for _, other in modules_named(text) if other in texts and other != name}
        for name, text in texts.items()
    }
    return {name for name in texts if name in reached(direct[name], direct)}


def test_modules_have_no_circle() -> None:
    texts = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): (
            path.read_text(encoding="utf-8")
        )
        for path in PACKAGE.rglob("*.py")
    }
    assert circular(texts) == set()
    planted = {"melanion.errors": "from melanion.config import load\n"}
    assert circular(texts | planted) >= {"melanion.errors", "melanion.config.loader"}


def test_a_circle_is_found() -> None:
    folder = {"a": "from a.b import x\n", "a.b": "import a.c as c\n", "a.c": "import os\n"}
    assert circular(folder) == set()
    assert circular({**folder, "a.b": "from a import c\n"}) == {"a", "a.b"}
    types = "if TYPE_CHECKING:\n    from a.b import x\n"
    assert circular({**folder, "a.c": types}) == {"a.b", "a.c"}


def test_one_folder_knows_the_package_of_yosys() -> None:
    assert {room for room, path in MODULES if "pyosys" in path.read_text("utf-8")} == {"yosys"}


def unlike_decision(text: str) -> list[str]:
    """Rooms of docs/decisions/0003-rooms.md that are not here, or may import other folders."""
    table = dict(re.findall(r"^\| `(?:melanion\.)?(\w+)` \|.*\| ([^|]*) \|$", text, re.MULTILINE))
    said = {room: set(others.split(", ")) - {"–"} for room, others in table.items()}
    here = {**MAY_IMPORT, "mel_gen": set(), "cli": {"all"}}
    return sorted(room for room in said | here if said.get(room) != here.get(room))


def test_the_decision_has_the_same_table() -> None:
    text = (ROOT / "docs" / "decisions" / "0003-rooms.md").read_text(encoding="utf-8")
    assert unlike_decision(text) == []
    assert unlike_decision(text.replace("`melanion.soc`", "`melanion.sock`")) == ["soc", "sock"]
    assert unlike_decision(text.replace("| build, model, trace |", "| build |")) == ["run"]


@pytest.mark.parametrize(("room", "path"), MODULES, ids=IDS)
def test_imports_run_one_way(room: str, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if room in FOR_ALL:
        own = [name for _, name in imports(text) if name.split(".")[0] in ("melanion", "mel_gen")]
        assert all(name.startswith("melanion.errors.") for name in own)
    elif room != "cli":
        assert breaches(room, text) == []


@pytest.mark.parametrize(("room", "path"), MODULES, ids=IDS)
def test_only_some_rooms_start_processes(room: str, path: Path) -> None:
    assert room in STARTS_PROCESSES or not starts_processes(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", [path for _, path in MODULES], ids=IDS)
def test_only_command_lines_print(path: Path) -> None:
    name = str(path.relative_to(ROOT))
    assert name.startswith(PRINTS) or prints(path.read_text(encoding="utf-8")) == []


def checkout_only(room: str, text: str) -> list[str]:
    """Imports of what a wheel does not have."""
    found = {name.split(".")[1] for _, name in imports(text) if name.startswith("melanion.")}
    return sorted(found & (NOT_IN_A_WHEEL - {room}))


@pytest.mark.parametrize(("room", "path"), MODULES, ids=IDS)
def test_a_wheel_has_what_it_imports(room: str, path: Path) -> None:
    """Also the command line, which may import all that is there."""
    assert checkout_only(room, path.read_text(encoding="utf-8")) == []


def test_imports_of_a_checkout_are_found() -> None:
    assert checkout_only("cli", "def f():\n    from melanion.docs import rows\n") == ["docs"]
    assert checkout_only("report", "from melanion import docs\n") == ["docs"]
    assert checkout_only("docs", "from melanion.docs import rows\n") == []


def test_planted_breaches_are_found() -> None:
    assert breaches("model", "from melanion.run import x\n") == [
        "1: model may not import melanion.run"
    ]
    assert breaches("spec", "import mel_gen\n") == ["1: spec may not import mel_gen"]
    assert breaches("soc", "from tests import x\n") == ["1: nothing imports tests"]
    assert breaches("soc", "from melanion import report\n") == [
        "1: soc may not import melanion.report"
    ]
    assert breaches("run", "from melanion import paths\nfrom melanion.config import System\n") == []
    assert starts_processes("from subprocess import run\n")
    assert starts_processes("import os\nos.system('ls')\n")
    assert starts_processes("from concurrent.futures import ProcessPoolExecutor\n")
    assert starts_processes("import asyncio\nasyncio.create_subprocess_exec('ls')\n")
    assert not starts_processes("import os\nos.path.join('a')\n")
    assert prints("print(1)\n") == [1]
    assert prints("def f(): return 'print(1)'\n") == []


# ---- hw and kernel -------------------------------------------------------------------------------

# Cores, buses and boards that hw/ must not name; bridges are there to name buses, the switch of
# contexts stands beside a core and know its bus and registers, but not which core it is.
CORE_NAMES = r"ibex|vexriscv|riscv|risc-v|hazard3|picorv32|cva6|neorv32"
CORE_WORDS = rf"{CORE_NAMES}|mstatus|mtvec|mepc|rv32\w*"
BUS_WORDS = r"obi|apb\d?|ahb|axi\w*|wishbone|tilelink|avalon|pci"
BOARD_WORDS = r"ecp5|ice40|artix\w*|kintex\w*|xilinx|altera|lattice|gowin|zynq|arty|ulx3s"
HW_FORBIDDEN = re.compile(rf"\b({CORE_WORDS}|{BUS_WORDS}|{BOARD_WORDS})\b", re.IGNORECASE)
BRIDGE_FORBIDDEN = re.compile(rf"\b({CORE_WORDS}|{BOARD_WORDS})\b", re.IGNORECASE)
BANKS_FORBIDDEN = re.compile(rf"\b({CORE_NAMES}|{BOARD_WORDS})\b", re.IGNORECASE)
INCLUDE = re.compile(r'^\s*[`#]\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


def sources(folder: str, *suffixes: str) -> list[Path]:
    return [p for p in sorted((ROOT / folder).rglob("*")) if p.suffix in suffixes]


def forbidden(path: Path) -> re.Pattern[str]:
    """Names forbidden in a file of hw/; a proof obeys the rule of the part that it proves, the
    bench of the unit behind bridges that of bridges."""
    if {"bridges", "bench"} & set(path.parts) or path.name.startswith("mel_bridge_"):
        return BRIDGE_FORBIDDEN
    if "banks" in path.parts or path.name.startswith("mel_bank_"):
        return BANKS_FORBIDDEN
    return HW_FORBIDDEN


def test_hw_names_no_core_bus_or_board() -> None:
    found = []
    for path in sources("hw", ".sv", ".svh", ".vlt", ".sby"):
        rule = forbidden(path)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = rule.search(line)
            if match:
                found.append(f"{path.relative_to(ROOT)}:{number}: {match[0]}")
    assert sources("hw", ".sv")
    assert found == []


def test_forbidden_words_are_found() -> None:
    assert HW_FORBIDDEN.search("// the Ibex core")
    assert HW_FORBIDDEN.search("input logic [31:0] mstatus,")
    assert HW_FORBIDDEN.search("an AXI4 bus")
    assert BRIDGE_FORBIDDEN.search("for ECP5")
    assert not BRIDGE_FORBIDDEN.search("APB4 to the unit")
    assert BANKS_FORBIDDEN.search("the Ibex core")
    assert BANKS_FORBIDDEN.search("for ECP5")
    assert not BANKS_FORBIDDEN.search("OBI-like; mepc is live")
    assert forbidden(Path("hw/engine/mel_unit.sv")) is HW_FORBIDDEN
    assert forbidden(Path("hw/formal/mel_bank_switch.sv")) is BANKS_FORBIDDEN
    assert not HW_FORBIDDEN.search("module mel_mobile;")


def test_hw_and_kernel_meet_only_through_gen() -> None:
    """hw includes nothing; kernel its own files, gen's, the system's and those of a freestanding
    C; what stands in for another kernel (compat) also what programs of that one use; the streams
    stdio.h; what stands on FreeRTOS also the headers of it that are pinned."""
    for path in sources("hw", ".sv", ".svh"):
        text = path.read_text(encoding="utf-8")
        assert not INCLUDE.search(text), path
        assert "kernel/" not in re.sub(r"//.*", "", text), path
    own = {path.name for path in sources("kernel", ".h", ".c")}
    pins = ROOT / "kernel" / "freertos" / "kernel.sha256"
    lines = pins.read_text().splitlines()
    pinned = {Path(line).name for line in lines if re.search("include/|MemMang/", line)}
    for path in sources("kernel", ".c", ".h", ".S"):
        standard = STANDARD | ({"stdio.h"} if {"compat", "stdio"} & set(path.parts) else set())
        if "freertos" in path.relative_to(ROOT).parts:
            standard |= pinned
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            assert name in standard or Path(name).name in own | GENERATED, f"{path}: {name}"
    assert own


STANDARD = {
    "stdint.h", "stddef.h", "stdbool.h", "stdalign.h", "stdnoreturn.h", "string.h", "limits.h",
    "inttypes.h", "stdarg.h", "stdatomic.h", "assert.h",
}  # fmt: skip
COMPONENTS = {f"mel_{name}.h" for name in ("lock_cache", "deadlock", "dmmu", "ethernet")}
GENERATED = {"mel_spec.h", "mel_system.h", *COMPONENTS}


# ---- what must not be in the tree ----------------------------------------------------------------

# Written so that this file does not match itself.
HOSTS = r"py" r"pi\.org|python" r"hosted|crates" r"\.io|deb\.deb" r"ian|npm" r"js\.|maven" r"\.org"
MACHINE = r"/(work|ro" r"ot|tmp|home/\w+)/"
ADDRESS = re.compile(rf"{HOSTS}|(?:(?<![\w.$}}])|(?<=-[IL]))({MACHINE})")


def test_no_registry_hosts_or_machine_paths() -> None:
    found = []
    for path in tree():
        try:
            text = path.read_text(encoding="utf-8")
        except (UnicodeDecodeError, OSError):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            match = ADDRESS.search(line)
            if match:
                found.append(f"{path.relative_to(ROOT)}:{number}: {match[0]}")
    assert found == []


def test_addresses_are_found() -> None:
    assert ADDRESS.search("https://py" + "pi.org/simple")
    assert ADDRESS.search('open("/tm' + 'p/x")')
    assert ADDRESS.search("-I/wo" + "rk/main")
    assert not ADDRESS.search("src/wo" + "rk/x $ROOT/tmp/x")


def test_no_lock_files_with_addresses() -> None:
    """npm leaves them out where .npmrc says so."""
    names = {path.name for path in tree()}
    assert not names & {"Cargo.lock", "uv.lock", "poetry.lock", "Pipfile.lock"}
    locks = [path for path in tree() if path.name == "package-lock.json"]
    assert locks and not [path for path in locks if "://" in path.read_text(encoding="utf-8")]
