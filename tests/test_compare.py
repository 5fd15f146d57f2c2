"""`melanion compare`, `demo`, `trace`: wrong use, and jobs that run side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from melanion import cli
from melanion.run import RunError
from melanion.run.parallel import Progress, run_jobs


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as caught:
        cli.main(list(words))
    assert isinstance(caught.value.code, int)
    return caught.value.code, capsys.readouterr().err.strip()


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["latencies"],
            "'latencies' is no experiment; there are: latency. Name one of them.",
        ),
        (
            ["latency", "--kernels", "sw,hwrtis"],
            "'hwrtis' is no system; there are hwrtos, sw; did you mean hwrtos.",
        ),
        (
            ["latency", "--kernels", "sw,banked"],
            "the kernel banked (the hardware unit with register banks) is planned and does not"
            " work yet; use one of sw, hwrtos.",
        ),
        (
            ["latency", "--kernels", "sw,sw"],
            "--kernels sw,sw names a kernel twice; name each once.",
        ),
        (
            ["latency", "--kernels", ""],
            "--kernels is empty; name systems separated by commas, such as sw,hwrtos.",
        ),
        (
            ["latency", "--kernels", "sw,,hwrtos"],
            "--kernels 'sw,,hwrtos' has an empty name; name systems separated by commas, such as"
            " sw,hwrtos.",
        ),
    ],
)
def test_wrong_names(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str], message: str
) -> None:
    assert refused(capsys, "compare", *words) == (2, f"melanion: {message}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [["compare", "latency"], ["demo"]])
def test_output_that_cannot_be_written_is_found_before_the_runs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert refused(capsys, *words, "--out", str(file)) == (
        1,
        f"melanion: {file}/report.html cannot be written (file exists); name another place with"
        " --out or --json.",
    )
    assert refused(capsys, *words, "--json", str(tmp_path)) == (
        1,
        f"melanion: {tmp_path} cannot be written (it is a folder); name another place with --out or"
        " --json.",
    )


def test_trace_refuses_before_the_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert refused(capsys, "trace", "latency", "--out", str(tmp_path / "file" / "x")) == (
        1,
        f"melanion: {tmp_path}/file/x cannot be written (file exists); name another place with"
        " --out or --json.",
    )
    assert refused(capsys, "trace", "nothing")[0] == 2


def double(value: int, report: object) -> int:
    assert callable(report)
    report(f"doubling {value}")
    if value == 13:
        raise RunError("13 is refused.", 2)
    return 2 * value


def test_jobs_report_and_return() -> None:
    told: list[tuple[str, str]] = []
    progress: Progress = lambda name, text: told.append((name, text))  # noqa: E731
    assert run_jobs(double, {"a": (1,), "b": (2,), "c": (3,)}, progress) == {"a": 2, "b": 4, "c": 6}
    assert sorted(told) == [
        ("a", ""),
        ("a", "doubling 1"),
        ("b", ""),
        ("b", "doubling 2"),
        ("c", ""),
        ("c", "doubling 3"),
    ]


def test_error_of_a_job_keeps_its_sentence_and_exit_code() -> None:
    with pytest.raises(RunError) as caught:
        run_jobs(double, {"a": (1,), "b": (13,)})
    assert (caught.value.message, caught.value.exit_code) == ("13 is refused.", 2)


def die(report: object) -> None:
    raise SystemExit(9)


def test_job_that_dies() -> None:
    with pytest.raises(RunError) as caught:
        run_jobs(die, {"sw": ()})
    assert caught.value.message == (
        "the process for sw ended without a result; free memory and run it again."
    )
