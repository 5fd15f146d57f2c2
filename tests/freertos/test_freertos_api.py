# SPDX-License-Identifier: Apache-2.0
"""The layer for FreeRTOS (kernel/compat/freertos) on every kernel: each name, what happens in which
order, what a program is told that cannot be built. Programs check themselves; the replay judges the
kernel's calls below them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from melanion import build, config, paths
from melanion.build import BuildError, freertos, missing
from melanion.model import ReplayError
from melanion.run import RunError, RunResult, run_program
from tests.common.fetched import needs_cargo
from tests.common.planted_tree import ProgramMutant, programs
from tests.common.scenario_run import SINGLE

ROOT = paths.data_root()
LAYER = ROOT / "kernel" / "compat" / "freertos"
FACTS = YAML(typ="safe").load((LAYER / "calls.yaml").read_text(encoding="utf-8"))
SEVERAL = FACTS["calls"]["several cores"]  # shown by tests/freertos/test_freertos_cores.py
TRACE = FACTS["calls"]["trace macros"]  # tests/freertos/test_freertos_trace.py
GROUPS = {group: rows for group, rows in FACTS["calls"].items() if rows is not TRACE}
NAMES = {name: row for group in GROUPS.values() for name, row in group.items()}
FILE = Path(__file__).parents[1] / "mutants" / "freertos_api.yaml"
SOAK = pytest.mark.soak
# The layer is the same on all kernels: one program for each kind of them runs in every run.
LAST = [pytest.param(name, marks=SOAK) for name in ("port", "banked", *SINGLE)]
HARDWARE = ["hwrtos", pytest.param("sw", marks=SOAK), *LAST]
SOFTWARE = ["sw", pytest.param("hwrtos", marks=SOAK), *LAST]
FREERTOS = pytest.param("freertos", marks=needs_cargo)  # itself: no layer is between them


def run(system: str, app: str) -> RunResult:
    """Raises RunError for what the program finds, ReplayError for a wrong schedule."""
    folder = paths.data_root() / "apps" / "freertos" / app
    return run_program(config.find(system), build.application(folder))


# ---- each name -----------------------------------------------------------------------------------


def shown(console: str) -> set[str]:
    """The names that a run has printed, one in a line."""
    return set(console.splitlines())


def disagreements(names: set[str]) -> list[str]:
    """Names that calls.yaml promises and no run has shown, and the reverse."""
    few = [f"{name} was never shown" for name in NAMES.keys() - SEVERAL.keys() - names]
    more = [f"{name} was shown, and is not in calls.yaml" for name in names - NAMES.keys()]
    return sorted(few + more)


@pytest.mark.parametrize("kernel", [*HARDWARE, FREERTOS])
def test_every_name_does_what_it_says(kernel: str) -> None:
    assert disagreements(shown(run(kernel, "freertos_calls").console)) == []


def test_a_name_that_is_not_shown_or_not_listed_is_named() -> None:
    assert disagreements(set(NAMES) - {"xQueueSend"}) == ["xQueueSend was never shown"]
    assert disagreements({*NAMES, "xQueueSand"}) == [
        "xQueueSand was shown, and is not in calls.yaml"
    ]


def test_enough_names_are_there() -> None:
    assert len(NAMES) >= 162


DECLARED = re.compile(
    r"^(?:#define |(?!typedef)[\w *]+[ *])((?:[a-z]{1,3}(?:Task|Queue|Semaphore|EventGroup|Timer"
    r"|Port|StreamBuffer|StreamBatchingBuffer|MessageBuffer)|vApplication|task|port|pd)[A-Z]\w*)\(",
    re.MULTILINE,
)


def test_names_are_those_that_the_headers_declare() -> None:
    """No call is declared that no program shows; whatever is listed is declared."""
    headers = "".join(path.read_text(encoding="utf-8") for path in sorted(LAYER.glob("*.h")))
    declared = set(DECLARED.findall(headers))
    own = {name for name in declared if "Generic" in name or name in LOWER}
    assert sorted(declared - own - set(NAMES)) == []
    assert sorted(name for name in NAMES if not re.search(rf"\b{name}\b", headers)) == []


# Parts of the names that programs use: ports define them, programs do not use them.
LOWER = {
    "portENABLE_INTERRUPTS",
    "portDISABLE_INTERRUPTS",
    "portTASK_FUNCTION",
    "portTASK_FUNCTION_PROTO",
    "portNOP",
    "portALLOCATE_SECURE_CONTEXT",
    "portTASK_USES_FLOATING_POINT",
    "portMEMORY_BARRIER",
    "portYIELD",
    "portENTER_CRITICAL_FROM_ISR",
    "portEXIT_CRITICAL_FROM_ISR",
    "vPortEnterCritical",
    "vPortExitCritical",
}


def test_names_stand_over_calls_that_there_are() -> None:
    folder = ROOT / "kernel" / "include" / "melanion"
    headers = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.h"))
    for name, row in NAMES.items():
        assert row["by"] in ("hardware", "software"), name
        for below in row["over"]:
            assert below == "step" or f" {below}(" in headers, f"{name}: {below}"


# ---- what happens in which order -----------------------------------------------------------------

SCENARIOS = (Path(__file__).parent / "freertos_order.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("kernel", [*SOFTWARE, FREERTOS])
def test_events_come_in_the_order_of_freertos(kernel: str) -> None:
    assert run(kernel, "freertos_order").console == SCENARIOS


# Output of FreeRTOS V11.2.0 itself on the same core: differences are listed by the page.
TURNS_OF_FREERTOS = """slices: a b c a b c a b c in time 1
alone: goes on other one
time-out with two mutexes: waits: low5 one0 over: low5
given one by one: both wait: low5 middle3 two1 two given: low5 middle3 one1 one given: low1 middle3
chain: middle waits: low3 middle3 high waits: low3 middle5 high is 4: low3 middle5 middle has both\
 two1 given: low1 middle3
handed over: again1 later0
moved while waiting: then high first low
"""


# Lines of the layer that differ from FreeRTOS', in any case and with configUSE_EXACT_INHERITANCE 1.
DIFFERENT = """chain: middle waits: low3 middle3 high waits: low5 middle5 high is 4: low4 middle4\
 middle has both two1 given: low1 middle3
handed over: again0 one1 later1
moved while waiting: first low then high
"""
EXACT = """time-out with two mutexes: waits: low5 one0 over: low1
given one by one: both wait: low5 middle3 two1 two given: low3 middle3 one1 one given: low1 middle3
"""


def turns(*exact: str) -> str:
    """The lines of FreeRTOS, but for those that `exact` has."""
    other = {line.split(":")[0]: line for text in exact for line in text.splitlines()}
    lines = TURNS_OF_FREERTOS.splitlines()
    assert all(line not in lines for line in other.values())
    return "".join(f"{other.get(line.split(':')[0], line)}\n" for line in lines)


@pytest.mark.parametrize("kernel", SOFTWARE)
def test_equals_take_turns_and_owners_stay_raised(kernel: str) -> None:
    """An owner of several mutexes, until it has given the last one: as FreeRTOS has it."""
    assert run(kernel, "freertos_turns").console == turns(DIFFERENT)


@pytest.mark.parametrize("kernel", SOFTWARE)
def test_owners_inherit_exactly_where_the_program_says_so(kernel: str) -> None:
    app = build.application(ROOT / "apps" / "freertos" / "freertos_turns")
    console = run_program(config.find(kernel), replace(app, defines={"EXACT": 1})).console
    assert console == turns(DIFFERENT, EXACT)


@needs_cargo
def test_freertos_itself_does_what_the_page_says_of_it() -> None:
    assert run("freertos", "freertos_turns").console == TURNS_OF_FREERTOS


@pytest.mark.parametrize("kernel", ["sw", "hwrtos", *LAST, FREERTOS])
def test_edges(kernel: str) -> None:
    """The one moment in which two things meet: the program judges it, FreeRTOS does the same."""
    assert run(kernel, "freertos_edges").console.count("\n") == 3


ERROR = re.compile(
    r"^#define (pd(?:FREERTOS_ERRNO_\w+|FREERTOS_(?:LITTLE|BIG)_ENDIAN)) +(\d+)", re.M
)


@needs_cargo
def test_error_numbers_are_those_of_freertos() -> None:
    (original,) = freertos.upstream().folder.rglob("projdefs.h")
    own = LAYER / "error_numbers.h"
    found = [dict(ERROR.findall(path.read_text(encoding="utf-8"))) for path in (own, original)]
    assert found[0] == found[1] and len(found[0]) > 40


# ---- what a program is told that cannot be built -------------------------------------------------

CONFIG = """#define configTICK_RATE_HZ 1000
#define configMAX_PRIORITIES 5
#define configTOTAL_HEAP_SIZE 8192
"""
MAIN = """#include "FreeRTOS.h"
#include "queue.h"
#include <melanion/console.h>
#include <melanion/kernel.h>
#include "task.h"
static void task(void *parameters) { (void)parameters; %s mel_exit(0); }
int main(void) { xTaskCreate(task, "task", 256, NULL, 1, NULL); vTaskStartScheduler(); }
"""


def program(
    folder: Path, statement: str = "", settings: str = CONFIG, *, head: str = ""
) -> build.App:
    """A program of one task that makes this statement; `head`: in front of it."""
    (folder / "app.yaml").write_text("name: mine\ncompat: freertos\n", encoding="utf-8")
    (folder / "mine.c").write_text(head + MAIN % statement, encoding="utf-8")
    (folder / "FreeRTOSConfig.h").write_text(settings, encoding="utf-8")
    return build.application(folder)


def refusal(app: build.App, system: str = "sw") -> str:
    with pytest.raises(BuildError) as caught:
        build.program(config.find(system), app)
    return caught.value.message


def test_missing_name_is_told_before_the_compiler_complains(tmp_path: Path) -> None:
    app = program(tmp_path, "\n /* vTaskStepTick */\n xTaskCatchUpTicks(3); xUnknown();")
    assert refusal(app) == (
        "mine.c:8: mine uses xTaskCatchUpTicks, which the interface freertos does not have:"
        " leave it out: the kernel keeps the time itself, and a program starts once; all names are"
        " in docs/reference/freertos.md."
    )


def test_missing_name_in_text_comment_or_unused_code_is_no_use(tmp_path: Path) -> None:
    code = '\n#if 0\n vTaskStepTick(1);\n#endif\n // vTaskStepTick\n (void)"vTaskStepTick";'
    run_program(config.find("sw"), program(tmp_path, code))


def test_no_name_is_there_and_missing() -> None:
    assert set(FACTS["missing"]).isdisjoint(NAMES)
    assert missing.names(ROOT / "kernel" / "compat" / "itron") == {}


WRONG = {
    "#define configTICK_RATE_HZ 1000\n": (
        "FreeRTOSConfig.h: mine does not compile: configMAX_PRIORITIES is missing, allowed is 1 to"
        " 32, the priorities of sw; add it"
    ),
    "#define configMAX_PRIORITIES 5\n": (
        "FreeRTOSConfig.h: mine does not compile: configTICK_RATE_HZ is missing, allowed is 1 to"
        " 173611, the shortest tick of sw; add it"
    ),
    CONFIG + "#define configUSE_16_BIT_TICKS 1\n": "configUSE_16_BIT_TICKS is 1, allowed is 0",
    CONFIG + "#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_64_BITS\n": (
        "configTICK_TYPE_WIDTH_IN_BITS is not TICK_TYPE_WIDTH_32_BITS, which alone is allowed"
    ),
    CONFIG + "#define configUSE_CO_ROUTINES 1\n": "configUSE_CO_ROUTINES is 1, allowed is 0",
    CONFIG + "#define configUSE_PREEMPTION 0\n": "configUSE_PREEMPTION is 0, allowed is 1",
    CONFIG.replace("PRIORITIES 5", "PRIORITIES 33"): (
        "FreeRTOSConfig.h:2: mine does not compile: configMAX_PRIORITIES is out of range, allowed"
        " is 1 to 32, the priorities of sw; lower it, or raise parameters: priorities of the"
        " configuration"
    ),
}


@pytest.mark.parametrize("settings", WRONG, ids=range(len(WRONG)))
def test_wrong_settings_are_named_when_the_program_is_built(settings: str, tmp_path: Path) -> None:
    assert WRONG[settings] in refusal(program(tmp_path, settings=settings))


def test_stacks_are_filled_only_where_that_can_be_seen(tmp_path: Path) -> None:
    """A static task with 16 KiB of stack is made in less time than it takes to fill that."""
    stack = "static StackType_t stack[4096]; static StaticTask_t memory;\n"
    make = (
        "const uint32_t begun = cycles(); xTaskCreateStatic(task, 0, 4096, 0, 1, stack, &memory);"
        " mel_print_unsigned(cycles() - begun);"
    )
    counter = (
        "#include <stdint.h>\nstatic inline uint32_t cycles(void)"
        ' { uint32_t c; __asm__ volatile("csrr %0, mcycle" : "=r"(c)); return c; }\n'
    )
    head = f'{counter}#include "FreeRTOS.h"\n#include "task.h"\n{stack}'
    settings = f"{CONFIG}#define configSUPPORT_STATIC_ALLOCATION 1\n"
    shown = {}
    for fills in (0, 1):
        asked = f"{settings}#define INCLUDE_uxTaskGetStackHighWaterMark {fills}\n"
        app = program(tmp_path, make, asked, head=head)
        shown[fills] = int(run_program(config.find("sw"), app).console)
    assert shown[0] < 1000 < 4096 < shown[1]
    app = program(tmp_path, "uxTaskGetStackHighWaterMark(0);", settings, head=head)
    assert "INCLUDE_uxTaskGetStackHighWaterMark is 0, allowed is 1 where" in refusal(app)


def test_program_without_settings_is_told(tmp_path: Path) -> None:
    app = program(tmp_path)
    (tmp_path / "FreeRTOSConfig.h").unlink()
    assert "FreeRTOSConfig.h is missing beside app.yaml: add the program's own" in refusal(app)


@needs_cargo
def test_freertos_itself_is_built_with_the_settings_of_the_program(tmp_path: Path) -> None:
    for settings in list(WRONG)[:-1]:
        said = re.sub(r"1 to \d+, the \w+( tick)? of sw", "1 or more", WRONG[settings])
        assert said in refusal(program(tmp_path, settings=settings), "freertos")
    (tmp_path / "FreeRTOSConfig.h").unlink()
    said = "FreeRTOSConfig.h is missing beside app.yaml: add the program's own"
    assert said in refusal(build.application(tmp_path), "freertos")


LITTLE = """#define configTICK_RATE_HZ 1000
#define configMAX_PRIORITIES 40
#define configTOTAL_HEAP_SIZE 8192
#define configCLINT_BASE_ADDRESS 0x2000000
#define configMTIME_BASE_ADDRESS 0x200bff8
#define configISR_STACK_SIZE_WORDS 64
#define configUSE_TIMERS 1
#define configSUPPORT_STATIC_ALLOCATION 1
#define configASSERT(x) if (!(x)) mel_exit(9)
#include <melanion/kernel.h>
"""


@needs_cargo
def test_freertos_itself_needs_little_of_the_program_and_takes_the_machine_as_it_is(
    tmp_path: Path,
) -> None:
    """Static memory, timer task, more priorities than a word has bits, what boards define."""
    calls = "vTaskDelay(2); if (eTaskGetState(NULL) != eRunning) mel_exit(3);"
    calls += " mel_print(pcTaskGetName(NULL)); *(volatile int *)0x7ffffff0 = 1;"
    made = program(tmp_path, calls.replace("eTaskGetState(NULL)", STATE), LITTLE)
    with pytest.raises(RunError) as caught:
        run_program(config.find("freertos"), made)
    assert "in task 0 (task)" in caught.value.message


STREAMS = """#include "FreeRTOS.h"
#include "stream_buffer.h"
volatile unsigned calls;
"""
# Completion macros that count instead of waking the waiter.
OWN_COMPLETIONS = f"""{CONFIG}extern volatile unsigned calls;
#define sbSEND_COMPLETED(stream) calls += (stream) != 0
#define sbRECEIVE_COMPLETED(stream) calls += 10 * ((stream) != 0)
#define sbSEND_COMPLETE_FROM_ISR(stream, woken) calls += 100 * ((stream) != 0 && (woken) != 0)
#define sbRECEIVE_COMPLETED_FROM_ISR(stream, woken) calls += 1000 * ((stream) != 0 && (woken) != 0)
"""
COMPLETIONS = """char byte = 7; BaseType_t woken;
StreamBufferHandle_t s = xStreamBufferCreate(8, 1);
xStreamBufferSend(s, &byte, 1, 0); xStreamBufferSend(s, &byte, 1, 0);
xStreamBufferReceive(s, &byte, 1, 0); xStreamBufferReceive(s, &byte, 1, 0);
xStreamBufferReceive(s, &byte, 1, 0); xStreamBufferSendFromISR(s, &byte, 1, &woken);
xStreamBufferReceiveFromISR(s, &byte, 1, &woken);
mel_print_unsigned(calls);"""


@pytest.mark.parametrize("kernel", ["sw", pytest.param("freertos", marks=[needs_cargo, SOAK])])
def test_a_program_may_say_itself_what_follows_bytes(kernel: str, tmp_path: Path) -> None:
    made = program(tmp_path, COMPLETIONS, OWN_COMPLETIONS, head=STREAMS)
    assert run_program(config.find(kernel), made).console == "1122"


def test_callbacks_of_buffers_that_are_switched_off_are_told(tmp_path: Path) -> None:
    call = "(void)xStreamBufferCreateWithCallback(8, 1, NULL, NULL);"
    assert refusal(program(tmp_path, call, head=STREAMS)) == (
        "mine.c:9: mine uses xStreamBufferCreateWithCallback, which the interface freertos does"
        " not have: switch callbacks of buffers on with configUSE_SB_COMPLETED_CALLBACK 1 in"
        " FreeRTOSConfig.h; all names are in docs/reference/freertos.md."
    )
    assert set(FACTS["switched"]) <= set(NAMES)


IDLE = """uint32_t idle = ulTaskGetIdleRunTimeCounter(); vTaskDelay(5);
mel_print_unsigned(ulTaskGetIdleRunTimeCounter() - idle);"""


@pytest.mark.parametrize(
    ("kernel", "cycles"),
    [("hwrtos", range(40_000, 50_000)), pytest.param("sw", range(1), marks=SOAK)],
)
def test_idle_time_without_an_idle_task_is_what_no_task_used(
    kernel: str, cycles: range, tmp_path: Path
) -> None:
    """Ticks of 10 000 cycles; `sw` measures nothing."""
    settings = CONFIG.replace("HZ 1000", "HZ 10000")
    made = program(tmp_path, IDLE, f"{settings}#define configGENERATE_RUN_TIME_STATS 1\n")
    assert int(run_program(config.find(kernel), made).console) in cycles


HEAD = '#include "FreeRTOS.h"\n#include "semphr.h"\n'
STATE = "eTaskGetState(xTaskGetCurrentTaskHandle())"
BOOTS = {
    CONFIG.replace("HZ 1000", "HZ 1000000"): (
        "freertos: configTICK_RATE_HZ in FreeRTOSConfig.h makes ticks that are too short for this"
    ),
    CONFIG.replace("8192", "2048") + "#define configUSE_TIMERS 1\n": (
        "freertos: there is no memory, or no task, left for the timer or the idle task: raise"
    ),
}


@pytest.mark.parametrize("settings", BOOTS, ids=range(len(BOOTS)))
def test_what_only_the_run_can_see_ends_the_boot(settings: str, tmp_path: Path) -> None:
    with pytest.raises(RunError) as caught:
        run_program(config.find("sw"), program(tmp_path, settings=settings))
    assert BOOTS[settings] in caught.value.message


LIMITS = {
    "tasks": "while (xTaskCreate(task, 0, 64, 0, 0, 0) == pdPASS) {}",
    "semaphores": "while (xSemaphoreCreateBinary() != NULL) {}",
    "mutexes": "while (xSemaphoreCreateMutex() != NULL) {}",
}


@pytest.mark.parametrize("kind", LIMITS)
def test_limits_of_the_system_are_told_once_at_the_call(kind: str, tmp_path: Path) -> None:
    call = LIMITS[kind]
    settings = CONFIG.replace("8192", "65536")
    made = program(tmp_path, f'{call} {call} mel_print("behind");', settings, head=HEAD)
    most = getattr(config.find("sw").parameters, kind)
    name = re.findall(r"x\w+Create\w*", call)[0]
    console = run_program(config.find("sw"), made).console
    assert re.sub(r"0x[0-9a-fA-F]{8}", "ADDRESS", console) == (
        f"freertos: {name} before ADDRESS found all {most} {kind} of sw in use: raise parameters:"
        f" {kind} of its configuration\nbehind"
    )


def test_little_memory_is_no_limit_of_the_system(tmp_path: Path) -> None:
    small = "static StackType_t s[8]; static StaticTask_t t;"
    small += " xTaskCreateStatic(task, 0, 8, 0, 0, s, &t);"
    made = program(tmp_path, f'{small} {LIMITS["tasks"]} mel_print("behind");')
    assert run_program(config.find("sw"), made).console == "behind"


@SOAK
def test_kernel_with_other_semaphores_is_refused(tmp_path: Path) -> None:
    text = (
        "freertos: the kernel booster has semaphores that this layer cannot wait for in a step; run"
    )
    with pytest.raises(RunError) as caught:
        run_program(config.find("booster"), program(tmp_path, "xQueueCreate(1, 4);"))
    assert text in caught.value.message


# ---- mutants -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mutant", programs(FILE, quick=2))
def test_mutant_is_caught(
    mutant: ProgramMutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mutant.plant(monkeypatch, tmp_path)
    try:
        console = run(mutant.kernel, mutant.app).console
    except (RunError, ReplayError) as error:
        print(error.message)
    else:
        assert mutant.app == "freertos_order"
        assert console != SCENARIOS
