# SPDX-License-Identifier: Apache-2.0
"""Messages of boot code about a component that is not there, or does not fit the program, on RTL.
Those about the hardware RTOS: test_kernel_boot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest
from mel_gen import deadlock, dmmu, ethernet, lock_cache

from melanion import config
from tests.kernel import test_kernel_boot

WRONG = 0x12345678
MAIN = """
#include <melanion/{name}.h>
#include <melanion/melanion.h>
int main(void) {{ mel_{name}_boot(); mel_print("started"); return 0; }}
"""


@dataclass(frozen=True)
class Component:
    """A component, a system with it and one without.

    `name`: in its header and macros. `title`, `address`: of it and of its address in messages.
    `sized`: what a system has in place of its own for other sizes. `other`: sizes → the message.
    `by_kernel`: the kernel's boot code makes the check, and not the program.
    """

    name: str
    title: str
    address: str
    facts: ModuleType
    system: str
    without: str
    sized: Callable[..., Mapping[str, object]]
    other: Mapping[tuple[str, int], str]
    by_kernel: bool = False

    def boot(
        self, folder: Path, hardware: str, of: config.System | None = None, **changes: int
    ) -> tuple[str, int]:
        """Console and exit code of a program for its system, or for another, on `hardware`."""
        own = MAIN.format(name=self.name)
        return test_kernel_boot.run(
            folder,
            config.find(hardware),
            of or config.find(self.system),
            test_kernel_boot.MAIN if self.by_kernel else own,
            header=f"mel_{self.name}.h",
            **{f"MEL_{self.name.upper()}_{name}": value for name, value in changes.items()},
        )


COMPONENTS = (
    Component(
        "deadlock",
        "deadlock detection unit",
        "the address of the deadlock detection unit",
        deadlock,
        "sw-deadlock",
        "sw",
        lambda **sizes: {"components": config.Components(deadlock=config.Deadlock(**sizes))},
        {("resources", 8): "its sizes are 0x00010810, the unit's are 0x00011010"},
    ),
    Component(
        "dmmu",
        "memory management unit",
        "the address of the memory management unit",
        dmmu,
        "sw-dmmu",
        "sw",
        lambda **sizes: {"components": config.Components(dmmu=config.Dmmu(**sizes))},
        {("blocks", 128): "its sizes are 0x10400080, the unit's are 0x10400100"},
    ),
    Component(
        "ethernet",
        "Ethernet MAC",
        "the address of the Ethernet MAC",
        ethernet,
        "sw-ethernet",
        "sw",
        lambda **sizes: {"components": config.Components(ethernet=config.Ethernet(**sizes))},
        {("slots", 8): "its sizes are 0x11003008, the unit's are 0x11003004"},
    ),
    Component(
        "lock_cache",
        "lock cache",
        "the lock cache's address",
        lock_cache,
        "lockcache-2",
        "sw-2",
        lambda **sizes: {"lock_cache": config.LockCache(**sizes)},
        {
            ("short_locks", 32): "its sizes are 0x00024020, the unit's are 0x00024040",
            ("hand_over", 1): "its priorities are 0x00000020, the unit's are 0x00000000",
        },
        by_kernel=True,
    ),
)
EVERY = pytest.mark.parametrize("component", COMPONENTS, ids=lambda component: component.name)


def refusal(text: str) -> tuple[str, int]:
    """Console and exit code of a program that does not begin."""
    return f"melanion: {text}\n", test_kernel_boot.EXIT_CODE_BOOT


@EVERY
def test_it_fits(component: Component, tmp_path: Path) -> None:
    assert component.boot(tmp_path, component.system) == ("started", 0)


@EVERY
def test_there_is_none(component: Component, tmp_path: Path) -> None:
    assert component.boot(tmp_path, component.without) == refusal(
        f"no {component.title} answers at its address (bus error): run the program on a system"
        " with one"
    )


@EVERY
def test_another_device(component: Component, tmp_path: Path) -> None:
    assert component.boot(tmp_path, component.system, IDENTITY=WRONG) == refusal(
        f"what answers at {component.address} is none: its identity is"
        f" {component.facts.IDENTITY:#010x} instead of {WRONG:#010x}; run the program on a system"
        " with one"
    )


@EVERY
def test_other_facts(component: Component, tmp_path: Path) -> None:
    assert component.boot(tmp_path, component.system, FACTS_HASH=WRONG) == refusal(
        f"the program was built for another {component.title}: its facts hash is {WRONG:#010x},"
        f" the unit's is {component.facts.FACTS_HASH_WORD:#010x}; build it again for this system"
    )


@pytest.mark.parametrize(
    ("component", "parameter", "value"),
    [
        pytest.param(each, parameter, value, id=f"{each.name}: {value} {parameter}")
        for each in COMPONENTS
        for parameter, value in each.other
    ],
)
def test_other_sizes(component: Component, parameter: str, value: int, tmp_path: Path) -> None:
    system = config.find(component.system)
    other = system.model_copy(update=component.sized(**{parameter: value}))
    assert component.boot(tmp_path, component.system, other) == refusal(
        f"the program was built for another {component.title}:"
        f" {component.other[parameter, value]}; build it again for this system"
    )
