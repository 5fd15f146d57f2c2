# SPDX-License-Identifier: Apache-2.0
"""`melanion new`: what it makes, what it refuses, and that the program compiles."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from ruamel.yaml import YAML

from melanion import config
from melanion.build import freertos_application
from melanion.build.app import application
from melanion.cli import group, new
from melanion.run import hints, run_program
from tests.common.fetched import needs_cargo


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def invoke(name: str) -> Result:
    return CliRunner().invoke(group, ["new", name])


@pytest.mark.parametrize(
    ("typed", "path", "shown"),
    [
        (".venv/bin/melanion", None, ".venv/bin/melanion run my_app --kernel hwrtos"),
        (".venv/bin/melanion", "/usr/bin/melanion", "melanion run my_app --kernel hwrtos"),
        ("/x/melanion/__main__.py", None, "melanion run my_app --kernel hwrtos"),
    ],
)
def test_the_next_command_can_be_typed(
    monkeypatch: pytest.MonkeyPatch, typed: str, path: str | None, shown: str
) -> None:
    monkeypatch.setattr("sys.argv", [typed, "new", "my_app"])
    monkeypatch.setattr("shutil.which", lambda name: path)
    assert invoke("my_app").output.splitlines()[-1] == f"next: {shown}"


def test_makes_a_whole_folder(empty_folder: Path) -> None:
    result = invoke("my_app")
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "made my_app/main.c, my_app/app.yaml, my_app/README.md",
        "next: melanion run my_app --kernel hwrtos",
    ]
    assert sorted(path.name for path in empty_folder.iterdir()) == ["my_app"]
    assert sorted(path.name for path in Path("my_app").iterdir()) == [
        "README.md",
        "app.yaml",
        "main.c",
    ]
    assert YAML(typ="safe").load(Path("my_app/app.yaml"))["name"] == "my_app"
    assert "melanion run my_app" in Path("my_app/README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kernel", ["sw", pytest.param("freertos", marks=needs_cargo)])
def test_a_program_for_freertos_runs_as_it_was_made(kernel: str) -> None:
    result = CliRunner().invoke(group, ["new", "my_app", "--freertos"])
    assert result.output.splitlines() == [
        "made my_app/main.c, my_app/FreeRTOSConfig.h, my_app/README.md",
        "next: melanion run my_app --freertos --kernel hwrtos",
    ]
    done = run_program(config.find(kernel), freertos_application("my_app"))
    assert done.console == "".join(f"sample {i}\n" for i in range(1, 6))
    assert (done.code, hints.of(done, failed=False)) == (0, [])


def test_the_build_room_accepts_it() -> None:
    invoke("my_app")
    app = application("my_app")
    assert (app.name, [path.name for path in app.sources]) == ("my_app", ["main.c"])


@pytest.mark.parametrize("name", ["My", "1st", "a-b", "a__b", "../a", "a/b", "", "a b", "a\n", "é"])
def test_bad_name(name: str, empty_folder: Path) -> None:
    result = invoke(name)
    assert isinstance(result.exception, new.NewError)
    assert result.exception.exit_code == 2
    assert result.exception.message == (
        f"{name!r} is no name of an application; allowed are lower-case letters, digits and single"
        " underscores, beginning with a letter, at most 40 characters; choose another, such as"
        " my_app."
    )
    assert list(empty_folder.iterdir()) == []


def test_long_name() -> None:
    assert invoke("a" * 40).exit_code == 0
    assert isinstance(invoke("a" * 41).exception, new.NewError)


def test_existing_folder(empty_folder: Path) -> None:
    (empty_folder / "my_app").mkdir()
    result = invoke("my_app")
    assert isinstance(result.exception, new.NewError)
    assert result.exception.exit_code == 2
    assert result.exception.message == (
        "my_app: there is already something of this name here; choose another name, or remove"
        " it first."
    )


def test_folder_that_cannot_be_written(empty_folder: Path) -> None:
    with pytest.raises(new.NewError) as caught:
        new.make("my_app", empty_folder / "missing" / "my_app")
    assert caught.value.message.endswith(
        "my_app: cannot be made (No such file or directory); make the folder around it writable, or"
        " work in another."
    )
    assert caught.value.exit_code == 1
