# SPDX-License-Identifier: Apache-2.0
"""Netlists of small protected units, and holes that are planted in them."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from melanion import config, soc
from melanion.build import protected

Module = dict[str, Any]
SIZES = "tasks=8,semaphores=4,event_flags=4,mutexes=4,queues=4,messages=8,timers=2,interrupts=4"


def name_of(system: str) -> str:
    return f"{system}[{SIZES}]"


@cache
def module(system: str) -> str:
    """The netlist of a system's unit, in JSON."""
    found = config.find(name_of(system))
    made = protected.guarded(found, soc.rtl_sources(found).files, lambda _: None)
    assert made is not None
    document = json.loads(made.unit.json.read_text(encoding="utf-8"))
    return json.dumps(document["modules"][protected.TOP])


def cells(found: Module, kind: str) -> list[dict[str, Any]]:
    return [cell for cell in found["cells"].values() if kind in cell["type"]]


def a_shadow_is_gone(found: Module) -> None:
    names = found["netnames"]
    bits = next(net["bits"] for name, net in names.items() if name.startswith("cycles_q.shadow"))
    gone = next(n for n, c in found["cells"].items() if c["connections"].get("Q") == bits)
    del found["cells"][gone]


def a_shadow_has_another_enable(found: Module) -> None:
    names = found["netnames"]
    bits = next(net["bits"] for name, net in names.items() if name.startswith("argument_q.shadow"))
    cell = next(c for c in found["cells"].values() if c["connections"].get("Q") == bits)
    cell["connections"]["EN"] = ["1"]


def a_comparison_reaches_no_alarm(found: Module) -> None:
    bits = next(n["bits"] for name, n in found["netnames"].items() if name.startswith("differs"))
    cell = next(c for c in cells(found, "$ne") if c["connections"]["Y"] == bits)
    cell["connections"]["Y"] = [bits[0] + 10_000_000]


def a_row_is_written_without_its_address(found: Module) -> None:
    memory = next(c for c in cells(found, "$mem_v2") if c["connections"]["WR_DATA"])
    parity = memory["connections"]["WR_DATA"][int(memory["parameters"]["WIDTH"], 2) - 1]
    cell = next(c for c in cells(found, "$reduce_xor") if c["connections"]["Y"] == [parity])
    cell["connections"]["A"][-1] = "0"


def a_read_is_not_compared(found: Module) -> None:
    memory = next(c for c in cells(found, "$mem_v2") if "store" in c["parameters"]["MEMID"])
    read = memory["connections"]["RD_DATA"]
    read[0] += 10_000_000


def a_word_of_the_program_is_wrong(found: Module) -> None:
    memory = next(c for c in cells(found, "$mem_v2") if "program_mem" in c["parameters"]["MEMID"])
    text = memory["parameters"]["INIT"]
    memory["parameters"]["INIT"] = text[:-1] + ("0" if text[-1] == "1" else "1")
