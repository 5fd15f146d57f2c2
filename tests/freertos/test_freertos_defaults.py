# SPDX-License-Identifier: Apache-2.0
"""Settings of FreeRTOSConfig.h that a program leaves out: their values in the layer are those of
FreeRTOS itself, read from its own headers, so that a new setting of it is noticed here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from melanion import build, config, paths, soc
from melanion.build import BuildError, freertos, linkage, tools
from melanion.run import run_program
from tests.common.fetched import needs_cargo

CONFIG = "#define configTICK_RATE_HZ 1000\n#define configMAX_PRIORITIES 5\n"
MAIN = """#include "FreeRTOS.h"
#include "task.h"
#include <stdio.h>
#include <stdlib.h>
static void task(void *unused)
{
    (void)unused;
    printf("%d\\n", configTICK_TYPE_WIDTH_IN_BITS == TICK_TYPE_WIDTH_32_BITS);
    exit(0);
}
int main(void) { xTaskCreate(task, "task", 512, NULL, 1, NULL); vTaskStartScheduler(); return 0; }
"""
SYSTEMS = [
    "sw",
    pytest.param("freertos", marks=needs_cargo),
    *(pytest.param(name, marks=pytest.mark.soak) for name in ("hwrtos", "port", "banked")),
]
WIDTH = "#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS\n"

HEADERS = ("FreeRTOS.h", "list.h", "portable.h", "projdefs.h")
_DEFAULT = re.compile(
    r"^\s*#\s*ifndef\s+(?P<name>(?:config|INCLUDE_)\w+)\s*\n\s*#\s*define\s+(?P=name)\b"
    r"(?P<arguments>\([^)]*\))?",
    re.MULTILINE,
)
# A setting → why its value differs from that on the kernel freertos.
DIFFERING = {
    "configUSE_PORT_OPTIMISED_TASK_SELECTION": "the RISC-V port of FreeRTOS has 1; no port here",
}


def built(folder: Path, settings: str) -> build.App:
    (folder / "FreeRTOSConfig.h").write_text(CONFIG + settings)
    (folder / "main.c").write_text(MAIN)
    return build.freertos_application(folder)


# ---- the width of a tick count -------------------------------------------------------------------


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("settings", ["#define configUSE_16_BIT_TICKS 0\n", WIDTH, ""])
def test_either_name_says_that_a_tick_count_has_32_bits(
    settings: str, system: str, tmp_path: Path
) -> None:
    assert run_program(config.find(system), built(tmp_path, settings)).console == "1\n"


@pytest.mark.parametrize("system", ["sw", pytest.param("freertos", marks=needs_cargo)])
def test_both_names_together_are_refused(system: str, tmp_path: Path) -> None:
    app = built(tmp_path, f"#define configUSE_16_BIT_TICKS 0\n{WIDTH}")
    with pytest.raises(BuildError, match="both defined, allowed is one of them"):
        build.program(config.find(system), app)


# ---- defaults ------------------------------------------------------------------------------------


def originals(folder: Path) -> dict[str, str]:
    """Settings that FreeRTOS gives a default; setting → its arguments."""
    texts = [(folder / name).read_text(encoding="utf-8") for name in HEADERS]
    code = re.sub(r"/\*.*?\*/", "", "\n".join(texts), flags=re.DOTALL)
    return {match["name"]: match["arguments"] or "" for match in _DEFAULT.finditer(code)}


def values(work: Path, settings: dict[str, str], folders: list[Path]) -> dict[str, str]:
    """What the preprocessor makes of each setting behind FreeRTOS.h and task.h."""
    (work / "FreeRTOSConfig.h").write_text(f"{CONFIG}#define configASSERT(x) ((void)(x))\n")
    lines = [f'"{name}" {name}{arguments}' for name, arguments in settings.items()]
    (work / "ask.c").write_text('#include "FreeRTOS.h"\n#include "task.h"\n' + "\n".join(lines))
    system = config.find("sw")
    (work / "mel_system.h").write_text(soc.files(system, {})["mel_system.h"], encoding="utf-8")
    places = [f"-I{folder}" for folder in folders]
    words = [tools.find(tools.CROSS_GCC), *linkage.flags(system), *places, "-E", "-P"]
    done = tools.run([*words, str(work / "ask.c")])
    assert done.status == 0, done.output
    found = dict(re.findall(r'^"(\w+)" ?(.*)$', done.output, re.MULTILINE))
    return {name: re.sub(r"[\s()]|(?<=\d)U\b", "", text) for name, text in found.items()}


@needs_cargo
def test_defaults_are_those_of_freertos(tmp_path: Path) -> None:
    upstream, root = freertos.upstream(), paths.data_root() / "kernel"
    settings = originals(upstream.includes[0])
    assert len(settings) > 90
    layer = root / "compat" / "freertos"
    own = values(tmp_path, settings, [tmp_path, layer, root / "include"])
    folders = [layer / "freertos", tmp_path, root / "include", *upstream.includes]
    theirs = values(tmp_path, settings, folders)
    assert len(own) == len(theirs) == len(settings)
    assert {name for name in settings if own[name] != theirs[name]} == set(DIFFERING)


AFFINITY = """#define configNUMBER_OF_CORES 2
#define configRUN_MULTIPLE_PRIORITIES 1
#define configUSE_CORE_AFFINITY 1
#define configTASK_DEFAULT_CORE_AFFINITY 2
"""


def test_default_affinity_counts_for_tasks_without_one(tmp_path: Path) -> None:
    app = built(tmp_path, AFFINITY)
    width = "configTICK_TYPE_WIDTH_IN_BITS == TICK_TYPE_WIDTH_32_BITS"
    (tmp_path / "main.c").write_text(MAIN.replace(width, "(int)portGET_CORE_ID()"))
    assert run_program(config.find("hwrtos-2"), app).console == "1\n"
