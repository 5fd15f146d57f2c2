# SPDX-License-Identifier: Apache-2.0
"""Blocks of docs/explanation about the ways to attach the unit: largest values beside the other
kernels, the machine code of calls, and calls and interrupts cycle by cycle."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from melanion.claims import load
from melanion.claims.execute import execute
from melanion.docs.conditions import ticks
from melanion.docs.facts import BANKED_KERNEL, PORT_KERNEL, VEXRISCV_KERNELS, Facts
from melanion.docs.rows import FILES, KERNELS, lines
from melanion.docs.table import codes, number, table
from melanion.docs.walk import Walk, timeline
from melanion.report import readme

BOOSTER_KERNEL = "booster"
PORT_FORMS = (  # a, b, word: a number that the compiler does not know, an address
    "mel_mutex_lock(0, MEL_POLL)",
    "mel_task_delay(b)",
    "mel_sem_give(3)",
    "mel_sem_take(3, MEL_FOREVER)",
    "mel_task_yield()",
    "mel_sem_take(3, b)",
    "mel_sem_give(a)",
    "mel_task_wakeup(a)",
    "mel_sem_take(a, b)",
    "mel_queue_send(2, b, MEL_POLL)",
    "mel_queue_receive(2, MEL_FOREVER, word)",
)


def cycles(kernel: str, than: tuple[str, ...]) -> str:
    """Largest values of the experiment `latency` on a kernel beside others, as its test asserts."""
    rows = lines(FILES["latency"])
    largest = {(r["kernel"], r["metric"], r["parameters"]): int(r["max"]) for r in rows}
    titles = {name: metric.title for name, metric in load("latency").metrics.items()}
    kernels = (*than, kernel)
    shown = []
    for metric, parameters in [r[1:] for r in largest if r[0] == kernel]:
        words = titles[metric] + (f" ({parameters.replace(' ', ', ')})" if parameters else "")
        shown.append((words, *(number(largest[k, metric, parameters]) for k in kernels)))
    return table("lr", ("cycles, at most", *codes(kernels)), shown)


def port_cycles() -> str:
    """The port beside the kernels that it competes with."""
    return cycles(PORT_KERNEL, KERNELS[:2])


def booster_cycles() -> str:
    """The booster beside the same."""
    return cycles(BOOSTER_KERNEL, KERNELS[:2])


def banked_cycles() -> str:
    """The store of contexts beside the same and the port."""
    return cycles(BANKED_KERNEL, KERNELS[:3])


def port_forms() -> str:
    """The machine code of calls, without what keeps the return address for a switch."""
    head = "#include <melanion/melanion.h>\n"
    functions = [
        f"__attribute__((noinline)) mel_status_t form_{i}(uint32_t a, uint32_t b, uint32_t *word)\n"
        f"{{ (void)a; (void)b; (void)word; return {call}; }}\n"
        for i, call in enumerate(PORT_FORMS)
    ]
    calls = " + ".join(f"form_{i}(1, 2, NULL)" for i in range(len(PORT_FORMS)))
    rows = []
    with tempfile.TemporaryDirectory(prefix="melanion-") as folder:
        (Path(folder) / "app.yaml").write_text("name: forms\n", encoding="ascii")
        text = f"{head}{''.join(functions)}int main(void) {{ return {calls}; }}\n"
        (Path(folder) / "main.c").write_text(text, encoding="ascii")
        code = Walk(PORT_KERNEL, folder).code
    for i, call in enumerate(PORT_FORMS):
        body = [each.text for each in code.values() if each.function == f"form_{i}"]
        body = body[: next(j for j, text in enumerate(body) if text.startswith("ret"))]
        mnemonics = [text.split()[0] for text in body if not re.search(r"\(sp\)|sp,sp|^mv", text)]
        rows.append((f"`{call}`", str(len(mnemonics)), " ".join(mnemonics)))
    return table("lrl", ("call", "instructions", "which"), rows)


def port_give_take(facts: Facts) -> str:
    """A give and a take without a switch."""
    return timeline(facts.port, *facts.port.measured("give_take_once"))


def port_give_switch(facts: Facts) -> str:
    """A give that wakes a more urgent task."""
    return timeline(facts.port, *facts.port.measured("give_once"))


def banked_give_take(facts: Facts) -> str:
    """A give and a take without a switch."""
    return timeline(facts.banked, *facts.banked.measured("give_take_once"))


def banked_yield(facts: Facts) -> str:
    """A yield to another task."""
    return timeline(facts.banked, *facts.banked.measured("yield_once"))


def banked_give_switch(facts: Facts) -> str:
    """A give that wakes a more urgent task."""
    return timeline(facts.banked, *facts.banked.measured("give_once"))


def banked_interrupt(facts: Facts) -> str:
    """An interrupt that wakes a task."""
    return timeline(facts.banked_interrupts, *facts.banked_interrupts.interrupt())


def vexriscv_cycles() -> str:
    """The experiment `latency` on the systems with VexRiscv."""
    words = f"melanion compare latency --kernels {','.join(VEXRISCV_KERNELS)}"
    result = execute("latency", VEXRISCV_KERNELS, command=words)
    return f"{readme.table(result)}\n\n{readme.conditions(result, ticks())}\n"


def vexriscv_give_take(facts: Facts) -> str:
    """A give and a take without a switch."""
    return timeline(facts.vexriscv, *facts.vexriscv.measured("give_take_once"))


def vexriscv_interrupt(facts: Facts) -> str:
    """An interrupt that wakes a task."""
    return timeline(facts.vexriscv_interrupts, *facts.vexriscv_interrupts.interrupt())
