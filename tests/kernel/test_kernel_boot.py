# SPDX-License-Identifier: Apache-2.0
"""The sentences of boot code and of the exception handler, on RTL.

A program that does not fit its hardware never runs, and never hangs; a program that does something
impossible is told what, where and in which task.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from mel_gen import IDENTITY, SPEC_HASH_WORD, ExitReason, Register

from melanion import build, trace
from melanion.config import System
from tests.common import limited
from tests.common.kernel_program import compile_program, system

EXIT_CODE_BOOT, EXIT_CODE_FAULT = 250, 251

MAIN = """
#include <melanion/melanion.h>
int main(void) { mel_print("started"); return 0; }
"""


def run(
    folder: Path,
    hardware: System,
    of: System,
    source: str = MAIN,
    header: str = "mel_spec.h",
    **spec_changes: int,
) -> tuple[str, int]:
    """Console and exit code of a program that was built for `of`, on the hardware of another.
    `spec_changes`: macros of the generated `header`."""
    simulator = build.hardware(hardware).simulator
    image = compile_program(folder, of, source, spec_changes=spec_changes, header=header).image()
    (folder / "image").write_bytes(image.data)
    (folder / "tracepoints").write_text(image.tracepoints, encoding="ascii")
    words = [simulator, "--image", folder / "image", "--tracepoints", folder / "tracepoints"]
    words += ["--trace", folder / "trace", "--console", folder / "console"]
    words += ["--max-cycles", "2000000"]
    subprocess.run(list(map(str, words)), check=True, preexec_fn=limited.processor(60))
    end = trace.read(folder / "trace")[-1]
    assert end["a"] == ExitReason.PROGRAM, ExitReason(int(end["a"]))
    return (folder / "console").read_text(encoding="utf-8"), int(end["b"])


def test_fits(tmp_path: Path) -> None:
    assert run(tmp_path, system("hwrtos"), system("hwrtos")) == ("started", 0)


def test_no_unit(tmp_path: Path) -> None:
    assert run(tmp_path, system("sw"), system("hwrtos")) == (
        "melanion: no hardware unit answers at its address (bus error): run the program on a system"
        " with one\n",
        EXIT_CODE_BOOT,
    )


def test_no_port(tmp_path: Path) -> None:
    """A program for the port finds the unit on the bus alone; one for the bus runs on both."""
    assert run(tmp_path, system("hwrtos"), system("port")) == (
        "melanion: no hardware unit answers at the port (bus error): the program was built for the"
        " coupling 'port'; run it on a system with one\n",
        EXIT_CODE_BOOT,
    )
    (tmp_path / "bus").mkdir()
    assert run(tmp_path / "bus", system("port"), system("hwrtos")) == ("started", 0)


def test_other_device(tmp_path: Path) -> None:
    console, code = run(tmp_path, system("hwrtos"), system("hwrtos"), MEL_IDENTITY=0x12345678)
    assert code == EXIT_CODE_BOOT
    assert console == (
        "melanion: what answers at the unit's address is no hardware unit: its identity is"
        f" {IDENTITY:#010x} instead of 0x12345678; run the program on a system with one\n"
    )


def test_other_spec(tmp_path: Path) -> None:
    console, code = run(tmp_path, system("hwrtos"), system("hwrtos"), MEL_SPEC_HASH=0x12345678)
    assert code == EXIT_CODE_BOOT
    assert console == (
        "melanion: the program was built for another hardware unit: its spec hash is 0x12345678,"
        f" the unit's is {SPEC_HASH_WORD:#010x}; build it again for this system\n"
    )


def test_other_parameters(tmp_path: Path) -> None:
    other, delivered = system("hwrtos", (32, 32, 64, 32)), system("hwrtos")
    console, code = run(tmp_path, delivered, other)
    assert code == EXIT_CODE_BOOT
    assert console == (
        "melanion: the program was built for another hardware unit: its parameter hash is"
        f" {other.parameter_hash_word:#010x}, the unit's is {delivered.parameter_hash_word:#010x};"
        " build it again for this system\n"
    )


def test_never_ready(tmp_path: Path) -> None:
    """The register `ready` reads 64 for ever: it is taken for `running`, which is idle."""
    hwrtos = system("hwrtos")
    console, code = run(tmp_path, hwrtos, hwrtos, MEL_REG_READY=Register.RUNNING)
    assert code == EXIT_CODE_BOOT
    assert console == (
        "melanion: the hardware unit does not become ready (its register `ready` stays 0):"
        " reset the system\n"
    )


IN_TASK = """
#include <melanion/melanion.h>
MEL_TASK_STACK(stack, 3, 512);
static void wild(void *argument) { *(volatile uint32_t *)argument = 1; }
int main(void)
{
    const mel_task_attributes_t attributes = {
        .entry = wild, .argument = (void *)0x30000000u, .stack = stack, .stack_size = 512,
        .priority = 1, .name = "careless"};
    (void)mel_task_create(3, &attributes);
    (void)mel_task_start(3);
    mel_kernel_start();
}
"""

IN_HANDLER = """
#include <melanion/melanion.h>
static void wild(mel_id_t irq, void *argument)
{
    (void)irq;
    (void)argument;
    __asm__ volatile("unimp");
}
int main(void)
{
    (void)mel_irq_attach(2, wild, NULL);
    (void)mel_irq_map(2, MEL_IRQ_ACTION_NONE, 0, 0, true);
    (void)mel_irq_enable(2);
    (void)mel_irq_raise(2);
    for (;;) { }
}
"""


def test_exception_in_task(tmp_path: Path) -> None:
    for name in ("sw", "hwrtos"):
        folder = tmp_path / name
        folder.mkdir()
        console, code = run(folder, system(name), system(name), IN_TASK)
        assert code == EXIT_CODE_FAULT
        assert re.fullmatch(
            r"melanion: store access fault \(cause 7\) at pc 0x1000[0-9a-f]{4}, address 0x30000000,"
            r" in task 3 \(careless\)\n",
            console,
        ), console


def test_exception_in_handler(tmp_path: Path) -> None:
    for name in ("sw", "hwrtos"):
        folder = tmp_path / name
        folder.mkdir()
        console, code = run(folder, system(name), system(name), IN_HANDLER)
        assert code == EXIT_CODE_FAULT
        assert re.fullmatch(
            r"melanion: illegal instruction \(cause 2\) at pc 0x1000[0-9a-f]{4},"
            r" address 0x[0-9a-f]{8}, in a handler that interrupted boot code or idle\n",
            console,
        ), console
