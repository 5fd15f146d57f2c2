# SPDX-License-Identifier: Apache-2.0
"""A user's own commands: every refusal, what is made of them, and what a change of a file moves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from melanion import build, commands, config, export, micro, soc
from melanion.build import own as made
from melanion.cli.commands import command
from melanion.errors import MelanionError
from melanion.model import Kernel, Limits
from melanion.model.describe import describe_event
from melanion.trace import perfetto
from melanion.trace.annotations import Annotations
from tests.commands.example import ROW, change, copied, system


def refusal(place: Path) -> list[str]:
    """The sentences about a changed example, without the folder of the test."""
    with pytest.raises(MelanionError) as raised:
        made.own(system(place))
    return raised.value.message.replace(f"{place.parent}/", "").splitlines()


REFUSED = {
    "a number of the kernel": (
        "commands.yaml",
        "{op: 96,",
        "{op: 64,",
        "mine/commands.yaml:12: commands.rendezvous_meet.op is 64; allowed is a whole number"
        " 96 … 127; correct the value.",
    ),
    "a number that is taken": (
        "commands.yaml",
        ROW,
        "  again: {op: 96, id: none, argument: {}, callers: [task], blocks: never, status: [],"
        f' text: "x"}}\n{ROW}',
        "mine/commands.yaml:13: commands.rendezvous_meet.op is 96, which commands.again already"
        " has; use another number.",
    ),
    "a name of the kernel": (
        "commands.yaml",
        ROW,
        "  task_yield: {op: 96,".replace("task_yield", "semaphore_give"),
        "mine/commands.yaml:12: commands.semaphore_give has the name of a call of the kernel;"
        " rename it.",
    ),
    "a row that is wrong in itself": (
        "commands.yaml",
        "status: [E_TMOUT]",
        "status: [E_LATE]",
        "mine/commands.yaml:13: commands.rendezvous_meet.status[0] is 'E_LATE'; allowed are the"
        " names in spec/status.yaml; correct it or add it there.",
    ),
    "a program that is not there": (
        "commands.yaml",
        "[rendezvous.mu]",
        "[meeting.mu]",
        "mine/commands.yaml:2: program[0] is 'meeting.mu', which is not in the folder of this file;"
        " add it there.",
    ),
    "a program elsewhere": (
        "commands.yaml",
        "[rendezvous.mu]",
        "[../rendezvous.mu]",
        "mine/commands.yaml:2: program[0] is '../rendezvous.mu'; allowed is the name of a .mu file"
        " beside this one; correct the value.",
    ),
    "a model elsewhere": (
        "commands.yaml",
        "model: rendezvous.py",
        "model: models/rendezvous.py",
        "mine/commands.yaml:3: model is 'models/rendezvous.py'; allowed is the name of a .py file"
        " beside this one; correct the value.",
    ),
    "a scenario that is no file": (
        "commands.yaml",
        "scenarios/meet_times_out.yaml",
        "scenarios/meet times out",
        "mine/commands.yaml:7: scenarios[2] is 'scenarios/meet times out'; allowed is the name of a"
        " .yaml file below the folder of this one; correct the value.",
    ),
    "a label of the kernel's program": (
        "rendezvous.mu",
        "meet_listed:     ",
        "give_to_waiter: goto meet_listed\nmeet_listed:     ",
        "mine/rendezvous.mu:39: give_to_waiter is there twice (first in hw/micro/semaphore.mu:",
    ),
    "a command of the kernel": (
        "rendezvous.mu",
        "meet_wait:\n",
        "at command semaphore_give: done E_OK\nmeet_wait:\n",
        "mine/rendezvous.mu:29: at command semaphore_give runs into address 0x148, which belongs to"
        " at command semaphore_give (hw/micro/semaphore.mu:",
    ),
    "a word that is wrong": (
        "rendezvous.mu",
        "        y = M@word\n",
        "        y = M@wrd\n",
        "mine/rendezvous.mu:25: 'wrd' is no page; known are register, task, ",
    ),
    "a model that cannot be imported": (
        "rendezvous.py",
        "from mel_gen import Status\n",
        "from mel_gen import Statuses\n",
        "mine/rendezvous.py:6: the model cannot be imported (ImportError: cannot import name"
        " 'Statuses' from 'mel_gen'",
    ),
    "a model that is no Python": (
        "rendezvous.py",
        'COMMANDS = {"rendezvous_meet": meet}',
        "COMMANDS = {",
        "mine/rendezvous.py:27: the model cannot be imported (SyntaxError: '{' was never closed",
    ),
    "a model without the command": (
        "rendezvous.py",
        'COMMANDS = {"rendezvous_meet": meet}',
        "COMMANDS = {}",
        "mine/rendezvous.py:1: COMMANDS has no rendezvous_meet, a command of mine/commands.yaml:12;"
        " add its function.",
    ),
    "a model with another command": (
        "rendezvous.py",
        'COMMANDS = {"rendezvous_meet": meet}',
        'COMMANDS = {"rendezvous_meet": meet, "meet": meet}',
        "mine/rendezvous.py:1: COMMANDS has 'meet', and mine/commands.yaml has the commands"
        " rendezvous_meet; correct the name.",
    ),
    "a model without a table": (
        "rendezvous.py",
        'COMMANDS = {"rendezvous_meet": meet}',
        "COMMANDS = meet",
        "mine/rendezvous.py:1: COMMANDS is no table of functions by name of the command; write"
        " `COMMANDS = {...}`.",
    ),
    "no file of commands": (
        "system.yaml",
        "commands: commands.yaml",
        "commands: others.yaml",
        "mine/system.yaml:6: commands is 'others.yaml', and mine/others.yaml is no file; correct"
        " the path, which begins at the folder of this file.",
    ),
    "a kernel without a unit": (
        "system.yaml",
        "kernel: hwrtos\n",
        "kernel: sw\n",
        "mine/system.yaml:6: commands is given, and the kernel sw has no hardware unit; take"
        " hwrtos, port or banked.",
    ),
    "a kernel with objects in C": (
        "system.yaml",
        "kernel: hwrtos\n",
        "kernel: booster\n",
        "mine/system.yaml:6: commands is given, and the kernel booster keeps objects in C; take"
        " hwrtos, port or banked.",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str, tmp_path: Path) -> None:
    file, old, new, sentence = REFUSED[case]
    place = copied(tmp_path)
    change(place / file, old, new)
    assert any(line.startswith(sentence) for line in refusal(place)), refusal(place)


AGAIN = (
    "  again: {op: 97, id: none, argument: {}, callers: [task], blocks: never, status: [],"
    ' text: "x"}\n'
)


def test_a_command_without_a_program_is_refused(tmp_path: Path) -> None:
    place = copied(tmp_path)
    change(place / "commands.yaml", ROW, AGAIN + ROW)
    change(place / "rendezvous.py", '": meet}', '": meet, "again": meet}')
    assert refusal(place) == [
        "mine/commands.yaml:12: commands.again has no program; write `at command again:` in"
        " mine/rendezvous.mu."
    ]


def test_a_program_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    """The user's words alone are refused, and where they stand."""
    place = copied(tmp_path)
    words = "".join(f"more_{i}: x = {i}; goto more_{i + 1}\n" for i in range(900))
    change(place / "rendezvous.mu", "meet_wait:\n", f"{words}more_900: goto more_0\nmeet_wait:\n")
    sentences = refusal(place)
    assert sentences
    for sentence in sentences:
        assert sentence.startswith("mine/rendezvous.mu:")
        assert sentence.endswith("fits nowhere in 2048 words; shorten the program.")


def test_nothing_moves_without_commands() -> None:
    """The delivered program is that of the sources without a user."""
    assert config.find("hwrtos-single").own is None
    assert made.own(config.find("hwrtos-single")) is None


def test_the_program_of_the_kernel_stays(tmp_path: Path) -> None:
    """All its words are there, with the user's."""
    own = system(copied(tmp_path)).own
    assert own is not None
    with_own, without = micro.assemble(own=own), micro.assemble()
    assert [word.text for word in without.words.values()].sort() == [
        word.text for word in with_own.words.values() if word.place.file.startswith("hw/micro/")
    ].sort()
    assert with_own.symbols["command rendezvous_meet"] == 0x400 + 4 * (96 - 64)


def test_calls_in_c(tmp_path: Path) -> None:
    own = system(copied(tmp_path)).own
    assert own is not None
    prototype = (
        "mel_status_t mel_rendezvous_meet(mel_id_t semaphore, uint32_t word, uint32_t timeout,"
        " uint32_t *value)"
    )
    assert f"{prototype};\n" in commands.header(own)
    body = (
        "{\n    mel_unit_operand(timeout);\n"
        "    return mel_unit_call_value(96, mel_unit_limit(semaphore), word, value);\n}\n"
    )
    assert f"{prototype}\n{body}" in commands.source(own)


def test_fields_of_an_argument_in_c(tmp_path: Path) -> None:
    place = copied(tmp_path)
    row = AGAIN.replace("argument: {}", 'argument: {high: "[31:16]", low: "[7:0]"}')
    change(place / "commands.yaml", ROW, row + ROW)
    own = system(place).own
    assert own is not None
    assert (
        "mel_status_t mel_again(uint32_t high, uint32_t low)\n{\n"
        "    return mel_unit_call(97, mel_unit_limit(0), (high & 0xffffu) << 16 | (low & 0xffu));\n"
    ) in commands.source(own)


def test_names_in_messages_and_timelines(tmp_path: Path) -> None:
    own = system(copied(tmp_path)).own
    assert own is not None
    event = (5, 1, 0, 96, 3, 7, 0)
    assert "rendezvous_meet id 3 argument 0x7" in describe_event(event, {}, commands.meanings(own))
    assert "96 id 3" in describe_event(event, {})
    names = {row.op: name for name, row in own.rows.items()}
    drawing = perfetto._Drawing(64, {}, Annotations(), names)
    marks = list(perfetto._command(drawing, *(event[i] for i in (0, 2, 3, 4, 5, 6))))
    assert [mark.name for mark in marks] == ["rendezvous_meet(3)"]


def test_a_model_without_the_command_refuses_it(tmp_path: Path) -> None:
    own = system(copied(tmp_path)).own
    assert own is not None
    assert Kernel(Limits()).command(0, 96, 0, 0) == -10  # E_RSFN
    kernel = Kernel(Limits(own=commands.meanings(own)))
    assert kernel.command(0, 96, 0, 0) == -42  # E_NOEXS
    assert (kernel.refused, Limits(own=commands.meanings(own))) == (0, Limits())


# Changes of a file, and whether they move the package, the calls, and the hash of boot code.
MOVES = {
    "a word of the program": ("rendezvous.mu", "u = zero;", "u = 0;", (True, False, False)),
    "a row": (
        "commands.yaml",
        "callers: [task, handler, idle]",
        "callers: [task]",
        (True, False, True),
    ),
    "a text": ("commands.yaml", "meet another caller", "meet a caller", (False, True, True)),
    "a comment": ("rendezvous.mu", "// Rendezvous", "// A rendezvous", (False, False, False)),
    "the model": ("rendezvous.py", "The first waits", "One waits", (False, False, False)),
}


def _made(place: Path) -> tuple[bytes, bytes, int]:
    """The package of the hardware, the calls of the program, the hash."""
    found, built = system(place), made.own(system(place))
    assert built is not None
    header = (built.folder / commands.HEADER).read_bytes() + built.source.read_bytes()
    return built.package.read_bytes(), header, found.parameter_hash_word


@pytest.mark.parametrize("case", MOVES)
def test_what_a_change_moves(case: str, tmp_path: Path) -> None:
    file, old, new, moves = MOVES[case]
    place = copied(tmp_path)
    before = _made(place)
    change(place / file, old, new)
    after = _made(place)
    assert tuple(a != b for a, b in zip(before, after, strict=True)) == moves


def test_the_package_takes_the_place_of_the_delivered_one(tmp_path: Path) -> None:
    found = system(copied(tmp_path))
    built, usual = made.own(found), soc.rtl_sources(found).files
    assert built is not None
    replaced = made.replaced(found, usual)
    assert [a for a, b in zip(usual, replaced, strict=True) if a != b] == [
        path for path in usual if path.name in (made.PACKAGE, made.FIELDS)
    ]
    # A slot behind half the store: a unit without objects has the whole one, too.
    words = [
        re.search(r"LeanWords = (\d+)", path.read_text("utf-8"))
        for path in replaced
        if path.name == made.FIELDS
    ]
    assert [found and found[1] for found in words] == ["2048"]
    assert built.package in replaced
    plain = config.find("hwrtos-single")
    assert made.replaced(plain, usual) == usual
    assert plain.parameter_hash_word != found.parameter_hash_word


def test_an_export_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MelanionError) as raised:
        export.content(system(copied(tmp_path)))
    assert raised.value.message == (
        "rendezvous: an exported folder does not carry commands of your own yet; leave the key"
        " `commands` out of its configuration."
    )


def test_a_configuration_without_commands_has_none_to_check(tmp_path: Path) -> None:
    place = copied(tmp_path)
    change(place / "system.yaml", "commands: commands.yaml\n", "")
    said = CliRunner().invoke(command, [str(place / "system.yaml")])
    assert str(said.exception) == f"{place}/system.yaml: it has no key `commands`; add it."


def test_an_application_that_names_no_command_is_built_without() -> None:
    assert build.application("rendezvous").name == "rendezvous"
