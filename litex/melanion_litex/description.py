# SPDX-License-Identifier: Apache-2.0
"""Text of a SoC's description for `melanion export --foreign`, and of a system's name.

Needs nothing of LiteX.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

WINDOW_BYTES = 0x20000  # the unit's
# Core of LiteX → how traps come to it.
_TRAPS = {
    # One entry; the array of external interrupts has a mask in a CSR of its own.
    "vexriscv": "{{mode: direct, {first}, handler: 11, write: [{{csr: 0xBC0, value: {mask}}}]}}",
}
_MARCH = re.compile(r"-march=rv32i(?:2p0)?_?([macfd]*)(?:\s|$)")


class DescriptionError(Exception):
    """The SoC is not one that this package can describe."""


def isa(gcc_flags: str) -> str:
    """GCC's name of a core's instructions, from LiteX's flags for it. Raises DescriptionError."""
    match = _MARCH.search(gcc_flags)
    if match is None:
        raise DescriptionError(
            f"the core's flags {gcc_flags.strip()!r} name no 32-bit RISC-V (-march=rv32i…); choose"
            " another cpu_type."
        )
    return f"rv32i{match[1]}_zicsr_zifencei"


def describe(cpu: str, gcc_flags: str, memory: int, line: int, devices: Mapping[str, int]) -> str:
    """YAML for `--foreign`. `memory`: base address of the program's; `line`: of the core's array of
    interrupts, for interrupts with a handler; `devices`: address of `unit`, or of `timer` and
    `intc`. Raises DescriptionError."""
    if cpu not in _TRAPS:
        raise DescriptionError(
            f"cpu_type {cpu!r} is not known here; choose {', '.join(sorted(_TRAPS))}, or write a"
            " description for `melanion export --foreign` by hand."
        )
    first = "dispatch: 3" if "unit" in devices else "timer: 7"
    return "".join(
        [
            f"isa: {isa(gcc_flags)}\n",
            f"memory: 0x{memory:08x}\n",
            *(f"{name}: 0x{address:08x}\n" for name, address in devices.items()),
            f"traps: {_TRAPS[cpu].format(first=first, mask=hex(1 << line))}\n",
        ]
    )


def system_name(kernel: str, sizes: Mapping[str, int], memory_bytes: int, clock_hz: float) -> str:
    """Melanion's name of a system with this kernel, sizes (docs/reference/parameters.md), memory
    and clock. Raises DescriptionError."""
    mhz = clock_hz / 1e6
    if mhz != int(mhz) or mhz < 1:
        raise DescriptionError(
            f"sys_clk_freq is {clock_hz:g} Hz; the kernel counts ticks in whole MHz: choose a"
            " multiple of 1e6."
        )
    values = {**sizes, "kib": memory_bytes // 1024, "clock_mhz": int(mhz)}
    return f"{kernel}[{','.join(f'{name}={value}' for name, value in values.items())}]"
