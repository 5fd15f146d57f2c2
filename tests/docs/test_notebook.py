# SPDX-License-Identifier: Apache-2.0
"""The cells of docs/howto/notebook.md, after the commands of that page: pandas shows the figures
that the command line reports."""

from __future__ import annotations

import runpy
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from melanion import paths
from melanion.cli import group
from tests.docs.test_docs import FENCE, INDENTED, text_of

pytest.importorskip("pandas", reason="pandas: is not installed, run `make setup-dev`")
HOWTO = paths.data_root() / "docs" / "howto"
CELLS = HOWTO / "notebook" / "results.py"


def execute(line: str) -> None:
    """A command of the page; its output goes where the page says."""
    command, _, to = line.partition(" > ")
    words = [word.replace("apps/", f"{paths.data_root()}/apps/") for word in shlex.split(command)]
    assert words[0] == "melanion"
    done = CliRunner().invoke(group, words[1:], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    if to:
        Path(to).write_text(done.stdout, encoding="utf-8")


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the cells leave, once the commands of the page have run, in their order."""
    folder = tmp_path_factory.mktemp("notebook")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("MELANION_RESULTS", str(folder / "results.sqlite"))
        commands = INDENTED.findall(FENCE.sub("", text_of(HOWTO / "notebook.md")))
        assert len(commands) == 6
        for line in commands:
            execute(line)
        return runpy.run_path(str(CELLS))


def test_each_kernel_has_its_worst_latency(cells: dict[str, Any]) -> None:
    rows = cells["rows"].to_dict("records")
    expected = {each["kernel"]: each["max"] for each in rows if each["metric"] == "latency"}
    assert set(expected) == {"sw", "hwrtos"} and expected["hwrtos"] < expected["sw"]
    [found] = cells["table"].to_dict("records")
    assert found == expected
    assert cells["table"].index.to_list() == ["region=interrupt to task"]


def test_parameters_samples_and_decisions_are_columns(cells: dict[str, Any]) -> None:
    found = cells["described"]
    assert set(found["parameters.region"].dropna()) == {"interrupt to task"}
    assert found["seed"].to_list() == [1] * len(found)
    assert {"histogram", "measured", "commit", "p99"} <= set(found.columns)
    samples = cells["samples"]
    worst = samples.groupby("kernel")["value"].max().to_dict()
    assert worst == next(iter(cells["table"].to_dict("records")))
    assert samples.groupby("kernel")["count"].sum().to_dict() == {"sw": 2, "hwrtos": 2}


def test_the_store_has_the_same_figures(cells: dict[str, Any]) -> None:
    stored, rows = cells["stored"], cells["rows"]
    assert stored["set"].unique().tolist() == [1, 2]
    keys = ["kernel", "metric", "median", "max"]
    assert stored[keys].values.tolist() == rows[keys].values.tolist()


def test_two_sets_are_compared_row_by_row(cells: dict[str, Any]) -> None:
    both = cells["both"]
    assert both["kernel before"].unique().tolist() == ["sw"]
    assert both["kernel after"].unique().tolist() == ["hwrtos"]
    changes = dict(zip(both["metric"], both["change"], strict=True))
    worst = next(iter(cells["table"].to_dict("records")))
    assert changes["latency"] == worst["hwrtos"] - worst["sw"]
    assert changes["cycles"] == 0
