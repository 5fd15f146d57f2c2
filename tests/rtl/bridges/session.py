# SPDX-License-Identifier: Apache-2.0
"""The cocotb side: a program, executed on the bench through bus models of others (one test a bus).

Plus-arguments: `program`, a pickled list of steps; `answers`, the folder for the answers, one JSON
list a bus; `seed` of the stalls; `fault` of the bench; `stall`, percent of cycles in which the unit
is deaf.
"""

from __future__ import annotations

import itertools
import json
import pickle
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.apb import Apb4Bus, ApbHost
from cocotbext.axi import ApbBus, ApbMaster, AxiLiteBus, AxiLiteMaster
from cocotbext.obi import ObiBus, ObiHost
from cocotbext.wishbone.driver import WBOp, WishboneMaster
from mel_gen import Register

from tests.rtl.bridges.program import Step

PATIENCE = 4_000  # cycles, at most, until the unit is ready or asks for a dispatch
WORD_BYTES = 4


class Master(Protocol):
    """A bus, as a program sees it."""

    async def store(self, offset: int, data: int, lane: int, size: int) -> None: ...

    async def load(self, offset: int, lane: int, size: int) -> int: ...

    async def command(self, offset: int, data: int) -> int: ...


def strobes(lane: int, size: int) -> int:
    return ((1 << size) - 1) << lane


def part(data: int, lane: int, size: int) -> bytes:
    return data.to_bytes(WORD_BYTES, "little")[lane : lane + size]


def pauses(chance: random.Random, percent: int) -> Iterator[bool]:
    """A repeated random pattern of pauses."""
    return itertools.cycle([chance.random() * 100 < percent for _ in range(997)])


class Obi:
    """cocotbext-obi; a command's store and load overlap."""

    def __init__(self, dut: Any, chance: random.Random, stall: int) -> None:
        self.clock = dut.clk
        self.host = ObiHost(ObiBus.from_prefix(dut, "obi"), dut.clk, seednum=chance.getrandbits(20))
        if stall:
            self.host.enable_backpressure(chance.getrandbits(20), req=True)

    async def store(self, offset: int, data: int, lane: int, size: int) -> None:
        await self.host.write(offset, data, strb=strobes(lane, size))

    async def load(self, offset: int, lane: int, size: int) -> int:
        return int.from_bytes(await self.host.read(offset + lane), "little")

    async def command(self, offset: int, data: int) -> int:
        self.host.write_nowait(offset, data)
        wanted = self.host.read_nowait(offset)
        while not self.host.queue_rx:
            await RisingEdge(self.clock)
        value, number = self.host.queue_rx.popleft()
        assert number == wanted
        return int.from_bytes(value, "little")


class Apb:
    """cocotbext-apb."""

    def __init__(self, dut: Any, chance: random.Random, stall: int) -> None:
        self.clock, self.chance, self.stall = dut.clk, chance, stall
        self.host = ApbHost(Apb4Bus.from_prefix(dut, "apb"), dut.clk)

    async def gap(self) -> None:
        while self.chance.random() * 100 < self.stall:
            await RisingEdge(self.clock)

    async def store(self, offset: int, data: int, lane: int, size: int) -> None:
        await self.gap()
        await self.host.write(offset, data, strb=strobes(lane, size))

    async def load(self, offset: int, lane: int, size: int) -> int:
        await self.gap()
        return int.from_bytes(await self.host.read(offset + lane), "little")

    async def command(self, offset: int, data: int) -> int:
        await self.gap()
        self.host.write_nowait(offset, data)
        return int.from_bytes(await self.host.read(offset), "little")


class ApbSecond:
    """The APB model of cocotbext-axi: a second opinion."""

    def __init__(self, dut: Any, chance: random.Random, stall: int) -> None:
        self.master = ApbMaster(
            ApbBus.from_prefix(dut, "apb"), dut.clk, dut.rst_n, reset_active_level=False
        )
        if stall:
            self.master.set_pause_generator(pauses(chance, stall))

    async def store(self, offset: int, data: int, lane: int, size: int) -> None:
        await self.master.write(offset + lane, part(data, lane, size))

    async def load(self, offset: int, lane: int, size: int) -> int:
        whole = await self.master.read(offset + lane, WORD_BYTES - lane)
        return int.from_bytes(bytes(whole), "little")

    async def command(self, offset: int, data: int) -> int:
        await self.store(offset, data, 0, WORD_BYTES)
        return await self.load(offset, 0, WORD_BYTES)


class Axi:
    """cocotbext-axi; every channel pauses on its own."""

    def __init__(self, dut: Any, chance: random.Random, stall: int) -> None:
        self.master = AxiLiteMaster(
            AxiLiteBus.from_prefix(dut, "axi"), dut.clk, dut.rst_n, reset_active_level=False
        )
        if stall:
            write, read = self.master.write_if, self.master.read_if
            for channel in (write.aw_channel, write.w_channel, write.b_channel,
                            read.ar_channel, read.r_channel):  # fmt: skip
                channel.set_pause_generator(pauses(chance, stall))

    async def store(self, offset: int, data: int, lane: int, size: int) -> None:
        response = await self.master.write(offset + lane, part(data, lane, size))
        assert response.resp == 0

    async def load(self, offset: int, lane: int, size: int) -> int:
        response = await self.master.read(offset + lane, WORD_BYTES - lane)
        assert response.resp == 0
        return int.from_bytes(response.data, "little")

    async def command(self, offset: int, data: int) -> int:
        await self.store(offset, data, 0, WORD_BYTES)
        return await self.load(offset, 0, WORD_BYTES)


class Wishbone:
    """cocotbext-wishbone, classic; a command is one cycle of the bus with two transfers."""

    name = "wb"

    def __init__(self, dut: Any, chance: random.Random, stall: int) -> None:
        self.chance, self.stall = chance, stall
        self.master = WishboneMaster(dut, self.name, dut.clk, timeout=PATIENCE)

    def idle(self) -> int:
        return self.chance.randrange(1, 6) if self.chance.random() * 100 < self.stall else 0

    async def transfer(self, *operations: WBOp) -> int:
        results = await self.master.send_cycle(list(operations))
        assert [result.ack for result in results] == [1] * len(operations)
        return int(results[-1].datrd)

    async def store(self, offset: int, data: int, lane: int, size: int) -> None:
        await self.transfer(WBOp(offset >> 2, data, idle=self.idle(), sel=strobes(lane, size)))

    async def load(self, offset: int, lane: int, size: int) -> int:
        return await self.transfer(WBOp(offset >> 2, idle=self.idle(), sel=strobes(lane, size)))

    async def command(self, offset: int, data: int) -> int:
        return await self.transfer(
            WBOp(offset >> 2, data, idle=self.idle()), WBOp(offset >> 2, idle=self.idle())
        )


class WishbonePipelined(Wishbone):
    """cocotbext-wishbone as a pipelined master, with `stall_o`."""

    name = "wbp"


# Name, its number on the bench, its model.
BUSES: dict[str, tuple[int, Callable[[Any, random.Random, int], Master]]] = {
    "obi": (0, Obi),
    "apb4": (1, Apb),
    "apb4-second": (1, ApbSecond),
    "axi4-lite": (2, Axi),
    "wishbone": (3, Wishbone),
    "wishbone-pipelined": (4, WishbonePipelined),
}


async def reset(dut: Any, number: int) -> None:
    dut.bus_i.value = number
    dut.stall_i.value = 0
    dut.fault_i.value = 0
    dut.rst_n.value = 0
    await ClockCycles(dut.clk, 3)
    dut.rst_n.value = 1
    await ClockCycles(dut.clk, 2)


async def deafen(dut: Any, chance: random.Random, stall: int) -> None:
    """The unit is deaf in some cycles."""
    while True:
        await RisingEdge(dut.clk)
        dut.stall_i.value = int(chance.random() * 100 < stall)


async def execute(dut: Any, master: Master, step: Step) -> int:
    """The answer; 0 for a store."""
    answer = 0
    if step.dispatch_line:
        for _ in range(PATIENCE):
            if dut.irq_dispatch_o.value == 1:
                break
            await RisingEdge(dut.clk)
        else:
            raise AssertionError(f"the unit asks for no dispatch within {PATIENCE} cycles")
    if step.command:
        answer = await master.command(step.offset, step.data)
    elif step.store:
        await master.store(step.offset, step.data, step.lane, step.size)
    else:
        answer = await master.load(step.offset, step.lane, step.size)
    if step.settle:
        await ClockCycles(dut.clk, step.settle)
    return answer


@cocotb.test()
@cocotb.parametrize(bus=list(BUSES))
async def session(dut: Any, bus: str) -> None:
    """The program through one bus."""
    arguments = {name: str(value) for name, value in cocotb.plusargs.items()}
    steps: list[Step] = pickle.loads(Path(arguments["program"]).read_bytes())
    stall = int(arguments["stall"])
    chance = random.Random(f"{bus} {arguments['seed']}")
    number, model = BUSES[bus]
    Clock(dut.clk, 10, unit="ns").start()
    dut.rst_n.value = 0
    master = model(dut, chance, stall)
    await reset(dut, number)
    while not await master.load(Register.READY, 0, WORD_BYTES):
        pass
    dut.fault_i.value = int(arguments["fault"])
    if stall:
        cocotb.start_soon(deafen(dut, chance, stall))
    answers = [await execute(dut, master, step) for step in steps]
    file = Path(arguments["answers"]) / f"{bus}.json"
    file.write_text(json.dumps(answers), encoding="utf-8")
