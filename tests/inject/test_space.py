# SPDX-License-Identifier: Apache-2.0
"""The kernel's state in memory: its own variables, code and saved contexts, and nothing of the
program, in each kind of kernel."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest

from melanion import build, config, paths
from melanion.build import Program, kernel_objects
from melanion.inject.space import CALL_WORDS, FREERTOS_WORDS, FULL_WORDS, Space, space

LIVES = str(paths.data_root() / "apps" / "faults" / "lives")
TASKS = [0, 1, 2, 3, 4]

# System → variables and functions that must be among them, with their files.
KNOWN = {
    "sw": {"mel_tasks": "software/kernel.c", "mel_ready": "run_queue/bitmap.c"},
    "freertos": {"pxReadyTasksLists": "tasks.c", "mel_freertos_tasks": "freertos/boot.c"},
    "hwrtos": {"mel_contexts": "unit/task.c", "mel_unit_switch": "unit/switch.S"},
    "banked": {"mel_contexts": "unit/task.c"},
}


@cache
def program(system: str) -> Program:
    return build.program(config.find(system), build.application(LIVES))


def found(system: str) -> Space:
    return space(config.find(system), program(system), [])


@pytest.mark.parametrize("system", KNOWN)
def test_objects_are_those_of_the_kernel(system: str) -> None:
    objects = {each.name: each for each in kernel_objects(program(system))}
    for name, source in KNOWN[system].items():
        assert objects[name].source == source
    own = {"sum", "slept", "held", "head", "hold", "number", "main", "head_stack"}
    assert not own & set(objects)
    spans = sorted((each.address, each.size) for each in objects.values())
    ends = [address + size for address, size in spans]
    assert all(end <= start for end, (start, _) in zip(ends[:-1], spans[1:], strict=True))


@pytest.mark.parametrize("system", KNOWN)
def test_fields_are_objects_without_stacks(system: str) -> None:
    fields = found(system).fields
    tasks = [each for each in program(system).content.stacks if each.number in TASKS]
    stacks = [(each.base, each.base + each.size) for each in tasks]
    for field in fields:
        assert not field.name.endswith("_stack")
        assert field.kind in ("data", "configuration", "contexts")
        assert not any(low <= field.address < high for low, high in stacks)
    sizes = {kind: found(system).size(kind) for kind in found(system).kinds}
    assert all(size > 0 for size in sizes.values())


def test_contexts_are_where_the_task_table_says() -> None:
    """A bank keeps those of its tasks."""
    for system, words in (
        ("sw", (CALL_WORDS, FULL_WORDS)),
        ("hwrtos", (CALL_WORDS, FULL_WORDS)),
        ("freertos", (FREERTOS_WORDS,)),
    ):
        contexts = found(system).contexts
        assert contexts.words == words
        assert list(contexts.pointers) == TASKS
        places = list(contexts.pointers.values())
        steps = {after - before for before, after in pairwise(places)}
        assert len(steps) == 1
    assert found("banked").contexts.pointers == {}
    assert "contexts" not in found("banked").kinds


def test_lines_of_the_simulation() -> None:
    listed = [
        "state TOP.mel_top.gen_unit.u_tile.u_unit.u_time count_q 1 32\n",
        "state TOP.mel_top.gen_unit.u_tile.u_unit.u_engine program_mem 2048 142\n",
        "state TOP.mel_top.gen_unit.u_tile.u_unit.u_ready bitmap_mem 2 32\n",
        "state TOP.mel_top.gen_unit.u_tile.u_unit.gen_core[0].u_access rsp_answer_q 1 1\n",
    ]
    fields = space(config.find("hwrtos"), program("hwrtos"), listed).fields
    hardware = [(f.kind, f.module, f.name, f.size) for f in fields if f.scope]
    assert hardware == [
        ("registers", "u_unit.u_time", "count_q", 32),
        ("configuration", "u_unit.u_engine", "program_mem", 2048 * 142),
        ("memories", "u_unit.u_ready", "bitmap_mem", 64),
    ]
