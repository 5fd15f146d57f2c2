# SPDX-License-Identifier: Apache-2.0
"""A module of a yosys netlist in JSON, with new nets and cells.

A bit is the number of a net, or one of the texts `0`, `1`, `x`. Cells keep the names and parameters
of yosys' internal cell library.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from melanion.errors import MelanionError

Bit = int | str
Bits = list[Bit]
Cell = dict[str, Any]

STATIC = "static"  # name of what has none
CONSTANTS = ("0", "1", "x", "z")


class ProtectError(MelanionError):
    """A netlist that cannot be protected."""


def number(value: int) -> str:
    """A parameter of a cell."""
    return format(value, "032b")


class Netlist:
    """`module`: of the JSON document, which is changed in place."""

    def __init__(self, module: dict[str, Any]) -> None:
        self.module = module
        self.cells: dict[str, Cell] = module["cells"]
        self._last = max(
            (
                bit
                for net in module["netnames"].values()
                for bit in net["bits"]
                if bit not in CONSTANTS
            ),
            default=1,
        )
        self._made = 0
        self._names = dict(self._named())

    def _named(self) -> Iterator[tuple[Bit, str]]:
        """Bit → the name of the instance's own net: that with the longest path."""
        nets = [
            (name, net) for name, net in self.module["netnames"].items() if not net.get("hide_name")
        ]
        for name, net in sorted(nets, key=lambda item: item[0].count(".")):
            for place, bit in enumerate(net["bits"]):
                if bit not in CONSTANTS:
                    yield bit, f"{name}[{place}]"

    def name(self, bits: Iterable[Bit]) -> str:
        """Name of the first of some bits that has one, without its index; STATIC: none has."""
        found = (self._names[bit] for bit in bits if bit in self._names)
        return next(found, STATIC).rpartition("[")[0] or STATIC

    def net(self, width: int = 1) -> Bits:
        """New nets."""
        self._last += width
        return list(range(self._last - width + 1, self._last + 1))

    def port(self, name: str, direction: str, bits: Sequence[Bit]) -> None:
        """Add a port."""
        self.module["ports"][name] = {"direction": direction, "bits": list(bits)}
        self.module["netnames"][name] = {"hide_name": 0, "bits": list(bits), "attributes": {}}

    def wire(self, name: str, bits: Sequence[Bit], *, keep: bool = False) -> None:
        """Give nets a name of their own. `keep`: no tool may take them away."""
        attributes = {"keep": number(1)} if keep else {}
        net = {"hide_name": 0, "bits": list(bits), "attributes": attributes}
        self.module["netnames"][name] = net

    def add(
        self,
        kind: str,
        connections: Mapping[str, Sequence[Bit]],
        output: str,
        parameters: Mapping[str, str],
        *,
        keep: bool = False,
    ) -> None:
        """Add a cell. `keep`: no tool may merge it with another one."""
        self._made += 1
        self.cells[f"$protect${self._made}"] = {
            "hide_name": 1,
            "type": kind,
            "parameters": dict(parameters),
            "attributes": {"keep": number(1)} if keep else {},
            "port_directions": {
                port: "output" if port == output else "input" for port in connections
            },
            "connections": {port: list(bits) for port, bits in connections.items()},
        }

    def reduced(self, kind: str, bits: Sequence[Bit]) -> Bit:
        """All bits, by `$reduce_xor`, `$reduce_or` or `$reduce_and`."""
        (out,) = self.net()
        self.add(
            kind,
            {"A": bits, "Y": [out]},
            "Y",
            {"A_SIGNED": number(0), "A_WIDTH": number(len(bits)), "Y_WIDTH": number(1)},
        )
        return out

    def any_of(self, bits: Sequence[Bit]) -> Bit:
        return self.reduced("$reduce_or", bits)

    def both(self, left: Bit, right: Bit) -> Bit:
        return self.reduced("$reduce_and", [left, right])

    def inverted(self, bit: Bit) -> Bit:
        (out,) = self.net()
        widths = {"A_SIGNED": number(0), "A_WIDTH": number(1), "Y_WIDTH": number(1)}
        self.add("$not", {"A": [bit], "Y": [out]}, "Y", widths)
        return out

    def differs(self, left: Sequence[Bit], right: Sequence[Bit]) -> Bit:
        """Two words are not the same."""
        return self._compared("$ne", left, right)

    def at_least(self, word: Sequence[Bit], least: int) -> Bit:
        """A number is as large as another one."""
        return self._compared("$ge", word, list(format(least, f"0{len(word)}b")[::-1]))

    def _compared(self, kind: str, left: Sequence[Bit], right: Sequence[Bit]) -> Bit:
        (out,) = self.net()
        signs = {"A_SIGNED": number(0), "B_SIGNED": number(0)}
        widths = {"A_WIDTH": number(len(left)), "B_WIDTH": number(len(right)), "Y_WIDTH": number(1)}
        self.add(kind, {"A": left, "B": right, "Y": [out]}, "Y", signs | widths)
        return out

    def register(
        self,
        clock: Bit,
        data: Sequence[Bit],
        *,
        enable: Bit = "1",
        reset: Bit | None = None,
    ) -> Bits:
        """New registers: `reset`, active low, clears them at once."""
        out = self.net(len(data))
        ports: dict[str, Sequence[Bit]] = {"CLK": [clock], "D": data, "Q": out}
        parameters = {"WIDTH": number(len(data)), "CLK_POLARITY": number(1)}
        kind = "$dff"
        if reset is not None:
            kind = "$adff"
            ports["ARST"] = [reset]
            parameters |= {"ARST_POLARITY": number(0), "ARST_VALUE": "0" * len(data)}
        if enable != "1":
            kind += "e"
            ports["EN"] = [enable]
            parameters["EN_POLARITY"] = number(1)
        self.add(kind, ports, "Q", parameters, keep=True)
        return out

    def drivers(self) -> dict[Bit, Cell]:
        """Bit → the cell that drives it."""
        return {
            bit: cell
            for cell in self.cells.values()
            for port, direction in cell["port_directions"].items()
            if direction == "output"
            for bit in cell["connections"][port]
        }
