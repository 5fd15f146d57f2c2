# SPDX-License-Identifier: Apache-2.0
"""Random programs on every system of several cores, whatever its kernel: crowds, whose cores meet
often, and programs that leave cores alone for long (tests/random/scattered.py). The golden model
judges every run.

More seeds of the software kernel, with mutants: test_smp. Random accesses of several cores to
the unit alone: test_random_cores.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mel_gen import TraceKind

from melanion import config
from tests.random.scattered import run_random

SINGLE = ("hwrtos-single-2", "port-single-3", "rtu-single-3", "booster-single-2")
# Several cores; of FreeRTOS no call is traced, and what it may be asked is another matter.
SYSTEMS = [
    *(
        name
        for name in config.names()
        if config.find(name).core.count > 1 and config.find(name).kernel_info.replayed
    ),
    *SINGLE,
]
SEEDS = (1, 2, 3, 6)  # every combination of wait states of memory and of devices (run_random)
NOW = "hwrtos-2"  # the system of every commit
NOW_SEED = 2


def marked(name: str, seed: int) -> object:
    quick = (name, seed) == (NOW, NOW_SEED)
    return pytest.param(name, seed, marks=[] if quick else pytest.mark.soak)


@pytest.mark.parametrize(("name", "seed"), [marked(n, seed) for n in SYSTEMS for seed in SEEDS])
def test_random_programs_replay_clean(name: str, seed: int, tmp_path: Path) -> None:
    cores: set[int] = set()
    for crowded in (True, False):
        result = run_random(name, seed, tmp_path, crowded)
        assert result.replay and result.replay.commands > 50
        made = result.events[result.events["kind"] == TraceKind.COMMAND]
        cores |= set(np.unique(made["core"]).tolist())
    assert cores == set(range(config.find(name).core.count)), "a core that makes no call"


def test_every_kernel_of_several_cores_is_there() -> None:
    kernels = {config.find(name).kernel for name in SYSTEMS}
    assert kernels >= {"sw", "sw-poll", "lockcache", "booster", "rtu", "hwrtos", "port", "banked"}
