# SPDX-License-Identifier: Apache-2.0
"""Tables and lists of the model on symbols. A field of a table is the machine's contents in the
beginning, and the writes since."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import z3
from mel_gen import Command

from melanion.model import notification
from melanion.model.notification import Without
from melanion.model.state import NEVER, Condition, Notification, Task, Wait
from tests.symbolic.columns import Columns
from tests.symbolic.numbers import Choice, Num, Truth, low, truth
from tests.symbolic.paths import Expr
from tests.symbolic.state import DUE, HELD, OBJECTS, READY, Dispatcher, const, key, node

if TYPE_CHECKING:
    from tests.symbolic.model import SymbolicKernel

WAITS: dict[Any, int] = {
    None: 0, Wait.SLEEP: 1, Wait.DELAY: 2, Wait.NOTIFICATION: 3, Wait.SEMAPHORE: 4,
    Wait.EVENT_FLAGS: 5, Wait.QUEUE: 6, Wait.MUTEX: 7,
}  # fmt: skip


class Row:
    """One row of a table: `number`, and a field by each of its columns."""

    def __init__(self, kernel: SymbolicKernel, table: Table, number: Expr) -> None:
        self.__dict__.update(kernel=kernel, table=table, at=number)

    @property
    def number(self) -> Num:
        return Num(self.kernel.paths, self.at)

    def column(self, name: str) -> Expr:
        return self.table.columns[name].get(self.at)

    def __getattr__(self, name: str) -> Any:
        if name not in self.table.columns:
            raise AttributeError(name)
        value = self.column(name)
        paths = self.kernel.paths
        return Truth(paths, value) if z3.is_bool(value) else Num(paths, value)

    def __setattr__(self, name: str, value: object) -> None:
        setter = getattr(type(self), name, None)
        if isinstance(setter, property):
            assert setter.fset is not None, name
            setter.fset(self, value)
            return
        sort = self.column(name).sort()
        bits = truth(value) if sort.kind() == z3.Z3_BOOL_SORT else low(value, sort.size())
        self.table.columns[name].set(self.at, bits)


class Table:
    """Objects of a kind by number; the column `exists` says which there are."""

    def __init__(self, kernel: SymbolicKernel, row: type[Row], columns: Columns) -> None:
        self._kernel, self._row, self.columns = kernel, row, columns

    def __getitem__(self, number: object) -> Any:
        return self._row(self._kernel, self, low(number, 8))

    def __contains__(self, number: object) -> bool:
        return bool(Truth(self._kernel.paths, self.columns["exists"].get(low(number, 8))))

    def __setitem__(self, number: object, made: object) -> None:
        row = self[number]
        self.columns["exists"].set(row.at, z3.BoolVal(True))
        for name in self.columns:
            if name != "exists":
                setattr(row, name, getattr(made, name))

    def __delitem__(self, number: object) -> None:
        self.columns["exists"].set(low(number, 8), z3.BoolVal(False))

    def pop(self, number: object) -> Any:
        del self[number]
        return self[number]


class TaskTable(Table):
    def __setitem__(self, number: object, made: object) -> None:
        row = self[number]
        self.columns["exists"].set(row.at, z3.BoolVal(True))
        for field in fields(Task):
            if field.name not in ("number", "core", "owned"):
                setattr(row, field.name, getattr(made, field.name))


class WaitList:
    """The tasks that wait for an object, the most urgent first."""

    def __init__(self, kernel: SymbolicKernel, wait_key: Expr) -> None:
        self.kernel, self.key = kernel, wait_key

    def __bool__(self) -> bool:
        return self.kernel.paths.decide(self.kernel.state.waits.look(self.key).valid)

    def __getitem__(self, place: int) -> Num:
        assert place == 0
        top = self.kernel.state.waits.look(self.key)
        return Num(self.kernel.paths, z3.Extract(7, 0, top.node))

    def remove(self, number: object) -> None:
        place = low(number, 8)
        level = z3.Extract(7, 0, z3.Select(self.kernel.state.waits.where, node(0, place)))
        self.kernel.state.waits.remove(self.key, level, node(0, place), at="model")


class Waited(Row):
    """An object that tasks wait for."""

    KIND = 0

    @property
    def waiting(self) -> WaitList:
        return WaitList(self.kernel, key(OBJECTS, const(self.KIND, 2), self.at))

    @waiting.setter
    def waiting(self, value: list[int]) -> None:
        assert value == []  # a new object


class SemaphoreRow(Waited):
    pass


# Rest of the value after a wait for a notification, by the code in the object byte of a record.
RESTS = {
    1: notification.COMMANDS[Command.NOTIFICATION_TAKE].keywords["rest"],  # type: ignore[attr-defined]
    2: notification.COMMANDS[Command.NOTIFICATION_TAKE_ALL].keywords["rest"],  # type: ignore[attr-defined]
}


class NotificationOf:
    """The notification of a task."""

    def __init__(self, row: TaskRow) -> None:
        self.__dict__["row"] = row

    @property
    def rest(self) -> Callable[[Any], Any]:
        row = self.row
        for code, rest in RESTS.items():
            if row.kernel.paths.decide(row.column("rest_code") == code):
                return rest  # type: ignore[no-any-return]
        return Without(Num(row.kernel.paths, row.column("rest_bits")))  # type: ignore[arg-type]

    @rest.setter
    def rest(self, rest: Callable[[Any], Any]) -> None:
        columns, row = self.row.table.columns, self.row
        code = next((code for code, known in RESTS.items() if known is rest), 0)
        columns["rest_code"].set(row.at, const(code, 2))
        if isinstance(rest, Without):
            columns["rest_bits"].set(row.at, low(rest.bits, 32))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.row, f"notification_{name}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "rest":
            NotificationOf.rest.fset(self, value)  # type: ignore[attr-defined]
        else:
            setattr(self.row, f"notification_{name}", value)


class Conditions:
    """The tasks that wait for a group of event flags, by number."""

    def __init__(self, kernel: SymbolicKernel, group: Expr) -> None:
        self.kernel, self.key = kernel, key(OBJECTS, const(1, 2), group)

    def __setitem__(self, number: object, condition: Condition) -> None:
        row: TaskRow = self.kernel.tasks[number]
        row.pattern, row.every, row.takes = condition.pattern, condition.every, condition.takes
        row.queue_key = Num(self.kernel.paths, self.key)
        level, member = row.column("priority"), node(0, row.at)
        self.kernel.state.waits.insert(self.key, level, member, head=False, at="model")


class FlagsRow(Row):
    @property
    def waiting(self) -> Conditions:
        return Conditions(self.kernel, self.at)

    @waiting.setter
    def waiting(self, value: object) -> None:
        assert value == {}  # a new group


class TimerRow(Row):
    @property
    def expiry(self) -> Any:
        if not self.kernel.paths.decide(self.column("runs")):
            return NEVER
        return Num(self.kernel.paths, self.column("expiry_at"))

    @expiry.setter
    def expiry(self, value: object) -> None:
        self.table.columns["runs"].set(self.at, z3.BoolVal(value is not NEVER))
        if value is not NEVER:
            self.table.columns["expiry_at"].set(self.at, low(value, 64))


class TimerTable(Table):
    def __setitem__(self, number: object, made: Any) -> None:
        row = self[number]
        row.expiry, row.period = made.expiry, made.period


class MutexRow(Waited):
    KIND = 3

    @property
    def owner(self) -> Num | None:
        if not self.kernel.paths.decide(self.column("is_owned")):
            return None
        return Num(self.kernel.paths, self.column("owner_number"))

    @owner.setter
    def owner(self, value: object) -> None:
        self.table.columns["is_owned"].set(self.at, z3.BoolVal(value is not None))
        if value is not None:
            self.table.columns["owner_number"].set(self.at, low(value, 8))

    @property
    def ceiling(self) -> Num | None:
        if not self.kernel.paths.decide(self.column("has_ceiling")):
            return None
        return Num(self.kernel.paths, self.column("ceiling_level"))

    @ceiling.setter
    def ceiling(self, value: object) -> None:
        self.table.columns["has_ceiling"].set(self.at, z3.BoolVal(value is not None))
        if value is not None:
            self.table.columns["ceiling_level"].set(self.at, low(value, 8))


class MutexTable(Table):
    def __setitem__(self, number: object, made: Any) -> None:
        row = self[number]
        self.columns["exists"].set(row.at, z3.BoolVal(True))
        for name in ("ceiling", "owner", "locks", "abandoned", "waiting"):
            setattr(row, name, getattr(made, name))


class Messages:
    """The messages of a queue: how many."""

    def __init__(self, count: Num) -> None:
        self.count = count


class QueueRow(Waited):
    KIND = 2

    @property
    def messages(self) -> Messages:
        return Messages(Num(self.kernel.paths, self.column("count")))


class ReadyList:
    """The ready tasks of a priority, without one that has its turn: the first of them."""

    def __init__(self, kernel: SymbolicKernel, level: Expr) -> None:
        self.kernel, self.level = kernel, level

    def __iter__(self) -> Iterator[Num]:
        valid, number = self.kernel.state.first_of(self.level)
        return iter([Num(self.kernel.paths, number)] if self.kernel.paths.decide(valid) else [])

    def remove(self, number: object) -> None:
        ready = self.kernel.state.ready
        ready.remove(const(READY, 1), self.level, low(number, 8), at="model")

    def append(self, number: object) -> None:
        ready = self.kernel.state.ready
        ready.insert(const(READY, 1), self.level, low(number, 8), head=False, at="model")


class HeldList:
    """The mutexes that a task owns."""

    def __init__(self, kernel: SymbolicKernel, owner: Expr) -> None:
        self.kernel, self.key = kernel, key(HELD, const(0, 2), owner)

    def __bool__(self) -> bool:
        return self.kernel.paths.decide(self.kernel.state.waits.look(self.key).valid)

    def __iter__(self) -> Iterator[Any]:
        return iter(())  # only named in a complaint of the model


class TaskRow(Row):
    runnable = Task.runnable
    state = Task.state

    @property
    def core(self) -> None:
        """With one core none has a core of its own."""
        return None

    @property
    def wait(self) -> Choice:
        return Choice(self.kernel.paths, self.column("waits"), WAITS)

    @wait.setter
    def wait(self, value: Wait | None) -> None:
        self.table.columns["waits"].set(self.at, const(WAITS[value], 3))

    @property
    def queue(self) -> WaitList | None:
        """Lists of semaphores, queues and mutexes."""
        if not self.kernel.paths.decide(self.column("queued")):
            return None
        return WaitList(self.kernel, self.column("queue_key"))

    @queue.setter
    def queue(self, value: WaitList | None) -> None:
        self.table.columns["queued"].set(self.at, z3.BoolVal(value is not None))
        if value is not None:
            self.table.columns["queue_key"].set(self.at, value.key)

    @property
    def owned(self) -> HeldList:
        return HeldList(self.kernel, self.at)

    @property
    def awaited(self) -> Any:
        """The mutex that it waits for."""
        code = self.table.columns["awaits"].get(self.at)
        return self.kernel.mutex_of(self) if self.kernel.paths.decide(code) else None

    @awaited.setter
    def awaited(self, value: object) -> None:
        self.table.columns["awaits"].set(self.at, z3.BoolVal(value is not None))

    @property
    def expiry(self) -> object:
        return Num(self.kernel.paths, self.column("expiry_at"))

    @expiry.setter
    def expiry(self, value: object) -> None:
        self._alarm("expires", "expiry_at", value)

    @property
    def deadline(self) -> object:
        return Num(self.kernel.paths, self.column("deadline_at"))

    @deadline.setter
    def deadline(self, value: object) -> None:
        self._alarm("watched", "deadline_at", value)

    def _alarm(self, whether: str, when: str, value: object) -> None:
        self.table.columns[whether].set(self.at, z3.BoolVal(value is not NEVER))
        if value is not NEVER:
            self.table.columns[when].set(self.at, low(value, 64))

    def leave_due(self) -> None:
        """Out of the due list, if it stands there."""
        if self.kernel.paths.decide(self.column("late")):
            self.table.columns["late"].set(self.at, z3.BoolVal(False))
            level = self.column("priority")
            self.kernel.state.ready.remove(const(DUE, 1), level, self.at, at="model")

    @property
    def notification(self) -> NotificationOf:
        return NotificationOf(self)

    @notification.setter
    def notification(self, value: Notification) -> None:
        self.notification.value, self.notification.pending = value.value, value.pending


class CoreRow:
    """The core. `apart` is the model's: that the running task has its turn."""

    number = 0

    def __init__(self, kernel: SymbolicKernel, core: Dispatcher) -> None:
        self.__dict__.update(kernel=kernel, fields=core, is_apart=core.apart)

    @property
    def running(self) -> Num | None:
        if not self.kernel.paths.decide(self.fields.running_valid):
            return None
        return Num(self.kernel.paths, self.fields.running)

    def __getattr__(self, name: str) -> Any:
        paths, fields = self.kernel.paths, self.fields
        match name:
            case "apart":
                return Truth(paths, self.is_apart)
            case "ended" | "in_handler":
                return Truth(paths, getattr(fields, name))
            case "dispatch_enabled":
                return Truth(paths, fields.enabled)
        raise AttributeError(name)

    def __setattr__(self, name: str, value: object) -> None:
        match name:
            case "apart":
                self.__dict__["is_apart"] = truth(value)
            case "ended":
                self.fields.ended = truth(value)
            case "dispatch_enabled":
                self.fields.enabled = truth(value)
            case "ended_result":
                self.fields.task_result = low(value, 8)
            case _:
                setattr(self.fields, name, low(value, 8))


class WordsRow(Row):
    """The operand and the value of a context."""
