# SPDX-License-Identifier: Apache-2.0
"""Agreement of the data sheet with the proofs that it quotes; kinds of access by address."""

from __future__ import annotations

import re

import mel_gen
import pytest
from mel_gen import Command, Query, Register

from melanion import config, paths
from melanion.build.listing import Instruction
from melanion.datasheet import accesses
from melanion.datasheet.accesses import Access, Kind, Unit, decode
from melanion.datasheet.core import CORES
from melanion.datasheet.path import Measure, transfer
from melanion.soc import addresses
from tests.random.cycles import STATED

ROOT = paths.data_root()
PACKAGE = (ROOT / "hw" / "formal" / "mel_bounds_pkg.sv").read_text(encoding="utf-8")
PROOF = (ROOT / "hw" / "formal" / "mel_sequencer.sv").read_text(encoding="utf-8")
CLAIMS = (ROOT / "hw" / "formal" / "theorems.yaml").read_text(encoding="utf-8")
FUNCTION = re.compile(r"function automatic int unsigned (\w+)\((.*?)\);\s*return (.*?);", re.DOTALL)


def package(text: str) -> dict[str, object]:
    """The functions of mel_bounds_pkg, as Python's."""
    known: dict[str, object] = {
        name: int(value) for name, value in re.findall(r"(\w+Cycles) = (\d+);", text)
    }
    for name, arguments, body in FUNCTION.findall(text):
        names = arguments.replace("int unsigned ", "")
        plain = body.replace("/", "//")
        if match := re.fullmatch(r"\((.*)\) \? (.*) : (.*)", plain):
            plain = "({1}) if ({0}) else ({2})".format(*match.groups())
        known[name] = eval(f"lambda {names}: {plain}", known)
    return known


def differing(text: str) -> list[str]:
    """Bounds that this text and the data sheet do not agree on."""
    known, found = package(text), []
    for tasks in (4, 16, 17, 64, 65, 256):
        for cores in (1, 2, 3, 4):
            unit = Unit(tasks, cores, 16, 0)
            pairs = {
                "flag_cycles": (unit.flag_cycles, (tasks,)),
                "longest": (unit.longest, (tasks,)),
                "access_wait": (unit.access_wait, (cores,)),
                "served_cycles": (unit.served_cycles, (tasks, cores)),
            }
            for name, (value, arguments) in pairs.items():
                if known[name](*arguments) != value:  # type: ignore[operator]
                    found.append(name)
    return sorted(set(found))


def test_bounds_are_those_of_the_proofs() -> None:
    assert set(package(PACKAGE)) >= {"served_cycles", "access_wait", "LongCycles"}
    assert differing(PACKAGE) == []


@pytest.mark.parametrize(
    ("old", "new", "noticed"),
    [
        ("/ 16 + 4", "/ 16 + 5", "flag_cycles"),
        ("LongCycles = 8", "LongCycles = 9", "longest"),
        ("2 * cores - 1 + (", "2 * cores + (", "access_wait"),
        ("? 5 : 4", "? 5 : 5", "served_cycles"),
    ],
)
def test_a_changed_bound_is_noticed(old: str, new: str, noticed: str) -> None:
    assert PACKAGE.count(old) == 1
    assert noticed in differing(PACKAGE.replace(old, new))


def test_steps_are_those_of_the_theorem() -> None:
    for name, value in (
        ("StepCycles", accesses.STEP_CYCLES),
        ("AfterLonger", accesses.AFTER_LONGER),
    ):
        assert re.search(rf"{name}\s*= {value};", PROOF)
    assert f"a command is done in {accesses.STEP_CYCLES} cycles" in CLAIMS
    claims = " ".join(CLAIMS.split())
    assert "takes at most 8 + 6 d, behind the search of a lock for a cycle 6 + 8 d" in claims
    unit = Unit(64, 1, 10, 0)
    assert unit.command_cycles(Command.TASK_RELEASE) == 8 + 6 * 10
    assert unit.command_cycles(Command.MUTEX_LOCK) == 6 + 8 * 10
    assert unit.command_cycles(Command.EVENT_FLAGS_SET) == 2 + 4 + 2
    assert unit.command_cycles(Command.SEMAPHORE_GIVE) == 5


def test_no_command_is_stated_to_take_longer_than_its_bound() -> None:
    """tests/rtl/test_cycles.py measures what is stated."""
    unit = Unit(64, 1, 0, 0)
    for name, cycles in STATED.items():
        assert max(cycles) <= unit.command_cycles(Command[name.split()[0].upper()]), name


ADDRESSES = addresses(config.find("hwrtos"))
WINDOW = ADDRESSES["unit_base"]


@pytest.mark.parametrize(
    ("address", "store", "access"),
    [
        (WINDOW + 18 * 1024 + 7 * 4, True, Access(Kind.COMMAND, Command.SEMAPHORE_GIVE)),
        (WINDOW + 18 * 1024, False, Access(Kind.ANSWER)),
        (WINDOW + Query.SEMAPHORE_COUNT * 1024 + 4, False, Access(Kind.QUERY)),
        (WINDOW + Register.OPERAND, True, Access(Kind.OPERAND)),
        (WINDOW + Register.DISPATCH, False, Access(Kind.DISPATCH)),
        (WINDOW + Register.VALUE, False, Access(Kind.VALUE)),
        (WINDOW + Register.CLAIM, False, Access(Kind.CLAIM)),
        (WINDOW + Register.TIME_LOW, False, Access(Kind.REGISTER)),
        (WINDOW + Register.MONITOR, True, Access(Kind.REGISTER)),
        (WINDOW, True, Access(Kind.COMMAND, None)),
        (mel_gen.PORT_BASE + 18 * 4, True, Access(Kind.COMMAND, Command.SEMAPHORE_GIVE)),
        (mel_gen.PORT_BASE + 0x100 + 9 * 4, True, Access(Kind.COMMAND, Command.TASK_ROTATE)),
        (mel_gen.PORT_BASE, False, Access(Kind.ANSWER)),
        (mel_gen.PORT_BASE + 0x410, False, Access(Kind.DISPATCH)),
        (mel_gen.PORT_BASE + 0x434, True, Access(Kind.OPERAND)),
        (mel_gen.BANK_SWITCH, True, Access(Kind.SWITCH)),
        (mel_gen.BANK_FORGET, True, Access(Kind.BANK)),
        (mel_gen.BANK_FRAME + 40, False, Access(Kind.BANK)),
        (ADDRESSES["memory_base"] + 0x4000, True, Access(Kind.MEMORY)),
    ],
)
def test_an_address_says_which_access_it_is(address: int, store: bool, access: Access) -> None:
    assert decode(address, WINDOW, store=store) == access


def run(*lines: str) -> list[Access]:
    """Return the accesses that the last of these instructions, a load or store, may make."""
    values: dict[str, frozenset[int]] = {}
    for line in lines[:-1]:
        values = dict(transfer(_instruction(line), values))
    unit = Unit(64, 1, 10, WINDOW)
    return Measure(CORES["main"], unit).accesses(_instruction(lines[-1]), values)


def _instruction(line: str) -> Instruction:
    name, _, rest = line.partition(" ")
    return Instruction(0, 4, "f", name, tuple(rest.split(",")))


def test_the_code_says_which_address_it_is() -> None:
    """As compilers make them: scaled and added, offset first, or at an offset from x0."""
    give, answer = [Access(Kind.COMMAND, Command.SEMAPHORE_GIVE)], [Access(Kind.ANSWER)]
    assert run("lui a5,0x40005", "sh2add a0,a0,a5", "sw zero,-2048(a0)") == give
    assert run("lui a5,0x40005", "sh2add a0,a0,a5", "lw a0,-2048(a0)") == answer
    offset_first = ("lui a5,0x40005", "sll a0,a0,0x2", "add a0,a0,-2048", "add a0,a0,a5")
    assert run(*offset_first, "sw zero,0(a0)") == give
    assert run("li a5,1", "sw a5,-1976(zero)") == give
    assert run("lui a5,0x40005", "mv a4,a5", "add a4,a4,-2048", "sw zero,0(a4)") == give
    assert run("lui a5,0x40005", "beqz a5,f", "sw zero,-2048(a5)") == give
    assert run("lui a5,0x40005", "lw a5,0(a5)", "sw zero,-2048(a5)") == [Access(Kind.MEMORY)]
    assert run("lui a5,0x10005", "sw zero,0(a5)") == [Access(Kind.MEMORY)]
    assert run("sw zero,12(sp)") == [Access(Kind.MEMORY)]


def test_what_an_access_waits_for() -> None:
    """The unit's bound, the own chain, the switch of banks; the port answers the rest itself."""
    busy, free = Unit(64, 1, 10, 0), Unit(64, 1, 10, 0, free=True)
    give, release = Access(Kind.COMMAND, Command.SEMAPHORE_GIVE), Command.TASK_RELEASE
    assert (busy.waits(give), free.waits(give)) == (44, 10)
    assert busy.waits(Access(Kind.COMMAND, release)) == 44 + 68
    assert free.waits(Access(Kind.COMMAND, release)) == 5 + 68
    assert busy.waits(Access(Kind.SWITCH)) == 46
    assert [busy.waits(Access(kind)) for kind in (Kind.ANSWER, Kind.REGISTER, Kind.BANK)] == [0] * 3
