# SPDX-License-Identifier: Apache-2.0
"""Whole systems whose hardware unit does not grant, does not answer, or falls silent (row 26)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from enum import IntEnum
from pathlib import Path
from unittest import mock

from mel_gen import ExitReason, Query, TraceKind

from melanion import build, config, paths
from melanion.run import RunResult, Settings, run_program
from tests.common import bare, schemata
from tests.common.planted_tree import WovenTree
from tests.faults.planted import Mutant, load

PATIENCE = 65535  # cycles: UnitPatience of soc/bus/mel_bus.sv
BOOT = 5_000  # cycles from reset to the first access to the unit, at most: .bss is cleared
# STOPS does not answer from the first round of pingpong on that begins behind this cycle: its next
# access gives a semaphore, and no dispatch is due.
AMID = 8_000
ROUND = 1  # tracepoint of pingpong: a round begins
LONGEST_GAP = 300  # cycles between two accesses of pingpong to the unit, with what surrounds them
EXIT_CODE = 250  # MEL_EXIT_CODE_BOOT of kernel/include/melanion/kernel.h


class Silence(IntEnum):
    """Wire between bus and unit that is tied low: the unit's grant, its answer, or its answer from
    a cycle on."""

    NO_GRANT = 1
    NO_ANSWER = 2
    STOPS = 3


NO_GRANT, NO_ANSWER, STOPS = Silence
VARIABLE = "MEL_SILENCE"  # environment variable of the simulation: a Silence, or 0
FROM = "MEL_SILENT_FROM"  # another one: the cycle of STOPS
BUS, TILE = "soc/bus/mel_bus.sv", "soc/tops/mel_core_tile.sv"
GRANT = ".gnt_i ({unit_gnt_i, "
PORTS_END = "\n);\n"
SILENCE = f"""
  int   silence = $c32("std::atoi(std::getenv(\\"{VARIABLE}\\") ?: \\"0\\")");
"""
WIRES = f"""{SILENCE}
  int   from = $c32("std::atoi(std::getenv(\\"{FROM}\\") ?: \\"0\\")");
  int   age_q;
  logic unit_rvalid;
  always_ff @(posedge clk_i) age_q <= rst_ni ? age_q + 1 : 0;
  assign unit_rvalid = unit_rvalid_i && silence != {NO_GRANT:d} && silence != {NO_ANSWER:d}
                       && (silence != {STOPS:d} || age_q < from);
"""


def of_bus() -> list[Mutant]:
    """The mutants of the bus."""
    return [mutant for mutant in load() if mutant.file.startswith("soc/bus/")]


class SilentTree(WovenTree):
    """The data folders with all bugs of the bus, and others, of which one may be chosen, and with a
    Silence: one build of a system serves them all."""

    def __init__(self, folder: Path, others: Sequence[schemata.Bug] = ()) -> None:
        """`folder`: empty. Raises SchemataError."""
        super().__init__(folder, [*of_bus(), *others])
        _plant(folder / BUS, WIRES, "unit_rvalid_i", "unit_rvalid", 2)
        grant = GRANT.replace("unit_gnt_i", f"unit_gnt_i && silence != {NO_GRANT:d}")
        _plant(folder / TILE, SILENCE, GRANT, grant, 1)


def _plant(path: Path, wires: str, old: str, new: str, times: int) -> None:
    """Replace a text of a module so many times at least, behind its ports."""
    head, end, body = path.read_text(encoding="utf-8").partition(PORTS_END)
    assert body.count(old) >= times, f"{path.name} has no {old}"
    path.write_text(f"{head}{end}{wires}{body.replace(old, new)}", encoding="utf-8")


def is_silent_tree() -> bool:
    return VARIABLE in (paths.data_root() / BUS).read_text(encoding="utf-8")


@contextmanager
def planted(silence: Silence, folder: Path) -> Iterator[None]:
    """The data folders, with one wire of the system tied low; a SilentTree in use serves."""
    with ExitStack() as stack:
        if not is_silent_tree():
            (folder / "silent").mkdir()
            stack.enter_context(SilentTree(folder / "silent").chosen(None))
        stack.enter_context(mock.patch.dict(os.environ, {VARIABLE: str(int(silence))}))
        yield


def run(silence: Silence, folder: Path, kernel: str = "hwrtos") -> RunResult:
    """pingpong on the hardware unit behind that wire, for at most 300 000 cycles. Its timing is
    another with every kernel: a run without a silence tells from which cycle on STOPS stops."""
    with planted(silence, folder):
        cycle = 0
        if silence == STOPS:
            with mock.patch.dict(os.environ, {VARIABLE: "0"}):
                begins = rounds(pingpong(kernel))
            cycle = next(begin for begin in begins if begin > AMID)
        with mock.patch.dict(os.environ, {FROM: str(cycle)}):
            return pingpong(kernel)


def pingpong(kernel: str) -> RunResult:
    settings = Settings(max_cycles=300_000, must_succeed=False)
    return run_program(config.find(kernel), build.application("pingpong"), settings)


def rounds(result: RunResult) -> list[int]:
    """The cycles in which the rounds of pingpong begin."""
    found = result.events[result.events["kind"] == TraceKind.TRACEPOINT]
    return [int(cycle) for cycle in found[found["a"] == ROUND]["cycle"]]


def trap_cycles(result: RunResult) -> list[int]:
    """The cycles of all exceptions."""
    traps = result.events[result.events["kind"] == TraceKind.TRAP]
    return [int(cycle) for cycle in traps[traps["a"] >> 15 == 0]["cycle"]]


def check_silent_from_reset(silence: Silence, folder: Path) -> None:
    """Boot code says so as soon as the bus has waited long enough, and the run ends."""
    result = run(silence, folder)
    assert (result.reason, result.code) == (ExitReason.PROGRAM, EXIT_CODE), result.console
    assert result.console == (
        "melanion: no hardware unit answers at its address (bus error): run the program on a system"
        " with one\n"
    )
    (trap,) = trap_cycles(result)
    assert 0 < trap - PATIENCE < BOOT


# Patterns of the unit's addresses, per kernel.
ADDRESSES = {"hwrtos": "0x4000[0-9a-f]{4}", "port": "0xfffff[89a-f][0-9a-f]{2}"}


def check_falls_silent(folder: Path, kernel: str = "hwrtos") -> None:
    """The sentence names the task whose call met the silence, once the bus has waited."""
    result = run(STOPS, folder, kernel)
    assert (result.reason, result.code) == (ExitReason.PROGRAM, EXIT_CODE), result.console
    assert re.fullmatch(
        r"melanion: (load|store) access fault \(cause [57]\) at pc 0x1000[0-9a-f]{4}, address"
        rf" {ADDRESSES[kernel]}, in task [01] \(p[io]ng\): the hardware unit does not answer any"
        r" more; reset the system\n",
        result.console,
    ), result.console
    (trap,) = trap_cycles(result)
    assert 0 <= trap - rounds(result)[-1] - PATIENCE < LONGEST_GAP


BUSY = f"""
#include <melanion/mel_spec.h>
int main(void) {{
    while (!REGISTER(MEL_UNIT_BASE + MEL_REG_READY)) {{ }}
    for (int i = 0; i <= {PATIENCE}; i++) {{
        (void)REGISTER(MEL_UNIT_BASE + 1024 * {int(Query.TASK_STATE)});
    }}
    return 0; }}"""


def check_busy(folder: Path) -> None:
    """A unit that owes an answer for a cycle or two, again and again, is not given up."""
    bare.run(folder / "app", BUSY, config.find("hwrtos"))
