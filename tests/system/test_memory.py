# SPDX-License-Identifier: Apache-2.0
"""Memory systems (decision 0021): wait states of code and of data, caches, the slow bridge to the
unit, named places; and the mutants that must be noticed (tests/system/memory/mutants.yaml).
Refused configurations: test_config.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from mel_gen import Command, TraceKind
from ruamel.yaml import YAML

from melanion import build, config, paths
from melanion.cli.run import command
from melanion.config import Bridge, Cache, Span, System
from melanion.config.places import memories, units
from melanion.errors import MelanionError
from melanion.run import RunResult, Settings, run_program
from melanion.scenario import load
from tests.common import bare, findings, scenario_run, schemata
from tests.common.planted_tree import TreeMutant
from tests.random.programs import program
from tests.system import memory
from tests.system.test_cores import FILES

MOST = 1_000_000  # cycles
SCENARIOS = scenario_run.files()[::24]
PCI = "hwrtos@pci"


def cached(cores: int = 2, waits: int = 10) -> System:
    """Cores with the smallest caches, so that lines come and go."""
    system = config.find("hwrtos" if cores == 1 else f"hwrtos-{cores}")
    slow = system.memory.model_copy(update={"wait_states": waits, "cache": Cache(kib=1)})
    return system.model_copy(update={"name": f"{system.name}-cache", "memory": slow})


def between_tracepoints(result: RunResult) -> list[int]:
    """Cycles from each pair of tracepoints to the next."""
    found = result.events[result.events["kind"] == TraceKind.TRACEPOINT]["cycle"].astype(int)
    return list((found[1::2] - found[::2]).tolist())


# ---- wait states of code and of data -------------------------------------------------------------

# Two accesses between two tracepoints, in straight code, with instructions that never wait: each
# wait state of the port that they go to costs one cycle of each of them, and no other port's does.
ACCESSES = """
static volatile uint32_t word;
#define BOTH(instruction, address)                                                              \\
    __asm__ volatile(".balign 64" :::);                                                         \\
    TRACEPOINT(1, 0);                                                                            \
    __asm__ volatile(instruction "\\n" instruction "\\n nop" :: "r"(address) : "t0", "memory");   \\
    TRACEPOINT(2, 0)
int main(void) {
    BOTH("lw t0, 0(%0)", &word);
    BOTH("sw zero, 0(%0)", &word);
    BOTH("lw t0, 0(%0)", MEL_CYCLE_BASE);
    BOTH("sw zero, 0(%0)", MEL_IO_BASE + 0x100);
    return 0; }
"""


@pytest.mark.parametrize(
    ("code", "data", "unit", "cycles"),
    [
        (0, 0, 0, [5, 3, 4, 5]),
        (0, 3, 0, [11, 9, 4, 5]),
        (0, 65, 0, [135, 133, 4, 5]),
        (0, 0, 20, [5, 3, 44, 45]),
        (0, 3, 20, [11, 9, 44, 45]),
    ],
)
def test_each_access_takes_its_cycles(
    code: int, data: int, unit: int, cycles: list[int], tmp_path: Path
) -> None:
    result = bare.run(
        tmp_path / "app", ACCESSES, wait_states=code, data_wait_states=data, unit_wait_states=unit
    )
    assert between_tracepoints(result) == cycles


def test_data_follow_the_other_port_until_told(tmp_path: Path) -> None:
    def cycles(name: str = "sw", **waits: Any) -> int:
        return bare.run(tmp_path / "app", LOOP, config.find(name), max_cycles=MOST, **waits).cycles

    assert cycles(wait_states=8) == cycles(wait_states=8, data_wait_states=8) == cycles("sw+lm")
    gm = memories()["gm"]
    same = cycles(wait_states=gm.wait_states, data_wait_states=gm.data_wait_states)
    assert same == cycles("sw+gm") > cycles("sw+lm") > cycles("sw+cached")
    assert cycles("sw+cached") == cycles()


def test_a_run_says_its_wait_states() -> None:
    words = ["hello", "--kernel", "sw", "--data-wait-states", "0-2"]
    assert (
        CliRunner()
        .invoke(command, words)
        .output.endswith("ticks; drawn by --seed 1 --data-wait-states 0-2\n")
    )
    decided = run_program(config.find(PCI), build.application("hello")).provenance
    assert (decided["wait_states"], decided["data_wait_states"]) == (0, 0)
    assert (decided["bridge_read"], decided["bridge_write"]) == ("136-363", "23-113")


# ---- places --------------------------------------------------------------------------------------


def test_places_say_where_their_numbers_come_from() -> None:
    assert set(memories()) == {"cached", "gm", "lm", "shared"}
    assert set(units()) == {"l2-cache", "network", "pci", "processor-bus", "snooping"}
    assert units()["pci"].bridge == Bridge()
    origins = [place.origin for place in memories().values()]
    origins += [place.origin for place in units().values()]
    assert all(len(origin) > 20 for origin in origins)


def test_a_place_in_a_name() -> None:
    system = config.find("hwrtos-2@pci+gm")
    assert (system.name, system.bridge) == ("hwrtos-2-pci-gm", Bridge())
    assert (system.memory.wait_states, system.memory.data_waits) == (8, 98)
    assert config.find("hwrtos@bus:20+lm").unit_wait_states == 20
    assert config.find("port+lm").memory.data_waits == 8
    shared = config.find("rtu-3+shared").memory
    assert (shared.wait_states, shared.data_waits, shared.cache) == (20, 20, Cache(kib=32))
    assert config.find("rtu-3+lm").memory.cache is None


def test_a_core_with_caches_of_its_own_gets_no_others() -> None:
    with pytest.raises(MelanionError) as caught:
        config.find("sw-vexriscv+shared")
    assert caught.value.message == (
        "sw-vexriscv+shared: shared is a memory behind caches, and the core vexriscv of"
        " sw-vexriscv has its own; take a system with the core ibex."
    )


LOOP = """
static volatile uint32_t words[64];
int main(void) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 500; i++) {
        sum += words[i % 64] * 3;
        sum ^= sum << 5;
        words[(i * 7) % 64] = sum;
    }
    return 0; }
"""


def test_memories_have_the_ratios_of_the_seed(tmp_path: Path) -> None:
    """Reference document 004, Table 1, 28 processes, ticks of 32 ms: 36.34, 14.9 and 2.17 s."""
    gm, lm, cache = (
        bare.run(tmp_path / "app", LOOP, config.find(f"sw+{name}"), max_cycles=MOST).cycles
        for name in ("gm", "lm", "cached")
    )
    assert lm / cache == pytest.approx(14.9 / 2.17, rel=0.06)
    assert gm / lm == pytest.approx(36.34 / 14.9, rel=0.06)


# ---- the slow bridge -----------------------------------------------------------------------------

MODES = [(1, 0, 0, 0), (2, 9, 0, 0), (3, 9, 3, 0), (4, 30, 5, 20), (5, 3, 9, 3), (6, 40, 0, 60)]


SOURCE = paths.data_root() / memory.BRIDGE


def test_accesses_arrive_in_order_and_in_time() -> None:
    """In the bench of the mutants, without one."""
    with schemata.chosen(0):
        for mode in MODES:
            counts, complaint = memory.run(woven_bench(), *mode)
            assert complaint == ""
            assert min(counts.values()) > 0, counts


# A store to OPERAND does nothing but wait for a command; a load of IDENTITY arrives behind it.
POSTS = """
#include <melanion/mel_spec.h>
#define UNIT(offset) (MEL_UNIT_BASE + (offset))
#define ROUND(n)                                                                                \\
    while (REGISTER(UNIT(MEL_REG_READY)) != 1) { }                                              \\
    __asm__ volatile(".balign 64" :::);                                                         \\
    TRACEPOINT(1, 0);                                                                            \
    __asm__ volatile(".rept " #n "\\n sw zero, 0(%0)\\n .endr\\n nop" ::                          \\
                     "r"(UNIT(MEL_REG_OPERAND)) : "memory");                                    \\
    TRACEPOINT(2, 0);                                                                            \
    TRACEPOINT(1, 0);                                                                            \
    __asm__ volatile("lw t0, 0(%0)\\n nop\\n nop" ::                                             \\
                     "r"(UNIT(MEL_REG_IDENTITY)) : "t0", "memory");                             \\
    TRACEPOINT(2, 0)
int main(void) {
    ROUNDS
    return 0; }
"""
ROUNDS = (0, 1, 2, 3, 31, 32, 33, 34, 40)  # stores
READ, WRITE = 200, 50  # cycles


def test_stores_in_a_row_and_the_load_behind_them(tmp_path: Path) -> None:
    """32 stores take a cycle each. The next waits until the first has been answered, and then each
    for one more: its way, and the cycle of the unit's answer. The load waits for all of them."""
    read, write = (Span(least=cycles * 10, most=cycles * 10) for cycles in (READ, WRITE))
    bridge = Bridge(read_ns=read, write_ns=write)
    system = config.find("hwrtos").model_copy(update={"bridge": bridge})
    text = POSTS.replace("ROUNDS", " ".join(f"ROUND({number});" for number in ROUNDS))
    spans = between_tracepoints(bare.run(tmp_path / "app", text, system))
    assert dict(zip(ROUNDS, zip(spans[::2], spans[1::2], strict=True), strict=True)) == {
        0: (2, 6 + READ),
        1: (3, 4 + READ + WRITE),
        2: (4, 4 + READ + 2 * WRITE),
        3: (5, 4 + READ + 3 * WRITE),
        31: (33, 4 + READ + 31 * WRITE),
        32: (34, 4 + READ + 32 * WRITE),
        33: (35 + 20, 1834),  # from cycle 52 on there is room, for the store of cycle 32
        34: (35 + 20 + 51, 1834),
        40: (35 + 20 + 7 * 51, 1834),
    }


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario_behind_the_bridge(path: Path, tmp_path: Path) -> None:
    scenario = load(path)
    system = scenario_run.system_of(scenario, "hwrtos").model_copy(update={"bridge": Bridge()})
    assert scenario_run.complaint(scenario, system, tmp_path) is None


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.soak) for n in (2, 3, 4))])
def test_random_program_behind_the_bridge(seed: int, tmp_path: Path) -> None:
    scenario = program(seed)
    assert scenario_run.complaint(scenario, config.find(PCI), tmp_path, seed=seed) is None


def test_the_seed_draws_the_ways() -> None:
    runs = [
        run_program(config.find(PCI), build.application("pingpong"), Settings(seed=seed)).cycles
        for seed in (1, 1, 2)
    ]
    assert runs[0] == runs[1] != runs[2]


# ---- caches --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", ["small", pytest.param("always", marks=pytest.mark.soak)])
def test_every_load_returns_what_memory_holds(size: str, tmp_path: Path) -> None:
    """Prove lines of two words in every run, of four in `make soak`; the mutants likewise."""
    printed, status = memory.prove(tmp_path, size)
    assert status == "PASS", printed[-2000:]


@pytest.mark.soak
def test_the_proof_reaches_what_it_is_about(tmp_path: Path) -> None:
    printed, status = memory.prove(tmp_path, "reach")
    assert status == "PASS", printed[-2000:]


@pytest.mark.parametrize(
    ("app", "waits"),
    [
        ("pipeline", "0-5"),
        ("movers", "0"),
        *(
            pytest.param(app, waits, marks=pytest.mark.soak)
            for app, waits in (("pipeline", "10"), ("movers", "0-5"))
        ),
    ],
)
def test_tasks_move_between_cores_with_caches(app: str, waits: str) -> None:
    """Their stacks and contexts go from cache to cache by way of memory."""
    result = run_program(cached(), build.application(app), Settings(wait_states=waits))
    check_caches(result)


# A switch fills lines anew, and interrupts come every 400 … 900 cycles: the guards, who are more
# urgent, take 64 % of core 0 and 40 % of core 1. Measured: 8.3 M cycles, and at most 51 107 from a
# give of the traveller (one in two rounds) to the next, 20 710 in the mean.
HANDOVERS = 10_000_000
LONGEST = 100_000


@pytest.mark.soak
def test_a_task_is_taken_at_once_by_the_cache_of_another_core() -> None:
    """It goes on at an even pace: whoever stands still is told from whoever is slow."""
    app = build.application("handover")
    result = run_program(cached(), app, Settings(wait_states="0-5", max_cycles=HANDOVERS))
    check_caches(result)
    events = result.events
    gives = (events["kind"] == TraceKind.COMMAND) & (events["a"] == Command.SEMAPHORE_GIVE)
    found = events["cycle"][gives].astype(int)
    assert len(found) == 400
    assert max(np.diff(found)) < LONGEST


def check_caches(result: RunResult) -> None:
    assert [(each.core, each.port) for each in result.caches] == PORTS
    assert all(0 < each.misses < each.loads for each in result.caches), result.caches


PORTS = [(0, "instructions"), (0, "data"), (1, "instructions"), (1, "data")]


@pytest.mark.parametrize("path", FILES[::24], ids=lambda path: path.stem)
def test_scenario_on_a_core_with_caches(path: Path, tmp_path: Path) -> None:
    scenario = load(path)
    system = cached()
    found = scenario_run.complaint_on_last_core(scenario, system, tmp_path, wait_states="0-3")
    assert found is None


# Sixteen loads from two lines that no other code uses, twice; the loop is in the instruction cache
# from its second turn on.
WALK = """
static uint32_t words[16] __attribute__((aligned(32)));
int main(void) {
    uint32_t core, sum = 0;
    __asm__ volatile("csrr %0, mhartid" : "=r"(core));
    while (core != 0) __asm__ volatile("wfi");
    for (int turn = 0; turn < 4; turn++) {
        TRACEPOINT(1, turn);
        for (int i = 0; i < 16; i++) sum += ((volatile uint32_t *)words)[i];
        TRACEPOINT(2, turn);
    }
    words[15] = 1;
    sum += ((volatile uint32_t *)words)[15];
    return sum == 1 ? 0 : 1; }
"""


def test_what_is_in_the_caches_takes_no_wait_states(tmp_path: Path) -> None:
    with_caches, without = (
        between_tracepoints(bare.run(tmp_path / "app", WALK, cached(), wait_states=waits))
        for waits in (10, 0)
    )
    assert with_caches[0] - without[0] >= 2 * 8 * 10  # both lines, and code
    assert with_caches[2:] == without[2:]


def test_misses_are_counted() -> None:
    result = run_program(cached(), build.application("hello"))
    small = {(each.core, each.port): each for each in result.caches}
    assert set(small) == set(PORTS)
    assert result.as_json()["caches"][0] == {
        "core": 0,
        "port": "instructions",
        "loads": small[0, "instructions"].loads,
        "misses": small[0, "instructions"].misses,
    }
    assert run_program(config.find("sw"), build.application("hello")).caches == ()


# ---- mutants -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant(TreeMutant):
    """`check` notices the bug."""

    check: str
    quick: bool = False


ROWS = YAML(typ="safe").load(
    (paths.data_root() / "tests" / "system" / "memory" / "mutants.yaml").read_text(encoding="utf-8")
)
MUTANTS = [Mutant(**row) for row in ROWS]


def marked(mutant: Mutant) -> object:
    name = mutant.name.replace(" ", "_")
    return pytest.param(mutant, id=name, marks=[] if mutant.quick else [pytest.mark.soak])


OF_BENCH = [mutant for mutant in MUTANTS if mutant.check == "bench"]


def woven_bench() -> Path:
    return memory.bench(*schemata.plant([SOURCE], OF_BENCH))


def bench_says(number: int) -> str:
    """Return the bridge bench's complaint about a mutant; empty when there is none. The control is
    test_accesses_arrive_in_order_and_in_time."""
    with schemata.chosen(number):
        return "".join(memory.run(woven_bench(), *mode)[1] for mode in MODES)


@pytest.mark.parametrize("mutant", OF_BENCH, ids=lambda mutant: mutant.name.replace(" ", "_"))
def test_bug_in_the_bridge_is_noticed(mutant: Mutant) -> None:
    said = bench_says(1 + OF_BENCH.index(mutant))
    assert said.startswith("cycle "), said
    print(said)


@pytest.mark.parametrize("mutant", [marked(m) for m in MUTANTS if m not in OF_BENCH])
def test_planted_bug_is_noticed(
    mutant: Mutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tree, work) = (tmp_path / "tree", tmp_path / "work")
    tree.mkdir()
    work.mkdir()
    mutant.plant(monkeypatch, tree)
    if mutant.check == "always":
        printed, status = memory.prove(work, "small" if mutant.quick else "always")
        assert status in ("FAIL", "UNKNOWN"), printed[-2000:]
        return
    with findings.noticed():
        CHECKS[mutant.check]()


@pytest.mark.soak
@pytest.mark.parametrize("check", ["bridge", "movers"])
def test_a_system_without_a_bug_passes(check: str) -> None:
    CHECKS[check]()


def overtaking() -> None:
    """Programs behind the bridge."""
    rounds: dict[str, dict[str, int | str]] = {"pingpong": {}, "registers": {"ROUNDS": 4}}
    for app, defines in rounds.items():
        application = build.application(app)
        run_program(config.find(PCI), application, Settings(defines=defines, max_cycles=3_000_000))


def moving() -> None:
    """Tasks that move between cores with caches. Where each miss waits ten cycles, edges come so
    seldom that the traveller goes on beside their handlers: 2.8 M cycles."""
    edges: dict[str, int | str] = {"LEAST": 4800, "MOST": 10_800}
    run_program(
        cached(), build.application("handover"), Settings(defines=edges, max_cycles=6_000_000)
    )
    run_program(cached(), build.application("movers"), Settings(wait_states=0))


CHECKS = {"bridge": overtaking, "movers": moving}
