# SPDX-License-Identifier: Apache-2.0
"""Settings of a FreeRTOSConfig.h behind an error of the compiler or the linker: which one a name of
FreeRTOS needs, which one calls a hook, and which values a setting may have on a system."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import melanion.build.library as library
from melanion.build.app import CONFIG, App
from melanion.config import System

# Hooks of the program → the setting with which the kernel calls them.
HOOKS = {
    "vApplicationStackOverflowHook": "configCHECK_FOR_STACK_OVERFLOW",
    "vApplicationMallocFailedHook": "configUSE_MALLOC_FAILED_HOOK",
    "vApplicationIdleHook": "configUSE_IDLE_HOOK",
    "vApplicationPassiveIdleHook": "configUSE_PASSIVE_IDLE_HOOK",
    "vApplicationTickHook": "configUSE_TICK_HOOK",
    "vApplicationDaemonTaskStartupHook": "configUSE_DAEMON_TASK_STARTUP_HOOK",
}
# Name that the linker misses → macro that switches it on: the first that fits.
_NEEDED = (
    (r"xTimerPendFunctionCall(FromISR)?", "configUSE_TIMERS 1 and INCLUDE_xTimerPendFunctionCall"),
    (r"vEventGroup(Set|Clear)BitsCallback", "configUSE_TIMERS"),
    (r"(x|v|pc|pv|ux)Timer\w+", "configUSE_TIMERS"),
    (r"\w+Static", "configSUPPORT_STATIC_ALLOCATION"),
    (r"xQueue(Create|AddTo|RemoveFrom|SelectFrom)Set(FromISR)?", "configUSE_QUEUE_SETS"),
    (r"xQueue(Take|Give)MutexRecursive", "configUSE_RECURSIVE_MUTEXES"),
    (r"xQueue(CreateMutex|GetMutexHolder(FromISR)?)", "configUSE_MUTEXES"),
    (r"xQueueCreateCountingSemaphore", "configUSE_COUNTING_SEMAPHORES"),
    (r"(vQueue\w*Registry|pcQueueGetName)", "configQUEUE_REGISTRY_SIZE"),
    (r"(x|v|ux)(Stream|Message)Buffer\w+", "configUSE_STREAM_BUFFERS"),
    (r"(x|v|ux)EventGroup\w+", "configUSE_EVENT_GROUPS"),
    (r"(x|v|ul)Task(Generic)?Notif\w+", "configUSE_TASK_NOTIFICATIONS"),
    (
        r"vTaskList(Tasks)?",
        "configUSE_TRACE_FACILITY 1 and configUSE_STATS_FORMATTING_FUNCTIONS",
    ),
    (r"(uxTaskGetSystemState|vTaskGetInfo)", "configUSE_TRACE_FACILITY"),
    (
        r"vTaskGetRunTimeStat\w+",
        "configGENERATE_RUN_TIME_STATS 1 and configUSE_STATS_FORMATTING_FUNCTIONS",
    ),
    (r"ulTaskGet\w*RunTime\w+", "configGENERATE_RUN_TIME_STATS"),
    (r"\w+ApplicationTaskTag(FromISR)?", "configUSE_APPLICATION_TASK_TAG"),
    (r"xTaskCallApplicationTaskHook", "configUSE_APPLICATION_TASK_TAG"),
    (r"(pv|v)Task[GS]etThreadLocalStoragePointer", "configNUM_THREAD_LOCAL_STORAGE_POINTERS"),
    (r"vTaskResume", "INCLUDE_vTaskSuspend"),
    (r"v?xTaskDelayUntil", "INCLUDE_xTaskDelayUntil"),
    (
        r"(?P<self>vTask(PrioritySet|Delete|Suspend|Delay)|uxTask(PriorityGet|GetStackHighWaterMark2?)"
        r"|xTask(ResumeFromISR|AbortDelay|GetSchedulerState|GetHandle|GetIdleTaskHandle"
        r"|GetCurrentTaskHandle)|eTaskGetState)",
        "INCLUDE_",
    ),
)

# Words of the layer (kernel/compat/freertos/defaults.h, layer.h) for numbers of a system.
_CLOCK = "what the clock divided by the shortest tick gives"
_PRIORITIES = r"the priorities of the system\b( [\w-]+)?"
_TOLD = re.compile(
    rf'^(?:#error|static assertion failed:) "{re.escape(CONFIG)}: (?P<text>(?P<name>\w+).*)"'
)


def missing(app: App, names: Iterable[tuple[str, str]]) -> list[str]:
    """A sentence for each setting behind names that nothing defines; `names`: each with the place
    that calls it, empty where that is in the kernel."""
    if app.compat is None or app.compat.name != "freertos":
        return []
    found: dict[str, str] = {}
    for name, place in names:
        if (hook := HOOKS.get(name)) is not None:
            asks = f"{CONFIG} has {hook} {_value(app, hook)}".rstrip()
            found.setdefault(hook, f"{asks}, so define {name}(), or set the macro to 0")
        elif (setting := needed(name)) is not None:
            calls = f"{place} calls {name}" if place else f"{name} is called"
            found.setdefault(setting, f"{calls}: set {setting} 1 in {CONFIG}")
    return list(found.values())


def needed(name: str) -> str | None:
    """The setting that must be 1 for a function of FreeRTOS; None: it needs none."""
    for pattern, setting in _NEEDED:
        if (match := re.fullmatch(pattern, name)) is not None:
            return f"{setting}{match.groupdict().get('self') or ''}"
    return None


def told(app: App, system: System, text: str) -> tuple[str, str, str] | None:
    """An error of the layer about a setting: the place in the program's own file, the text with
    the numbers of the system, what to do; None: it is about something else."""
    match = _TOLD.match(text)
    if match is None:
        return None
    words, _, advice = match["text"].rpartition("; ")
    if library.is_original(system, app):  # FreeRTOS itself has no limits of a system
        words = re.sub(rf"1 to ({_CLOCK}|{_PRIORITIES})", "1 or more", words)
    most = system.clock_mhz * 1_000_000 // system.tick_cycles_minimum
    words = words.replace(_CLOCK, f"{most}, the shortest tick of {system.name}")
    count = f"{system.parameters.priorities}, the priorities of {system.name}"
    words = re.sub(_PRIORITIES, count, words)
    if not words:  # it says what is allowed, and nothing else
        words, advice = advice, "correct it"
    return _place(app, match["name"]), words, advice


def _place(app: App, name: str) -> str:
    """File of the program's settings, with the line that defines this one."""
    path = _file(app)
    if path is None:
        return CONFIG
    line = next((i for i, _ in _definitions(path, name)), None)
    return f"{path}:{line}" if line else str(path)


def _value(app: App, name: str) -> str:
    path = _file(app)
    return next((value for _, value in _definitions(path, name)), "") if path else ""


def _file(app: App) -> Path | None:
    places = (app.folder, *app.folders, *(source.parent for source in app.sources))
    return next((place / CONFIG for place in places if (place / CONFIG).is_file()), None)


def _definitions(path: Path, name: str) -> list[tuple[int, str]]:
    """Lines that define a macro, each with its value."""
    text = path.read_text(encoding="utf-8", errors="replace")
    define = re.compile(rf"\s*#\s*define\s+{re.escape(name)}\b[ \t]*(?P<value>[\w()]*)")
    lines = enumerate(text.splitlines(), 1)
    return [(i, match["value"]) for i, line in lines if (match := define.match(line))]
