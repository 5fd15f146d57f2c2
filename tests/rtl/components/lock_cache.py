# SPDX-License-Identifier: Apache-2.0
"""Reference model of the lock cache (docs/decisions/0019): one access after the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from mel_gen import lock_cache
from mel_gen.lock_cache import Region, Register

from tests.rtl.components.bench import Component
from tests.rtl.components.reference import NONE, Reference, Refused


@dataclass(frozen=True)
class Size:
    """Parameters of mel_lock_cache, in its order."""

    short_locks: int
    long_locks: int
    cores: int
    hand_over: int
    priorities: int = 32


@dataclass
class Lock:
    """`known`: its core knows that it holds it. `waiters`: core → priority (0 for short locks), in
    the order in which they began to wait."""

    is_long: bool
    holder: int | None = None
    known: bool = True
    waiters: dict[int, int] = field(default_factory=dict)


class LockCache(Reference[Size]):
    facts: ClassVar = lock_cache

    def reset(self) -> None:
        super().reset()
        size = self.size
        self.locks = {
            (is_long, number): Lock(is_long)
            for is_long, count in ((False, size.short_locks), (True, size.long_locks))
            for number in range(count)
        }
        self.notices: list[set[int]] = [set() for _ in range(size.cores)]
        self.priority = [0] * size.cores
        self.open = False  # the words are cleared before the first access

    @property
    def irq(self) -> int:
        return sum(1 << core for core, notices in enumerate(self.notices) if notices)

    def access(self, core: int, write: bool, address: int, enables: int, word: int) -> int:
        self.open = True
        return super().access(core, write, address, enables, word)

    def late(self, closed: int, stalled: int) -> str:
        return f"{stalled} cycles late" if self.open and stalled else ""

    def _store(self, core: int, address: int, word: int) -> int:
        return self._do(core, True, address, word)

    def _load(self, core: int, address: int) -> int:
        return self._do(core, False, address, 0)

    def _do(self, core: int, write: bool, address: int, word: int) -> int:
        if address >= Register.IDENTITY:
            return self._register(core, write, address, word)
        region, place = divmod(address, int(Region.TRY_SHORT))
        is_long, number = place >= Region.LOCK_LONG, place % int(Region.LOCK_LONG) // 4
        if (is_long, number) not in self.locks:
            raise Refused("no such lock")
        verb = (
            (self._take, self._release),
            (self._try, self._wait),
            (self._state, self._no_store),
        )[region][write]
        return verb(core, number, self.locks[is_long, number], word)

    # ---- locks -----------------------------------------------------------------------------------

    def _grab(self, core: int, lock: Lock) -> bool:
        if lock.holder is None:
            lock.holder, lock.known = core, True
            self.seen[f"taken, {'long' if lock.is_long else 'short'}"] += 1
            return True
        if lock.is_long or lock.holder != core:
            return False
        if lock.known:
            raise Refused("waits for itself")
        lock.known = True
        self.seen["handed over, taken"] += 1
        return True

    def _take(self, core: int, number: int, lock: Lock, word: int) -> int:
        if self._grab(core, lock):
            return 1
        kind = "long" if lock.is_long else "short"
        self.seen[f"waits, {kind}" + (" for its own" if lock.holder == core else "")] += 1
        rank = self.priority[core] if lock.is_long else 0
        lock.waiters[core] = min(rank, lock.waiters.get(core, rank))
        return 0

    def _try(self, core: int, number: int, lock: Lock, word: int) -> int:
        if self._grab(core, lock):
            return 1
        self.seen["tried in vain"] += 1
        return 0

    def _release(self, core: int, number: int, lock: Lock, word: int) -> int:
        named = core if word == 0 else word - 1
        if word > (self.size.cores if lock.is_long else 0):
            raise Refused("no such core")
        if lock.holder != named or not lock.known:
            raise Refused("not held")
        if lock.is_long and self.size.hand_over and number in self.notices[named]:
            raise Refused("not yet told")
        if named != core:
            self.seen["released for another"] += 1
        self._pass_on(number, lock)
        return 0

    def _pass_on(self, number: int, lock: Lock) -> None:
        kind = "long" if lock.is_long else "short"
        if not lock.waiters:
            self.seen[f"freed, {kind}"] += 1
            lock.holder = None
        elif lock.is_long and not self.size.hand_over:
            self.seen[f"told {len(lock.waiters)}"] += 1
            for core in lock.waiters:
                self.seen["told again"] += number in self.notices[core]
                self.notices[core].add(number)
            lock.holder, lock.waiters = None, {}
        else:
            cores = self.size.cores
            holder = lock.holder
            assert holder is not None
            by_turn = min(lock.waiters, key=lambda c: (c - holder - 1) % cores)
            by_time = next(iter(lock.waiters))
            heir = min(lock.waiters, key=lock.waiters.__getitem__) if lock.is_long else by_turn
            self.seen[f"handed over, {kind}"] += 1
            if lock.is_long:  # the first of the most urgent
                self.seen["priority before time"] += heir != by_time
                self.seen["time before turn"] += by_turn != heir == by_time
            self.seen["handed over to its own"] += heir == holder
            lock.holder, lock.known = heir, lock.is_long
            del lock.waiters[heir]
            if lock.is_long:
                self.notices[heir].add(number)

    def _wait(self, core: int, number: int, lock: Lock, word: int) -> int:
        if word == NONE:
            self.seen["withdrawn"] += core in lock.waiters
            lock.waiters.pop(core, None)
            if lock.holder == core and not lock.known:
                self.seen["withdrawn, passed on"] += 1
                self._pass_on(number, lock)
        elif lock.is_long and self.size.hand_over and word < self.size.priorities:
            self.seen["priority changed"] += core in lock.waiters
            if core in lock.waiters:
                lock.waiters[core] = word
        else:
            raise Refused("no priority")
        return 0

    def _state(self, core: int, number: int, lock: Lock, word: int) -> int:
        self.seen["state"] += 1
        if lock.holder is None:
            return 0
        waiting = sum(1 << waiter for waiter in lock.waiters)
        return 1 | (not lock.known) << 1 | lock.holder << 4 | waiting << 8

    def _no_store(self, core: int, number: int, lock: Lock, word: int) -> int:
        raise Refused("read only")

    # ---- registers -------------------------------------------------------------------------------

    def _register(self, core: int, write: bool, address: int, word: int) -> int:
        size = self.size
        if address not in list(Register):
            raise Refused("no such register")
        if write:
            if address != Register.PRIORITY:
                raise Refused("read only")
            if not size.hand_over or word >= size.priorities:
                raise Refused("no priority")
            self.priority[core] = word
            return 0
        if address == Register.NOTICE:
            if not self.notices[core]:
                return NONE
            self.seen["notice"] += 1
            number = min(self.notices[core])
            self.notices[core].remove(number)
            return number
        own = {
            Register.SIZES: size.short_locks | size.long_locks << 8 | size.cores << 16,
            Register.PRIORITIES: size.priorities * size.hand_over,
            Register.PRIORITY: self.priority[core],
        }
        return self._load_register(core, address, own)


# Situations that random accesses must reach, whatever the size.
_ALWAYS = {
    "taken, short", "taken, long", "freed, short", "freed, long", "waits, short", "waits, long",
    "waits, long for its own", "handed over, short", "handed over, taken", "tried in vain",
    "notice", "withdrawn", "withdrawn, passed on", "released for another", "state",
    "refused: not held", "refused: waits for itself", "refused: no such core",
    "refused: no such lock", "refused: no priority", "refused: read only",
    "refused: no such register", "refused: not a whole word",
}  # fmt: skip
COMPONENT = Component(
    "lock_cache",
    LockCache,
    # All that wait are told, or the lock is handed over.
    sizes={"told": Size(2, 3, 2, 0), "given": Size(3, 5, 4, 1, 8)},
    more=[
        Size(64, 64, 4, 0),
        Size(64, 64, 4, 1),
        Size(1, 1, 1, 1, 2),
        Size(128, 128, 3, 1, 256),
        Size(5, 13, 1, 0),
        Size(7, 128, 2, 1, 3),
    ],
    situations={
        "told": _ALWAYS | {"told 1", "told 2", "told again"},
        "given": _ALWAYS
        | {"handed over, long", "priority before time", "time before turn"}
        | {"handed over to its own", "priority changed", "refused: not yet told"},
    },
    soak=150_000,
    yosys="-G Cores=3 -G HandOver=1",
)
