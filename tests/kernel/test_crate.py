# SPDX-License-Identifier: Apache-2.0
"""Libraries that a program compiles out of a crate: what is refused, and with which sentence. A
program with one: tests/system/test_network.py."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from melanion import build
from melanion.build import App, BuildError, crate, tools

APP = """name: mine
crate: {name: lwip, version: 0.4.0, files: list.sha256, include: [src]}
"""
TEXT = b"int one(void) { return 1; }\n"
DIGEST = hashlib.sha256(TEXT).hexdigest()


def refused(make: Callable[[], object]) -> str:
    with pytest.raises(BuildError) as caught:
        make()
    return caught.value.message


def app(folder: Path, listed: str | None, text: str = APP) -> App:
    (folder / "app.yaml").write_text(text)
    (folder / "main.c").write_text("int main(void) { return 0; }\n")
    if listed is not None:
        (folder / "list.sha256").write_text(listed)
    return build.application(folder)


@pytest.fixture(autouse=True)
def empty_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MELANION_CACHE", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def fetched(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for the crate's."""
    folder = tmp_path_factory.mktemp("crate")
    (folder / "src").mkdir()
    (folder / "src" / "one.c").write_bytes(TEXT)
    (folder / "src" / "one.h").write_bytes(TEXT)
    (folder / "src" / "other.c").write_bytes(TEXT)
    monkeypatch.setattr(shutil, "which", lambda name: "cargo")

    def located(cargo: str, project: Path, name: str, version: str) -> Path:
        project.mkdir()
        return folder

    monkeypatch.setattr(crate, "located", located)
    return folder


def test_listed_sources_are_compiled_with_it(tmp_path: Path, fetched: Path) -> None:
    mine = app(tmp_path, f"{DIGEST}  src/one.c\n{DIGEST}  src/one.h\n")
    whole = crate.complete(mine)
    assert [path.name for path in whole.sources] == ["main.c", "one.c"]
    (folder,) = whole.folders
    assert folder != fetched / "src"
    assert sorted(path.name for path in folder.iterdir()) == ["one.c", "one.h"]
    assert mine.folders == ()


def test_a_program_without_a_crate_stays_as_it_is(tmp_path: Path) -> None:
    mine = app(tmp_path, None, "name: mine\n")
    assert crate.complete(mine) is mine


def test_another_content_is_refused(tmp_path: Path, fetched: Path) -> None:
    mine = app(tmp_path, f"{'0' * 64}  src/one.c\n")
    assert refused(lambda: crate.complete(mine)) == (
        f"src/one.c of the crate lwip 0.4.0 has the SHA-256 {DIGEST[:16]}…, and {'0' * 16}… is"
        f" pinned in list.sha256; the crate that cargo has is not the one that was measured: remove"
        f" {fetched} and build again."
    )


def test_a_listed_file_that_is_not_there(tmp_path: Path, fetched: Path) -> None:
    mine = app(tmp_path, f"{DIGEST}  src/none.c\n")
    assert "src/none.c of the crate lwip 0.4.0 has the SHA-256 missing…" in refused(
        lambda: crate.complete(mine)
    )


@pytest.mark.parametrize("line", ["src/one.c", f"{DIGEST} src/one.c", f"{DIGEST}  ../one.c"])
def test_a_wrong_line_of_the_list(tmp_path: Path, line: str) -> None:
    mine = app(tmp_path, f"{line}\n")
    assert refused(lambda: crate.complete(mine)) == (
        f"{tmp_path / 'list.sha256'}:1: {line!r} is no SHA-256, two spaces and a file of the crate;"
        " write what sha256sum says in the crate's folder."
    )


def test_no_list(tmp_path: Path) -> None:
    assert refused(lambda: app(tmp_path, None)) == (
        f"{tmp_path}/app.yaml:2: crate.files is 'list.sha256'; {tmp_path} holds no such file; write"
        " what sha256sum says of the crate's files."
    )


def test_a_name_that_no_crate_has(tmp_path: Path) -> None:
    text = APP.replace("lwip", "../lwip")
    assert "crate.name is '../lwip'" in refused(lambda: app(tmp_path, "", text))


def test_without_cargo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = app(tmp_path, f"{DIGEST}  src/one.c\n")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert refused(lambda: crate.complete(mine)) == (
        "cargo was not found on PATH; it fetches the crate lwip 0.4.0; install Rust (`melanion"
        " doctor` looks for it)."
    )


def test_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = app(tmp_path, f"{DIGEST}  src/one.c\n")
    output = "error: failed to get `lwip` as a dependency\n\nCaused by:\n  offline"
    monkeypatch.setattr(shutil, "which", lambda name: "cargo")
    monkeypatch.setattr(tools, "run", lambda words, **_: tools.Finished(101, output))
    assert refused(lambda: crate.complete(mine)) == (
        "cargo could not fetch the crate lwip 0.4.0: error: failed to get `lwip` as a dependency;"
        " connect to the network once."
    )
