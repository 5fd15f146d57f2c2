# SPDX-License-Identifier: Apache-2.0
"""tests/common/kept.py: what is kept, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from melanion import paths
from tests.common import kept


@pytest.fixture(autouse=True)
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MELANION_CACHE", str(tmp_path / "cache"))


def test_a_check_runs_once_for_the_same_contents() -> None:
    calls: list[str] = []

    def check() -> str:
        calls.append("run")
        return f"answer {len(calls)}"

    contents = [("input", b"1")]
    assert kept.verdict("a check", contents, check) == "answer 1"
    assert kept.verdict("a check", contents, check) == "answer 1"
    assert kept.verdict("a check", [("input", b"2")], check) == "answer 2"
    assert kept.verdict("another check", contents, check) == "answer 3"


def test_a_check_that_fails_leaves_no_verdict() -> None:
    def fail() -> str:
        raise AssertionError("wrong")

    with pytest.raises(AssertionError, match="wrong"):
        kept.verdict("a check", [], fail)
    assert kept.verdict("a check", [], lambda: "right") == "right"


def test_a_checkout_is_what_git_may_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "data_root", lambda: tmp_path)
    for name in ("build", "docs"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a").write_text("1", encoding="utf-8")
    kept._digest.cache_clear()
    first = kept.checkout()
    assert [name for name, _ in first] == ["docs", "tools"]
    (tmp_path / "build" / "a").write_text("2", encoding="utf-8")
    kept._digest.cache_clear()
    assert kept.checkout() == first
    (tmp_path / "docs" / "a").write_text("2", encoding="utf-8")
    kept._digest.cache_clear()
    assert kept.checkout() != first
    kept._digest.cache_clear()


def test_a_digest_covers_names_and_contents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "data_root", lambda: tmp_path)

    def digest() -> object:
        kept._digest.cache_clear()
        return kept.folders("room")

    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "a").write_text("1", encoding="utf-8")
    first = digest()
    (tmp_path / "room" / "a").write_text("2", encoding="utf-8")
    second = digest()
    (tmp_path / "room" / "a").rename(tmp_path / "room" / "b")
    assert len({str(first), str(second), str(digest())}) == 3
    kept._digest.cache_clear()


def test_documents_decide_no_run() -> None:
    names = {name for name, _ in kept.lab()}
    assert {"melanion/run", "melanion/model", "melanion/errors.py"} <= names
    assert not names & {"melanion/docs", "melanion/__pycache__"}
