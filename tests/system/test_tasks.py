# SPDX-License-Identifier: Apache-2.0
"""The table of tasks: what each does at a cycle, by the golden model, from the events of a run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from mel_gen import KERNELS, Command, Context, Status, TraceKind

from melanion import build, config, paths
from melanion.cli import group
from melanion.model import Limits, Table, table
from melanion.run import RunError, run_program, saved, tasks
from melanion.trace import EVENT

IDLE = Limits().tasks
FOREVER = 0xFFFF_FFFF
WAITS = 2
NAMES = {0: "zero", 1: "one", 2: "two", 3: "three"}
Event = tuple[int, int, int, int, int, int, int]


class Session:
    """Events of a made run, ten cycles apart."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.running = IDLE

    @property
    def cycle(self) -> int:
        return 10 * (len(self.events) + 1)

    def call(self, op: Command, number: int, argument: int = 0, status: int = 0) -> None:
        context = Context.IDLE if self.running == IDLE else Context.TASK
        word = status & 0xFFFF_FFFF
        self.events.append(
            (self.cycle, TraceKind.COMMAND, 0, op | context << 8, number, argument, word)
        )

    def operand(self, word: int) -> None:
        self.events.append((self.cycle, TraceKind.OPERAND, 0, 0, 0, word, 0))

    def run(self, task: int) -> None:
        self.events.append((self.cycle, TraceKind.DISPATCH, 0, task, self.running, 0, 0))
        self.running = task

    def task(self, number: int, priority: int) -> None:
        self.call(Command.TASK_CREATE, number, priority)
        self.call(Command.TASK_START, number)

    def table(self) -> Table:
        return table(self.events, Limits(), KERNELS["hwrtos"], names=NAMES)


def waits(session: Session) -> list[str]:
    found = session.table()
    assert found.diverged == ""
    return [row.doing for row in found.rows]


def test_every_wait_is_said_in_words() -> None:
    """Task 0 waits in one way after the other; what it waits for is given back by task 3."""
    session = Session()
    session.call(Command.SEMAPHORE_CREATE, 7, 0 | 1 << 16)
    session.call(Command.EVENT_FLAGS_CREATE, 5)
    session.call(Command.QUEUE_CREATE, 4, 1)
    session.call(Command.MUTEX_CREATE, 6, 0)
    session.task(3, 9)
    session.call(Command.DISPATCH_ENABLE, 0)
    session.run(3)
    assert waits(session) == ["running on core 0"]
    session.call(Command.MUTEX_LOCK, 6, FOREVER)
    session.call(Command.TASK_CREATE, 0, 2)
    assert waits(session) == ["dormant", "running on core 0"]
    session.call(Command.TASK_START, 0)
    assert waits(session) == ["ready", "running on core 0"]
    session.run(0)
    for op, number, argument, text, end in (
        (Command.SEMAPHORE_TAKE, 7, FOREVER, "semaphore 7", (Command.SEMAPHORE_GIVE, 7, 0)),
        (Command.TASK_SLEEP, 0, FOREVER, "a wake-up", (Command.TASK_WAKEUP, 0, 0)),
        (Command.TASK_DELAY, 0, 3, "the end of its delay until tick 3", None),
        (Command.QUEUE_RECEIVE, 4, 9, "a message in queue 4 until tick 9", None),
        (Command.MUTEX_LOCK, 6, FOREVER, "mutex 6 of task 3 (three)", None),
        (Command.NOTIFICATION_TAKE, 0, 5, "a notification until tick 5", None),
    ):
        session.call(op, number, argument, WAITS)
        assert waits(session) == [f"waiting for {text}", "ready"]
        since = session.events[-1][0]
        assert session.table().rows[0].since == since
        session.run(3)
        assert waits(session) == [f"waiting for {text}", "running on core 0"]
        assert session.table().rows[0].since == since
        inherited = session.table().rows[1]
        expected = (2, 9) if op == Command.MUTEX_LOCK else (9, 9)
        assert (inherited.priority, inherited.base_priority) == expected
        session.call(*(end or (Command.TASK_RELEASE, 0, 0)))
        session.run(0)


def test_flags_and_full_queues() -> None:
    session = Session()
    session.call(Command.EVENT_FLAGS_CREATE, 5)
    session.call(Command.QUEUE_CREATE, 4, 1)
    session.task(1, 4)
    session.call(Command.DISPATCH_ENABLE, 0)
    session.run(1)
    session.operand(FOREVER)
    session.call(Command.EVENT_FLAGS_WAIT_ALL, 5, 0x30, WAITS)
    assert waits(session) == ["waiting for all of 0x30 in event flags 5"]

    session = Session()
    session.call(Command.QUEUE_CREATE, 4, 1)
    session.task(1, 4)
    session.call(Command.DISPATCH_ENABLE, 0)
    session.run(1)
    session.operand(FOREVER)
    session.call(Command.QUEUE_SEND, 4, 1)
    session.operand(2)
    session.call(Command.QUEUE_SEND, 4, 1, WAITS)
    assert waits(session) == ["waiting for room in queue 4 until tick 2"]


def test_a_run_that_the_model_does_not_follow_is_told() -> None:
    session = Session()
    session.task(1, 4)
    session.call(Command.TASK_START, 1, 0, Status.E_OK)  # it runs already
    found = session.table()
    assert found.diverged.startswith("event 2 at cycle 30: the run differs from the model.")
    assert [row.state for row in found.rows] == ["ready"]
    assert "\nFrom here on the model does not follow: event 2 at cycle 30" in tasks.text(found)


def test_the_text_has_80_columns() -> None:
    row = Session()
    row.task(1, 4)
    found = row.table().rows[0]
    wide = type(found)(
        number=255,
        name="a name that is longer than its column",
        state="waiting, suspended",
        core=None,
        waits="mutex 127 of task 254 (a name that is longer than its column)",
        until=123456789,
        priority=254,
        base_priority=255,
        since=123456789,
    )
    lines = tasks.text(Table((wide,), 0, (None,))).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1:3] == [
        " 255 a name that  wait+susp 254<255  123456789 mutex 127 of task 254 (a name",
        "                                               that is longer than its column)",
    ]


def test_a_saved_run_answers_for_every_cycle(tmp_path: Path) -> None:
    """As the command line says it, and as the events say it."""
    app = str(Path(__file__).parent / "debugged")
    folder = tmp_path / "kept"
    call = CliRunner().invoke
    made = call(group, ["run", app, "--kernel", "hwrtos", "--save", str(folder)])
    assert made.exit_code == 0, made.output
    usual = run_program(config.find("hwrtos"), build.application(app))
    kept = saved.load(folder)
    assert np.array_equal(kept.events, usual.events)
    assert kept.system == usual.system

    locks = usual.events[usual.events["kind"] == TraceKind.COMMAND]
    locks = locks[(locks["a"] & 0xFF == Command.MUTEX_LOCK) & (locks["d"] == WAITS)]
    (waited,) = locks["cycle"].tolist()
    before = call(group, ["tasks", str(folder), "--cycle", str(waited - 1)]).output
    after = call(group, ["tasks", str(folder), "--cycle", str(waited)]).output
    assert before.splitlines()[:2] == [
        f"debugged on hwrtos, cycle {waited - 1}, tick 0",
        "task name         state     priority     since waits for",
    ]
    assert "   2 waiter       running   5 " in before
    assert "   1 owner        ready     7 " in before
    assert f"   2 waiter       waiting   5        {waited:9d} mutex 0 of task 1 (owner) " in after
    assert "   1 owner        ready     5<7 " in after


def test_wrong_folders_and_cycles_are_told(tmp_path: Path) -> None:
    with pytest.raises(RunError) as error:
        saved.load(tmp_path / "nothing")
    assert error.value.message == (
        f"{tmp_path}/nothing: this is no saved run (run.json: No such file or directory); make one"
        f" with `melanion run APP --save {tmp_path}/nothing`."
    )
    (tmp_path / "run.json").write_text("[]", encoding="utf-8")
    with pytest.raises(RunError, match=r"run\.json: this file is damaged, or of another Melanion"):
        saved.load(tmp_path)
    events = np.array([(5, TraceKind.EXIT, 0, 0, 0, 0, 0)], dtype=EVENT)
    run = saved.Saved("app", config.find("hwrtos"), {}, events)
    with pytest.raises(RunError) as error:
        saved.until(run, 6)
    assert error.value.message == "cycle 6: app ended in cycle 5; name one of 0 … 5."
    assert len(saved.until(run, 4)) == 0
    result = run_program(config.find("hwrtos"), build.application("hello"))
    with pytest.raises(RunError, match=r"the run cannot be saved here \(Not a directory\)"):
        saved.save(result, tmp_path / "run.json" / "x")


WAVES = pytest.mark.soak  # they build a simulation of their own; test_signals runs one of sw


@pytest.mark.parametrize(
    ("page", "waves"),
    [("debug.md", False), ("timeline.md", False), pytest.param("timeline.md", True, marks=WAVES)],
)
def test_the_commands_of_the_pages_run(
    page: str, waves: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (paths.data_root() / "docs" / "howto" / page).read_text(encoding="utf-8")
    lines = re.findall(r"^    melanion (.+)$", text, re.M)
    monkeypatch.chdir(tmp_path)
    ran = [line for line in lines if not line.startswith("debug ") and ("--wave" in line) == waves]
    assert ran
    for line in ran:
        done = CliRunner().invoke(group, shlex.split(line))
        assert done.exit_code == 0, done.output


def test_a_kernel_without_a_model_has_its_switches() -> None:
    """Stacks name the running tasks; states and priorities are not known."""
    system = config.find("freertos")
    idle = system.parameters.tasks
    records = [(10, TraceKind.DISPATCH, 0, 1, idle, 0, 0), (30, TraceKind.DISPATCH, 0, 0, 1, 0, 0)]
    found = tasks.tasks(system, np.array(records, dtype=EVENT), {0: "zero", 1: "one"})
    assert tasks.text(found).splitlines()[1:] == [
        "   0 zero         running   ?               30",
        "   1 one          off core  ?               30",
    ]
