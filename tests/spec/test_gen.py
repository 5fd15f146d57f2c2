# SPDX-License-Identifier: Apache-2.0
"""`melanion gen`: what is committed is what spec/ makes, and `--check` notices when it is not.

The committed files are the goldens.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path
from typing import Any

import mel_gen
import pytest
from click.testing import CliRunner
from mel_gen import deadlock, dmmu, ethernet, lock_cache

from melanion import gen, paths
from melanion.build import tools
from melanion.cli import group
from melanion.spec import load

TEXTS = gen.files(load())
NAMES = sorted(TEXTS)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in NAMES:
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(paths.data_root() / name, target)
    return tmp_path


def test_committed_files_are_what_spec_makes() -> None:
    assert gen.different(TEXTS, paths.data_root()) == []


@pytest.mark.parametrize("name", NAMES)
def test_check_catches_an_edited_file(root: Path, name: str) -> None:
    path = root / name
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    with pytest.raises(gen.GenError) as caught:
        gen.check(TEXTS, root)
    assert caught.value.message == (
        f"{name}: is not what spec/ makes (edited by hand, or spec/ changed); run `melanion gen`."
    )
    assert caught.value.exit_code == 1


def test_check_catches_a_missing_file(root: Path) -> None:
    (root / NAMES[0]).unlink()
    (root / NAMES[1]).write_bytes(b"\xff")
    assert sorted(gen.different(TEXTS, root)) == NAMES[:2]


def test_write_repairs_only_what_differs(root: Path) -> None:
    (root / NAMES[0]).write_text("edited", encoding="utf-8")
    assert gen.write(TEXTS, root) == [NAMES[0]]
    assert gen.write(TEXTS, root) == []
    gen.check(TEXTS, root)


def test_write_into_a_folder_that_is_in_the_way(root: Path) -> None:
    (root / NAMES[0]).unlink()
    (root / NAMES[0]).mkdir()
    with pytest.raises(gen.GenError) as caught:
        gen.write(TEXTS, root)
    assert caught.value.message.startswith(f"{NAMES[0]}: cannot be written (")
    assert caught.value.message.endswith(
        "); make the folder writable and run `melanion gen` again."
    )


def test_command_line_check() -> None:
    result = CliRunner().invoke(group, ["gen", "--check"])
    assert result.exit_code == 0
    assert result.output == (
        f"gen: {len(NAMES)} files are up to date (spec hash {mel_gen.SPEC_HASH[:8]})\n"
    )


def test_every_file_says_where_it_comes_from() -> None:
    for text in TEXTS.values():
        assert "Generated from spec/ by `melanion gen`. Do not edit" in "\n".join(
            text.splitlines()[:6]
        )


def test_hashes() -> None:
    assert load().hash == mel_gen.SPEC_HASH
    assert int(mel_gen.SPEC_HASH[:8], 16) == mel_gen.SPEC_HASH_WORD
    text = (
        b"tasks=16,priorities=32,semaphores=64,event_flags=16,mutexes=16,queues=16,messages=64,"
        b"timers=8,interrupts=32,cores=1,monitor=1,flag_lanes=0"
    )
    word = int(hashlib.sha256(text).hexdigest()[:8], 16)
    assert mel_gen.parameter_hash_word(tasks=16) == word
    assert mel_gen.parameter_hash_word(tasks=16, time_reset=5) == word
    with pytest.raises(ValueError, match="no such parameter: task; known are tasks, "):
        mel_gen.parameter_hash_word(task=16)


def test_python_tables_hold_every_row() -> None:
    spec = load()
    assert [c.name.lower() for c in mel_gen.COMMANDS] == list(spec.commands.commands)
    assert list(mel_gen.KERNELS) == [*spec.kernels.kernels, *spec.kernels.variants]
    assert list(mel_gen.PARAMETERS) == list(spec.parameters.parameters)
    give = mel_gen.COMMANDS[mel_gen.Command.SEMAPHORE_CREATE]
    assert give.fields == {"maximum": (31, 16), "initial": (15, 0)}
    assert (give.operand, give.operand_text, give.value) == ("", "", "")
    take = mel_gen.COMMANDS[mel_gen.Command.EVENT_FLAGS_TAKE_ANY]
    assert (take.operand, take.operand_text) == ("timeout", "in ticks")
    assert take.value == "the flags before they are cleared"
    assert mel_gen.tick_cycles_minimum(tasks=64, cores=2) == 8 * 64 + 64 * 2


C_PROBE = """
#include <melanion/mel_spec.h>
#include <melanion/mel_spec.h>
{asserts}
"""


def test_c_header_has_the_same_numbers(tmp_path: Path) -> None:
    """Compiled: the preprocessor, not a pattern, says what the macros are."""
    pairs = {
        f"MEL_{prefix}{member.name}": int(member)
        for prefix, kind in (
            ("", mel_gen.Status),
            ("OP_", mel_gen.Command),
            ("QUERY_", mel_gen.Query),
            ("REG_", mel_gen.Register),
            ("IRQ_ACTION_", mel_gen.IrqAction),
            ("TASK_STATE_", mel_gen.TaskState),
            ("CONTEXT_", mel_gen.Context),
            ("TRACE_", mel_gen.TraceKind),
            ("EXIT_REASON_", mel_gen.ExitReason),
        )
        for member in kind
    }
    pairs |= {
        "MEL_SPEC_HASH": mel_gen.SPEC_HASH_WORD,
        "MEL_IDENTITY": mel_gen.IDENTITY,
        "MEL_WINDOW_BYTES": mel_gen.WINDOW_BYTES,
        "MEL_WAKEUPS_LIMIT": mel_gen.WAKEUPS_LIMIT,
        "MEL_SEMAPHORE_COUNT_LIMIT": mel_gen.SEMAPHORE_COUNT_LIMIT,
        "MEL_LOCKS_LIMIT": mel_gen.LOCKS_LIMIT,
        "MEL_MESSAGE_PRIORITIES": mel_gen.MESSAGE_PRIORITIES,
        "MEL_ANSWER_WAITING": mel_gen.ANSWER_WAITING,
        "MEL_ANSWER_DISPATCH_DUE": mel_gen.ANSWER_DISPATCH_DUE,
        "MEL_COMMAND_OFFSET(MEL_OP_TASK_SLEEP, 3)": 11 * 1024 + 12,
        "MEL_FIELD_SEMAPHORE_CREATE_MAXIMUM_LSB": 16,
        "MEL_FIELD_SEMAPHORE_CREATE_MAXIMUM_MASK": 0xFFFF,
    }
    asserts = "\n".join(f'_Static_assert({k} == {v}, "{k}");' for k, v in pairs.items())
    source = tmp_path / "probe.c"
    source.write_text(C_PROBE.format(asserts=asserts), encoding="utf-8")
    flags = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
    include = f"-I{paths.data_root() / 'gen' / 'c'}"
    done = subprocess.run(["gcc", *flags, include, source], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_lock_cache_has_the_same_numbers_everywhere(tmp_path: Path) -> None:
    """The header compiled; the package by its text, which the unit's bench and proofs elaborate."""
    assert load().lock_cache_hash == lock_cache.FACTS_HASH
    pairs = {f"REG_{member.name}": int(member) for member in lock_cache.Register}
    pairs |= {f"ANSWER_{member.name}": int(member) for member in lock_cache.Answer}
    pairs |= {f"{member.name}(3)": int(member) + 12 for member in lock_cache.Region}
    pairs |= {"FACTS_HASH": lock_cache.FACTS_HASH_WORD, "IDENTITY": lock_cache.IDENTITY}
    for name, (high, low) in lock_cache.STATE.items():
        pairs[f"STATE_{name.upper()}_LSB"] = low
        pairs[f"STATE_{name.upper()}_MASK"] = (1 << high - low + 1) - 1
    asserts = "\n".join(
        f'_Static_assert(MEL_LOCK_CACHE_{k} == {v}, "{k}");' for k, v in pairs.items()
    )
    source = tmp_path / "probe.c"
    text = C_PROBE.replace("mel_spec.h", "mel_lock_cache.h").format(asserts=asserts)
    source.write_text(text, encoding="utf-8")
    flags = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
    include = f"-I{paths.data_root() / 'gen' / 'c'}"
    done = subprocess.run(["gcc", *flags, include, source], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    package = (paths.data_root() / "gen" / "sv" / "mel_lock_pkg.sv").read_text(encoding="utf-8")
    for register in lock_cache.Register:
        name = "".join(word.capitalize() for word in register.name.split("_"))
        assert f"Reg{name} = 12'h{int(register):03X};" in package


# In the order of their numbers: the RTL decodes them.
ID_KINDS = ("none", "task", "semaphore", "interrupt", "event_flags", "queue", "mutex", "timer")


# Numbers of a region's words in C, beside those in Python.
REGIONS = {
    "deadlock": {
        "REGION_HOLDER(3)": deadlock.Region.HOLDER + 12,
        "REGION_WAITING(3)": deadlock.Region.WAITING + 24,
    },
    "dmmu": {"REGION_ALLOCATION(3)": dmmu.Region.ALLOCATION + 12},
    "ethernet": {
        "REGION_FRAME(3)": ethernet.Region.FRAME + 12,
        "REGION_ROUND_TRIP(3)": ethernet.Region.ROUND_TRIP + 12,
    },
}


@pytest.mark.parametrize(
    ("name", "facts"), [("deadlock", deadlock), ("dmmu", dmmu), ("ethernet", ethernet)]
)
def test_a_component_has_the_same_numbers_everywhere(tmp_path: Path, name: str, facts: Any) -> None:
    """As for the lock cache."""
    assert load().component_hash(name) == facts.FACTS_HASH
    pairs = {f"REG_{member.name}": int(member) for member in facts.Register}
    pairs |= {f"COMMAND_{member.name}": int(member) for member in facts.Command}
    pairs |= {f"ANSWER_{member.name}": int(member) for member in facts.Answer}
    pairs |= REGIONS[name]
    pairs |= {"FACTS_HASH": facts.FACTS_HASH_WORD, "IDENTITY": facts.IDENTITY}
    asserts = "\n".join(
        f'_Static_assert(MEL_{name.upper()}_{k} == {v}, "{k}");' for k, v in pairs.items()
    )
    source = tmp_path / "probe.c"
    text = C_PROBE.replace("mel_spec.h", f"mel_{name}.h").format(asserts=asserts)
    source.write_text(text, encoding="utf-8")
    flags = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
    include = f"-I{paths.data_root() / 'gen' / 'c'}"
    done = subprocess.run(["gcc", *flags, include, source], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    package = (paths.data_root() / "gen" / "sv" / f"mel_{name}_pkg.sv").read_text(encoding="utf-8")
    for command in facts.Command:
        assert f"Command{command.name.capitalize()} = 12'h{int(command):03X};" in package


BLOCKS = ("never", "always", "timeout", "operand")


def sv_values() -> dict[str, int]:
    """Constants and functions of the package, for every op, as the tables have them."""
    spec = load()
    kinds = {row.op: ID_KINDS.index(row.id) for row in spec.commands.commands.values()}
    kinds |= {row.op: ID_KINDS.index(row.id) for row in spec.registers.queries.values()}
    expected: dict[str, int] = {
        "StatusETmout": int(mel_gen.Status.E_TMOUT),
        "RegLostIrqs": int(mel_gen.Register.LOST_IRQS),
        "$bits(trace_t)": 1 + 8 + 8 + 16 + 96,
        "LocksLimit": mel_gen.LOCKS_LIMIT,
        "MessagePriorities": mel_gen.MESSAGE_PRIORITIES,
        "tick_cycles_min(64, 2)": mel_gen.tick_cycles_minimum(tasks=64, cores=2),
    }
    for op in range(64):
        info = mel_gen.COMMANDS.get(mel_gen.Command(op)) if op in list(mel_gen.Command) else None
        expected[f"op_exists({op})"] = int(info is not None)
        expected[f"id_kind({op})"] = kinds.get(op, 0)
        expected[f"blocks({op})"] = BLOCKS.index(info.blocks.value) if info else 0
        for context in mel_gen.Context:
            legal = info is not None and context in info.callers
            expected[f"caller_ok({op}, {int(context)})"] = int(legal)
    return expected


def elaborated(folder: Path, expected: dict[str, int]) -> str:
    """Return Verilator's complaint about values that it computes while it reads the package; empty
    when they are those expected."""
    checks = "\n".join(
        f'  if (32\'({k}) != {v}) $fatal(1, "{k} is not {v}");' for k, v in expected.items()
    )
    source = folder / "probe.sv"
    source.write_text(f"module probe;\n  import mel_pkg::*;\n{checks}\nendmodule\n", "utf-8")
    program = tools.verilator_root() / "bin" / "verilator"
    words = [str(program), "--lint-only", "-Wno-WIDTH", "--top-module", "probe"]
    words += [str(paths.data_root() / "gen" / "sv" / "mel_pkg.sv"), str(source)]
    done = subprocess.run(words, capture_output=True, text=True, env=tools.verilator_environment())
    return done.stderr if done.returncode else ""


def test_sv_functions_agree_with_the_tables(tmp_path: Path) -> None:
    assert elaborated(tmp_path, sv_values()) == ""


def test_a_function_that_differs_is_noticed(tmp_path: Path) -> None:
    wrong = {**sv_values(), "blocks(3)": 1 - sv_values()["blocks(3)"]}
    assert f"blocks(3) is not {wrong['blocks(3)']}" in elaborated(tmp_path, wrong)
