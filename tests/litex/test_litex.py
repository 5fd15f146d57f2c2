# SPDX-License-Identifier: Apache-2.0
"""The unit in a SoC that LiteX makes: what the package writes for `melanion export`, and (in
`make soak`) its demo in simulation."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from melanion import config, export
from melanion.build import tools
from melanion.docs import litex
from tests.litex.environment import KERNELS, MEASURES, PACKAGE, demo, python
from tests.litex.measure import rows

SOAK = pytest.mark.soak
STANDARD = "-march=rv32i2p0_m     -mabi=ilp32 -D__vexriscv__"


def module(name: str) -> ModuleType:
    """A module of the package that needs nothing of LiteX."""
    path = PACKAGE / "melanion_litex" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"melanion_litex_{name}", path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


DESCRIPTION, EXPORTED = module("description"), module("exported")


@pytest.mark.parametrize(
    ("kernel", "devices"),
    [
        ("hwrtos-single", {"unit": 0x8000_0000}),
        ("sw", {"timer": 0x8000_0000, "intc": 0x8000_1000}),
    ],
)
def test_the_description_is_one_that_an_export_takes(
    kernel: str, devices: dict[str, int], tmp_path: Path
) -> None:
    text = DESCRIPTION.describe("vexriscv", STANDARD, 0x4000_0000, 2, devices)
    name = DESCRIPTION.system_name(kernel, {"tasks": 16}, 64 * 1024, 50e6)
    (tmp_path / "soc.yaml").write_text(text, encoding="utf-8")
    system = config.find(name)
    soc = export.load(tmp_path / "soc.yaml", system)
    assert soc.addresses == {
        "memory_base": 0x4000_0000,
        **{f"{device}_base": address for device, address in devices.items()},
    }
    assert soc.isa == "rv32im_zicsr_zifencei"
    assert [(one.csr, one.value) for one in soc.traps.write] == [(0xBC0, 4)]
    assert (system.memory.kib, system.clock_mhz, system.parameters.tasks) == (64, 50, 16)


def test_what_cannot_be_described_is_refused() -> None:
    none: dict[str, int] = {}
    for words, sentence in (
        (
            ("picorv32", STANDARD, 0, 0, none),
            "cpu_type 'picorv32' is not known here; choose vexriscv, or write a description for"
            " `melanion export --foreign` by hand.",
        ),
        (
            ("vexriscv", "-march=rv64imac", 0, 0, none),
            "the core's flags '-march=rv64imac' name no 32-bit RISC-V (-march=rv32i…); choose"
            " another cpu_type.",
        ),
    ):
        with pytest.raises(DESCRIPTION.DescriptionError) as raised:
            DESCRIPTION.describe(*words)
        assert str(raised.value) == sentence
    with pytest.raises(DESCRIPTION.DescriptionError) as raised:
        DESCRIPTION.system_name("sw", {}, 65536, 12.5e6)
    assert str(raised.value) == (
        "sys_clk_freq is 1.25e+07 Hz; the kernel counts ticks in whole MHz: choose a multiple of"
        " 1e6."
    )


def test_an_export_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(EXPORTED.ExportFailed) as raised:
        EXPORTED.exported("sw", tmp_path / "out", [], str(tmp_path / "absent"))
    assert str(raised.value) == (
        f"{tmp_path}/absent cannot be started (No such file or directory); install Melanion, or"
        " name its program: the argument melanion=, of the demo --melanion."
    )
    with pytest.raises(EXPORTED.ExportFailed, match="can't open file"):
        EXPORTED.exported("sw", tmp_path / "out", [], sys.executable)


def test_rows_are_whole_and_the_unit_is_faster() -> None:
    found = litex.recorded()
    assert set(found) == {(kernel, name) for kernel in KERNELS for name in MEASURES}
    assert all(found["hwrtos", name] < found["sw", name] for name in MEASURES)


@SOAK
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_demo_runs(kernel: str, tmp_path: Path) -> None:
    output = demo(tmp_path, kernel, "hello")
    assert "hello from Melanion in LiteX: 100 rounds\nan interrupt woke a task\n" in output
    assert "exit code          0\n" in output


@SOAK
def test_a_program_of_ones_own_and_its_exit_code(tmp_path: Path) -> None:
    source = tmp_path / "mine.c"
    source.write_text(
        "#include <melanion/melanion.h>\nint main(void) { mel_print(MEL_KERNEL_NAME); return 3; }\n"
    )
    assert "hwrtosexit code          3\n" in demo(tmp_path, "hwrtos", str(source))


@SOAK
def test_the_demo_without_melanion_says_how_to_name_it(tmp_path: Path) -> None:
    words = [str(python()), "-m", "melanion_litex.demo", "hello", "--folder", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    done = tools.run([*words, "--melanion", "/nowhere"], environment=environment)
    assert done.status == 1 and "Traceback" not in done.output
    assert done.output.splitlines()[-1].startswith("/nowhere cannot be started (")


@SOAK
def test_rows_are_those_of_now() -> None:
    assert {(row["kernel"], row["measure"]): int(row["cycles"]) for row in rows()} == (
        litex.recorded()
    )
