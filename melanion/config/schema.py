"""The shape of `configs/*.yaml`. Unknown keys, wrong types and numbers out of range are errors.

What concerns several keys (a kernel and its attachment, the tick and the number of tasks) is in
`loader`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from mel_gen import KERNELS, PARAMETERS, KernelInfo, parameter_hash_word, tick_cycles_minimum
from pydantic import Field

from melanion.spec.schema import KernelName, Row

WaitStates = Annotated[int, Field(ge=0, le=1000)]


def _sized(name: str) -> object:
    """The default and range of a parameter of spec/parameters.yaml."""
    info = PARAMETERS[name]
    return Field(default=info.default, ge=info.minimum, le=info.maximum)


class Core(Row):
    """`main`: 3 stages, bit manipulation; `small`: 2 stages; `linux`: 5 stages, atomic
    instructions, two caches of 4 KiB. `count` equal cores on one memory.

    `pmp`: physical memory protection, so that user mode may not access what a program forbids it.
    """

    type: Literal["ibex", "vexriscv"]
    variant: Literal["main", "small", "linux"] = "main"
    count: int = _sized("cores")  # type: ignore[assignment]
    pmp: bool = False
    banks: int = Field(default=16, ge=2, le=64)  # of registers (attachment `banked`)


class Memory(Row):
    """Code and data. `wait_states`: cycles added to every access; a run can choose others."""

    kib: int = Field(ge=32, le=65536)
    wait_states: WaitStates = 0


class Parameters(Row):
    """Sizes of the kernel, as in spec/parameters.yaml; `cores` follows from the core's count."""

    tasks: int = _sized("tasks")  # type: ignore[assignment]
    priorities: int = _sized("priorities")  # type: ignore[assignment]
    semaphores: int = _sized("semaphores")  # type: ignore[assignment]
    event_flags: int = _sized("event_flags")  # type: ignore[assignment]
    mutexes: int = _sized("mutexes")  # type: ignore[assignment]
    queues: int = _sized("queues")  # type: ignore[assignment]
    messages: int = _sized("messages")  # type: ignore[assignment]
    timers: int = _sized("timers")  # type: ignore[assignment]
    interrupts: int = _sized("interrupts")  # type: ignore[assignment]
    monitor: int = _sized("monitor")  # type: ignore[assignment]
    time_reset: int = _sized("time_reset")  # type: ignore[assignment]


class System(Row):
    """One configuration. Frequencies in MHz, times in µs, wait states in cycles."""

    name: KernelName
    kernel: KernelName
    attachment: Literal["none", "bus", "port", "banked"]
    core: Core
    memory: Memory
    unit_wait_states: WaitStates = 0
    clock_mhz: int = Field(default=100, ge=1, le=1000)
    tick_us: int = Field(default=1000, ge=1, le=100_000)
    parameters: Parameters = Parameters()

    @property
    def kernel_info(self) -> KernelInfo:
        return KERNELS[self.kernel]

    @property
    def unit(self) -> bool:
        """The system has the hardware unit."""
        return self.kernel_info.unit

    @property
    def parts(self) -> dict[str, str]:
        """Seam → part of the kernel: those of its row, what type and number of cores choose, and,
        with the hardware unit, the attachment."""
        cores = "one" if self.core.count == 1 else "several"
        core = "banked" if self.attachment == "banked" else cores
        processor = self.core.type
        parts = {**self.kernel_info.parts, "processor": processor, "cores": cores, "core": core}
        return {**parts, "attach": self.attachment} if self.unit else parts

    @property
    def clock_hz(self) -> int:
        return self.clock_mhz * 1_000_000

    @property
    def tick_cycles(self) -> int:
        """Length of a tick in clock cycles."""
        return self.clock_mhz * self.tick_us

    @property
    def tick_cycles_minimum(self) -> int:
        return tick_cycles_minimum(tasks=self.parameters.tasks)

    @property
    def hashed_parameters(self) -> dict[str, int]:
        """The parameters that boot code compares, by name."""
        sizes = {**self.parameters.model_dump(), "cores": self.core.count}
        return {name: sizes[name] for name, info in PARAMETERS.items() if info.hash}

    @property
    def parameter_hash_word(self) -> int:
        return parameter_hash_word(**self.hashed_parameters)
