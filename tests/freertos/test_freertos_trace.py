# SPDX-License-Identifier: Apache-2.0
"""Trace macros of the layer for FreeRTOS: a program that defines all of them is told what FreeRTOS
itself tells, in the same order; one that defines none is the same machine code as one whose
macros are empty. And the list of names (calls.yaml) against the headers of FreeRTOS."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from melanion import build, config, paths
from melanion.build import freertos, missing
from melanion.build.missing import first_use
from melanion.model import ReplayError
from melanion.run import RunError, run_program
from tests.common.fetched import needs_cargo
from tests.common.planted_tree import ProgramMutant, programs
from tests.common.scenario_run import SINGLE
from tests.freertos.test_freertos_api import FACTS, NAMES, TRACE, program, refusal, run

FILE = Path(__file__).parents[1] / "mutants" / "freertos_trace.yaml"
LAYER = paths.data_root() / "kernel" / "compat" / "freertos"
NOTES = (Path(__file__).parent / "freertos_trace.txt").read_text(encoding="utf-8")
SOAK = pytest.mark.soak
# Documented, and called by nobody in V11.2.
LACKED = (" m:TASK_CREATE_FAILED()", " m:TIMER_CREATE_FAILED()")


@pytest.mark.parametrize(
    "kernel",
    ["sw", *(pytest.param(name, marks=SOAK) for name in ("hwrtos", "port", "banked", *SINGLE))],
)
def test_macros_are_called_with_what_freertos_says_of_them(kernel: str) -> None:
    assert run(kernel, "freertos_trace").console == NOTES


@needs_cargo
def test_freertos_itself_calls_them_so() -> None:
    wanted = NOTES
    for lacked in LACKED:
        assert wanted.count(lacked) == 1
        wanted = wanted.replace(lacked, "")
    assert run("freertos", "freertos_trace").console == wanted


def test_no_macro_is_there_that_the_program_does_not_show() -> None:
    header = (LAYER / "trace.h").read_text(encoding="utf-8")
    assert set(re.findall(r"#define (trace\w+)", header)) == set(TRACE)
    assert {f"trace{name}" for name in re.findall(r":([A-Z_]+)\(", NOTES)} == set(TRACE)


def code(folder: Path, more: str) -> bytes:
    """The machine code of a program with this at the end of its settings."""
    original = paths.data_root() / "apps" / "freertos" / "freertos_order"
    for file in original.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    with (folder / "FreeRTOSConfig.h").open("a", encoding="utf-8") as settings:
        settings.write(more)
    return build.program(config.find("sw"), build.application(folder)).content.data


def test_macros_that_are_empty_are_not_there(tmp_path: Path) -> None:
    """As defined by the program and as by the layer: the same machine code."""
    header = (LAYER / "trace.h").read_text(encoding="utf-8")
    empty = re.findall(r"#define trace\w+\([^)]*\)$", header, re.MULTILINE)
    assert len(empty) == len(TRACE)
    assert code(tmp_path, "\n".join(empty)) == code(tmp_path, "")


@SOAK
def test_a_macro_that_is_not_empty_is_there(tmp_path: Path) -> None:
    assert code(tmp_path, "#define traceTASK_DELAY() for(;;)") != code(tmp_path, "")


# ---- macros and names that are not there ---------------------------------------------------------


@pytest.mark.parametrize(
    ("macro", "why"),
    [
        ("traceTASK_SWITCHED_IN()", "the kernel does that without a place for a macro: `melanion"),
        ("traceENTER_xQueueReset(queue)", "define the macro of what the call does, as"),
    ],
)
def test_macro_that_nobody_would_call_is_told(macro: str, why: str, tmp_path: Path) -> None:
    settings = (
        f"#define configTICK_RATE_HZ 1000\n#define configMAX_PRIORITIES 5\n#define {macro} x++\n"
    )
    name = macro.partition("(")[0]
    assert refusal(program(tmp_path, settings=settings)).startswith(
        f"FreeRTOSConfig.h:3: mine uses {name}, which the interface freertos does not have: {why}"
    )


def test_what_a_macro_stands_for_is_no_use() -> None:
    text = '# 1 "mine.c"\n#define LATER xTaskCatchUpTicks(3)\n\nint x;\n'
    assert first_use(text, FACTS["missing"], LAYER) is None
    assert first_use(f"{text}LATER", {"LATER": "", "L*": ""}, LAYER) is not None


# ---- all names of FreeRTOS -----------------------------------------------------------------------

OWN_LISTS = re.compile(r"^list|^pxContainer$")  # names of list.h: macros of its kernel
SETTINGS = re.compile(r"^(config|port|mt|INCLUDE_|pd|tsk|task|sb|sem)")
FEW = {"ATOMIC_ENTER_CRITICAL", "ATOMIC_EXIT_CRITICAL"}


def public_names(folder: Path) -> set[str]:
    """Functions, and macros with arguments or for tracing, of the headers that programs include."""
    found: set[str] = set()
    for header in sorted(folder.glob("*.h")):
        if header.name.startswith("mpu_"):
            continue
        text = re.sub(
            r"/\*.*?\*/|//[^\n]*", "", header.read_text(encoding="utf-8"), flags=re.DOTALL
        )
        found |= set(re.findall(r"^\s*#\s*define\s+(\w+)\(", text, re.MULTILINE))
        found |= set(re.findall(r"^\s*#\s*define\s+(trace\w+)", text, re.MULTILINE))
        plain = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.MULTILINE)
        found |= set(re.findall(r"\b([a-z]{1,3}[A-Z]\w+|Atomic_\w+)\s*\(", plain))
    return {name for name in found if not (OWN_LISTS.search(name) or SETTINGS.search(name))} - FEW


def unknown(names: set[str]) -> list[str]:
    """Names that calls.yaml says nothing of, and our headers declare nothing of."""
    headers = "".join(path.read_text(encoding="utf-8") for path in sorted(LAYER.glob("*.h")))
    known = {*NAMES, *TRACE, *FACTS["uncalled"]}
    rest = (name for name in names - known if missing.instead(name, FACTS["missing"]) is None)
    return sorted(name for name in rest if not re.search(rf"\b{name}\(", headers))


@needs_cargo
def test_every_name_of_freertos_is_there_or_told() -> None:
    names = public_names(freertos.upstream().folder / "include")
    assert len(names) > 400
    assert unknown(names) == []


def test_a_name_that_the_list_forgets_is_found() -> None:
    assert unknown({"xTaskCreate", "xTaskForgotten", "vTaskStepTick"}) == ["xTaskForgotten"]


def test_lists_of_names_do_not_overlap() -> None:
    lists = [set(NAMES), set(TRACE), set(FACTS["missing"]), set(FACTS["uncalled"])]
    assert sum(map(len, lists)) == len(set().union(*lists))
    for name in (*NAMES, *TRACE, *FACTS["uncalled"]):
        assert missing.instead(name, FACTS["missing"]) is None, name


# ---- mutants -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mutant", programs(FILE, quick=1))
def test_mutant_is_caught(
    mutant: ProgramMutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mutant.plant(monkeypatch, tmp_path)
    try:
        console = run_program(
            config.find(mutant.kernel),
            build.application(paths.data_root() / "apps" / "freertos" / mutant.app),
        ).console
    except (RunError, ReplayError) as error:
        print(error.message)
    else:
        assert console != NOTES
