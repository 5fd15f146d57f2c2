# SPDX-License-Identifier: Apache-2.0
"""References of the components (tests/rtl/components): a walk through each decision, so that a
reference is not only a copy of the unit's behaviour."""

from __future__ import annotations

import pytest
from mel_gen import deadlock as deadlock_facts
from mel_gen import dmmu as dmmu_facts

from tests.rtl.components import deadlock, dmmu, lock_cache


def test_the_deadlock_detection_unit() -> None:
    """Decision 0039."""
    command, register = deadlock_facts.Command, deadlock_facts.Register
    unit = deadlock.Deadlock(deadlock.Size(4, 4, 1))

    def do(code: int, process: int, resource: int) -> int:
        unit.access(0, True, code, 0xF, process | resource << 8)
        return unit.access(0, False, register.ANSWER, 0xF, 0)

    def load(offset: int) -> int:
        return unit.access(0, False, offset, 0xF, 0)

    assert do(command.REQUEST, 0, 0) == 1  # free: it holds it
    assert do(command.REQUEST, 1, 1) == 1
    assert do(command.REQUEST, 2, 0) == 0  # waits, in no deadlock
    assert do(command.REQUEST, 0, 1) == 0
    assert do(command.REQUEST, 1, 0) == 2  # 0 and 1 wait for each other
    assert (load(register.PROCESSES), load(register.RESOURCES)) == (0b0011, 0b0011)
    assert unit.irq == 1
    assert do(command.REQUEST, 3, 1) == 0  # waits for one in a deadlock: in none itself
    assert do(command.WITHDRAW, 1, 0) == 1
    assert (load(register.PROCESSES), load(register.NOTICE)) == (0, 1)
    unit.access(0, True, register.NOTICE, 0xF, 0)
    assert unit.irq == 0
    assert do(command.RELEASE, 1, 1) == 1
    assert do(command.REQUEST, 1, 1) == 0  # free, but others wait for it
    assert do(command.GRANT, 3, 1) == 1
    assert do(command.GRANT, 0, 1) == 0xFFFFFFFF  # held


def test_the_memory_management_unit() -> None:
    """Decision 0041."""
    command, region, register = dmmu_facts.Command, dmmu_facts.Region, dmmu_facts.Register
    unit = dmmu.Dmmu(dmmu.Size(8, 4, 1))

    def do(code: int, owner: int, number: int, after: int = 0) -> int:
        unit.access(0, True, code, 0xF, owner | number << 8 | after << 24)
        return unit.access(0, False, register.ANSWER, 0xF, 0)

    def load(offset: int) -> int:
        return unit.access(0, False, offset, 0xF, 0)

    assert do(command.ALLOCATE, 0, 3) == 0
    assert do(command.ALLOCATE, 1, 1) == 3
    assert do(command.ALLOCATE, 0, 2) == 4
    assert load(register.FREE) == 2
    assert do(command.RELEASE, 0, 0) == 0
    assert do(command.ALLOCATE, 2, 4) == 0xFFFFFFFE  # five are free, three of them together
    assert (load(register.FAILED), load(register.REFUSED)) == (1, 0)
    assert do(command.ALLOCATE, 2, 2) == 0  # the lowest run that is long enough
    assert load(region.ALLOCATION + 4 * 4) == 0 | 2 << 8
    assert do(command.RELEASE, 1, 4) == 0xFFFFFFFF  # another's
    assert do(command.GIVE, 0, 4, 1) == 0
    assert load(region.ALLOCATION + 4 * 4) == 1 | 2 << 8
    assert do(command.RELEASE, 0, 4) == 0xFFFFFFFF
    assert do(command.RELEASE, 1, 5) == 0xFFFFFFFF  # no allocation begins there
    assert do(command.RELEASE, 1, 4) == 0
    assert (load(register.FREE), load(register.LEAST)) == (5, 2)
    assert load(register.REFUSED) == 3


@pytest.mark.parametrize("blocks", [2, 3, 16, 17, 64, 255, 256])
def test_an_allocation_takes_seven_cycles_at_most(blocks: int) -> None:
    """From the cycle in which it is taken to the first in which its answer can be loaded; decision
    0041 allows 16."""
    assert 1 + dmmu.Size(blocks, 1, 1).allocating <= 7


def test_the_lock_cache_hands_over_by_priority() -> None:
    """Decision 0019."""
    locks = lock_cache.LockCache(lock_cache.Size(3, 5, 4, 1, 8))
    long_2 = 0x200 + 4 * 2

    def load(core: int, address: int) -> int:
        return locks.access(core, False, address, 0xF, 0)

    def store(core: int, address: int, word: int = 0) -> int:
        return locks.access(core, True, address, 0xF, word)

    assert load(0, long_2) == 1
    for core, priority in ((1, 5), (3, 3), (2, 3)):
        assert store(core, 0xC18, priority) == 0
        assert load(core, long_2) == 0
    assert store(1, long_2) == 0xFFFFFFFF  # not its lock
    assert store(0, long_2) == 0
    assert locks.irq == 0b1000  # core 3 waited before core 2
    assert store(3, long_2) == 0xFFFFFFFF  # it does not know yet
    assert load(3, 0xC1C) == 2
    assert load(3, 0xC1C) == 0xFFFFFFFF
    assert store(2, 0x400 + long_2, 7) == 0  # less urgent than core 1 from now on
    assert store(3, long_2) == 0
    assert locks.irq == 0b0010
    assert load(0, 0xC14) == 2


def test_the_lock_cache_tells_all() -> None:
    locks = lock_cache.LockCache(lock_cache.Size(1, 1, 3, 0))
    for core in range(3):
        assert locks.access(core, False, 0x200, 0xF, 0) == (core == 0)
    assert locks.access(2, True, 0x200, 0xF, 1) == 0  # in the name of core 0
    assert locks.irq == 0b110
    assert locks.access(0, False, 0x200, 0xF, 0) == 1  # faster than those who were told
