# SPDX-License-Identifier: Apache-2.0
"""`melanion area`: what is measured, how the tools' files are read, and every sentence of an error.

The tools run for real on one small module; a whole unit takes a minute.
"""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest

from melanion import cli, config
from melanion.area import (
    CORE,
    AreaError,
    Design,
    design,
    designs,
    liberty,
    measure,
    synthesis,
    tools,
)
from melanion.area.design import SIZES
from melanion.area.measure import Result, Row
from melanion.area.netlist import Placed, Step, critical_path, instance, summary
from melanion.area.present import (
    charts,
    conditions,
    csv_text,
    json_text,
    modules,
    page,
    path,
    table,
)
from melanion.soc import Sources
from melanion.yosys import PACKAGE

LIBRARY = b"""library (tiny) {
  cell (INVX1) { area : 8; pin (A) { direction : input; } pin (Y) { direction : output; function : "!A"; } }
  cell (NAND2X1) { area : 12; pin (A) { direction : input; } pin (B) { direction : input; }
    pin (Y) { direction : output; function : "!(A B)"; } }
  cell (BUFX2) { area : 12; pin (A) { direction : input; } pin (Y) { direction : output; function : "A"; } }
  cell (NOR2X1) { area : 12; pin (A) { direction : input; } pin (B) { direction : input; }
    pin (Y) { direction : output; function : "!(A + B)"; } }
  cell (DFFPOSX1) { area : 48; ff (IQ, IQN) { next_state : "D"; clocked_on : "CLK"; }
    pin (CLK) { direction : input; clock : true; } pin (D) { direction : input; }
    pin (Q) { direction : output; function : "IQ"; } }
  cell (DFFSR) { area : 60; ff (IQ, IQN) { next_state : "D"; clocked_on : "CLK"; clear : "!R"; preset : "!S"; }
    pin (CLK) { direction : input; clock : true; } pin (D) { direction : input; }
    pin (R) { direction : input; } pin (S) { direction : input; }
    pin (Q) { direction : output; function : "IQ"; } }
}
"""  # noqa: E501


def quiet(text: str) -> None:
    """No progress."""


def small(priorities: int) -> Design:
    return Design("mel_lists", (("priorities", priorities),))


# ---- what is measured ----------------------------------------------------------------------------


def test_defaults_are_those_of_the_system() -> None:
    (unit,) = designs([], {})
    assert dict(unit.sizes) == {name: info.default for name, info in SIZES.items()}
    assert unit.top == "mel_unit"


def test_objects_that_a_kernel_keeps_in_c_are_no_hardware() -> None:
    booster, hwrtos = designs(["booster", "hwrtos"], {})
    assert booster.objects == booster.size("messages") == 0 < hwrtos.objects
    assert booster.size("tasks") == hwrtos.size("tasks")


def test_every_word_with_every_number_once() -> None:
    found = designs(["tasks=8,semaphores=2", "hwrtos"], {"tasks": "4, 16", "semaphores": None})
    assert [(d.size("tasks"), d.size("semaphores")) for d in found] == [
        (4, 2), (16, 2), (4, 64), (16, 64)
    ]  # fmt: skip
    assert len(designs(["hwrtos", "hwrtos"], {"tasks": "8,8"})) == 1


def test_a_protected_unit_is_another_design() -> None:
    plain, protected = designs(["hwrtos", "hwrtos-protected"], {})
    assert (plain.protection, protected.protection) == ("none", "all")
    assert plain.sizes == protected.sizes and protected.name.endswith(", protected: all")
    with pytest.raises(AreaError) as error:
        designs(["hwrtos-protected"], {}, modules=True)
    assert error.value.exit_code == 2
    assert error.value.message == (
        "a protected unit is one netlist, without modules; leave --modules out, or name a system"
        " without protection."
    )


def test_objects_are_a_quarter_of_each_kind() -> None:
    found = designs([], {"objects": "0, 64"})
    assert [[d.size(name) for name in design.OBJECTS] for d in found] == [[0] * 4, [16] * 4]
    assert [d.objects for d in found] == [0, 64]
    assert designs([], {})[0].objects == 64 + 3 * 16


def test_configuration_file(tmp_path: Path) -> None:
    text = config.text(config.find("hwrtos"))
    file = tmp_path / "mine.yaml"
    file.write_text(text.replace("tasks: 64", "tasks: 12"), encoding="utf-8")
    (unit,) = designs([str(file)], {})
    assert unit.size("tasks") == 12


def test_sources_are_of_the_design_alone() -> None:
    unit = {file.name for file in designs([], {})[0].sources().files}
    core = {file.name for file in CORE.sources().files}
    assert {"mel_pkg.sv", "mel_unit.sv"} <= unit
    assert {"ibex_core.sv", "mel_register_file.sv", "mel_core_ibex.sv"} <= core
    assert not any("probe" in name or "bus" in name or "bind" in name for name in unit | core)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["tasks=3"],
            "tasks is '3'; allowed is a whole number 4 … 256; correct it.",
        ),
        (
            ["--event-flags", "129"],
            "event_flags is '129'; allowed is a whole number 0 … 128; correct it.",
        ),
        *(
            (
                ["--objects", text],
                f"objects is '{text}'; allowed is a multiple of 4, 0 … 512, a quarter for each of"
                " semaphores, event_flags, mutexes, queues; correct it.",
            )
            for text in ("516", "6", "-4")
        ),
        (
            ["--tasks", "4,,16"],
            "tasks is ''; allowed is a whole number 4 … 256; correct it.",
        ),
        (
            ["--semaphores", "many"],
            "semaphores is 'many'; allowed is a whole number 0 … 128; correct it.",
        ),
        (
            ["--tasks", "9" * 5000],
            f"tasks is '{'9' * 5000}'; allowed is a whole number 4 … 256; correct it.",
        ),
        (
            ["time_reset=0"],
            f"'time_reset=0' is no size of the unit; write one of {', '.join(SIZES)}, as in"
            " tasks=16,semaphores=64.",
        ),
        (
            ["sw"],
            "sw has no hardware unit to synthesize; name a system that has one, such as hwrtos, or"
            " sizes such as tasks=16,semaphores=64.",
        ),
        (
            ["hwrtis"],
            "'hwrtis' is no system; did you mean hwrtos (`melanion systems` lists all).",
        ),
        (
            ["--target", "nand2", "--liberty", "none.lib"],
            "none.lib cannot be read (No such file or directory); correct --liberty.",
        ),
    ],
)
def test_wrong_use(
    words: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        cli.main(["area", *words])
    assert end.value.code == 2
    assert capsys.readouterr().err == f"melanion: {message}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--liberty", "x"], "--liberty belongs to --target nand2; leave it out, or add that."),
        (["--target", "nand2", "--modules"], "--modules belongs to --target ecp5; leave it out."),
        (
            ["--objects", "4", "--queues", "1"],
            "--objects stands for all of --semaphores, --event-flags, --mutexes, --queues; leave"
            " it, or those, out.",
        ),
    ],
)
def test_options_that_do_not_go_together(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["area", *words])
    assert end.value.code == 2
    assert message in capsys.readouterr().err


# ---- tools that are missing ----------------------------------------------------------------------


@pytest.mark.parametrize("package", [PACKAGE, tools.NEXTPNR])
def test_without_tools(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    version = metadata.version

    def absent(name: str) -> str:
        if name == package:
            raise metadata.PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(metadata, "version", absent)
    with pytest.raises(AreaError) as error:
        measure([CORE], seeds=1, command="")
    assert error.value.message == (
        f"the Python package {package}, which `melanion area` needs, is not installed; run"
        " `make setup-dev` in a checkout."
    )


def test_without_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "LIBERTY", tmp_path / "absent.lib")
    with pytest.raises(AreaError) as error:
        liberty()
    assert error.value.message == (
        "the standard-cell library osu018 is not installed; run"
        " `apt-get install qflow-tech-osu018`, or name a library with --liberty."
    )


def test_library_without_nand(tmp_path: Path) -> None:
    file = tmp_path / "other.lib"
    file.write_bytes(LIBRARY.replace(b"NAND2X1", b"ND2"))
    with pytest.raises(AreaError, match="has no cell NAND2X1 with an area"):
        liberty(file)


# ---- what the tools wrote ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ("u_a.u_b.record_mem.0.0", "u_a.u_b"),
        ("gen_core[0].u_command.x_LUT4_Z", "gen_core[0].u_command"),
        ("u_a.gen_x.$abc$1$lut$u_c.y", "u_a"),
        ("trace_o_LUT4_Z$CCU2_COMB0", "(top)"),
    ],
)
def test_instance_of_a_cell(cell: str, name: str) -> None:
    assert instance(cell) == name


def test_critical_path_is_the_longest_from_clock_to_clock() -> None:
    def part(cell: str, delay: float, kind: str = "logic") -> dict[str, object]:
        return {"from": {"cell": cell}, "delay": delay, "type": kind}

    slow = [part("u_a.ff", 0.5, "clk-to-q"), part("u_a.ff", 1.0, "routing"), part("u_b.l", 0.25)]
    found = [
        {"from": "<async>", "to": "posedge clk_i", "path": [part("u_x.l", 99.0)]},
        {"from": "posedge clk_i", "to": "posedge clk_i", "path": [part("u_y.l", 1.0)]},
        {"from": "posedge clk_i", "to": "posedge clk_i", "path": slow},
    ]
    assert critical_path(found) == [("u_a", 1.5, 0), ("u_b", 0.25, 1)]
    assert critical_path(found[:1]) == []


@pytest.mark.parametrize(
    ("clocks", "fmax"),
    [({}, 0.0), ({"clk": {"achieved": 41.5}}, 41.5)],
)
def test_a_design_without_a_register_has_no_clock(
    clocks: dict[str, dict[str, float]], fmax: float, tmp_path: Path
) -> None:
    timing, cells = tmp_path / "timing.json", tmp_path / "cells.json"
    timing.write_text(json.dumps({"fmax": clocks, "utilization": {}, "critical_paths": []}))
    cells.write_text(json.dumps({"modules": {"top": {"cells": {"a": {"type": "TRELLIS_COMB"}}}}}))
    assert summary(timing, cells)["fmax"] == fmax


def test_module_is_measured_and_its_size_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real synthesis and placement; a second one comes from the cache."""
    monkeypatch.setenv("MELANION_CACHE", str(tmp_path))
    narrow, wide = (synthesis.placed(small(priorities), 1, quiet) for priorities in (8, 16))
    assert wide.used["ff"] > narrow.used["ff"] > 0
    assert wide.used["comb"] > narrow.used["comb"] > synthesis.luts(small(8), quiet) // 2
    assert sum(each.get("comb", 0) for each in wide.modules.values()) == wide.used["comb"]
    assert narrow.fmax > 20
    assert sum(step.delay for step in narrow.path) == pytest.approx(1000 / narrow.fmax, rel=0.01)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a tool was started")

    monkeypatch.setattr(synthesis, "run", refuse)
    assert synthesis.placed(small(16), 1, quiet) == wide
    with pytest.raises(AssertionError):
        synthesis.placed(small(16), 2, quiet)


def test_hierarchy_is_kept_for_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MELANION_CACHE", str(tmp_path))
    found = synthesis.placed(replace(small(8), modules=True), 1, quiet)
    assert {"u_first_set"} <= set(found.modules)


def test_gates_and_memory_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MELANION_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "tiny.lib"
    file.write_bytes(LIBRARY)
    found = synthesis.gates(small(16), liberty(file), quiet)
    # Heads and tails of 2 objects' 16 priorities, next and previous of 64 tasks, 6 bits each; of an
    # object a bit for each priority and its top: valid, priority, task.
    assert found.memory_bits == 2 * 16 * 2 * 6 + 64 * 2 * 6 + 2 * (16 + 1 + 4 + 6)
    assert found.ff > 20
    assert found.area > found.ff * 48


def test_broken_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MELANION_CACHE", str(tmp_path))
    whole = design.contents

    def planted(sources: Sources) -> list[tuple[str, bytes]]:
        """The unit's files, with an undefined name in one of them."""
        return [
            (name, content.replace(b"u_first_set (", b"u_first_set (.nothing (1'b0),"))
            for name, content in whole(sources)
        ]

    monkeypatch.setattr(design, "contents", planted)
    with pytest.raises(AreaError) as error:
        synthesis.placed(small(8), 1, quiet)
    words = error.value.message
    start = "yosys refused mel_lists (8 priorities): src/mel_lists.sv:"
    assert words.startswith(start)
    assert "\n" not in words and "whole output:" in words
    assert not list((tmp_path / "tmp").iterdir()) and not (tmp_path / "netlist").exists()


# ---- what is shown -------------------------------------------------------------------------------


def row(tasks: int, semaphores: int, *speeds: float, objects: str | None = None) -> Row:
    unit = designs([f"tasks={tasks},semaphores={semaphores}"], {"objects": objects})[0]
    used = {"comb": 10 * tasks + semaphores, "ff": tasks, "bram": 2, "dsp": 0}
    here = {"u_a": {"comb": tasks, "ff": 1}, "u_b": {"comb": 9 * tasks}}
    steps = (Step("u_a", 6.0, 0), Step("u_b", 4.5, 3))
    return Row(unit, tasks, tuple(Placed(speed, used, here, steps) for speed in speeds))


def result(*rows: Row) -> Result:
    core = Row(CORE, 900, (Placed(38.0, {"comb": 999, "ff": 9, "bram": 0, "dsp": 3}, {}, ()),) * 3)
    made_by = {"command": "x", "melanion": "0", "commit": "c", "tools": {}}
    return Result("ecp5", (*rows, core), made_by)


def test_table_leaves_out_what_is_the_same() -> None:
    found = table(result(row(4, 64, 50.0, 70.0, 60.0), row(16, 64, 49.0, 50.0, 51.0)))
    assert found.heads == ("", "tasks", "LUT4", "cells", "FF", "RAM", "DSP", "MHz", "range")
    assert found.rows[0] == ("unit", "4", "4", "104", "4", "2", "0", "60.0", "50–70")
    assert found.rows[2][:2] == ("Ibex core", "")
    assert found.markdown().splitlines()[1] == "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    words = conditions(result(row(4, 64, 50.0)))
    assert "64 semaphores" in words and "without its trace port" in words
    assert "without coupling and components" in words


def test_objects_that_vary_together_are_one_column() -> None:
    shown = result(*(row(4, 0, 50.0, objects=text) for text in ("0", "64")))
    found = table(shown)
    assert found.heads[:3] == ("", "tasks", "objects")
    assert [line[2] for line in found.rows] == ["0", "64", ""]
    assert "objects: a quarter each of semaphores, event flags, mutexes, queues," in conditions(
        shown
    )
    assert [title for title, _ in charts(shown)] == ["cells over objects", "MHz over objects"]


def test_files_hold_every_figure() -> None:
    shown = result(row(4, 0, 50.0, 70.0, 60.0), row(4, 8, 40.0, 41.0, 42.0))
    lines = csv_text(shown).splitlines()
    assert lines[0].startswith("design,tasks,priorities,semaphores")
    assert lines[1].endswith("4,40,4,2,0,60.0,50.0,70.0")
    assert lines[3].startswith("ibex,,")
    data = json.loads(json_text(shown))
    assert [each["design"] for each in data["designs"]] == ["unit", "unit", "ibex"]
    assert data["designs"][1]["sizes"]["semaphores"] == 8
    assert data["designs"][0]["path"][0] == {"module": "u_a", "delay": 6.0, "levels": 0}


def test_modules_largest_first_and_path_in_order() -> None:
    shown = row(4, 0, 50.0)
    assert modules(shown).rows == (("u_b", "36", "0", "0"), ("u_a", "4", "1", "0"))
    assert path(shown).rows == (("u_a", "6.0", "0"), ("u_b", "4.5", "3"))


def test_page_has_a_curve_for_each_size_that_varies() -> None:
    rows = [row(tasks, objects, 50.0) for tasks in (4, 16, 64) for objects in (0, 64)]
    titles = [title for title, _ in charts(result(*rows))]
    assert titles == [
        "cells over tasks", "MHz over tasks", "cells over semaphores", "MHz over semaphores"
    ]  # fmt: skip
    text = page(result(*rows))
    assert text.count("<svg") == 4 and "<script" not in text
    assert charts(result(row(4, 0, 50.0))) == []


def test_command_line_writes_and_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[list[Design], int]] = []

    def planned(units: list[Design], *, seeds: int, **_: object) -> Result:
        asked.append((units, seeds))
        return result(*(row(d.size("tasks"), 64, 50.0, 51.0) for d in units if d.unit))

    monkeypatch.setattr("melanion.area.measure", planned)
    names = [str(tmp_path / name) for name in ("a.json", "a.csv", "a.html")]
    options = ["--json", names[0], "--csv", names[1], "--page", names[2]]
    with pytest.raises(SystemExit) as end:
        cli.main(["area", "--tasks", "4,256", "--seeds", "2", *options])
    assert end.value.code == 0
    assert [d.top for d in asked[0][0]] == ["mel_unit", "mel_unit", "mel_core_ibex"]
    assert asked[0][1] == 2
    shown = capsys.readouterr().out
    assert all(len(line) <= 80 for line in shown.splitlines()) and "256" in shown
    assert all(Path(name).stat().st_size > 100 for name in names)
    with pytest.raises(SystemExit):
        cli.main(["area", "--event-flags", "0,8", "--timers", "0", "--json", "-"])
    assert [d.size("event_flags") for d in asked[1][0] if d.unit] == [0, 8]
    assert {d.size("timers") for d in asked[1][0] if d.unit} == {0}
    assert json.loads(capsys.readouterr().out)["target"] == "ecp5"
