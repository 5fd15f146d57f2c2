# SPDX-License-Identifier: Apache-2.0
"""The core VexRiscv: its port to the bus alone, programs on its three systems, what it does
otherwise than Ibex (caches, posted stores, bus errors, one trap entry), and the mutants that
must be noticed (tests/mutants/vexriscv.yaml). Refused configurations: test_config.py.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from mel_gen import ExitReason, TraceKind
from ruamel.yaml import YAML

from melanion import build, config, paths
from melanion.run import RunError, RunResult, Settings, run_program
from melanion.run.judge import EXIT_CODE_FAULT
from melanion.scenario import load
from melanion.soc import address_map
from tests.common import findings, scenario_run, schemata
from tests.common.kernel_program import compile_program, system
from tests.common.planted_tree import TreeMutant
from tests.faults import silence, whole
from tests.faults.silence import SilentTree
from tests.kernel import test_kernel_boot, test_kernel_build
from tests.random.programs import program
from tests.rtl import test_registers, wishbone

MUTANTS = paths.data_root() / "tests" / "mutants" / "vexriscv.yaml"
SYSTEMS = ("sw-vexriscv", "hwrtos-vexriscv", "port-vexriscv")
WOVEN = "hwrtos-vexriscv"  # built once, with mutants
each_system = pytest.mark.parametrize("name", SYSTEMS)


def run_text(folder: Path, text: str, name: str, waits: int = 0) -> RunResult:
    """A program with a kernel, to its end, whatever that is."""
    folder.mkdir(exist_ok=True)
    (folder / "app.yaml").write_text("name: text\nmax_cycles: 1_000_000\n")
    (folder / "main.c").write_text(f"#include <melanion/melanion.h>\n{text}")
    app = build.application(folder)
    return run_program(config.find(name), app, Settings(must_succeed=False, unit_wait_states=waits))


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> SilentTree:
    return SilentTree(tmp_path_factory.mktemp("woven"), OF_CORE)


@pytest.fixture
def hardware(name: str, tree: SilentTree) -> Iterator[None]:
    """A test of all systems takes the one with mutants, none of which is chosen."""
    with tree.chosen(None) if name == WOVEN else nullcontext():
        yield


on_each_system = pytest.mark.usefixtures("hardware")


# ---- the port to the bus -------------------------------------------------------------------------


@pytest.mark.parametrize("waits", [0, 1, 5])
def test_accesses_arrive_once_and_in_order(waits: int) -> None:
    """Without waits a line takes nine cycles, a load two, a store one: the bench checks it. That of
    the mutants, without one."""
    with schemata.chosen(0):
        reached, complaint = wishbone.run(woven_bench(), 1 + waits, waits)
    assert complaint == ""
    assert min(reached.values()) > 5000


# ---- programs ------------------------------------------------------------------------------------


# In every run the kernels in software and with a unit, each with one of the sizes.
COMPILED = {(SYSTEMS[0], test_kernel_build.LARGEST), (SYSTEMS[1], test_kernel_build.SMALLEST)}


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        pytest.param(*case, marks=[] if case in COMPILED else pytest.mark.soak)
        for case in product(SYSTEMS, (test_kernel_build.SMALLEST, test_kernel_build.LARGEST))
    ],
)
def test_kernel_compiles_without_a_warning(
    name: str, sizes: tuple[int, int, int, int], tmp_path: Path
) -> None:
    found = system(name, sizes, "linux")
    assert compile_program(tmp_path, found, test_kernel_build.MAIN).link().is_file()


@on_each_system
@each_system
@pytest.mark.parametrize("app", ["hello", "pingpong", "blinker"])
def test_examples(app: str, name: str) -> None:
    run_program(config.find(name), build.application(app))


@on_each_system
@each_system
def test_registers_across_every_kind_of_switch(name: str) -> None:
    check_registers(name)


def check_registers(name: str) -> None:
    result = test_registers.run(config.find(name), "0-2", "0-2", rounds=5)
    test_registers.check_short(result)


ROUNDS, REACH, HOLES = 60, 40, 5  # pulses on a call; of its first cycles, which were not met
LINE = 13  # cycles by which a call begins later when its first line is not in the cache
MOVED = 2  # calls for which that changes from one round to the next


@pytest.mark.parametrize(
    "handle",
    [
        pytest.param(True, id="handler"),
        # An action without a handler is the unit's work alone, which is the same with every core.
        pytest.param(False, id="action_only", marks=pytest.mark.soak),
    ],
)
def test_interrupts_in_calls(handle: bool) -> None:
    """In nearly every one of their first cycles: not in the first two, because the store that asks
    for a pulse arrives when the call has begun, and what misses a cache moves a round. Handlers,
    which are taken in a call or behind it, may drive out the line with which a call begins: then
    the pulses of one round and the next are a refill further apart."""
    result = whole.interrupted(config.find("port-vexriscv"), delays=ROUNDS, handle=handle)
    pulses = result.events[result.events["kind"] == TraceKind.IRQ_WIRE]["cycle"].astype(int)
    hit: dict[int, set[int]] = defaultdict(set)
    length: dict[int, int] = {}
    for (number, start, stop), pulse in zip(whole._calls(result), pulses.tolist(), strict=True):
        hit[number].add(pulse - start)
        length[number] = min(length.get(number, REACH), stop - start)
    assert len(hit) > 60
    missed = {n: sorted(set(range(length[n])) - hit[n]) for n in hit}
    holes = {number: cycles for number, cycles in missed.items() if len(cycles) > HOLES}
    assert len(holes) <= MOVED, holes
    assert all(len(cycles) <= HOLES + LINE for cycles in holes.values()), holes


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.soak) for n in (2, 3))])
def test_random_programs_with_wait_states(seed: int, tmp_path: Path) -> None:
    found, scenario = config.find("port-vexriscv"), program(seed)
    for waits in ({}, {"seed": seed, "wait_states": "0-7", "unit_wait_states": "0-20"}):
        assert scenario_run.complaint(scenario, found, tmp_path, **waits) is None, waits


FILES = scenario_run.files()
SOME = FILES[::40]


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_scenario(path: Path, tmp_path: Path) -> None:
    check_scenario(path, "port-vexriscv", tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("kernel", "path"),
    [
        pytest.param(name, path, id=f"{name}-{path.stem}")
        for number, path in enumerate(FILES)
        for name in SYSTEMS[number % len(SYSTEMS) :][:1]
        if scenario_run.runs_on(path, config.find(name).kernel)
    ],
)
def test_every_scenario(path: Path, kernel: str, tmp_path: Path) -> None:
    """Each on one of the systems, in turn: test_scenarios runs every scenario on every kernel, and
    what is new here is the core and the way to the unit."""
    check_scenario(path, kernel, tmp_path)


def check_scenario(path: Path, name: str, folder: Path) -> None:
    scenario = load(path)
    found = scenario_run.system_of(scenario, name)
    assert scenario_run.complaint(scenario, found, folder) is None


@on_each_system
@each_system
def test_a_run_repeats(name: str) -> None:
    found, app = config.find(name), build.application("pingpong")
    first, again = (
        run_program(found, app, Settings(seed=7, wait_states="0-5", unit_wait_states="0-9"))
        for _ in range(2)
    )
    assert np.array_equal(first.events, again.events)
    assert not np.array_equal(first.events, run_program(found, app).events)


ATOMIC = """
static uint32_t word = 3;
int main(void)
{
    if (__atomic_exchange_n(&word, 8, __ATOMIC_SEQ_CST) != 3) return 1;
    if (__atomic_fetch_add(&word, 4, __ATOMIC_SEQ_CST) != 8) return 2;
    uint32_t expected = 12;
    if (!__atomic_compare_exchange_n(&word, &expected, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return 3;
    return word == 5 ? 0 : 4;
}
"""


def test_atomic_instructions(tmp_path: Path) -> None:
    result = run_text(tmp_path / "app", ATOMIC, "sw-vexriscv")
    assert (result.reason, result.code) == (ExitReason.PROGRAM, 0)


# ---- traps, and accesses that the bus refuses ----------------------------------------------------

MAIN = r"at pc (?P<pc>0x[0-9a-f]{8})(, address (?P<at>0x[0-9a-f]{8}))?, in boot code or idle\n"


AT = "(void)*(volatile uint32_t *)"
MISALIGNED = '__asm__ volatile("lw t0, 0(%0)" : : "r"(0x10000003) : "t0");'
ILLEGAL = r"illegal instruction \(cause 2\)"
LATE = r"bus error of an earlier access \(cause 9\)"


@pytest.mark.parametrize(
    ("what", "words", "at"),
    [
        ('__asm__ volatile(".word 0");', ILLEGAL, "0x00000000"),
        (MISALIGNED, r"load address misaligned \(cause 4\)", "0x10000003"),
        ("((void (*)(void))0x50000000)();", ILLEGAL, "0x00000000"),
        ("*(volatile uint32_t *)0x30000000 = 1;", LATE, None),
        (f"{AT}0x30000000;", LATE, None),
        (f"{AT}0xE000F000;", LATE, None),
    ],
)
def test_faults_end_the_run_with_a_sentence(
    tmp_path: Path, what: str, words: str, at: str | None
) -> None:
    """A fetch from nowhere is an illegal instruction there; of data the core hears later."""
    result = refused(tmp_path, what)
    match = re.fullmatch(f"melanion: {words} {MAIN}", result.console)
    assert match is not None, result.console
    assert match["at"] == at
    if "50000000" in what:
        assert match["pc"] == "0x50000000"


def test_a_late_bus_error_is_no_interrupt(tmp_path: Path) -> None:
    """It comes as one, which nobody could map or disable."""
    (tmp_path / "app.yaml").write_text("name: astray\n", encoding="utf-8")
    text = f"#include <melanion/melanion.h>\nint main(void)\n{{ {STORE} for (;;) {{ }} }}\n"
    (tmp_path / "main.c").write_text(text, encoding="utf-8")
    with pytest.raises(RunError) as caught:
        run_program(config.find("sw-vexriscv"), build.application(tmp_path))
    assert re.fullmatch(
        r"astray: an access of an address that nobody owns, shortly before main \(main\.c:3\),"
        r" ended the program in cycle \d+; correct that code; it printed last: melanion:"
        r" bus error of an earlier access \(cause 9\) at pc 0x[0-9a-f]{8}, in boot code or idle",
        caught.value.message,
    ), caught.value.message


STORE = "*(volatile uint32_t *)0x30000000 = 1;"


def refused(folder: Path, what: str = STORE, name: str = "sw-vexriscv") -> RunResult:
    text = f"int main(void) {{ {what} for (;;) {{ }} }}"
    result = run_text(folder / "app", text, name)
    assert (result.reason, result.code) == (ExitReason.PROGRAM, EXIT_CODE_FAULT), result.console
    return result


@pytest.mark.parametrize("name", [WOVEN, pytest.param("port-vexriscv", marks=pytest.mark.soak)])
def test_unit_that_falls_silent_ends_the_run_with_a_sentence(
    name: str, tree: SilentTree, tmp_path: Path
) -> None:
    with tree.chosen(None):
        result = silence.run(silence.STOPS, tmp_path, name)
    assert (result.reason, result.code) == (ExitReason.PROGRAM, silence.EXIT_CODE), result.console
    assert re.fullmatch(
        r"melanion: bus error of an earlier access \(cause 9\) at pc 0x1000[0-9a-f]{4}, in task"
        r" [01] \(p[io]ng\): the hardware unit does not answer any more; reset the system\n",
        result.console,
    ), result.console


@pytest.mark.parametrize("name", SYSTEMS[1:])
def test_program_for_the_unit_without_one_does_not_start(name: str, tmp_path: Path) -> None:
    """Its load of the unit's identity gives 0."""
    console, code = test_kernel_boot.run(tmp_path, config.find(SYSTEMS[0]), config.find(name))
    assert code == test_kernel_boot.EXIT_CODE_BOOT
    assert console.startswith(
        "melanion: what answers at the unit's address is no hardware unit: its identity is"
        " 0x00000000 instead of "
    )


ORDER = """
#include <melanion/device.h>
static void handle(mel_id_t irq, void *argument) { (void)irq; (void)argument; }
int main(void)
{
    (void)mel_irq_attach(0, handle, NULL);
    (void)mel_irq_map(0, MEL_IRQ_ACTION_NONE, 0, 0, true);
    (void)mel_irq_enable(0);
    (void)mel_tick_set(0);
    (void)mel_tick_set(MEL_TICK_CYCLES_MINIMUM);
    __asm__ volatile("csrci mstatus, 8");
    MEL_MARK(1, 0);
    mel_busy(2 * MEL_TICK_CYCLES_MINIMUM);
    mel_irqgen_pulse(0, 0);
    mel_busy(100);
    __asm__ volatile("csrsi mstatus, 8");
    mel_busy(100);
    return 0;
}
"""


def test_external_interrupt_comes_before_a_timer_that_waits_longer(tmp_path: Path) -> None:
    events = run_text(tmp_path / "app", ORDER, "sw-vexriscv").events
    (mark,) = events[events["kind"] == TraceKind.MARKER]["cycle"]
    traps = events[(events["kind"] == TraceKind.TRAP) & (events["cycle"] > mark)]
    assert traps["a"].tolist()[:2] == [1 << 15 | 11, 1 << 15 | 7]


# ---- stores that arrive late ---------------------------------------------------------------------


STOP = """
static void spend(uint32_t turns)
{
    while (turns-- != 0) {
        __asm__ volatile("");
    }
}
int main(void)
{
    (void)mel_tick_set(0);
    for (uint32_t i = 0; i < 100; i++) {
        (void)mel_tick_set(3000);
        spend(200 + 20 * i);
        (void)mel_tick_set(0);
        spend(200);
    }
    return 0;
}
"""


def check_stops(folder: Path, slow: int = 200) -> None:
    """No tick comes behind the call that stops ticks, though one becomes due in it."""
    result = run_text(folder / "app", STOP, "sw-vexriscv", waits=slow)
    ticks, running, late = 0, False, []
    for event in result.events:
        if event["kind"] == TraceKind.COMMAND:
            running = int(event["c"]) != 0
        elif event["kind"] == TraceKind.TICK:
            ticks += 1
            late += [] if running else [int(event["cycle"])]
    assert ticks > 10, "the phases go through the moment in which a tick is due"
    assert late == []


@pytest.mark.parametrize("slow", [0, 20, 200])
def test_no_tick_comes_behind_the_call_that_stops_them(slow: int, tmp_path: Path) -> None:
    check_stops(tmp_path, slow)


# ---- mutants -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant(TreeMutant):
    """`check` notices the bug."""

    check: str


BUGS = [Mutant(**row) for row in YAML(typ="safe").load(MUTANTS.read_text(encoding="utf-8"))]


CHECKS: dict[str, Callable[[Path], object]] = {
    "registers": lambda folder: check_registers("port-vexriscv"),
    "stops": check_stops,
    "refused": refused,
}


OF_BENCH = [bug for bug in BUGS if bug.check == "bench"]
OF_CORE = [bug for bug in BUGS if bug.check == "refused" and bug.file.endswith(".sv")]
OTHERS = [bug for bug in BUGS if bug not in (*OF_BENCH, *OF_CORE)]


def named(bug: Mutant) -> str:
    return bug.name.replace(" ", "_")


def woven_bench() -> Path:
    return wishbone.build(*schemata.plant([wishbone.MODULE], OF_BENCH))


def bench_says(number: int) -> str:
    """Return the port bench's complaint about a mutant; empty when there is none."""
    with schemata.chosen(number):
        return "".join(wishbone.run(woven_bench(), 1, waits)[1] for waits in (0, 3))


def test_the_port_without_a_bug_passes() -> None:
    assert bench_says(0) == ""


@pytest.mark.parametrize("bug", OF_BENCH, ids=named)
def test_bug_in_the_port_is_noticed(bug: Mutant) -> None:
    said = bench_says(1 + OF_BENCH.index(bug))
    assert said.startswith("cycle "), said
    print(said)


def test_the_core_without_a_bug_passes(tree: SilentTree, tmp_path: Path) -> None:
    with tree.chosen(None):
        refused(tmp_path, name=WOVEN)


@pytest.mark.parametrize("bug", OF_CORE, ids=named)
def test_bug_around_the_core_is_noticed(bug: Mutant, tree: SilentTree, tmp_path: Path) -> None:
    with tree.chosen(bug), findings.noticed():
        refused(tmp_path, name=WOVEN)


@pytest.mark.parametrize("bug", OTHERS, ids=named)
def test_planted_bug_is_noticed(
    bug: Mutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Tests above run the same checks without a bug."""
    (tmp_path / "root").mkdir()
    (tmp_path / "work").mkdir()
    bug.plant(monkeypatch, tmp_path / "root")
    with findings.noticed():
        CHECKS[bug.check](tmp_path / "work")


@pytest.mark.soak  # a system of its own
def test_a_unit_where_the_core_caches_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the address that it has with Ibex: its answers come from a cache."""
    cached = address_map._BY_CORE["ibex"].unit
    changed = address_map._Uncached(devices=0xE000_0000, unit=cached)
    monkeypatch.setitem(address_map._BY_CORE, "vexriscv", changed)
    with findings.noticed():
        run_program(config.find("hwrtos-vexriscv"), build.application("pingpong"))
