# SPDX-License-Identifier: Apache-2.0
"""The console: stdio of the C library on every kernel, and what a run gives it to receive."""

from __future__ import annotations

import hashlib
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from ruamel.yaml import YAML

from melanion import build, config, paths, soc
from melanion.build import stdio
from melanion.cli import group
from melanion.docs import sources
from melanion.run import ConsoleInput, RunError, RunResult, Settings, console_input, run_program
from tests.common.fetched import needs_cargo

FREERTOS_ITSELF = pytest.param("freertos", marks=[pytest.mark.soak, needs_cargo])
BOOSTER = pytest.param("booster", marks=pytest.mark.soak)
ONE_CORE = [
    "sw",
    "hwrtos",
    FREERTOS_ITSELF,
    *(pytest.param(n, marks=pytest.mark.soak) for n in ("banked", "port", "hwrtos-vexriscv")),
]
SEVERAL = [pytest.param(name, marks=pytest.mark.soak) for name in ("sw-2", "hwrtos-2")]
KERNELS = [*ONE_CORE, BOOSTER, *SEVERAL]
STREAMS = {"stdout", "stderr", "stdin", "vfprintf", "mel_input_take"}

HEAD = """#include <stdio.h>
#include <melanion/melanion.h>
enum { LOW, HIGH, STACK = 2048 };
MEL_TASK_STACK(low_stack, LOW, STACK);
MEL_TASK_STACK(high_stack, HIGH, STACK);
static void start(mel_id_t task, mel_task_entry_t entry, void *stack, mel_priority_t priority)
{
    const mel_task_attributes_t attributes = {
        .entry = entry, .stack = stack, .stack_size = STACK, .priority = priority};
    mel_task_create(task, &attributes);
    mel_task_start(task);
}
"""


def program(folder: Path, text: str, yaml: str = "") -> build.App:
    """An application with this main.c."""
    folder.mkdir(exist_ok=True)
    (folder / "app.yaml").write_text(f"name: talk\n{yaml}")
    (folder / "main.c").write_text(text)
    return build.application(folder)


def run(kernel: str, app: build.App, content: bytes | None = None, cycles: int = 1000) -> RunResult:
    received = None if content is None else ConsoleInput(content, cycles)
    return run_program(config.find(kernel), app, Settings(received=received))


# ---- printf --------------------------------------------------------------------------------------

TWO_TASKS = f"""{HEAD}
static void low(void *argument)
{{
    (void)argument;
    for (int round = 0; round < 3; round++) {{
        printf("low %d of %s, %05.2f\\n", round, "three", round / 4.0);
        mel_task_yield();
    }}
    fprintf(stderr, "%llx\\n", 0x123456789abcdefull);
    mel_exit(0);
}}
static void high(void *argument)
{{
    (void)argument;
    for (int round = 0; round < 3; round++) {{
        putchar('h');
        puts("igh");
        mel_task_yield();
    }}
}}
int main(void)
{{
    printf("main %c\\n", 'x');
    start(LOW, low, low_stack, 5);
    start(HIGH, high, high_stack, 5);
    mel_kernel_start();
}}
"""


@pytest.mark.parametrize("kernel", [*ONE_CORE, BOOSTER])
def test_two_tasks_print(kernel: str, tmp_path: Path) -> None:
    result = run(kernel, program(tmp_path / "app", TWO_TASKS))
    both = [f"low {n} of three, {n / 4:05.2f}\nhigh\n" for n in range(3)]
    assert result.console == f"main x\n{''.join(both)}123456789abcdef\n"


PREEMPTED = f"""{HEAD}
enum {{ CONSOLE }};
static volatile int ended;
static void say(const char *who, int number)
{{
    mel_mutex_lock(CONSOLE, MEL_FOREVER);
    printf("%s says %d\\n", who, number);
    mel_mutex_unlock(CONSOLE);
}}
static void low(void *argument)
{{
    (void)argument;
    for (int number = 0; !ended; number++) {{
        say("low", number);
    }}
    mel_exit(0);
}}
static void high(void *argument)
{{
    (void)argument;
    for (int number = 0; number < 20; number++) {{
        say("high", number);
        mel_task_sleep(1);
    }}
    ended = 1;
}}
int main(void)
{{
    mel_mutex_create(CONSOLE, MEL_NO_CEILING);
    start(LOW, low, low_stack, 5);
    start(HIGH, high, high_stack, 4);
    mel_kernel_start();
}}
"""


@pytest.mark.parametrize("kernel", [*ONE_CORE, *SEVERAL])  # the booster has no mutexes
def test_lines_stay_whole_behind_a_mutex(kernel: str, tmp_path: Path) -> None:
    lines = run(kernel, program(tmp_path / "app", PREEMPTED)).console.splitlines()
    for who in ("low", "high"):
        said = [line for line in lines if line.startswith(f"{who} says")]
        assert said == [f"{who} says {number}" for number in range(len(said))]
        assert len(said) >= 20
    assert all(re.fullmatch(r"(low|high) says \d+", line) for line in lines)


def test_lines_of_tasks_mix_without_a_mutex(tmp_path: Path) -> None:
    bare = re.sub(r"    mel_mutex_(un)?lock\(.*\n", "", PREEMPTED)
    lines = run("sw", program(tmp_path / "app", bare)).console.splitlines()
    assert not all(re.fullmatch(r"(low|high) says \d+", line) for line in lines)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_program_without_stdio_has_its_image(
    kernel: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = build.application("pingpong")
    with_archive = build.program(config.find(kernel), app)
    assert not STREAMS & set(with_archive.content.symbols)
    monkeypatch.setattr(stdio, "link_words", lambda *_: [])
    monkeypatch.setenv("MELANION_CACHE", str(tmp_path / "cache"))
    without = build.program(config.find(kernel), app)
    assert with_archive.image.read_bytes() == without.image.read_bytes()
    assert with_archive.tracepoints.read_text() == without.tracepoints.read_text()


def test_a_macro_chooses_the_printf(tmp_path: Path) -> None:
    app, system = program(tmp_path / "app", TWO_TASKS), config.find("sw")
    sizes = {}
    for name in (*stdio.VARIANTS, ""):
        made = build.program(system, app, defines={name: 1} if name else {})
        sizes[name] = len(made.image.read_bytes())
    integer, single, double, default = sizes.values()
    assert integer < single < double == default
    plain = len(build.program(system, build.application("pingpong")).image.read_bytes())
    assert integer - plain < (double - plain) / 2
    chosen = Settings(defines={stdio.VARIANTS[0]: 1})
    assert "of three, *float*\n" in run_program(system, app, chosen).console


CONFIG = """#define configTICK_RATE_HZ 1000
#define configCPU_CLOCK_HZ 100000000
#define configMAX_PRIORITIES 8
#define configMINIMAL_STACK_SIZE 128
#define configTOTAL_HEAP_SIZE 16384
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configUSE_PREEMPTION 1
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0
#define configSUPPORT_DYNAMIC_ALLOCATION 1
"""

FREERTOS = """#include <stdio.h>
#include "FreeRTOS.h"
#include "task.h"
#include <melanion/kernel.h>
static void body(void *argument)
{
    printf("%s from %s\\n", (const char *)argument, pcTaskGetName(NULL));
    mel_exit(0);
}
int main(void)
{
    xTaskCreate(body, "talker", 512, "hello", 3, NULL);
    vTaskStartScheduler();
    return 1;
}
"""


@pytest.mark.parametrize("kernel", ["sw", "hwrtos", FREERTOS_ITSELF])
def test_a_program_for_freertos_prints(kernel: str, tmp_path: Path) -> None:
    app = program(tmp_path / "app", FREERTOS, "compat: freertos\n")
    (tmp_path / "app" / "FreeRTOSConfig.h").write_text(CONFIG)
    assert run(kernel, app).console == "hello from talker\n"


ITRON = """#include <stdio.h>
#include <kernel.h>
void body(VP_INT number)
{
    printf("task %d\\n", (int)number);
    if (number == 2) {
        mel_exit(0);
    }
}
"""
ROWS = """CRE_TSK(ONE, TA_HLNG | TA_ACT, 1, body, 5, 2048)
CRE_TSK(TWO, TA_HLNG | TA_ACT, 2, body, 6, 2048)
"""


@pytest.mark.parametrize("kernel", ["sw", "hwrtos"])
def test_a_program_for_itron_prints(kernel: str, tmp_path: Path) -> None:
    app = program(tmp_path / "app", ITRON, "compat: itron\n")
    (tmp_path / "app" / "itron_cfg.h").write_text(ROWS)
    assert run(kernel, app).console == "task 1\ntask 2\n"


# ---- input ---------------------------------------------------------------------------------------

ECHO = b"first line\n\nlast\n"
ECHOED = "1: first line\n2: \n3: last\nthe other task ran meanwhile\n"


@pytest.mark.parametrize("kernel", KERNELS)
def test_echo_repeats_its_input(kernel: str) -> None:
    # FreeRTOS boots for longer than bytes of fewer cycles take.
    assert run(kernel, build.application("echo"), ECHO, 5000).console == ECHOED


def test_the_same_input_takes_the_same_cycles() -> None:
    app = build.application("echo")
    once, twice = run("sw", app, ECHO), run("sw", app, ECHO)
    assert once.cycles == twice.cycles
    assert once.events.tobytes() == twice.events.tobytes()
    slower = run("sw", app, ECHO, cycles=2000)
    assert slower.console == once.console
    assert slower.cycles > once.cycles + 900 * len(ECHO)
    decided = once.as_json()["provenance"]
    assert decided["input_sha256"] == hashlib.sha256(ECHO).hexdigest()
    assert (decided["input_bytes"], decided["input_cycles"]) == (len(ECHO), 1000)
    assert once.as_json()["input_lost"] == 0


BEFORE_TASKS = """#include <stdio.h>
#include <melanion/melanion.h>
int main(void)
{
    int number = 0, sum = 0;
    while (scanf("%d", &number) == 1) {
        sum += number;
    }
    printf("%d %d %d\\n", sum, feof(stdin) != 0, getchar());
    return 0;
}
"""


@pytest.mark.parametrize("kernel", KERNELS)
def test_main_reads_before_tasks_run(kernel: str, tmp_path: Path) -> None:
    app = program(tmp_path / "app", BEFORE_TASKS)
    assert run(kernel, app, b"17 -4\n29\n").console == "42 1 -1\n"
    assert run(kernel, app, b"").console == "0 1 -1\n"


WAKEUPS = f"""{HEAD}
static void low(void *argument)
{{
    (void)argument;
    while (getchar() != EOF) {{
    }}
    mel_task_info_t info;
    mel_task_query(MEL_SELF, &info);
    printf("%u wake-ups\\n", (unsigned)info.wakeups);
    mel_exit(0);
}}
int main(void)
{{
    start(LOW, low, low_stack, 5);
    (void)high_stack;
    mel_kernel_start();
}}
"""


@pytest.mark.parametrize("kernel", ["sw", "hwrtos"])
@pytest.mark.parametrize("cycles", [2, 150, 333])
def test_no_wakeup_is_left_of_a_wait(kernel: str, cycles: int, tmp_path: Path) -> None:
    app = program(tmp_path / "app", WAKEUPS)
    assert run(kernel, app, bytes(range(100)), cycles).console == "0 wake-ups\n"


LATE = """#include <stdio.h>
#include <melanion/device.h>
#include <melanion/input.h>
#include <melanion/melanion.h>
int main(void)
{
    uint32_t taken = 0;
    mel_busy(10000);
    while (mel_input_take() != MEL_INPUT_END) {
        taken++;
    }
    printf("%u taken, %u lost\\n", (unsigned)taken, (unsigned)mel_input_lost());
    return 0;
}
"""


def test_bytes_that_find_the_queue_full_are_lost_and_counted(tmp_path: Path) -> None:
    result = run("sw", program(tmp_path / "app", LATE), bytes(2058), 2)
    assert result.console == "2048 taken, 10 lost\n"
    assert result.counts.input_lost == 10


def test_the_line_is_that_of_boards() -> None:
    assert console_input.line(config.find("sw")) == 15
    assert console_input.line(config.find("sw[interrupts=4]")) == 3
    assert console_input.line(config.find("sw[interrupts=0]")) == 64
    for board in (paths.data_root() / "boards").glob("*.yaml"):
        assert YAML(typ="safe").load(board.read_text())["uart"]["interrupt"] == 15


@pytest.mark.parametrize("lines", [4, 0])
def test_a_system_with_few_lines_reads(lines: int) -> None:
    assert run(f"sw[interrupts={lines}]", build.application("echo"), ECHO).console == ECHOED


def test_rows_know_no_input() -> None:
    [host] = [p for p in soc.rtl_sources(config.find("sw")).files if p.name == "mel_host.sv"]
    text = host.read_text(encoding="utf-8")
    assert "received" in text.partition("module")[2]
    seen = sources.dense(sources.chosen(text, double=False))
    assert "MEL_INPUT" not in seen and "received" not in seen


# ---- the command line ----------------------------------------------------------------------------


def invoke(*words: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(group, list(words), input=stdin, standalone_mode=False)


def refusal(*words: str) -> tuple[str, int]:
    error = invoke(*words).exception
    assert isinstance(error, RunError)
    return error.message, error.exit_code


def test_what_is_refused(tmp_path: Path) -> None:
    missing, there = tmp_path / "missing", tmp_path / "there"
    there.write_bytes(ECHO)
    assert refusal("run", "echo", "--input", str(missing)) == (
        f"--input {missing}: this file cannot be read (No such file or directory); name another"
        " file, or - for standard input.",
        2,
    )
    for cycles in ("1", "1000001"):
        assert refusal("run", "echo", "--input", str(there), "--input-cycles", cycles) == (
            f"--input-cycles {cycles}: a byte takes 2 … 1000000 cycles; choose one of them.",
            2,
        )
    assert refusal("run", "echo", "--input-cycles", "100") == (
        "--input-cycles 100 goes with --input alone; name an input, or leave it out.",
        2,
    )
    for command in ("run", "debug"):
        assert refusal(command, "echo") == (
            "echo: it reads the console, and this run gives it nothing to read; add --input FILE,"
            " or --input - for standard input.",
            2,
        )


def test_a_pipe_is_read_to_its_end_first(tmp_path: Path) -> None:
    (tmp_path / "input").write_bytes(ECHO)
    words = ("run", "echo", "--json", "--input")
    piped, named = invoke(*words, "-", stdin=ECHO), invoke(*words, str(tmp_path / "input"))
    assert re.findall(r'"(?:cycles|console|input_sha256)": .*', piped.stdout) == re.findall(
        r'"(?:cycles|console|input_sha256)": .*', named.stdout
    )
    assert len(re.findall(r'"input_sha256"', piped.stdout)) == 1


def test_lost_bytes_are_told(tmp_path: Path) -> None:
    (tmp_path / "input").write_bytes(bytes(2058))
    words = ("--input", str(tmp_path / "input"), "--input-cycles", "2")
    program(tmp_path / "app", LATE)
    assert (
        "10 bytes of the input were lost, because 2048 others waited; give each byte more cycles"
        " with --input-cycles.\n"
    ) in invoke("run", str(tmp_path / "app"), *words).stdout


def answered(terminal: int, wanted: bytes) -> bytes:
    """Bytes from a terminal, up to those that are wanted."""
    seen = b""
    while wanted not in seen:
        assert select.select([terminal], [], [], 120)[0], seen
        seen += os.read(terminal, 4096)
    return seen


def test_what_is_typed_is_answered_at_once() -> None:
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "melanion", "run", "echo", "--input", "-", "--console"]
    with subprocess.Popen(
        words, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        os.close(theirs)
        try:
            for number, text in enumerate((b"one", b"two"), 1):
                os.write(ours, text + b"\n")
                answered(ours, b"%d: %s\r\n" % (number, text))
            os.write(ours, b"\x04")
            answered(ours, b"the other task ran meanwhile\r\n")
            assert process.wait(60) == 0
        finally:
            process.kill()
            os.close(ours)
