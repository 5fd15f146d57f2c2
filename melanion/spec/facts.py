# SPDX-License-Identifier: Apache-2.0
"""Facts of `spec/`, as the loader has read them, and their hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from pydantic import BaseModel

from melanion.spec.component import ComponentFile
from melanion.spec.lock_cache import LockCacheFile
from melanion.spec.schema import (
    BoosterFile,
    CommandsFile,
    KernelsFile,
    ParametersFile,
    RegistersFile,
    StatusFile,
    TraceFile,
)

FILES: dict[str, type[BaseModel]] = {
    "status": StatusFile,
    "commands": CommandsFile,
    "registers": RegistersFile,
    "trace": TraceFile,
    "parameters": ParametersFile,
    "kernels": KernelsFile,
    "booster": BoosterFile,
}
# Components, small units beside any kernel.
COMPONENTS = ("deadlock", "dmmu", "ethernet")
# Facts of units that stand alone: not in the hash of the others, each has one of its own.
ALONE: dict[str, type[BaseModel]] = {
    "lock_cache": LockCacheFile,
    **dict.fromkeys(COMPONENTS, ComponentFile),
}
# Files that the unit does not depend on: composition of the kernels, and a view before it.
UNHASHED = ("kernels", "booster")


@dataclass(frozen=True)
class Spec:
    """The facts, one member per file of `spec/`."""

    status: StatusFile
    commands: CommandsFile
    registers: RegistersFile
    trace: TraceFile
    parameters: ParametersFile
    kernels: KernelsFile
    booster: BoosterFile
    lock_cache: LockCacheFile
    deadlock: ComponentFile
    dmmu: ComponentFile
    ethernet: ComponentFile

    @property
    def components(self) -> dict[str, ComponentFile]:
        """The files of COMPONENTS, by name."""
        return {name: getattr(self, name) for name in COMPONENTS}

    @cached_property
    def hash(self) -> str:
        """sha256 (hex) over the content that programs and hardware must agree on. Comments and
        layout do not count, nor do UNHASHED."""
        return self._hash(name for name in FILES if name not in UNHASHED)

    @cached_property
    def lock_cache_hash(self) -> str:
        """sha256 (hex) over the facts of the lock cache."""
        return self._hash(["lock_cache"])

    def component_hash(self, name: str) -> str:
        """sha256 (hex) over the facts of a component."""
        return self._hash([name])

    def _hash(self, names: Iterable[str]) -> str:
        content = {
            name: getattr(self, name).model_dump(mode="json", by_alias=True) for name in names
        }
        text = json.dumps(content, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()
