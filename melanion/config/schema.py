# SPDX-License-Identifier: Apache-2.0
"""The shape of a configuration. Unknown keys, wrong types and numbers out of range are errors.

Rules between keys (a kernel and its coupling, the tick and the number of tasks) are in `rules`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from mel_gen import (
    KERNELS,
    PARAMETERS,
    KernelInfo,
    Sizes,
    parameter_hash_word,
    tick_cycles_minimum,
)
from mel_gen.deadlock import PARAMETERS as DEADLOCK_PARAMETERS
from mel_gen.dmmu import PARAMETERS as DMMU_PARAMETERS
from mel_gen.ethernet import PARAMETERS as ETHERNET_PARAMETERS
from mel_gen.lock_cache import PARAMETERS as LOCK_PARAMETERS
from pydantic import Field, SerializeAsAny, StringConstraints, create_model

from melanion.spec.check import PATTERN_WORDS
from melanion.spec.own import OwnCommands, load_own
from melanion.spec.schema import Coupling, KernelName, Row, Text

SYSTEM_NAME = (
    r"^[a-z][a-z0-9]*(-[a-z0-9]+)*(@[a-z][a-z0-9-]*(:[0-9]+)?)?"
    r"(\[[a-z_]+=[0-9]+(,[a-z_]+=[0-9]+)*\])?(\+[a-z][a-z0-9-]*)?$"
)
PATTERN_WORDS[SYSTEM_NAME] = "a system, such as sw-3, hwrtos@pci or hwrtos@bus:20+lm"

SystemName = Annotated[str, StringConstraints(pattern=SYSTEM_NAME)]

WaitStates = Annotated[int, Field(ge=0, le=1000)]
Nanoseconds = Annotated[int, Field(ge=0, le=10_000)]


def _sized(name: str) -> object:
    """The default and range of a parameter of spec/parameters.yaml."""
    info = PARAMETERS[name]
    return Field(default=info.default, ge=info.minimum, le=info.maximum)


def _locks(name: str) -> object:
    """Field for a parameter of spec/lock_cache.yaml, with its default and limits."""
    _, default, minimum, maximum = LOCK_PARAMETERS[name]
    return Field(default=default, ge=minimum, le=maximum)


def _deadlock(name: str) -> object:
    """Field for a parameter of spec/deadlock.yaml, with its default and limits."""
    _, default, minimum, maximum = DEADLOCK_PARAMETERS[name]
    return Field(default=default, ge=minimum, le=maximum)


def _dmmu(name: str) -> object:
    """Field for a parameter of spec/dmmu.yaml, with its default and limits."""
    _, default, minimum, maximum = DMMU_PARAMETERS[name]
    return Field(default=default, ge=minimum, le=maximum)


def _ethernet(name: str) -> object:
    """Field for a parameter of spec/ethernet.yaml, with its default and limits."""
    _, default, minimum, maximum = ETHERNET_PARAMETERS[name]
    return Field(default=default, ge=minimum, le=maximum)


class Core(Row):
    """`main`: 3 stages, bit manipulation; `small`: 2 stages; `linux`: 5 stages, atomic
    instructions, two caches of 4 KiB. `count` equal cores on one memory.

    `pmp`: physical memory protection, so that user mode may not access what a program forbids it.
    """

    type: Literal["ibex", "vexriscv"]
    variant: Literal["main", "small", "linux"] = "main"
    count: int = _sized("cores")  # type: ignore[assignment]
    pmp: bool = False
    resident: int = Field(default=4, ge=4, le=16)  # contexts at hand (coupling `banked`)

    @property
    def variants(self) -> tuple[str, ...]:
        """Variant of each core, by core number."""
        return (self.variant,) * self.count

    @property
    def text(self) -> str:
        """`2 × ibex main`."""
        return f"{self.count} × {self.type} {self.variant}"


class Mixed(Core):
    """Cores of several kinds on one memory (docs/decisions/0024), numbered in the order of `kinds`.
    `variant`: the least, whose instructions all have; programs are compiled for it."""

    kinds: tuple[Core, ...]

    @classmethod
    def of(cls, kinds: list[Core]) -> Mixed:
        """The first kind says what is the same for all."""
        first = kinds[0]
        variants = {kind.variant for kind in kinds}
        return cls.model_construct(
            type=first.type,
            variant=next((v for v in LEAST_FIRST if v in variants), first.variant),
            count=sum(kind.count for kind in kinds),
            pmp=first.pmp,
            resident=first.resident,
            kinds=tuple(kinds),
        )

    @property
    def variants(self) -> tuple[str, ...]:
        return tuple(variant for kind in self.kinds for variant in kind.variants)

    @property
    def text(self) -> str:
        return " + ".join(kind.text for kind in self.kinds)


# Variants by what they offer a program: `small` has none of the bit manipulation of `main`.
LEAST_FIRST: tuple[Literal["small", "main"], ...] = ("small", "main")


class Cache(Row):
    """Two per core, of `kib` each: instructions and data (soc/mem/mel_cache.sv)."""

    kib: Literal[1, 2, 4, 8, 16, 32] = 4


class Memory(Row):
    """Code and data. `wait_states`: cycles added to every access; `data_wait_states`: to those of
    the data port when they differ. A run can choose others."""

    kib: int = Field(ge=32, le=65536)
    wait_states: WaitStates = 0
    data_wait_states: WaitStates | None = None
    cache: Cache | None = None

    @property
    def data_waits(self) -> int:
        """Wait states of the data port."""
        return self.wait_states if self.data_wait_states is None else self.data_wait_states

    @property
    def speed(self) -> str:
        """Wait states and caches, in words."""
        data = f", {self.data_waits} of data" if self.data_waits != self.wait_states else ""
        cache = f", caches of {self.cache.kib} KiB" if self.cache else ""
        return f"{self.wait_states} wait states{data}{cache}"


class Span(Row):
    """From `least` to `most`, in ns; each access draws its own."""

    least: Nanoseconds
    most: Nanoseconds

    def cycles(self, clock_mhz: int) -> tuple[int, int]:
        """Rounded up to whole cycles of the clock."""
        return -(-self.least * clock_mhz // 1000), -(-self.most * clock_mhz // 1000)


class Bridge(Row):
    """A slow path to the unit, on the coupling `bus` (soc/bus/mel_slow_bridge.sv): `posted`
    stores are accepted at once. As written here: the PCI that reference document 004 measured."""

    read_ns: Span = Span(least=1360, most=3630)
    write_ns: Span = Span(least=230, most=1130)
    posted: int = Field(default=32, ge=1, le=64)

    def text(self, clock_mhz: int) -> str:
        """In cycles of the clock, in words."""
        reads, writes = (
            f"{least} … {most}" if least != most else f"{least}"
            for least, most in (self.read_ns.cycles(clock_mhz), self.write_ns.cycles(clock_mhz))
        )
        return f"bridge: loads {reads} cycles, stores {writes}, {self.posted} posted"


if TYPE_CHECKING:

    class Parameters(Row, Sizes):  # type: ignore[misc]  # only Sizes is a frozen dataclass
        """Sizes of the kernel, as in spec/parameters.yaml, but for `cores`: that is the core's."""

else:
    Parameters = create_model(
        "Parameters",
        __base__=Row,
        __doc__="Sizes of the kernel, as in spec/parameters.yaml, but for `cores`.",
        **{name: (int, _sized(name)) for name in PARAMETERS if name != "cores"},
    )


class LockCache(Row):
    """Sizes of the lock cache, as in spec/lock_cache.yaml; its cores and priorities are those of
    the system."""

    short_locks: int = _locks("short_locks")  # type: ignore[assignment]
    long_locks: int = _locks("long_locks")  # type: ignore[assignment]
    hand_over: int = _locks("hand_over")  # type: ignore[assignment]


class Deadlock(Row):
    """Sizes of the deadlock detection unit, as in spec/deadlock.yaml; its cores are those of the
    system. `interrupt`: the line that it raises; the last one when the configuration says none."""

    processes: int = _deadlock("processes")  # type: ignore[assignment]
    resources: int = _deadlock("resources")  # type: ignore[assignment]
    interrupt: int | None = Field(default=None, ge=0, le=63)


class Dmmu(Row):
    """Sizes of the memory management unit, as in spec/dmmu.yaml; its cores are those of the system.
    `block_bytes`: what the unit does not know."""

    blocks: int = _dmmu("blocks")  # type: ignore[assignment]
    owners: int = _dmmu("owners")  # type: ignore[assignment]
    block_bytes: Literal[16, 32, 64, 128, 256, 512, 1024, 2048, 4096] = 64


class Ethernet(Row):
    """Sizes of the Ethernet MAC and its traffic generator, as in spec/ethernet.yaml; its cores are
    those of the system. `interrupt`: the line of received frames, that of free transmit slots is
    the next one; the last two but one when the configuration says none."""

    slots: int = _ethernet("slots")  # type: ignore[assignment]
    words: int = _ethernet("words")  # type: ignore[assignment]
    samples: int = _ethernet("samples")  # type: ignore[assignment]
    interrupt: int | None = Field(default=None, ge=0, le=62)


class Components(Row):
    """Small units beside any kernel (docs/decisions/0039); those that the system has."""

    deadlock: Deadlock | None = None
    dmmu: Dmmu | None = None
    ethernet: Ethernet | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of those that the system has, in the order of their windows."""
        return tuple(name for name in type(self).model_fields if getattr(self, name) is not None)


COUPLINGS: tuple[str, ...] = get_args(Coupling)

# Implementations of a software kernel on several cores, in place of those for one core.
FREERTOS_SMP = {"current": "freertos_smp", "cores": "freertos"}
SMP = {"run_queue": "affinity", "lock": "spin", "current": "smp"}
LOCK_CACHE = "lock_cache"  # implementation of the interface `lock`
ISOLATED = ("sw", "hwrtos")  # kernels with tasks in user mode, where the core has protection
UNIT_CLOCK = {"ibex": 2, "vexriscv": 1}  # usual clock of the unit / that of cores of this type


class System(Row):
    """One configuration. Frequencies in MHz, times in µs, wait states in cycles."""

    name: KernelName
    kernel: KernelName
    coupling: Coupling
    core: SerializeAsAny[Core]
    memory: Memory
    unit_wait_states: WaitStates = 0
    bridge: Bridge | None = None
    lock_cache: LockCache | None = None
    components: Components | None = None
    unit_clock: int | None = Field(default=None, ge=1, le=2)  # as of `clock_ratio`
    unit_stage: bool = False  # answers of the unit pass registers of the cores' clock
    unit_protection: Literal["none", "memories", "all"] = "none"  # flips of these are noticed
    commands: Text | None = None  # the user's own: a file, by its path from the configuration's
    clock_mhz: int = Field(default=100, ge=1, le=1000)
    tick_us: int = Field(default=1000, ge=1, le=100_000)
    parameters: Parameters = Parameters()

    @property
    def kernel_info(self) -> KernelInfo:
        return KERNELS[self.kernel]

    @property
    def own(self) -> OwnCommands | None:
        """The user's commands. Raises SpecError."""
        return None if self.commands is None else own_commands(self.commands)

    @property
    def unit(self) -> bool:
        """The system has the hardware unit."""
        return self.kernel_info.unit

    @property
    def clock_ratio(self) -> int:
        """Clock of the unit / that of the cores (docs/decisions/0035). A core that is as fast as
        the unit has the same clock when the configuration says nothing."""
        if not self.unit:
            return 1
        return self.unit_clock or UNIT_CLOCK[self.core.type]

    @property
    def is_isolated(self) -> bool:
        """The kernel serves tasks in user mode, each in a domain of its own."""
        return self.core.pmp and self.kernel_info.of in ISOLATED and not self.view

    @property
    def lines(self) -> int:
        """Interrupt lines of the kernel: the system's, one per timer, that of reports."""
        return self.parameters.interrupts + self.parameters.timers + 1

    @property
    def view(self) -> bool:
        """The unit is that of a booster, with its register view (spec/booster.yaml)."""
        return bool(self.kernel_info.in_c)

    @property
    def implementations(self) -> dict[str, str]:
        """Interface of the kernel → implementation: those of its row, what type and number of cores
        choose, and, with the hardware unit, the coupling. A software kernel on several cores has
        others where the cores must agree (docs/decisions/0018). A component has an interface."""
        cores = "one" if self.core.count == 1 else "several"
        current = "banked" if self.coupling == "banked" else cores
        of_core = {"processor": self.core.type, "cores": cores, "current": current}
        own = {**of_core, **self.kernel_info.implementations}
        components = dict.fromkeys(self.components.names, "unit") if self.components else {}
        if self.is_isolated:
            own |= {"processor": "ibex_user", "isolation": "pmp"}
        if self.unit:
            return {**own, "coupling": self.coupling, **components}
        if cores == "one":
            return own | components
        if self.kernel_info.of == "freertos":  # locks, and calls between cores, are of its port
            return {**own, **FREERTOS_SMP, **components}
        lock = {"lock": LOCK_CACHE} if own["lock"] == LOCK_CACHE else {}
        return {"ipi": "doorbell", **own, **SMP, **lock, **components}

    @property
    def locks(self) -> LockCache | None:
        """The lock cache, of a kernel that has its locks there."""
        if self.kernel_info.implementations.get("lock") != LOCK_CACHE:
            return None
        return self.lock_cache or LockCache()

    @property
    def deadlock(self) -> Deadlock | None:
        """The deadlock detection unit, with the line that it raises."""
        found = self.components.deadlock if self.components else None
        if found is None or found.interrupt is not None:
            return found
        return found.model_copy(update={"interrupt": self.parameters.interrupts - 1})

    @property
    def dmmu(self) -> Dmmu | None:
        """The memory management unit."""
        return self.components.dmmu if self.components else None

    @property
    def ethernet(self) -> Ethernet | None:
        """The Ethernet MAC, with the line of received frames. The last line stays that of the
        deadlock detection unit."""
        found = self.components.ethernet if self.components else None
        if found is None or found.interrupt is not None:
            return found
        return found.model_copy(update={"interrupt": self.parameters.interrupts - 3})

    @property
    def shares_devices(self) -> bool:
        """Timers, interrupt controller and locks are the same for all cores."""
        return not self.unit and self.core.count > 1

    @property
    def clock_hz(self) -> int:
        return self.clock_mhz * 1_000_000

    @property
    def tick_cycles(self) -> int:
        """Length of a tick in clock cycles."""
        return self.clock_mhz * self.tick_us

    @property
    def tick_cycles_minimum(self) -> int:
        return tick_cycles_minimum(tasks=self.parameters.tasks, cores=self.core.count)

    @property
    def unit_parameters(self) -> Parameters:
        """Parameters of the hardware unit: 0 for the objects that the kernel keeps in C."""
        return self.parameters.model_copy(update=dict.fromkeys(self.kernel_info.in_c, 0))

    @property
    def sizes(self) -> dict[str, int]:
        """Sizes of the kernel, by name."""
        return self._sizes(self.parameters)

    @property
    def hashed_parameters(self) -> dict[str, int]:
        """Sizes of the hardware unit, which boot code compares, by name."""
        return self._sizes(self.unit_parameters)

    def _sizes(self, parameters: Parameters) -> dict[str, int]:
        values = {**parameters.model_dump(), "cores": self.core.count}
        return {name: values[name] for name, info in PARAMETERS.items() if info.hash}

    @property
    def parameter_hash_word(self) -> int:
        word = parameter_hash_word(**self.hashed_parameters)
        return word if self.own is None else word ^ self.own.hash_word


def own_commands(path: str) -> OwnCommands:
    """The file, read anew when it has changed. Raises SpecError."""
    return _own_commands(path, Path(path).stat().st_mtime_ns)


@cache
def _own_commands(path: str, changed: int) -> OwnCommands:
    return load_own(Path(path))


class SystemOfKinds(System):
    """A configuration whose `core` is a list; `system` is what the rest of Melanion sees."""

    core: Annotated[list[Core], Field(min_length=1)]  # type: ignore[assignment]

    def system(self) -> System:
        given = {name: getattr(self, name) for name in self.model_fields_set - {"core"}}
        return System(core=Mixed.of(self.core) if len(self.core) > 1 else self.core[0], **given)
