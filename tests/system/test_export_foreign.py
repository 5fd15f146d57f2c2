# SPDX-License-Identifier: Apache-2.0
"""`melanion export --foreign`: the kernel library for a SoC that is not ours. Our own simulations
stand for one: all that the library knows of them is a description."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import melanion.export.foreign as foreign
import melanion.export.plain as plain
import melanion.export.wrapper as wrapper
from melanion import build, config, export
from melanion.build import tools
from melanion.build.image import read_elf
from melanion.cli import group
from melanion.config import System
from melanion.run import RunError, RunResult, run_program

HERE = Path(__file__).parent / "foreign"
SAYS = "switched\nticked\nhandled\n"
UNIT = """\
isa: rv32im_zicsr_zifencei
memory: 0x1000_0000
unit: 0x4000_0000
traps: {mode: vectored, dispatch: 3, handler: 11}
"""
# System → its description, and the base of its devices console and exit.
SOCS = {
    "hwrtos": (UNIT, 0x20002000),
    "hwrtos-vexriscv": (
        UNIT.replace("0x4000", "0xF000").replace(
            "vectored, dispatch: 3, handler: 11",
            "direct, dispatch: 3, handler: 11, write: [{csr: 0xBC0, value: 1}]",
        ),
        0xE0002000,
    ),
    "sw": (
        "isa: rv32imc_zicsr_zifencei\nmemory: 0x1000_0000\ntimer: 0x2000_0000\n"
        "intc: 0x2000_1000\ntraps: {mode: vectored, timer: 7, handler: 11}\n"
        "console: 0x2000_2000\nexit: 0x2000_2004\n",
        0x20002000,
    ),
}


def described(folder: Path, text: str) -> Path:
    path = folder / "soc.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def invoke(*words: str) -> Result:
    return CliRunner().invoke(group, ["export", *words])


def made(system: System, text: str, folder: Path, *sources: Path, io: int = 0) -> Path:
    """The folder of a library, with a program that `make` built there."""
    described(folder, text)
    result = invoke(system.name, str(folder / "made"), "--foreign", str(folder / "soc.yaml"))
    assert result.exit_code == 0, result.output
    words = [f"PROGRAM={' '.join(map(str, sources))}", f"MORE_FLAGS=-DIO=0x{io:x}u"]
    done = tools.run(["make", "-s", "-j2", "-C", str(folder / "made"), "program", *words])
    assert (done.status, done.output) == (0, "")
    return folder / "made"


def run(system: System, folder: Path) -> RunResult:
    """The program on our simulation, against the golden model."""
    app = replace(build.application("pingpong"), name="foreign", max_cycles=400_000)
    content = read_elf(folder / "build" / "program.elf")
    (folder / "build" / "image.bin").write_bytes((folder / "build" / "program.bin").read_bytes())
    (folder / "build" / "tracepoints").write_text(content.tracepoints, encoding="ascii")
    (folder / "build" / "program.elf").rename(folder / "build" / "built.elf")
    program = build.Program(app, "foreign", folder / "build", content)
    return run_program(system, app, built=(build.hardware(system), program))


@pytest.mark.parametrize("name", SOCS)
def test_a_program_runs_on_a_soc_that_is_described(name: str, tmp_path: Path) -> None:
    system, (text, io) = config.find(name), SOCS[name]
    own = [] if "console" in text else [HERE / "host.c"]
    folder = made(system, text, tmp_path, HERE / "program.c", *own, io=io)
    assert run(system, folder).console == SAYS
    header = (folder / "sw" / "mel_system.h").read_text(encoding="utf-8")
    assert not re.search(r"MEL_(IO|IRQGEN|CYCLE)_BASE", header), "devices of our simulation"
    assert not (folder / "sw" / "kernel" / "arch" / "riscv" / "processor" / "ibex.h").exists()


def test_printf_prints_with_the_function_of_the_soc(tmp_path: Path) -> None:
    system, (text, io) = config.find("hwrtos"), SOCS["hwrtos"]
    source = tmp_path / "program.c"
    source.write_text(
        "#include <stdio.h>\n#include <melanion/melanion.h>\n"
        'int main(void) { printf("%d%c", 42, 10); mel_exit(0); }\n'
    )
    folder = made(system, text, tmp_path, source, HERE / "host.c", io=io)
    assert run(system, folder).console == "42\n"
    assert not (folder / "sw" / "kernel" / "include" / "melanion" / "input.h").exists()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("dispatch: 3, handler: 11", "dispatch: 11, handler: 3"),
        ("unit: 0x4000_0000", "unit: 0x4002_0000"),
        ("mode: vectored", "mode: direct"),
    ],
)
def test_a_wrong_description_is_noticed(right: str, wrong: str, tmp_path: Path) -> None:
    system, (text, io) = config.find("hwrtos"), SOCS["hwrtos"]
    text = text.replace(right, wrong)
    folder = made(system, text, tmp_path, HERE / "program.c", HERE / "host.c", io=io)
    with pytest.raises(RunError) as raised:
        run(system, folder)
    if "direct" in wrong:  # this core's entries are vectors
        assert "interrupt 3, which nothing serves, ended the program in" in raised.value.message


def test_definitions_of_the_program_come_before_the_weak_ones(tmp_path: Path) -> None:
    folder = made(
        config.find("hwrtos"), UNIT, tmp_path, HERE / "program.c", HERE / "host.c", io=4096
    )
    nm = tools.find(tools.CROSS_GCC).replace("gcc", "nm")
    weak = tools.run([nm, str(folder / "build" / "foreign" / "host.c.o")]).output
    assert set(re.findall(r" W (mel_host_\w+)", weak)) == {
        f"mel_host_{name}" for name in ("put", "exit", "mark")
    }
    linked = tools.run([nm, str(folder / "build" / "program.elf")]).output
    assert set(re.findall(r" (\w) mel_host_\w+", linked)) == {"T"}


def test_with_the_hardware_unit_in_verilog(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    unit = plain.Plain("module mel_unit_wishbone;\n", (), wrapper.bus("wishbone"))
    monkeypatch.setattr(plain, "plain", lambda *_: unit)
    system = config.find("hwrtos-single[tasks=8,interrupts=4]")
    soc = export.load(described(tmp_path, UNIT.replace("0x4000", "0x8000")), system)
    files = export.plain_content(system, "wishbone", False, soc)
    assert "mel_unit_wishbone.v" in files
    assert "#define MEL_UNIT_BASE 0x80000000\n" in files["sw/mel_system.h"].decode()
    assert "`MEL_UNIT_BASE` | 0x80000000" in files["README.md"].decode()
    assert set(export.library_content(system, soc)) == set(files) - {"mel_unit_wishbone.v"}


def test_a_kernel_that_changed_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    system = config.find("hwrtos")
    soc = export.load(described(tmp_path, UNIT), system)
    stores = {"kernel/common/boot.c": ("no such line\n", "")}
    monkeypatch.setattr(foreign, "_STORES", stores)
    with pytest.raises(export.ExportError) as raised:
        export.library_content(system, soc)
    assert raised.value.message == (
        "kernel/common/boot.c: the store to its device is not the line that"
        " melanion/export/foreign.py replaces; correct that module."
    )


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        (
            "hwrtos-2",
            ("", ""),
            "hwrtos-2: --foreign is for a SoC with one core, and this system has 2; name a system"
            " such as hwrtos-single or sw.",
        ),
        (
            "banked",
            ("", ""),
            "banked: coupling banked needs RTL of ours between core and unit; --foreign takes"
            " kernels whose core reaches the unit over a bus, and software kernels: name a system"
            " such as hwrtos-single or sw.",
        ),
        (
            "booster",
            ("", ""),
            "booster: kernel booster needs RTL of ours between core and unit; --foreign takes"
            " kernels whose core reaches the unit over a bus, and software kernels: name a system"
            " such as hwrtos-single or sw.",
        ),
        (
            "hwrtos",
            ("unit: 0x4000_0000\n", ""),
            "{file}:1: the file lacks the key unit, an address; kernel hwrtos needs it.",
        ),
        (
            "hwrtos",
            ("0x4000_0000", "0x4000_1000"),
            "{file}:3: unit is 0x40001000; allowed is a whole number 0x0 … 0xffffffff, a multiple"
            " of 0x20000; correct the value.",
        ),
        (
            "hwrtos",
            ("dispatch: 3, ", ""),
            "{file}:4: traps lacks the key dispatch, a cause 1 … 31; kernel hwrtos needs it.",
        ),
        (
            "hwrtos",
            ("dispatch: 3", "dispatch: 11"),
            "{file}:4: traps has one cause for two interrupts (11); each needs one.",
        ),
        (
            "hwrtos",
            ("handler: 11", "handler: 32"),
            "{file}:4: traps.handler is 32; allowed is a whole number 1 … 31; correct the value.",
        ),
        (
            "hwrtos",
            ("vectored", "clic"),
            "{file}:4: traps.mode is 'clic'; allowed is direct, vectored; correct the value.",
        ),
        (
            "hwrtos",
            ("rv32im_zicsr_zifencei", "rv64im"),
            "{file}:1: isa is 'rv64im'; allowed is GCC's name of the core's instructions with"
            " _zicsr, such as rv32im_zicsr; correct the value.",
        ),
        (
            "hwrtos[kib=64]",
            ("unit: 0x4000_0000", "unit: 0x1000_0000"),
            "{file}:3: unit is 0x10000000; memory has 0x10000000 … 0x1000ffff (64 KiB); write"
            " addresses that do not overlap.",
        ),
        (
            "hwrtos[kib=64]",
            ("unit: 0x4000_0000\n", "unit: 0x1002_0000\nexit: 0x1003_FFFC\n"),
            "{file}:4: exit is 0x1003fffc; unit has 0x10020000 … 0x1003ffff (128 KiB); write"
            " addresses that do not overlap.",
        ),
        (
            "hwrtos[kib=64]",
            ("memory: 0x1000_0000", "memory: 0xFFFF_8000"),
            "{file}:2: memory is 0xffff8000, and 64 KiB end beyond 0xffffffff; lower it, or the"
            " size kib of the system.",
        ),
        (
            "sw",
            ("", ""),
            "{file}:1: the file lacks the key timer, an address; kernel sw needs it.\n"
            "{file}:1: the file lacks the key intc, an address; kernel sw needs it.\n"
            "{file}:4: traps lacks the key timer, a cause 1 … 31; kernel sw needs it.",
        ),
    ],
)
def test_what_is_refused(name: str, change: tuple[str, str], sentence: str, tmp_path: Path) -> None:
    path = described(tmp_path, UNIT.replace(*change) if change[0] else UNIT)
    error = invoke(name, str(tmp_path / "out"), "--foreign", str(path)).exception
    assert str(error) == sentence.format(file=path)
    assert getattr(error, "exit_code", None) == 2
    assert [file.name for file in tmp_path.iterdir()] == ["soc.yaml"]
