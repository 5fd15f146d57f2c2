# SPDX-License-Identifier: Apache-2.0
"""Memory allocation of Thread-Metric over the memory management unit (thread_metric_dmmu): exact
cycles, beside the ordinary pools; pools of melanion/dmmu_pool.h themselves: what they refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

from melanion import build, config
from melanion.build import BuildError
from melanion.claims import load
from melanion.claims.execute import outcome
from melanion.docs import sources
from melanion.docs.pages import heaps
from melanion.measure.work import applications
from melanion.run import run_program
from tests.common import exact_cycles

NAME = "thread-metric-pools"
DEFINITION = load(NAME)
ROWS = exact_cycles.recorded_rows(NAME)

POOLS = """#include <melanion/dmmu_pool.h>
#include <melanion/kernel.h>
#include <melanion/console.h>
MEL_DMMU_POOL_MEMORY(memory);
static mel_dmmu_pool_t small, large;
static int line;
#define SAME(expected, found) (line = line == 0 && (found) != (expected) ? __LINE__ : line)
int main(void)
{
    void *first, *second, *other, *block = NULL;
    mel_dmmu_info_t info;
    mel_dmmu_boot();
    SAME(MEL_E_PAR, mel_dmmu_pool_create(&small, memory, 0, 60));
    SAME(MEL_E_PAR, mel_dmmu_pool_create(&small, memory, MEL_DMMU_POOL_BYTES + 1, 60));
    SAME(MEL_E_ID, mel_dmmu_pool_create(&small, memory, 8, MEL_DMMU_OWNERS));
    SAME(MEL_E_OK, mel_dmmu_pool_create(&small, memory, 128, 60));
    SAME(MEL_E_OK, mel_dmmu_pool_create(&large, memory, MEL_DMMU_POOL_BYTES - 256, 61));
    SAME(MEL_E_OK, mel_dmmu_pool_get(&small, &first));
    SAME(MEL_E_OK, mel_dmmu_pool_get(&small, &second));
    SAME((void *)memory, first);
    SAME((void *)(memory + 128), second);
    SAME(MEL_E_OK, mel_dmmu_pool_get(&large, &other));
    SAME(MEL_E_TMOUT, mel_dmmu_pool_get(&small, &block));
    SAME(NULL, block);
    SAME(MEL_E_PAR, mel_dmmu_pool_put(&small, memory + 1));
    SAME(MEL_E_PAR, mel_dmmu_pool_put(&small, memory + MEL_DMMU_POOL_BYTES));
    SAME(MEL_E_PAR, mel_dmmu_pool_put(&small, memory - MEL_DMMU_BLOCK_BYTES));
    SAME(MEL_E_ILUSE, mel_dmmu_pool_put(&small, memory + MEL_DMMU_BLOCK_BYTES));
    SAME(MEL_E_ILUSE, mel_dmmu_pool_put(&small, other));
    SAME(MEL_E_OK, mel_dmmu_pool_put(&small, first));
    SAME(MEL_E_ILUSE, mel_dmmu_pool_put(&small, first));
    SAME(MEL_E_OK, mel_dmmu_pool_put(&small, second));
    SAME(MEL_E_OK, mel_dmmu_pool_put(&large, other));
    mel_dmmu_query(&info);
    SAME(MEL_DMMU_BLOCKS, info.free);
    mel_print_unsigned((uint32_t)line);
    mel_exit(0);
}
"""


@pytest.mark.soak
@pytest.mark.parametrize("kernel", DEFINITION.kernels)
def test_exact_cycles(kernel: str) -> None:
    measured = [each.row for each in outcome(NAME, kernel, lambda _: None).measurements]
    exact_cycles.check(NAME, [kernel], measured)


def test_every_iteration_over_the_unit_takes_the_same_cycles() -> None:
    for rows in ROWS.values():
        (unit,) = (row for row in rows if row.parameters["pools"] == "unit")
        assert unit.min == unit.p99


def test_the_layer_counts_among_the_sources_of_the_rows() -> None:
    ordinary, unit = applications(DEFINITION)
    assert sources.layer(ordinary) == []
    assert {"tm_services.c", "tm_porting_layer.c"} <= {path.name for path in sources.layer(unit)}


def test_the_page_shows_all_rows() -> None:
    assert len(heaps.pools().splitlines()[2:]) == len(ROWS)


def test_a_system_without_the_unit_is_told() -> None:
    _, unit = applications(DEFINITION)
    with pytest.raises(
        BuildError, match="this system has no memory management unit; take a system"
    ):
        build.program(config.find("sw"), unit)


def test_pools_refuse_what_is_none_of_their_blocks(tmp_path: Path) -> None:
    (tmp_path / "app.yaml").write_text("name: pools\n", encoding="utf-8")
    (tmp_path / "main.c").write_text(POOLS, encoding="utf-8")
    run = run_program(config.find("sw-dmmu"), build.application(tmp_path))
    assert run.console == "0"  # else the first line that was not so
