# SPDX-License-Identifier: Apache-2.0
"""Named places of the unit and of code and data (configs/places): what a system's name says behind
`@` and `+`."""

from __future__ import annotations

from pydantic import ConfigDict, Field, RootModel

from melanion import paths
from melanion.config.schema import Bridge, Cache, WaitStates
from melanion.errors import MelanionError
from melanion.spec.check import Model, check
from melanion.spec.schema import KernelName, Row, Text
from melanion.spec.yaml_file import read


class UnitPlace(Row):
    """A way to the unit. `origin`: where the numbers come from."""

    text: Text
    origin: Text = Field(alias="from")
    bridge: Bridge

    @property
    def reasoned(self) -> bool:
        """Nobody measured the numbers: it is a latency model."""
        return self.origin.startswith("reasoned")


class MemoryPlace(Row):
    """Wait states of instructions and of data. `cache`: two per core in front of them; a part of
    the hardware, so that a program alone cannot choose it."""

    text: Text
    origin: Text = Field(alias="from")
    wait_states: WaitStates
    data_wait_states: WaitStates
    cache: Cache | None = None


class _Units(RootModel[dict[KernelName, UnitPlace]]):
    model_config = ConfigDict(strict=True)


class _Memories(RootModel[dict[KernelName, MemoryPlace]]):
    model_config = ConfigDict(strict=True)


def units() -> dict[str, UnitPlace]:
    """By name. Raises MelanionError."""
    return _load(_Units, "units").root


def memories() -> dict[str, MemoryPlace]:
    """By name. Raises MelanionError."""
    return _load(_Memories, "memories").root


def _load(model: type[Model], name: str) -> Model:
    file = f"configs/places/{name}.yaml"
    value, problems = check(model, read(paths.data_root() / file, file))
    if value is None:
        raise MelanionError("\n".join(problems), 2)
    return value
