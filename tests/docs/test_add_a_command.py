# SPDX-License-Identifier: Apache-2.0
"""docs/howto/add-a-command.md names every file that knows its example, but those that use it.

The example is `semaphore_give`: a file that names it in its code has something of a command.
"""

from __future__ import annotations

import re

from tests.docs.test_docs import LINK, ROOT, text_of
from tests.rules.test_names import parted

PAGE = ROOT / "docs" / "howto" / "add-a-command.md"
EXAMPLE = re.compile(
    r"\bOpSemaphoreGive\b|SEMAPHORE_GIVE\b|\bsemaphore_give\b|\bmel_sem_give\b|\bsem_give\b"
)
ROOMS = re.compile(
    r"(spec|hw|melanion/(model|scenario)|kernel/(include|common|software|unit|booster|freertos)|apps/scenario)/"
    r"|experiments/(calls|interference)\.yaml"
    r"|tests/(test_port|model_calls|faults/requests|random/(profiles|programs|coverage|cycles))\.py"
)
# Code that gives a semaphore for its own purpose.
USERS = {
    "hw/bench/mel_unit_bench.sv",
    "kernel/common/pool.h",
    "kernel/freertos/interrupt.c",
    "kernel/include/melanion/lock.h",
    "kernel/freertos/pool.c",
    "kernel/freertos/smp/pool.c",
    "kernel/booster/pool.c",
    "kernel/software/pool.c",
}


def left_out(page: str) -> list[str]:
    """Files with code of the example that the page does not link."""
    links = {
        str((PAGE.parent / target.partition("#")[0]).resolve().relative_to(ROOT))
        for target in LINK.findall(page)
    }
    knowing = {
        name for name, (_, code) in parted().items() if ROOMS.match(name) and EXAMPLE.search(code)
    }
    assert knowing > USERS
    return sorted(knowing - USERS - links)


def test_every_file_is_named() -> None:
    assert left_out(text_of(PAGE)) == []


def test_a_file_that_is_left_out_is_found() -> None:
    page = text_of(PAGE).replace(
        "unit/port/include/melanion/semaphore.h)", "unit/port/include/mel_port.h)"
    )
    page = page.replace("hw/micro/semaphore.mu)", "hw/micro/system.mu)")
    assert left_out(page) == [
        "hw/micro/semaphore.mu",
        "kernel/unit/port/include/melanion/semaphore.h",
    ]
