# SPDX-License-Identifier: Apache-2.0
"""First light of a new system (docs/howto/first_light): all eight steps pass where everything is
connected; each planted fault is found by its step, with the sentence that names the wires.

A fault of the wiring is a change of the top, and builds a simulation: for `make soak`. The others
are changes of what the program knows of the system, which look the same from the program.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from melanion import config, paths
from melanion.config import System
from melanion.run import RunResult
from tests.common import bare
from tests.common.planted_tree import TreeMutant

FOLDER = paths.data_root() / "docs" / "howto" / "first_light"
BOARD = """
void first_light_print(const char *text)
{
    while (*text) {
        CONSOLE = (uint32_t)*text++;
    }
}
bool first_light_raise(uint32_t line)
{
    REGISTER(MEL_IRQGEN_BASE + 16 * line) = 0;
    return true;
}
int main(void)
{
    PREPARE;
    first_light();
    REGISTER(MEL_IO_BASE + 4) = 0; /* the end; where the device is depends on the core */
    return 0;
}
"""
STEPS = (
    "1 identity",
    "2 hashes",
    "3 ready",
    "4 address and data lines",
    "5 partial accesses",
    "6 time",
    "7 interrupt lines",
    "8 dispatch",
)
TILE = "soc/tops/mel_unit_tile.sv"


def program() -> str:
    header, code = ((FOLDER / name).read_text() for name in ("first_light.h", "first_light.c"))
    return header + code.replace('#include "first_light.h"\n', "") + BOARD


# VexRiscv, as its package builds it, has no mcycle, and a mask before its external interrupt.
BOARDS = {
    "ibex": "#define PREPARE\n",
    "vexriscv": "#define FIRST_LIGHT_CYCLES() (*(volatile uint32_t *)MEL_CYCLE_BASE)\n"
    '#define PREPARE __asm__ volatile("csrwi 0xBC0, 1")\n',
}


def run(folder: Path, text: str, system: System) -> RunResult:
    return bare.run(folder, BOARDS[system.core.type] + text, system, max_cycles=1_500_000)


@pytest.mark.parametrize(
    "name",
    [
        "hwrtos",
        "port",
        *(pytest.param(n, marks=pytest.mark.soak) for n in ("hwrtos@bus:20", "hwrtos-vexriscv")),
    ],
)
def test_every_step_passes_where_everything_is_connected(name: str, tmp_path: Path) -> None:
    result = run(tmp_path / "app", program(), config.find(name))
    assert result.console == "".join(f"first light: {step} ok\n" for step in STEPS)


def failed(result: RunResult, step: int, sentence: str) -> None:
    *passed, last = result.console.splitlines()
    assert passed == [f"first light: {name} ok" for name in STEPS[: step - 1]]
    assert last.startswith(f"first light: {STEPS[step - 1]} FAILED: 0x")
    assert sentence in last


@dataclass(frozen=True)
class Fault:
    """`old`, once in the program, becomes `new`."""

    old: str
    new: str
    step: int
    sentence: str


FAULTS = [
    Fault("MEL_UNIT_BASE + offset", "MEL_MEMORY_BASE + offset", 1, "address decoding"),
    Fault("*word(MEL_REG_SPEC_HASH)", "~*word(MEL_REG_SPEC_HASH)", 2, "different versions"),
    Fault("*word(MEL_REG_PARAMETER_HASH)", "1", 2, "ParameterHash was forgotten"),
    Fault("is = *word(MEL_REG_READY)", "is = 0 * *word(MEL_REG_READY)", 3, "clock stands"),
    Fault("*word(MEL_REG_VALUE), flag", "*word(MEL_REG_VALUE) & ~8u, flag", 4, "loaded data"),
    Fault("(volatile uint8_t *)(", "(volatile uint32_t *)(", 5, "byte enables"),
    Fault("    return now;", "    return now / 2;", 6, "different clocks"),
    Fault("16 * line) = 0;", "16 * (line ^ 1)) = 0;", 7, "the order of irq_i"),
    Fault("16 * line) = 0;", "16 * 40) = 0;", 7, "the core was not asked"),
    Fault("DISPATCH_BIT 3", "DISPATCH_BIT 16", 8, "irq_dispatch_o to its software interrupt"),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.step}-{fault.new[:20]}")
def test_a_fault_is_found_by_its_step(fault: Fault, tmp_path: Path) -> None:
    text = program()
    assert text.count(fault.old) == 1
    result = run(tmp_path / "app", text.replace(fault.old, fault.new), config.find("hwrtos"))
    failed(result, fault.step, fault.sentence)


WIRES = [
    (
        TreeMutant("byte enables", TILE, "assign near_be    = a_i[i].be;", "assign near_be = '1;"),
        5,
        "byte enables",
    ),
    (
        TreeMutant(
            "an address line",
            TILE,
            "assign near_addr  = mel_pkg::offset_t'(a_i[i].addr);",
            "assign near_addr = mel_pkg::offset_t'(a_i[i].addr) & 17'h1ffef;",
        ),
        4,
        "stored words and their address",
    ),
    (
        TreeMutant(
            "handler",
            "soc/tops/mel_top.sv",
            ".irq_handler_o (irq_external),",
            ".irq_handler_o (irq_software),",
        ),
        7,
        "irq_handler_o to the core's external interrupt",
    ),
]


@pytest.mark.soak
@pytest.mark.parametrize(("wire", "step", "sentence"), WIRES, ids=lambda w: getattr(w, "name", ""))
def test_a_wrong_wire_is_found_by_its_step(
    wire: TreeMutant, step: int, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    wire.plant(monkeypatch, tree)
    failed(run(tmp_path / "app", program(), config.find("hwrtos")), step, sentence)
