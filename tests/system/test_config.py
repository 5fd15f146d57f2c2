# SPDX-License-Identifier: Apache-2.0
"""Configurations: what is accepted, and the text of every refusal."""

from __future__ import annotations

from pathlib import Path

import pytest
from mel_gen import KERNELS, parameter_hash_word

from melanion import config, paths
from melanion.config import ConfigError

NAMES = ", ".join(config.names())
GOOD = """\
name: mine
kernel: sw
coupling: none
core: {type: ibex, variant: main, count: 1}
memory: {kib: 256, wait_states: 0}
parameters: {tasks: 64}
"""


def load(folder: Path, text: str) -> config.System:
    path = folder / "mine.yaml"
    path.write_text(text)
    return config.load(path, "mine.yaml")


def refusal(folder: Path, text: str) -> list[str]:
    with pytest.raises(ConfigError) as raised:
        load(folder, text)
    assert raised.value.exit_code == 2
    return raised.value.message.splitlines()


@pytest.mark.parametrize("name", config.names())
def test_delivered_configurations_load(name: str) -> None:
    system = config.find(name)
    assert system.name == name
    assert system.coupling == KERNELS[system.kernel].coupling


def test_the_two_kernels_differ_only_in_kernel() -> None:
    same = {"core", "memory", "clock_mhz", "tick_us", "parameters", "unit_wait_states"}
    sw, hwrtos = (config.find(name).model_dump(include=same) for name in ("sw", "hwrtos"))
    assert sw == hwrtos


def test_defaults_and_derived_values(tmp_path: Path) -> None:
    system = load(tmp_path, GOOD)
    assert (system.parameters.priorities, system.parameters.semaphores) == (32, 64)
    assert system.clock_hz == 100_000_000
    assert system.tick_cycles == 100_000
    assert system.parameter_hash_word == parameter_hash_word()


def test_parameter_hash_follows_the_parameters(tmp_path: Path) -> None:
    system = load(tmp_path, GOOD.replace("tasks: 64", "tasks: 16, time_reset: 5"))
    assert system.parameter_hash_word == parameter_hash_word(tasks=16)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_the_unit_has_as_many_ports_as_there_are_cores(tmp_path: Path, count: int) -> None:
    text = GOOD.replace("kernel: sw", "kernel: hwrtos").replace("coupling: none", "coupling: bus")
    system = load(tmp_path, text.replace("count: 1", f"count: {count}"))
    assert system.hashed_parameters["cores"] == count
    assert system.parameter_hash_word == parameter_hash_word(cores=count)
    assert system.implementations["current"] == ("one" if count == 1 else "several")


@pytest.mark.parametrize("one", ["hwrtos", "port"])
def test_systems_of_several_cores_differ_only_in_cores(one: str) -> None:
    same = config.find(one).model_dump(exclude={"name", "core"})
    for name in (f"{one}-2", f"{one}-4"):
        assert config.find(name).model_dump(exclude={"name", "core"}) == same


@pytest.mark.parametrize("cores", ["", "-2", "-4"])
def test_the_couplings_of_the_unit_differ_only_in_coupling(cores: str) -> None:
    left = {"name", "kernel", "coupling"}
    bus, port = (config.find(name + cores) for name in ("hwrtos", "port"))
    assert bus.model_dump(exclude=left) == port.model_dump(exclude=left)
    assert (bus.implementations["coupling"], port.implementations["coupling"]) == ("bus", "port")
    if not cores:
        assert config.find("banked").model_dump(exclude=left) == bus.model_dump(exclude=left)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "wait_states: 0",
            "wait_state: 0",
            "mine.yaml:5: memory.wait_state is an unknown key; known here are kib, wait_states,"
            " data_wait_states, cache; did you mean wait_states.",
        ),
        (
            "name: mine",
            "name: mine\nzzz: 3",
            "mine.yaml:2: zzz is an unknown key; known here are name, kernel, coupling, core,"
            " memory, unit_wait_states, bridge, lock_cache, components, unit_clock, unit_stage,"
            " unit_protection, commands, clock_mhz, tick_us, parameters; remove it.",
        ),
        (
            "tasks: 64",
            "tasks: 3",
            "mine.yaml:6: parameters.tasks is 3; allowed is a whole number 4 … 256; correct the"
            " value.",
        ),
        (
            "tasks: 64",
            "tasks: many",
            "mine.yaml:6: parameters.tasks is 'many'; allowed is a whole number 4 … 256;"
            " correct the value.",
        ),
        (
            "kib: 256",
            "kib: 16",
            "mine.yaml:5: memory.kib is 16; allowed is a whole number 32 … 65536; correct the"
            " value.",
        ),
        (
            "wait_states: 0",
            "wait_states: -1",
            "mine.yaml:5: memory.wait_states is -1; allowed is a whole number 0 … 1000;"
            " correct the value.",
        ),
        (
            "variant: main",
            "variant: huge",
            "mine.yaml:4: core.variant is 'huge'; allowed is main, small, linux; correct the"
            " value.",
        ),
        (
            "kernel: sw",
            "kernel: sw-poll",
            "mine.yaml:4: core.count is 1; the kernel sw-poll is about what cores tell each other;"
            " allowed is 2 … 4; write more, or take the kernel sw.",
        ),
        (
            "count: 1",
            "count: 5",
            "mine.yaml:4: core.count is 5; allowed is a whole number 1 … 4; correct the value.",
        ),
        (
            "type: ibex",
            "type: z80",
            "mine.yaml:4: core.type is 'z80'; allowed is ibex, vexriscv; correct the value.",
        ),
        (
            "kernel: sw",
            "kernel: linux",
            "mine.yaml:2: kernel is 'linux'; allowed is one of sw, hwrtos, booster, freertos,"
            " port, banked, rtu, sw-sorted, sw-poll, lockcache; correct the name.",
        ),
        (
            "kernel: sw\ncoupling: none\n",
            "kernel: hwrots\n",
            "mine.yaml:2: kernel is 'hwrots'; allowed is one of sw, hwrtos, booster, freertos,"
            " port, banked, rtu, sw-sorted, sw-poll, lockcache; did you mean hwrtos.",
        ),
        (
            "tasks: 64",
            "cores: 2",
            "mine.yaml:6: parameters.cores is no size here; write core.count instead.",
        ),
        (
            "name: mine",
            "name: mine\nsemaphores: 3",
            "mine.yaml:2: semaphores is a size; it belongs under `parameters`.",
        ),
        (
            "name: mine",
            "name: mine\ncores: 2",
            "mine.yaml:2: cores is a size; write core.count instead.",
        ),
        (
            "type: ibex, variant: main",
            "type: vexriscv",
            "mine.yaml:4: core.variant is 'main' (default); of the core vexriscv allowed is linux;"
            " correct the value.",
        ),
        (
            "coupling: none",
            "coupling: bus",
            "mine.yaml:3: coupling is 'bus'; the kernel sw has no hardware; write"
            " `coupling: none`.",
        ),
        (
            "tasks: 64",
            "interrupts: 56",
            "mine.yaml:6: parameters.interrupts is 56; with 8 timers and the line of reports a"
            " kernel without the hardware unit needs 65 lines, and its interrupt controller has"
            " 64; allowed is 0 … 55; lower interrupts or timers.",
        ),
        (
            "name: mine",
            "name: mine\ntick_us: 5",
            "mine.yaml:2: tick_us is 5 µs, at 100 MHz 500 cycles; 64 tasks need at least 576 cycles"
            " (6 µs); lengthen the tick, raise clock_mhz or lower parameters.tasks.",
        ),
        (
            "kernel: sw\n",
            "",
            "mine.yaml:1: kernel is missing; add it: one of sw, hwrtos, booster, freertos, port,"
            " banked, rtu, sw-sorted, sw-poll, lockcache.",
        ),
        (
            "name: mine",
            "name: mine\nname: yours",
            "mine.yaml:2: name is there twice (first in line 1); remove one of the two.",
        ),
    ],
)
def test_refusals(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert old in GOOD
    assert refusal(tmp_path, GOOD.replace(old, new, 1)) == [sentence]


def test_a_folder_is_no_configuration(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        config.load(tmp_path)
    words = "the file cannot be read: this is a folder; name a .yaml file."
    assert caught.value.message == f"{tmp_path}:1: {words}"


def test_a_kernel_without_objects_that_has_them_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The sizes of the name `rtu` are 0; a file with others is the unit of hwrtos. Said once."""
    assert config.find("rtu") and not caplog.records
    text = GOOD.replace("kernel: sw", "kernel: rtu").replace("none", "bus")
    text = text.replace("tasks: 64", "event_flags: 0, timers: 0, monitor: 0, mutexes: 4")
    for _ in range(2):
        assert load(tmp_path, text).parameters.mutexes == 4
    (said,) = [record.getMessage() for record in caplog.records]
    assert said.endswith(
        "the kernel rtu stands for a unit without mutexes, and this system has them; write"
        " `parameters: {mutexes: 0}`, or take the kernel hwrtos."
    )


BETWEEN_CORES = ("run_queue", "lock", "current", "ipi")


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_software_kernel_on_several_cores_has_other_implementations(
    tmp_path: Path, count: int
) -> None:
    system = load(tmp_path, GOOD.replace("count: 1", f"count: {count}"))
    chosen = {name: system.implementations.get(name) for name in BETWEEN_CORES}
    several = dict(zip(BETWEEN_CORES, ("affinity", "spin", "smp", "doorbell"), strict=True))
    one = dict(zip(BETWEEN_CORES, ("bitmap", "none", "one", None), strict=True))
    assert chosen == (one if count == 1 else several)
    assert system.shares_devices is (count > 1)


def test_cores_that_poll_have_no_doorbell(tmp_path: Path) -> None:
    text = GOOD.replace("kernel: sw", "kernel: sw-poll").replace("count: 1", "count: 3")
    assert load(tmp_path, text).implementations["ipi"] == "poll"


BUS = GOOD.replace("kernel: sw", "kernel: hwrtos").replace("none", "bus")
LOCKS = (
    GOOD.replace("kernel: sw", "kernel: lockcache")
    .replace("none", "bus")
    .replace("count: 1", "count: 3")
)


def test_a_lock_cache_has_the_sizes_of_the_paper_until_told(tmp_path: Path) -> None:
    system = load(tmp_path, LOCKS)
    assert system.locks == config.LockCache(short_locks=64, long_locks=64, hand_over=0)
    chosen = [system.implementations[name] for name in BETWEEN_CORES]
    assert chosen == ["affinity", "lock_cache", "smp", "doorbell"]
    assert load(tmp_path, f"{LOCKS}lock_cache: {{hand_over: 1}}\n").locks == config.LockCache(
        hand_over=1
    )
    assert config.find("sw-3").locks is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            LOCKS.replace("count: 3", "count: 1"),
            "mine.yaml:4: core.count is 1; the kernel lockcache is about what cores tell each"
            " other; allowed is 2 … 4; write more, or take the kernel sw.",
        ),
        (
            f"{GOOD}unit_clock: 2\n",
            "mine.yaml:7: unit_clock is 2, and the kernel sw has no hardware unit; remove the key,"
            " or take a kernel with one (hwrtos).",
        ),
        (
            f"{GOOD}unit_clock: 3\n",
            "mine.yaml:7: unit_clock is 3; allowed is a whole number 1 … 2; correct the value.",
        ),
        (
            f"{GOOD}unit_stage: true\n",
            "mine.yaml:7: unit_stage is true, and the unit has no clock of twice the cores'; remove"
            " the key, or write unit_clock: 2.",
        ),
        (
            f"{GOOD}lock_cache: {{}}\n",
            "mine.yaml:7: lock_cache is given; the kernel sw has none; remove the key, or take the"
            " kernel lockcache.",
        ),
        (
            f"{LOCKS}lock_cache: {{long_locks: 8}}\n",
            "mine.yaml:7: lock_cache.long_locks is 8; each of 64 semaphores has a long lock;"
            " allowed is 64 … 128; raise it, or lower parameters.semaphores.",
        ),
        (
            f"{LOCKS}lock_cache: {{hand_over: 2}}\n",
            "mine.yaml:7: lock_cache.hand_over is 2; allowed is a whole number 0 … 1; correct the"
            " value.",
        ),
        (
            f"{LOCKS}bridge: {{}}\n",
            "mine.yaml:7: bridge is given, and the kernel lockcache has no bus to the hardware"
            " unit; remove the key, or take a kernel on the bus (hwrtos).",
        ),
    ],
)
def test_lock_caches_that_do_not_fit(tmp_path: Path, text: str, sentence: str) -> None:
    assert refusal(tmp_path, text) == [sentence]


def test_a_component_goes_with_any_kernel() -> None:
    for kernel in ("sw", "sw-3", "lockcache-2", "freertos", "booster", "hwrtos", "banked-2"):
        system = config.find(f"{kernel}-deadlock")
        assert system.deadlock == config.Deadlock(processes=16, resources=16, interrupt=31)
        assert system.implementations["deadlock"] == "unit"
        other = config.find(kernel)
        assert other.deadlock is None
        assert system.implementations == other.implementations | {"deadlock": "unit"}
        both = config.find(f"{kernel}-deadlock-dmmu")
        assert both.dmmu == config.Dmmu(blocks=256, owners=64, block_bytes=64)
        assert both.implementations == system.implementations | {"dmmu": "unit"}
        wired = config.find(f"{kernel}-deadlock-ethernet")
        assert wired.ethernet == config.Ethernet(slots=4, words=384, samples=256, interrupt=29)
        assert wired.implementations == system.implementations | {"ethernet": "unit"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            f"{GOOD}components: {{}}\n",
            "mine.yaml:7: components has none; name one of deadlock, dmmu, ethernet, or remove"
            " the key.",
        ),
        (
            f"{GOOD}components: {{deadlocks: {{}}}}\n",
            "mine.yaml:7: components.deadlocks is an unknown key; known here are deadlock, dmmu,"
            " ethernet; did you mean deadlock.",
        ),
        (
            f"{GOOD}components: {{deadlock: {{processes: 65}}}}\n",
            "mine.yaml:7: components.deadlock.processes is 65; allowed is a whole number 2 … 64;"
            " correct the value.",
        ),
        (
            f"{GOOD}components: {{dmmu: {{blocks: 257}}}}\n",
            "mine.yaml:7: components.dmmu.blocks is 257; allowed is a whole number 2 … 256;"
            " correct the value.",
        ),
        (
            f"{GOOD}components: {{dmmu: {{block_bytes: 48}}}}\n",
            "mine.yaml:7: components.dmmu.block_bytes is 48; allowed is 16, 32, 64, 128, 256, 512,"
            " 1024, 2048, 4096; correct the value.",
        ),
        (
            f"{GOOD}components: {{deadlock: {{interrupt: 40}}}}\n",
            "mine.yaml:7: components.deadlock.interrupt is 40; with parameters.interrupts 32"
            " allowed is 0 … 31; lower it, or raise that.",
        ),
        (
            f"{GOOD}components: {{ethernet: {{interrupt: 31}}}}\n",
            "mine.yaml:7: components.ethernet.interrupt is 31; with parameters.interrupts 32"
            " allowed is 0 … 30, since the next line is that of free slots; lower it, or raise"
            " that.",
        ),
        (
            f"{GOOD}components: {{ethernet: {{slots: 17}}}}\n",
            "mine.yaml:7: components.ethernet.slots is 17; allowed is a whole number 2 … 16;"
            " correct the value.",
        ),
        (
            f"{BUS}bridge: {{}}\ncomponents: {{deadlock: {{}}}}\n",
            "mine.yaml:8: components are on the cores' own buses, and the bridge leads to the unit"
            " alone; remove one key.",
        ),
    ],
)
def test_components_that_do_not_fit(tmp_path: Path, text: str, sentence: str) -> None:
    assert refusal(tmp_path, text) == [sentence]


def test_a_component_needs_an_interrupt_line(tmp_path: Path) -> None:
    text = GOOD.replace("tasks: 64", "tasks: 64, interrupts: 0")
    assert refusal(tmp_path, f"{text}components: {{deadlock: {{}}}}\n") == [
        "mine.yaml:7: components.deadlock raises an interrupt, and parameters.interrupts is 0;"
        " write 1 at least there."
    ]


def test_what_a_store_of_contexts_does_not_serve(tmp_path: Path) -> None:
    text = GOOD.replace("kernel: sw", "kernel: banked").replace("none", "banked")
    assert load(tmp_path, text).core.resident == 4
    assert load(tmp_path, text.replace("count: 1", "count: 3, resident: 6")).core.resident == 6
    assert refusal(tmp_path, text.replace("count: 1", "count: 3, pmp: true")) == [
        "mine.yaml:4: core.pmp is true; the coupling banked has no user mode; write false, or"
        " take the kernel port.",
    ]
    assert refusal(tmp_path, text.replace("count: 1", "resident: 3")) == [
        "mine.yaml:4: core.resident is 3; allowed is a whole number 4 … 16; correct the value."
    ]


UNIT = GOOD.replace("kernel: sw", "kernel: hwrtos").replace("none", "bus")


def test_a_bridge_has_the_latencies_of_pci_until_told(tmp_path: Path) -> None:
    system = load(tmp_path, f"{UNIT}bridge: {{}}\n")
    assert system.bridge == config.Bridge() == config.find("hwrtos@pci").bridge
    assert system.bridge.read_ns.cycles(system.clock_mhz) == (136, 363)
    assert system.bridge.write_ns.cycles(33) == (8, 38)  # rounded up


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            f"{GOOD}bridge: {{}}\n",
            "mine.yaml:7: bridge is given, and the kernel sw has no bus to the hardware unit;"
            " remove the key, or take a kernel on the bus (hwrtos).",
        ),
        (
            f"{UNIT}bridge: {{read_ns: {{least: 9, most: 8}}}}\n",
            "mine.yaml:7: bridge.read_ns.least is 9, more than most (8); allowed is 0 … 8; correct"
            " one of them.",
        ),
        (
            f"{UNIT}bridge: {{write_ns: {{least: 9, most: 10001}}}}\n",
            "mine.yaml:7: bridge.write_ns.most is 10001; allowed is a whole number 0 … 10000;"
            " correct the value.",
        ),
        (
            f"{UNIT}bridge: {{posted: 65}}\n",
            "mine.yaml:7: bridge.posted is 65; allowed is a whole number 1 … 64; correct the"
            " value.",
        ),
        (
            UNIT.replace("wait_states: 0", "data_wait_states: 1001"),
            "mine.yaml:5: memory.data_wait_states is 1001; allowed is a whole number 0 … 1000;"
            " correct the value.",
        ),
        (
            UNIT.replace("wait_states: 0", "cache: {kib: 3}"),
            "mine.yaml:5: memory.cache.kib is 3; allowed is 1, 2, 4, 8, 16, 32; correct the value.",
        ),
        (
            UNIT.replace("ibex, variant: main", "vexriscv, variant: linux").replace(
                "wait_states: 0", "cache: {kib: 4}"
            ),
            "mine.yaml:5: memory.cache is given; the core vexriscv has caches of its own; remove"
            " the key, or take the core ibex.",
        ),
    ],
)
def test_refused_bridges_and_caches(tmp_path: Path, text: str, sentence: str) -> None:
    assert refusal(tmp_path, text) == [sentence]


VEXRISCV = GOOD.replace("ibex, variant: main", "vexriscv, variant: linux")


def test_what_the_core_vexriscv_is_not_made_with(tmp_path: Path) -> None:
    assert load(tmp_path, VEXRISCV).implementations["processor"] == "vexriscv"
    one = "mine.yaml:4: core.count is 2; the data cache of vexriscv does not see what others write"
    hwrtos = VEXRISCV.replace("kernel: sw", "kernel: hwrtos").replace("none", "bus")
    assert refusal(tmp_path, hwrtos.replace("count: 1", "count: 2, pmp: true")) == [
        f"{one} into memory; write 1, or take the core ibex.",
        "mine.yaml:4: core.pmp is true; the core vexriscv has no physical memory protection; write"
        " false, or take the core ibex.",
    ]
    banked = VEXRISCV.replace("kernel: sw", "kernel: banked").replace("none", "banked")
    assert refusal(tmp_path, banked) == [
        "mine.yaml:3: coupling is 'banked'; that needs a core whose registers are outside it;"
        " take the core ibex, or the kernel port."
    ]


@pytest.mark.parametrize(
    ("core", "variant", "allowed"),
    [("ibex", "linux", "main, small"), ("vexriscv", "main", "linux")],
)
def test_each_core_has_variants_of_its_own(
    tmp_path: Path, core: str, variant: str, allowed: str
) -> None:
    for written in (f", variant: {variant}", "")[: 1 if core == "ibex" else 2]:
        text = GOOD.replace("ibex, variant: main", f"{core}{written}")
        assert refusal(tmp_path, text) == [
            f"mine.yaml:4: core.variant is {variant!r}{'' if written else ' (default)'}; of the"
            f" core {core} allowed is {allowed}; correct the value."
        ]


MAIN = "{type: ibex, variant: main, count: 1}"
MIXED = GOOD.replace(f"core: {MAIN}", f"core:\n  - {MAIN}\n  - {MAIN.replace('main', 'small')}")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "small, count: 1",
            "linux, count: 1",
            "mine.yaml:6: core[1].variant is 'linux'; of the core ibex allowed is main, small;"
            " correct the value.",
        ),
        (
            "ibex, variant: small",
            "vexriscv, variant: linux",
            "mine.yaml:6: core[1].type is 'vexriscv', and core[0].type is 'ibex'; one program"
            " serves all, with one entry for traps and one map of addresses; write the same.",
        ),
        (
            "small, count: 1",
            "small, count: 1, pmp: true",
            "mine.yaml:6: core[1].pmp is true, and core[0].pmp is false; one program serves all,"
            " and sets it up on each; write the same.",
        ),
        (
            "small, count: 1",
            "small, count: 1, resident: 8",
            "mine.yaml:6: core[1].resident is 8, and core[0].resident is 4; all cores have one kind"
            " of store of contexts; write the same.",
        ),
        (
            "small, count: 1",
            "small, count: 4",
            "mine.yaml:4: core has 5 cores together; allowed is 2 … 4; lower a count.",
        ),
        (
            "small, count: 1",
            "small, cont: 1",
            "mine.yaml:6: core[1].cont is an unknown key; known here are type, variant, count, pmp,"
            " resident; did you mean count.",
        ),
        (
            "main, count: 1",
            "main, count: 0",
            "mine.yaml:5: core[0].count is 0; allowed is a whole number 1 … 4; correct the value.",
        ),
    ],
)
def test_refused_mixtures(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert load(tmp_path, MIXED).core.variants == ("main", "small")
    assert MIXED.count(old) == 1
    assert refusal(tmp_path, MIXED.replace(old, new)) == [sentence]


def test_refused_lists_of_cores(tmp_path: Path) -> None:
    empty = GOOD.replace(f"core: {MAIN}", "core: []")
    assert refusal(tmp_path, empty) == [
        "mine.yaml:4: core is an empty list; allowed is a list, not empty; correct the value."
    ]
    linux = "{type: vexriscv, variant: linux, count: 1}"
    two = MIXED.replace(MAIN, linux).replace(MAIN.replace("main", "small"), linux)
    assert refusal(tmp_path, two) == [
        "mine.yaml:4: core.count is 2; the data cache of vexriscv does not see what others write"
        " into memory; write 1, or take the core ibex."
    ]


@pytest.mark.parametrize("one", ["sw", "hwrtos", "port"])
def test_the_systems_with_vexriscv_differ_only_in_the_core(one: str) -> None:
    ibex, other = (config.find(name) for name in (one, f"{one}-vexriscv"))
    left = {"name", "core"}
    assert ibex.model_dump(exclude=left) == other.model_dump(exclude=left)


def test_all_errors_at_once(tmp_path: Path) -> None:
    text = GOOD.replace("kib: 256", "kib: 1").replace("tasks: 64", "tasks: 999, lanes: 3")
    lines = refusal(tmp_path, text)
    assert [line.split(" ")[1] for line in lines] == [
        "memory.kib",
        "parameters.tasks",
        "parameters.lanes",
    ]


def test_ranges_are_those_of_the_spec(tmp_path: Path) -> None:
    text = (paths.data_root() / "spec" / "parameters.yaml").read_text()
    assert "maximum: 256, unit: priorities" in text
    assert "2 … 256" in refusal(tmp_path, GOOD.replace("tasks: 64", "priorities: 1"))[0]


@pytest.mark.parametrize(
    ("name", "kernel", "waits"),
    [
        ("sw", "sw", 0),
        ("hwrtos", "hwrtos", 0),
        ("hwrtos@bus", "hwrtos", 0),
        ("hwrtos@bus:20", "hwrtos", 20),
        ("port", "port", 0),
        ("port@port", "port", 0),
        ("hwrtos@port", "port", 0),
        ("hwrtos@port:3", "port", 3),
        ("hwrtos@banked", "banked", 0),
        ("hwrtos-vexriscv@bus:20", "hwrtos", 20),
        ("hwrtos-vexriscv@port", "port", 0),
    ],
)
def test_names(name: str, kernel: str, waits: int) -> None:
    system = config.find(name)
    assert (system.kernel, system.unit_wait_states) == (kernel, waits)


def test_a_system_of_two_cores_by_its_coupling() -> None:
    assert config.find("hwrtos-2@port") == config.find("port-2")


def test_a_file_is_a_name(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(GOOD)
    assert config.find(str(tmp_path / "mine.yaml")).name == "mine"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "swr",
            "'swr' is no system; did you mean sw (`melanion systems` lists all).",
        ),
        *(
            (
                name,
                f"'{name}' is no system: its sizes stand in no pair of brackets; write them as in"
                " banked[tasks=128,queues=4].",
            )
            for name in ("banked[tasks=128", "banked tasks=128]", "banked[tasks=128+lm")
        ),
        (
            "linux",
            f"'linux' is no system; there are {NAMES}; name one of them, or the path of a .yaml"
            " file.",
        ),
        (
            "hwrtos@wires",
            "hwrtos@wires: hwrtos has the coupling bus, not 'wires'; write hwrtos or hwrtos@bus.",
        ),
        (
            "port@bus",
            "port@bus: port has the coupling port, not 'bus'; write port or port@port.",
        ),
        ("sw@bus", "sw@bus: sw has the coupling none, not 'bus'; write sw."),
        (
            "hwrtos@bus:-3",
            "hwrtos@bus:-3: the wait states are '-3'; allowed is a whole number 0 … 1000; correct"
            " the number after the colon.",
        ),
        (
            "a@b@c",
            "'a@b@c' is no system; write kernel, kernel@coupling, kernel@coupling:waits, each"
            " with [size=number] and +memory, or the path of a .yaml file.",
        ),
        (
            "port@pci",
            "port@pci: pci is a place of the hardware unit on the coupling bus, and port has the"
            " coupling port; take a kernel on the bus, as hwrtos@pci.",
        ),
        (
            "sw@network",
            "sw@network: network is a place of the hardware unit on the coupling bus, and sw has"
            " the coupling none; take a kernel on the bus, as hwrtos@network.",
        ),
        (
            "sw+lmm",
            "sw+lmm: 'lmm' is no memory; there are cached, gm, lm, shared"
            " (configs/places/memories.yaml); name one of them.",
        ),
        (
            "./nix.yaml",
            "nix.yaml:1: the file cannot be read (No such file or directory); correct its path, or"
            " restore the file.",
        ),
    ],
)
def test_refused_names(name: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as raised:
        config.find(name)
    assert raised.value.message == sentence
    assert raised.value.exit_code == 2


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "tasks: 64",
            "priorities: 33",
            "mine.yaml:6: parameters.priorities is 33; its port keeps ready priorities in one word;"
            " allowed is 2 … 32; lower the number.",
        ),
    ],
)
def test_freertos_is_for_one_core_and_32_priorities(
    tmp_path: Path, old: str, new: str, sentence: str
) -> None:
    text = GOOD.replace("kernel: sw", "kernel: freertos")
    assert load(tmp_path, text).implementations["current"] == "freertos"
    assert refusal(tmp_path, text.replace(old, new)) == [sentence]


@pytest.mark.parametrize("name", config.names())
def test_a_system_as_a_file(tmp_path: Path, name: str) -> None:
    """`melanion systems NAME` prints a file that is the system again."""
    system = config.find(name)
    assert load(tmp_path, config.text(system)) == system


@pytest.mark.parametrize(
    ("name", "named", "kernel", "cores", "tasks"),
    [
        ("hwrtos@port-4", "port-4", "port", 4, 64),
        ("hwrtos-4@port", "port-4", "port", 4, 64),
        ("booster-128-2", "booster-2-128", "booster", 2, 128),
        ("sw-poll-2", "sw-poll-2", "sw-poll", 2, 64),
        ("sw-mixed", "sw-mixed", "sw", 2, 64),
        ("banked[tasks=128]", "banked-tasks-128", "banked", 1, 128),
        ("banked-2[resident=8,tasks=16]+lm", "banked-2-resident-8-tasks-16-lm", "banked", 2, 16),
        ("hwrtos@pci-2", "hwrtos-pci-2", "hwrtos", 2, 64),
        ("lockcache-given-2", "lockcache-given-2", "lockcache", 2, 64),
    ],
)
def test_composed_systems(
    tmp_path: Path, name: str, named: str, kernel: str, cores: int, tasks: int
) -> None:
    system = config.find(name)
    assert (system.name, system.kernel) == (named, kernel)
    assert (system.core.count, system.parameters.tasks) == (cores, tasks)
    assert load(tmp_path, config.text(system)) == system


def test_words_and_sizes_change_what_they_say() -> None:
    assert config.find("sw-vexriscv").core.text == "1 × vexriscv linux"
    assert config.find("sw-mixed").core.text == config.find("hwrtos-mixed").core.text
    locks = [config.find(name).lock_cache for name in ("lockcache-2", "lockcache-given-2")]
    assert [each.hand_over for each in locks if each] == [0, 1]
    banked = config.find("banked[resident=8,kib=64,clock_mhz=50,tick_us=2000,queues=3]")
    assert (banked.core.resident, banked.memory.kib) == (8, 64)
    assert (banked.clock_mhz, banked.tick_us, banked.parameters.queues) == (50, 2000, 3)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "hwrtos-9",
            "hwrtos-9: '9' is no word of a system's name; behind a kernel may stand single,"
            " double, staged, parity, protected, vexriscv, mixed, isolated, given, 2, 3, 4, 16,"
            " 128, deadlock, dmmu, ethernet (configs/systems.yaml); leave it out, or write a .yaml"
            " file.",
        ),
        (
            "sw-mixd",
            "sw-mixd: 'mixd' is no word of a system's name; behind a kernel may stand single,"
            " double, staged, parity, protected, vexriscv, mixed, isolated, given, 2, 3, 4, 16,"
            " 128, deadlock, dmmu, ethernet (configs/systems.yaml); did you mean mixed.",
        ),
        (
            "hwrtos-2-3",
            "hwrtos-2-3: 2 and 3 are both about cores; leave one of them out.",
        ),
        (
            "hwrtos-mixed-2",
            "hwrtos-mixed-2: 2 does not go with the other words of the name, which list the cores"
            " one by one; leave one of them out.",
        ),
        (
            "sw-vexriscv-2",
            "sw-vexriscv-2: core.count is 2; the data cache of vexriscv does not see what others"
            " write into memory; write 1, or take the core ibex.",
        ),
        (
            "hwrtos[flag_lanes=2]",
            "hwrtos[flag_lanes=2]: parameters.flag_lanes is 2; allowed is 0, 4; correct it.",
        ),
        (
            "hwrtos[flag_lanes=4,tasks=128]",
            "hwrtos[flag_lanes=4,tasks=128]: parameters.flag_lanes is 4, and the unit has 128"
            " tasks; allowed with it is 4 … 64; change parameters.tasks, or write flag_lanes: 0.",
        ),
        (
            "booster[flag_lanes=4]",
            "booster[flag_lanes=4]: parameters.flag_lanes is 4, and the unit has 0 event_flags;"
            " allowed with it is 1 … 128; change parameters.event_flags, or write flag_lanes: 0.",
        ),
        (
            "sw[flag_lanes=4]",
            "sw[flag_lanes=4]: parameters.flag_lanes is 4, and the kernel sw has no hardware unit;"
            " write 0, or take a kernel with one (hwrtos).",
        ),
        (
            "banked[task=9]",
            "banked[task=9]: 'task' is no size; there are tasks, priorities, semaphores,"
            " event_flags, mutexes, queues, messages, timers, interrupts, monitor, flag_lanes,"
            " time_reset, resident, kib, clock_mhz, tick_us; did you mean tasks.",
        ),
        (
            "banked[tasks=few]",
            "banked[tasks=few]: tasks is 'few'; allowed is a whole number, as in banked[tasks=8];"
            " correct it.",
        ),
        (
            "banked[tasks=999]",
            "banked[tasks=999]: parameters.tasks is 999; allowed is a whole number 4 … 256;"
            " correct the value.",
        ),
        ("rtu@port", "rtu@port: rtu has the coupling bus, not 'port'; write rtu or rtu@bus."),
    ],
)
def test_refused_compositions(name: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as raised:
        config.find(name)
    assert raised.value.message == sentence


def test_a_list_of_names_has_commas_between_them() -> None:
    found = config.listed("sw, banked[tasks=8,queues=4]+lm,port")
    assert found == ["sw", "banked[tasks=8,queues=4]+lm", "port"]


@pytest.mark.parametrize("coupling", ["port", "banked"])
@pytest.mark.parametrize("key", ["coupling", "attachment"])
def test_a_file_says_kernel_and_coupling(tmp_path: Path, key: str, coupling: str) -> None:
    """`attachment`: the key of files before version 0.3."""
    text = GOOD.replace("kernel: sw", "kernel: hwrtos")
    long = load(tmp_path, text.replace("coupling: none", f"{key}: {coupling}"))
    assert (long.kernel, long.coupling) == (coupling, coupling)
    short = GOOD.replace("kernel: sw", f"kernel: {coupling}")
    assert load(tmp_path, short.replace("coupling: none\n", "")) == long
