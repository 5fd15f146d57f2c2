# SPDX-License-Identifier: Apache-2.0
"""Reference model of the lock cache (docs/decisions/0019): one access after the other."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from mel_gen.lock_cache import FACTS_HASH_WORD, IDENTITY, WINDOW_BYTES, Answer, Region, Register

NONE = int(Answer.NONE)
REFUSED_MAX = 0xFFFF


@dataclass(frozen=True)
class Size:
    """Parameters of mel_lock_cache, in its order."""

    short: int
    long: int
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


class Refused(Exception):
    """The access is refused; the text says which kind."""


class LockCache:
    """State and accesses; `seen` counts what happened, by kind."""

    def __init__(self, size: Size) -> None:
        self.size = size
        self.seen: Counter[str] = Counter()
        self.reset()

    def reset(self) -> None:
        size = self.size
        self.locks = {
            (is_long, number): Lock(is_long)
            for is_long, count in ((False, size.short), (True, size.long))
            for number in range(count)
        }
        self.notices: list[set[int]] = [set() for _ in range(size.cores)]
        self.priority = [0] * size.cores
        self.refused = 0

    @property
    def irq(self) -> int:
        return sum(1 << core for core, notices in enumerate(self.notices) if notices)

    def access(self, core: int, write: bool, address: int, enables: int, word: int) -> int:
        """The answer; that of a store is 0, or NONE when it was refused."""
        try:
            if enables != 0xF or address % 4 or address >= WINDOW_BYTES:
                raise Refused("not a whole word")
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
        except Refused as refusal:
            self.seen[f"refused: {refusal}"] += 1
            self.refused = min(self.refused + 1, REFUSED_MAX)
            return NONE

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
        return {
            Register.IDENTITY: IDENTITY,
            Register.FACTS_HASH: FACTS_HASH_WORD,
            Register.SIZES: size.short | size.long << 8 | size.cores << 16,
            Register.PRIORITIES: size.priorities * size.hand_over,
            Register.CORE: core,
            Register.REFUSED: self.refused,
            Register.PRIORITY: self.priority[core],
        }[Register(address)]
