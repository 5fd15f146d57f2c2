# SPDX-License-Identifier: Apache-2.0
"""Whole systems whose hardware unit does not grant, does not answer, or falls silent (row 26)."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from mel_gen import ExitReason, Query, TraceKind

from melanion import build, config, paths
from melanion.run import RunResult, run_program
from tests import bare

PATIENCE = 65535  # cycles: UnitPatience of soc/bus/mel_bus.sv
BOOT = 5_000  # cycles from reset to the first access to the unit, at most: .bss is cleared
# Cycle from which STOPS does not answer: amid the rounds of pingpong, and no dispatch is due.
SILENT_FROM = 1 << 13
LONGEST_GAP = 300  # cycles between two accesses of pingpong to the unit, with what surrounds them
EXIT_CODE = 250  # MEL_EXIT_CODE_BOOT of kernel/include/melanion/kernel.h


@dataclass(frozen=True)
class Silence:
    """A wire between bus and unit that is tied low: old and new texts in `file`, a path from the
    top of the tree; each old one occurs once."""

    file: str
    edits: tuple[tuple[str, str], ...]


BRIDGE = "hw/bridges/mel_bridge_obi.sv"
NO_GRANT = Silence(BRIDGE, (("req_i && req_ready_i;", "1'b0;"),))
NO_ANSWER = Silence(BRIDGE, (("= rsp_valid_i;", "= 1'b0;"),))
STOPS = Silence(
    "soc/tops/mel_top.sv.j2",
    (
        (
            "    mel_bridge_obi u_bridge_obi (\n",
            "    int age_q;\n"
            "    always_ff @(posedge clk_i) age_q <= rst_ni ? age_q + 1 : 0;\n"
            "    mel_bridge_obi u_bridge_obi (\n",
        ),
        (
            "      .req_be_o   (req_be[i]),\n      .rsp_valid_i(rsp_valid[i]),\n",
            "      .req_be_o   (req_be[i]),\n"
            f"      .rsp_valid_i(rsp_valid[i] && age_q < {SILENT_FROM}),\n",
        ),
    ),
)


@contextmanager
def planted(silence: Silence, folder: Path) -> Iterator[None]:
    """The data folders, with one wire of the system tied low."""
    original, copy = paths.data_root(), folder / "silent"
    copy.mkdir()
    changed = Path(silence.file).parts[0]
    for name in ("hw", "soc", "kernel", "spec", "gen", "apps", "configs"):
        if name != changed:
            (copy / name).symlink_to(original / name)
    shutil.copytree(original / changed, copy / changed)
    text = (copy / silence.file).read_text(encoding="utf-8")
    for old, new in silence.edits:
        assert text.count(old) == 1, (silence.file, old)
        text = text.replace(old, new)
    (copy / silence.file).write_text(text, encoding="utf-8")
    with mock.patch.object(paths, "data_root", lambda: copy):
        yield


def run(silence: Silence, folder: Path, kernel: str = "hwrtos") -> RunResult:
    """pingpong on the hardware unit behind that wire, for at most 300 000 cycles."""
    with planted(silence, folder):
        return run_program(
            config.find(kernel),
            build.application("pingpong"),
            max_cycles=300_000,
            must_succeed=False,
        )


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


ADDRESSES = {"hwrtos": "0x4000[0-9a-f]{4}", "port": "0xfffff[89a-f][0-9a-f]{2}"}  # of the unit


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
    assert 0 <= trap - SILENT_FROM - PATIENCE < LONGEST_GAP


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
