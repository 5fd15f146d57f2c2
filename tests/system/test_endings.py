# SPDX-License-Identifier: Apache-2.0
"""Output of a run that does not end well: console, tasks, outlook, refusals, and the files that
were asked for. The control of each is a program that ends well, and shows none of it."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from melanion import build, config
from melanion.build import Report
from melanion.errors import MelanionError
from melanion.run import RunError, RunResult, Settings, evidence, run_program, saved
from melanion.run.evidence import shown
from melanion.run.progress import Progress
from tests.common import limited
from tests.common.bare import run as run_bare
from tests.common.fetched import needs_cargo
from tests.system.test_run import LIE

APP = Path(__file__).parent / "endings"
HEAD = "task name         state     priority     since waits for"


def melanion(*words: str, **settings: object) -> subprocess.CompletedProcess[str]:
    done: subprocess.CompletedProcess[str] = subprocess.run(
        [sys.executable, "-m", "melanion", *words],
        capture_output=True,
        text=True,
        check=False,
        **settings,  # type: ignore[call-overload]
    )
    return done


def end(ending: str, kernel: str = "hwrtos", *more: str) -> subprocess.CompletedProcess[str]:
    define = f"ENDING={ending}"
    return melanion("run", str(APP), "--kernel", kernel, "--define", define, *more)


def table(text: str) -> list[str]:
    """The lines of the table: number, name, state, priority, cycle, what it waits for."""
    lines = text.splitlines()
    first = lines.index(HEAD) + 1
    rows = [line for line in lines[first:] if re.match(r" {3}\d ", line)]
    return [re.sub(r"(priority|\d{3,})", "N", " ".join(line.split())) for line in rows]


def flat(text: str) -> str:
    return " ".join(text.split())


KERNELS = ["hwrtos", "sw"]


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_cycle_limit(kernel: str) -> None:
    done = end("LIMIT", kernel)
    assert done.returncode == 1
    assert done.stdout == "left begins\n"
    assert done.stderr.startswith(f"endings on {kernel}, at its end in cycle 400000, tick 1")
    left, right = table(done.stderr)
    assert left == "0 left running 5 N"
    assert re.fullmatch(r"1 right waiting 4 N the end of its delay until tick", right)
    assert "can happen" not in done.stderr
    last = done.stderr.splitlines()[-1]
    assert re.fullmatch(
        r"melanion: endings: the program did not exit within 400000 cycles \(it was at left"
        r" \(endings\.c:\d+\)\); let it end by returning from main, or allow more with"
        r" --max-cycles\.",
        last,
    )


@needs_cargo
def test_the_cycle_limit_on_freertos() -> None:
    """That kernel tells who runs, not why others do not."""
    done = melanion("run", "pingpong", "--kernel", "freertos", "--max-cycles", "20000")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("pingpong on freertos, at its end in cycle 20000, tick 0")
    lines = done.stderr.splitlines()
    assert lines[1] == HEAD
    tasks = [line.split()[:3] for line in lines[2:4]]
    assert [task[:2] for task in tasks] == [["0", "ping"], ["1", "pong"]]
    assert sorted(state for _, _, state in tasks) == ["off", "running"]
    assert "the program did not exit within 20000 cycles" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_deadlock(kernel: str) -> None:
    done = end("DEADLOCK", kernel)
    assert (done.returncode, done.stdout) == (1, "left begins\n")
    assert table(done.stderr) == [
        "0 left waiting 5 N semaphore 1",
        "1 right waiting 4 N semaphore 0",
    ]
    said = re.search(
        r"Nothing can happen any more since cycle (\d+): every task waits", done.stderr
    )
    assert said is not None
    cycles = [int(line.split()[4]) for line in done.stderr.splitlines() if "semaphore" in line]
    assert max(cycles) <= int(said[1]) < max(cycles) + 500
    assert (
        "the program did not exit within 400000 cycles (it slept: no task was ready); let a task"
        " end it with mel_exit(), or allow more with --max-cycles."
    ) in done.stderr


def test_pulses_to_come_are_no_deadlock() -> None:
    done = end("PULSES")
    assert "Pulses of the interrupt generator to come: 2." in done.stderr
    assert "can happen" not in done.stderr


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_last_task_ends(kernel: str) -> None:
    done = end("LAST", kernel)
    assert (done.returncode, done.stdout) == (1, "left begins\n")
    assert table(done.stderr) == ["0 left dormant 5 N", "1 right dormant 4 N"]
    assert re.search(
        r"^No task is left since cycle \d+: each has ended or was never started\.$",
        done.stderr,
        re.MULTILINE,
    )


def test_an_exit_code() -> None:
    done = end("CODE", "hwrtos", "--console")
    assert (done.returncode, done.stdout) == (1, "left begins\n")
    assert table(done.stderr) == ["0 left running 5 N", "1 right dormant 4 N"]
    assert "the program ended with exit code 3 in cycle" in done.stderr.splitlines()[-1]


def test_a_stack_overflow() -> None:
    done = end("DEEP")
    assert (done.returncode, done.stdout) == (1, "left begins\n")
    assert table(done.stderr)[0] == "0 left running 5 N"
    assert "the stack of task 0 (left_stack, 512 bytes" in done.stderr.splitlines()[-1]


def test_refused_calls_and_accesses() -> None:
    """One call from where no task is, and a store to a register that is only read."""
    done = end("REFUSED")
    assert re.search(
        r"^Refused calls: 1 × E_CTX; the last in cycle \d+: semaphore_take of id 0\.\n"
        r"Accesses of the unit that are no command, and did nothing: 1\.$",
        done.stderr,
        re.MULTILINE,
    )
    assert "Refused" not in end("LAST").stderr
    assert "Refused calls: 1 × E_CTX" in end("REFUSED", "sw").stderr


NUMBER = """#include <melanion/melanion.h>
int main(void)
{
    return -mel_sem_create(64, 0, 1);
}
"""


def test_a_number_out_of_range_is_told_with_the_range(tmp_path: Path) -> None:
    (tmp_path / "app.yaml").write_text("name: number\n")
    (tmp_path / "main.c").write_text(NUMBER)
    left: list[RunResult] = []
    with pytest.raises(RunError):
        run_program(config.find("hwrtos"), build.application(tmp_path), failed=left.append)
    (found,) = evidence.refusals(left[0])
    assert re.fullmatch(
        r"Refused calls: 1 × E_ID; the last in cycle \d+: semaphore_create of id 64, and hwrtos has"
        r" the ids 0 to 63\.",
        found,
    )


def test_a_rejected_run(tmp_path: Path) -> None:
    """A program that says, through tracepoints, what no kernel does."""
    left: list[RunResult] = []
    with pytest.raises(MelanionError) as raised:
        run_bare(tmp_path / "app", LIE, failed=left.append)
    (result,) = left
    assert result.failure == raised.value.message
    assert result.as_json()["judged_by"] == "nobody"
    assert "From here on the model does not follow" in flat(" ".join(evidence.lines(result)))


def test_a_run_that_ends_well_shows_nothing_of_it(tmp_path: Path) -> None:
    left: list[RunResult] = []
    run_program(config.find("hwrtos"), build.application("hello"), failed=left.append)
    assert left == []
    done = melanion("run", "hello", "--kernel", "hwrtos", "--save", str(tmp_path / "run"))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_failed_run_is_saved(tmp_path: Path) -> None:
    done = end("DEADLOCK", "hwrtos", "--save", str(tmp_path / "run"))
    assert f"its events: `melanion tasks {tmp_path / 'run'} --cycle N`" in done.stderr
    assert saved.load(tmp_path / "run").cycles == 400000
    shown = melanion("tasks", str(tmp_path / "run"))
    assert shown.returncode == 0
    assert table(shown.stdout) == table(done.stderr)


def test_a_failed_run_that_cannot_be_saved_still_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    place = tmp_path / "file" / "run"
    done = end("CODE", "hwrtos", "--save", str(place))
    first, last = done.stderr.splitlines()[-2:]
    assert first == (
        f"melanion: {place}: the run cannot be saved here (Not a directory); name another folder."
    )
    assert "exit code 3" in last


def test_the_document_of_a_failed_run() -> None:
    done = end("CODE", "hwrtos", "--json")
    assert done.returncode == 1
    assert '"code": 3' in done.stdout
    assert '"judged_by": "nobody"' in done.stdout
    assert '"failure": "endings: the program ended with exit code 3' in done.stdout


def test_the_timeline_of_a_failed_run(tmp_path: Path) -> None:
    file = tmp_path / "timeline"
    done = melanion("trace", str(APP), "--kernel", "hwrtos", "--out", str(file))
    assert done.returncode == 1
    assert file.stat().st_size > 1000
    assert table(done.stderr)[0] == "0 left running 5 N"


def test_an_error_that_is_shown_alone_begins_with_the_evidence() -> None:
    """As `compare`, whose runs are in other processes."""
    with pytest.raises(RunError) as raised, shown() as failed:
        run_program(config.find("hwrtos"), build.application(str(APP)), failed=failed)
    lines = raised.value.message.splitlines()
    assert lines[0] == "left begins"
    assert lines[1].startswith("endings on hwrtos, at its end in cycle 400000")
    assert lines[2] == HEAD
    assert lines[-1].startswith("endings: the program did not exit within")
    with pytest.raises(RunError, match=r"^no run$"), shown():
        raise RunError("no run")


# ---- a long run ----------------------------------------------------------------------------------


def test_progress_says_cycles_speed_and_what_is_left() -> None:
    said: list[str] = []
    times = iter([10.0, 12.0, 14.0])
    progress = Progress("app", 100_000_000, said.append, lambda: next(times))
    assert progress.heard("progress: 3000000 cycles\n")
    assert progress.heard("progress: 20000000 cycles\n")
    assert not progress.heard("speed: 1 cycles\n")
    assert said == [
        "running app: 3.0 M of at most 100.0 M cycles, 1.5 M per second, 65 s left",
        "running app: 20.0 M of at most 100.0 M cycles, 5.0 M per second, 16 s left",
    ]


def test_a_long_run_tells_its_progress() -> None:
    """Whoever hears of it may stop the run: its process is gone then."""
    said: list[str] = []

    def hear(text: str) -> None:
        said.append(text)
        if " of at most " in text:
            raise InterruptedError

    system, app = config.find("hwrtos"), build.application(str(APP))
    before = _children(os.getpid())
    with pytest.raises(InterruptedError):
        run_program(system, app, Settings(max_cycles=2**40), report=hear)
    assert re.fullmatch(
        r"running endings: [\d.]+ M of at most 1099511\.6 M cycles, [\d.]+ M per second,"
        r" \d+ s left",
        said[-1],
    )
    assert _children(os.getpid()) <= before


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    """Build hardware and program beforehand, so that the commands here start them at once."""
    build.hardware(config.find("hwrtos"))
    build.program(config.find("hwrtos"), build.application(str(APP)))


@contextmanager
def long_run() -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A command whose simulation runs for minutes, and the simulation's process."""
    words = ["run", str(APP), "--kernel", "hwrtos", "--max-cycles", str(2**40)]
    process = subprocess.Popen([sys.executable, "-m", "melanion", *words], stderr=subprocess.PIPE)
    try:
        yield process, _child(process.pid)
    finally:
        process.kill()
        process.communicate()


def _children(pid: int) -> set[str]:
    return set(Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


def _words(pid: str) -> bytes:
    """The command line of a process; empty when it has ended since it was listed."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _child(pid: int, word: str = "/sim") -> int:
    """The process with this word in its command line that a process has started."""
    for _ in range(20 * limited.HUNG):
        for child in _children(pid):
            if word.encode() in _words(child):
                return int(child)
        time.sleep(0.05)
    raise AssertionError(f"{word} never began")


def _gone(pid: int) -> bool:
    for _ in range(20 * limited.HUNG):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="Linux ends a process with its parent")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_the_simulation_ends_with_a_killed_parent(how: signal.Signals) -> None:
    with long_run() as (process, child):
        assert not Path(f"/proc/{child}/stat").read_text().endswith("Z")
        os.kill(process.pid, how)
        assert _gone(child)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux ends a process with its parent")
def test_a_job_and_its_simulation_end_with_a_killed_parent() -> None:
    """As in `compare`: a simulation, in a process that the command has started."""
    text = (
        "from melanion.run.parallel import run_jobs\n"
        "from tests.system.test_endings import run_for_ever\n"
        "if __name__ == '__main__': run_jobs(run_for_ever, {'one': ()})\n"
    )
    command = subprocess.Popen([sys.executable, "-c", text])
    try:
        job = _child(command.pid, "spawn_main")
        simulation = _child(job)
    finally:
        command.kill()
        command.wait()
    assert _gone(job)
    assert _gone(simulation)


def run_for_ever(report: Report) -> None:
    """A job."""
    run_program(
        config.find("hwrtos"),
        build.application(str(APP)),
        Settings(max_cycles=2**40),
        report=report,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="Linux ends a process with its parent")
def test_a_simulation_whose_parent_has_ended_does_not_begin() -> None:
    system = config.find("hwrtos")
    words: list[str | Path] = [
        build.hardware(system).simulator,
        "--image",
        "/dev/null",
        "--parent",
        "1",
    ]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "the process that started it has ended" in done.stderr


# ---- a full disk ---------------------------------------------------------------------------------


def _small_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 13, 1 << 13))


def test_a_full_disk() -> None:
    """No file may have more than 8 KiB: the trace is longer. The store is not in the way."""
    define = ["--define", "ENDING=LIMIT", "--max-cycles", "2500000"]
    done = melanion("run", str(APP), "--kernel", "hwrtos", *define, preexec_fn=_small_files)
    assert done.returncode == 1
    assert done.stderr == (
        "melanion: the simulation failed: the trace or console file could not be written (is the"
        " disk full?); free space and run it again; the program printed last: left begins\n"
    )
