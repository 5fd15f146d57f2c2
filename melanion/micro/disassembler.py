# SPDX-License-Identifier: Apache-2.0
"""From a word to the text that assembles to it."""

from __future__ import annotations

from collections.abc import Mapping

from melanion.micro.data import CARRY_BIT
from melanion.micro.expression import OPERATORS
from melanion.micro.lists import levels
from melanion.micro.tables import KNOWN, Tables

_CONDITIONS = {
    "flag": "flag",
    "not_flag": "not flag",
    "carry": "carry",
    "not_carry": "not carry",
}


def disassemble(value: int, tables: Tables, symbols: Mapping[str, int] | None = None) -> str:
    """Effects of a word. `symbols`: names for targets of branches; else they are numbers."""
    return _Reading(value, tables, symbols or {}).text()


class _Reading:
    """One word; `fields` by name."""

    def __init__(self, value: int, tables: Tables, symbols: Mapping[str, int]) -> None:
        self.tables, self.symbols = tables, symbols
        self.fields: dict[str, int] = {}
        for name, row in reversed(list(tables.fields.items())):
            self.fields[name] = value & (1 << row.width) - 1
            value >>= row.width
        self.size = value

    def text(self) -> str:
        effects = [*self._data(), *self._reads(), *self._lists(), *self._answers(), *self._rest()]
        branch = self._branch()
        effects += [branch] if branch else []
        prefix = ""
        if self.fields["predicate"]:
            prefix = f"if {_CONDITIONS[self._name('branch')]}: "
        return prefix + ("; ".join(effects) or "pass")

    def _name(self, field: str) -> str:
        return self.tables.name_of(field, self.fields[field]) or str(self.fields[field])

    @staticmethod
    def _of(names: Mapping[str, int], number: int) -> str:
        return next((name for name, value in names.items() if value == number), str(number))

    def _register(self, field: str) -> str:
        return self._of(self.tables.machine.registers, self.fields[field])

    # ---- data ------------------------------------------------------------------------------------

    def _data(self) -> list[str]:
        lanes, full = self.fields["lanes"], self.tables.limit("lanes") - 1
        targets = self._targets()
        if not lanes:
            return []
        alu = self._name("alu")
        operation = next((sign for sign, name in OPERATORS.items() if name == alu), "")
        if alu == "a":
            text = self._a()
        elif alu == "b" and lanes == full:
            text = self._b()
        else:
            digits = "".join(str(i) for i in range(full.bit_length()) if lanes >> i & 1)
            which = "" if lanes == full else f".{digits}"
            text = f"{self._a()}{which} {operation} {self._b()}"
        free = self._name("test") not in ("bit", "device")
        if free and self.fields["position"] == CARRY_BIT:
            text += f" carry {CARRY_BIT}"
        return [f"{', '.join(targets)} = {text}".strip()]

    def _targets(self) -> list[str]:
        found = []
        if self.fields["write"]:
            found.append(self._register("target"))
        if self.fields["store"]:
            page = self._of(self.tables.machine.pages, self.fields["store_page"])
            found.append(f"{page}[{self._index('store_by', 'b')}]")
        if self.fields["load_level"]:
            found.append("level")
        return found

    def _a(self) -> str:
        kind = self._name("a_from")
        if kind == "file":
            return self._register("a")
        if kind != "device":
            return {"memory": "M"}.get(kind, kind)
        for name, row in self.tables.machine.device_reads.items():
            if row.number == self.fields["a"]:
                return f"device.{name}"
        return f"device.{self.fields['a']}"

    def _b(self) -> str:
        kind = self._name("b_from")
        if kind == "file":
            return self._register("b")
        if self.size:
            return f"size.{self._of(self.tables.machine.sizes, self.size)}"
        return f"{self.fields['constant']:#x}" if kind == "constant" else kind

    def _index(self, field: str, side: str) -> str:
        by = self._name(field)
        if by == "immediate":
            return str(self.fields["immediate"])
        if by == "core":
            return f"{self.fields['immediate']} of core"
        if by == side:
            return self._a() if side == "a" else self._register(side)
        return by

    # ---- other effects ---------------------------------------------------------------------------

    def _reads(self) -> list[str]:
        found = []
        if self.fields["read"]:
            page = self._of(self.tables.machine.pages, self.fields["read_page"])
            found.append(f"read {page}[{self._index('read_by', 'a')}]")
        for name in ("subject", "object"):
            source = self._name(name)
            if source != "keep":
                text = {"a": self._a(), "memory": "M"}.get(source, source)
                found.append(f"{name} <- {text}")
        test, position = self._name("test"), self.fields["position"]
        if test == "bit":
            source = "M" if self._name("a_from") == "memory" else "result"
            found.append(f"test {source}.{position}")
        elif test == "device":
            found.append(f"test device.{self._of(self.tables.machine.device_tests, position)}")
        elif test != "none":
            found.append(f"test {test}")
        return found

    def _lists(self) -> list[str]:
        found = []
        names = {value: text for text, value in levels(self.tables).items()}
        level = names[self._name("level")]
        node = self._register("a") if self._name("waits_node") == "a" else self._name("waits_node")
        operation = self._name("waits")
        if operation == "look":
            found.append(f"waits.look({self._name('waits_key')})")
        elif operation != "none":
            found.append(f"waits.{operation}({self._name('waits_key')}, {level}, {node})")
        if self._name("ready") != "none":
            noun = "due" if self.fields["due"] else "ready"
            unless = " unless held" if self.fields["unless_held"] else ""
            if noun == "due" and unless and self._name("ready") == "tail":
                noun, unless = "ready", " or due.remove"
            found.append(f"{noun}.{self._name('ready')}({level}){unless}")
        return found

    def _answers(self) -> list[str]:
        found, immediate = [], self.fields["immediate"]
        machine = self.tables.machine
        if self.fields["note"]:
            flags = [name for name, bit in machine.note_flags.items() if immediate >> bit & 1]
            found.append(f"note {' '.join(flags)}")
        device = self._name("device")
        if device in ("job_start", "job_end"):
            found.append(f"job.{device[4:]}({self._of(machine.jobs, immediate)})")
        elif self.fields["device"]:
            number = f"({immediate})" if immediate and not self._immediate_is_used() else ""
            found.append(f"device {device}{number}")
        if self.fields["done"]:
            found.append(self._done())
        if self._name("report") not in ("none", "command" if self.fields["done"] else "none"):
            found.append(f"report {self._name('report')}")
        return found

    def _immediate_is_used(self) -> bool:
        """By something else than a device."""
        answer = self.fields["note"] or (self.fields["done"] and not self.fields["status"])
        indexes = [
            self.fields[name] and self._name(f"{name}_by") in ("immediate", "core")
            for name in ("read", "store")
        ]
        return bool(answer) or any(indexes)

    def _done(self) -> str:
        statuses = self.tables.statuses
        text = "result"
        if not self.fields["status"]:
            text = self._of(statuses, self.fields["immediate"])
        silently = "" if self._name("report") == "command" else " silently"
        if not self.fields["finish_to"]:
            return f"done {text}{silently}, go on"
        return f"done {text}{silently}{'' if self.fields['annul'] else ' after next'}"

    def _rest(self) -> list[str]:
        """Fields that only plain effects set."""
        found = []
        for name, row in self.tables.fields.items():
            if name not in KNOWN and self.fields[name]:
                plain = row.width == 1 and not row.values
                value = self._name(name) if row.values else str(self.fields[name])
                found.append(name if plain else f"{name} {value}")
        return found

    def _branch(self) -> str:
        branch, slot = self._name("branch"), "" if self.fields["annul"] else " after next"
        if self.fields["finish_to"]:
            return "" if self.fields["done"] else f"end{slot}"
        if branch == "none" or self.fields["predicate"]:
            return ""
        if branch == "idle":
            return f"idle{slot}"
        target = self._target()
        if branch == "case":
            return f"case M.wait at {target}{slot}"
        condition = f"if {_CONDITIONS[branch]} " if branch in _CONDITIONS else ""
        return f"{condition}goto {target}{slot}"

    def _target(self) -> str:
        at = self.fields["next"]
        return next((name for name, place in self.symbols.items() if place == at), f"{at:#x}")
