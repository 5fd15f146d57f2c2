# SPDX-License-Identifier: Apache-2.0
"""The netlist of a board's synthesis as Verilog that a simulator reads fast: every cell of the ECP5
as an expression or a statement, block RAMs and multipliers as modules (cells.sv), the PLL as its
model of soc/board/model.

Written from the JSON of yosys alone: none of yosys's own models of these cells is used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from melanion.board.contents import rows

Bit = int | str
Cell = Mapping[str, Any]
MODES = {"NORMAL": 0, "WRITETHROUGH": 1, "READBEFOREWRITE": 2}
IGNORED = ("$scopeinfo",)


class UnknownCell(Exception):
    """A cell, or a use of one, that has no model here."""


def verilog(netlist: Mapping[str, Any], top: str) -> str:
    """The module `top`."""
    module = netlist["modules"][top]
    written = _Module(module)
    return written.text(top)


class _Module:
    """Lines of one module: declarations by net, statements by cell."""

    def __init__(self, module: Mapping[str, Any]) -> None:
        self._ports: Mapping[str, Any] = module["ports"]
        self._cells: Mapping[str, Cell] = module["cells"]
        self._lines: list[str] = []
        self._stored: list[str] = []  # nets that flip-flops drive, with their power-up values
        self._groups: dict[tuple[str, ...], list[str]] = defaultdict(list)

    def text(self, top: str) -> str:
        """The whole text."""
        for name, cell in self._cells.items():
            if cell["type"] not in IGNORED:
                self._cell(len(self._lines), name, cell)
        for (clock, ce, lsr, mode), pairs in self._groups.items():
            self._lines += _flip_flops(clock, ce, lsr, mode, pairs)
        nets = sorted({bit for cell in self._all_bits() for bit in cell if isinstance(bit, int)})
        head = [f"module {top} ("]
        head.append(",\n".join(self._header()))
        head.append(");")
        head += [f"  logic n{net};" for net in nets]
        head += self._connected()
        initial = ["  initial begin", *self._stored, "  end"]
        return "\n".join([*head, *self._lines, *initial, "endmodule"]) + "\n"

    def _all_bits(self) -> Iterator[Sequence[Bit]]:
        for cell in self._cells.values():
            if cell["type"] not in IGNORED:
                yield from cell["connections"].values()
        for port in self._ports.values():
            yield port["bits"]

    def _header(self) -> list[str]:
        return [
            f"  {port['direction']} logic [{len(port['bits']) - 1}:0] {name}"
            for name, port in self._ports.items()
        ]

    def _connected(self) -> Iterator[str]:
        for name, port in self._ports.items():
            bits = _vector(port["bits"])
            if port["direction"] == "input":
                yield f"  assign {bits} = {name};"
            else:
                yield f"  assign {name} = {bits};"

    def _cell(self, number: int, name: str, cell: Cell) -> None:
        kind = cell["type"]
        makers = {
            "LUT4": self._lut,
            "CCU2C": self._carry,
            "TRELLIS_FF": self._flip_flop,
            "TRELLIS_DPR16X4": self._lut_ram,
            "DP16KD": self._block_ram,
            "MULT18X18D": self._multiplier,
            "EHXPLLL": self._pll,
        }
        if kind not in makers:
            raise UnknownCell(f"{name}: the cell {kind} has no model.")
        makers[kind](number, cell)

    def _lut(self, _: int, cell: Cell) -> None:
        inputs = [_one(cell, pin) for pin in "ABCD"]
        value = _function(int(cell["parameters"]["INIT"], 2), inputs)
        self._lines.append(f"  assign {_one(cell, 'Z')} = {value};")

    def _carry(self, number: int, cell: Cell) -> None:
        """Two LUTs with a carry between them: a LUT of two inputs generates, one of four
        propagates."""
        parameters = cell["parameters"]
        carry = _one(cell, "CIN")
        for half in "01":
            init = int(parameters[f"INIT{half}"], 2)
            inputs = [_one(cell, f"{pin}{half}") for pin in "ABCD"]
            four, two = _function(init, inputs), _function(init & 15, [*inputs[:2], "1'b0", "1'b0"])
            injects = parameters[f"INJECT1_{half}"] == "YES"
            own, made = f"p{number}_{half}", f"c{number}_{half}"
            self._lines.append(f"  wire {own} = {four};")
            if f"S{half}" in cell["connections"]:
                total = own if injects else f"{own} ^ {carry}"
                self._assign(cell, f"S{half}", total)
            generated = "1'b0" if injects else two
            self._lines.append(f"  wire {made} = {own} ? {carry} : {generated};")
            carry = made
        self._assign(cell, "COUT", carry)

    def _assign(self, cell: Cell, pin: str, value: str) -> None:
        if isinstance(cell["connections"].get(pin, ["x"])[0], int):
            self._lines.append(f"  assign {_one(cell, pin)} = {value};")

    def _flip_flop(self, _: int, cell: Cell) -> None:
        parameters = cell["parameters"]
        clock = f"{'negedge' if parameters['CLKMUX'] == 'INV' else 'posedge'} {_one(cell, 'CLK')}"
        ce = {"1": "1'b1", "CE": _one(cell, "CE"), "INV": f"!{_one(cell, 'CE')}"}[
            parameters["CEMUX"].strip()
        ]
        lsr = _one(cell, "LSR")
        if parameters["LSRMUX"] == "INV":
            lsr = f"!{lsr}"
        mode = parameters.get("SRMODE", "LSR_OVER_CE")
        value = "1" if parameters["REGSET"] == "SET" else "0"
        out = _one(cell, "Q")
        self._stored.append(f"    {out} = 1'b{value};")
        self._groups[clock, ce, lsr, mode].append(f"{out} {value} {_one(cell, 'DI')}")

    def _lut_ram(self, number: int, cell: Cell) -> None:
        parameters, pins = cell["parameters"], cell["connections"]
        if parameters["WCKMUX"] != "WCK" or parameters["WREMUX"] != "WRE":
            raise UnknownCell("a LUT-RAM with an inverted input has no model.")
        self._lines += [
            f"  logic [3:0] m{number}[16];",
            f"  always_ff @(posedge {_one(cell, 'WCK')}) if ({_one(cell, 'WRE')})",
            f"    m{number}[{_vector(pins['WAD'])}] <= {_vector(pins['DI'])};",
            f"  wire [3:0] r{number} = m{number}[{_vector(pins['RAD'])}];",
        ]
        for i, bit in enumerate(pins["DO"]):
            if isinstance(bit, int):
                self._lines.append(f"  assign n{bit} = r{number}[{i}];")

    def _block_ram(self, number: int, cell: Cell) -> None:
        parameters = cell["parameters"]
        for pin in ("RSTA", "CSA0", "CSA1", "CSA2", "CSB0", "CSB1", "CSB2"):
            if cell["connections"].get(pin, ["0"])[0] not in ("0", "x"):
                raise UnknownCell(f"a block RAM with a signal at {pin} has no model.")
        reset = _one(cell, "RSTB")
        if reset != "1'b0" and parameters["RESETMODE"] != "SYNC":
            raise UnknownCell("a block RAM with an asynchronous reset has no model.")
        given = []
        for port in "AB":
            if parameters[f"REGMODE_{port}"] != "NOREG" or parameters[f"CLK{port}MUX"] == "INV":
                raise UnknownCell("a block RAM with output registers or inverted clock.")
            mode = MODES[parameters.get(f"WRITEMODE_{port}", "NORMAL")]
            given.append(f".Width{port}({int(parameters[f'DATA_WIDTH_{port}'], 2)})")
            given.append(f".Mode{port}({mode})")
        given.append(f".Init({_initial(parameters)})")
        pins = []
        for port in "AB":
            small = port.lower()
            for pin in ("CLK", "CE", "WE"):
                pins.append(f".{pin.lower()}_{small}({_one(cell, f'{pin}{port}')})")
            pins.append(f".ad_{small}({_pins(cell, f'AD{port}', 14)})")
            pins.append(f".di_{small}({_pins(cell, f'DI{port}', 18)})")
            pins.append(f".do_{small}({self._outputs(number, cell, f'DO{port}', 18)})")
        pins.append(f".rst_b({reset})")
        self._lines.append(
            f"  cell_block_ram #({', '.join(given)}) u_ram_{number} ({', '.join(pins)});"
        )

    def _multiplier(self, number: int, cell: Cell) -> None:
        pins = [f".a({_pins(cell, 'A', 18)})", f".b({_pins(cell, 'B', 18)})"]
        pins += [f".signed_{each.lower()}({_one(cell, f'SIGNED{each}')})" for each in "AB"]
        pins.append(f".p({self._outputs(number, cell, 'P', 36)})")
        self._lines.append(f"  cell_multiplier u_multiplier_{number} ({', '.join(pins)});")

    def _outputs(self, number: int, cell: Cell, pin: str, count: int) -> str:
        """A vector that a module drives, with its bits on their nets."""
        name = f"{pin.lower()}_{number}"
        self._lines.append(f"  wire [{count - 1}:0] {name};")
        for i in range(count):
            self._assign(cell, f"{pin}{i}", f"{name}[{i}]")
        return name

    def _pll(self, number: int, cell: Cell) -> None:
        pins = (
            f".{pin}({_net(bits[0])})"
            for pin, bits in cell["connections"].items()
            if bits and bits[0] != "x"
        )
        self._lines.append(f"  EHXPLLL u_pll_{number} ({', '.join(pins)});")


def _flip_flops(clock: str, ce: str, lsr: str, mode: str, pairs: Iterable[str]) -> Iterator[str]:
    """One statement for all flip-flops of a control set; each pair: output, set value, input."""
    split = [pair.split(" ") for pair in pairs]
    loads = " ".join(f"{out} <= {data};" for out, _, data in split)
    resets = " ".join(f"{out} <= 1'b{value};" for out, value, _ in split)
    load = f"if ({ce}) begin {loads} end" if ce != "1'b1" else f"begin {loads} end"
    if lsr == "1'b0":
        yield f"  always_ff @({clock}) {load}"
    elif mode == "ASYNC":
        edge = f"negedge {lsr[1:]}" if lsr.startswith("!") else f"posedge {lsr}"
        yield f"  always_ff @({clock} or {edge}) if ({lsr}) begin {resets} end else {load}"
    else:
        yield f"  always_ff @({clock}) if ({lsr}) begin {resets} end else {load}"


def _function(init: int, inputs: Sequence[str]) -> str:
    """The function of a LUT as an expression: split by the last input, again and again."""
    if not inputs:
        return f"1'b{init & 1}"
    *rest, last = inputs
    half = 1 << len(rest)
    low, high = init & ((1 << half) - 1), init >> half
    full = (1 << half) - 1
    if last == "1'b0" or low == high:
        return _function(low, rest)
    if last == "1'b1":
        return _function(high, rest)
    if low ^ high == full:
        if low == 0:
            return last
        return f"~{last}" if low == full else f"({last} ^ {_function(low, rest)})"
    if low == 0:
        return f"({last} & {_function(high, rest)})"
    if high == 0:
        return f"(~{last} & {_function(low, rest)})"
    if high == full:
        return f"({last} | {_function(low, rest)})"
    if low == full:
        return f"(~{last} | {_function(high, rest)})"
    return f"({last} ? {_function(high, rest)} : {_function(low, rest)})"


def _net(bit: Bit) -> str:
    """A net, or a constant; what nobody drives is 0, as open inputs of an ECP5's LUT are not."""
    return f"n{bit}" if isinstance(bit, int) else f"1'b{1 if bit == '1' else 0}"


def _one(cell: Cell, pin: str) -> str:
    bits = cell["connections"].get(pin) or ["0"]
    return _net(bits[0])


def _vector(bits: Sequence[Bit]) -> str:
    return "{" + ", ".join(_net(bit) for bit in reversed(bits)) + "}"


def _pins(cell: Cell, pin: str, count: int) -> str:
    return "{" + ", ".join(_one(cell, f"{pin}{i}") for i in reversed(range(count))) + "}"


def _initial(parameters: Mapping[str, str]) -> str:
    """All 2048 × 9 bits as one number."""
    whole = 0
    for i, row in enumerate(rows(parameters)):
        text = parameters[row].replace("x", "0")
        value = int(text, 2)
        for j in range(16):
            whole |= (value >> 20 * j & 0x3FFFF) << 18 * (16 * i + j)
    return f"18432'h{whole:x}"
