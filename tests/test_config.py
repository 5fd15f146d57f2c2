"""Configurations: what is accepted, and the text of every refusal."""

from __future__ import annotations

from pathlib import Path

import pytest
from mel_gen import KERNELS, parameter_hash_word

from melanion import config, paths
from melanion.config import ConfigError

GOOD = """\
name: mine
kernel: sw
attachment: none
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
    assert system.attachment == KERNELS[system.kernel].attachment


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
    text = GOOD.replace("kernel: sw", "kernel: hwrtos").replace(
        "attachment: none", "attachment: bus"
    )
    system = load(tmp_path, text.replace("count: 1", f"count: {count}"))
    assert system.hashed_parameters["cores"] == count
    assert system.parameter_hash_word == parameter_hash_word(cores=count)
    assert system.parts["core"] == ("one" if count == 1 else "several")


@pytest.mark.parametrize("one", ["hwrtos", "port"])
def test_systems_of_several_cores_differ_only_in_cores(one: str) -> None:
    same = config.find(one).model_dump(exclude={"name", "core"})
    for name in (f"{one}-2", f"{one}-4"):
        assert config.find(name).model_dump(exclude={"name", "core"}) == same


@pytest.mark.parametrize("cores", ["", "-2", "-4"])
def test_the_attachments_of_the_unit_differ_only_in_attachment(cores: str) -> None:
    left = {"name", "kernel", "attachment"}
    bus, port = (config.find(name + cores) for name in ("hwrtos", "port"))
    assert bus.model_dump(exclude=left) == port.model_dump(exclude=left)
    assert (bus.parts["attach"], port.parts["attach"]) == ("bus", "port")
    if not cores:
        assert config.find("banked").model_dump(exclude=left) == bus.model_dump(exclude=left)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "wait_states: 0",
            "wait_state: 0",
            "mine.yaml:5: memory.wait_state is an unknown key; known here are kib, wait_states;"
            " did you mean wait_states.",
        ),
        (
            "name: mine",
            "name: mine\nzzz: 3",
            "mine.yaml:2: zzz is an unknown key; known here are name, kernel, attachment, core,"
            " memory, unit_wait_states, clock_mhz, tick_us, parameters; remove it.",
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
            "count: 1",
            "count: 2",
            "mine.yaml:4: core.count is 2; the kernel sw, which is software alone, runs on 1 core;"
            " write 1, or take a kernel with the hardware unit (hwrtos).",
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
            "mine.yaml:2: kernel is 'linux'; allowed is one of sw, hwrtos, port, banked,"
            " sw-sorted, sw-poll, freertos, lockcache, booster, rtu; correct the name.",
        ),
        (
            "kernel: sw",
            "kernel: booster",
            "mine.yaml:2: kernel is 'booster': the kernel booster (scheduling and time in hardware)"
            " is planned and does not work yet; use one of sw, hwrtos, port, banked.",
        ),
        (
            "attachment: none",
            "attachment: bus",
            "mine.yaml:3: attachment is 'bus'; the kernel sw needs none; write that.",
        ),
        (
            "tasks: 64",
            "interrupts: 33",
            "mine.yaml:6: parameters.interrupts is 33; a kernel without the hardware unit has an"
            " interrupt controller of 32 lines; allowed is 0 … 32; lower the number.",
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
            "mine.yaml:1: kernel is missing; add it: lower-case words joined by hyphens, such as"
            " sw-poll.",
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


def test_what_register_banks_do_not_serve(tmp_path: Path) -> None:
    text = GOOD.replace("kernel: sw", "kernel: banked").replace("none", "banked")
    assert load(tmp_path, text).core.banks == 16
    assert load(tmp_path, text.replace("count: 1", "count: 3, banks: 4")).core.banks == 4
    assert refusal(tmp_path, text.replace("count: 1", "count: 3, pmp: true, banks: 3")) == [
        "mine.yaml:4: core.banks is 3; with 3 cores allowed is 4 … 64: each may lend one; write"
        " more.",
        "mine.yaml:4: core.pmp is true; the attachment banked has no user mode; write false, or"
        " take the kernel port.",
    ]
    assert refusal(tmp_path, text.replace("count: 1", "banks: 65")) == [
        "mine.yaml:4: core.banks is 65; allowed is a whole number 2 … 64; correct the value."
    ]


VEXRISCV = GOOD.replace("ibex, variant: main", "vexriscv, variant: linux")


def test_what_the_core_vexriscv_is_not_made_with(tmp_path: Path) -> None:
    assert load(tmp_path, VEXRISCV).parts["processor"] == "vexriscv"
    one = "mine.yaml:4: core.count is 2; the data cache of vexriscv does not see what others write"
    hwrtos = VEXRISCV.replace("kernel: sw", "kernel: hwrtos").replace("none", "bus")
    assert refusal(tmp_path, hwrtos.replace("count: 1", "count: 2, pmp: true")) == [
        f"{one} into memory; write 1, or take the core ibex.",
        "mine.yaml:4: core.pmp is true; the core vexriscv has no physical memory protection; write"
        " false, or take the core ibex.",
    ]
    banked = VEXRISCV.replace("kernel: sw", "kernel: banked").replace("none", "banked")
    assert refusal(tmp_path, banked) == [
        "mine.yaml:3: attachment is 'banked'; that needs a core whose registers are outside it;"
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
            f"mine.yaml:4: core.variant is {variant!r}; of the core {core} allowed is {allowed};"
            " correct the value."
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


def test_a_system_of_two_cores_by_its_attachment() -> None:
    assert config.find("hwrtos-2@port") == config.find("port-2")


def test_a_file_is_a_name(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(GOOD)
    assert config.find(str(tmp_path / "mine.yaml")).name == "mine"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "booster",
            "the kernel booster (scheduling and time in hardware) is planned and does not work yet;"
            " use one of sw, hwrtos, port, banked.",
        ),
        (
            "swr",
            "'swr' is no system; there are banked, banked-2, banked-4, hwrtos, hwrtos-2,"
            " hwrtos-4, hwrtos-vexriscv, port, port-2, port-4, port-vexriscv, sw, sw-vexriscv;"
            " did you mean sw.",
        ),
        (
            "linux",
            "'linux' is no system; there are banked, banked-2, banked-4, hwrtos, hwrtos-2,"
            " hwrtos-4, hwrtos-vexriscv, port, port-2, port-4, port-vexriscv, sw, sw-vexriscv; name"
            " one of them, or the path of a .yaml file.",
        ),
        (
            "hwrtos@wires",
            "hwrtos@wires: hwrtos has the attachment bus, not 'wires'; write hwrtos or hwrtos@bus.",
        ),
        (
            "port@bus",
            "port@bus: port has the attachment port, not 'bus'; write port or port@port.",
        ),
        ("sw@bus", "sw@bus: sw has the attachment none, not 'bus'; write sw."),
        (
            "hwrtos@bus:-3",
            "hwrtos@bus:-3: the wait states are '-3'; allowed is a whole number 0 … 1000; correct"
            " the number after the colon.",
        ),
        (
            "a@b@c",
            "'a@b@c' is no system; write kernel, kernel@attachment, kernel@attachment:waits, or the"
            " path of a .yaml file.",
        ),
        (
            "./nix.yaml",
            "nix.yaml:1: the file cannot be read (No such file or directory); restore the file.",
        ),
    ],
)
def test_refused_names(name: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as raised:
        config.find(name)
    assert raised.value.message == sentence
    assert raised.value.exit_code == 2
