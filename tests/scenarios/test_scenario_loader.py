# SPDX-License-Identifier: Apache-2.0
"""The scenario language: what a good file becomes, and the sentence for every kind of error."""

from __future__ import annotations

from pathlib import Path

import pytest

from melanion.scenario import Entry, ScenarioError, encoder, execute, load
from melanion.scenario.executor import differences
from melanion.scenario.result import read_result, result_text

GOOD = """\
text: a test
given:
  time_reset: 5
  semaphores:
    s: {initial: 1, maximum: 2}
    later: {state: absent}
  tasks:
    worker:
      priority: 3
      count: 2
      steps:
        - {call: semaphore_take, semaphore: s, timeout: forever}
    last:
      priority: 9
      state: dormant
      steps: []
  interrupts:
    line:
      action: semaphore_give
      object: s
      handler:
        - {call: task_start, task: last}
  main:
    - {call: task_rotate, priority: 3}
expect:
  - main task_rotate E_OK
  - worker_0 semaphore_take E_OK
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "case.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_file(tmp_path: Path) -> None:
    scenario = load(written(tmp_path, GOOD))
    assert scenario.tasks == {"worker_0": 0, "worker_1": 1, "last": 2}
    assert scenario.priorities == {"worker_0": 3, "worker_1": 4, "last": 9}
    assert scenario.interrupts == {"line": 0}
    assert scenario.limits.time_reset == 5
    calls = [(call.name, call.number, call.argument, call.logged) for call in scenario.main]
    assert calls == [
        ("semaphore_create", 0, 2 << 16 | 1, False),
        ("task_create", 0, 3, False),
        ("task_create", 1, 4, False),
        ("task_create", 2, 9, False),
        ("irq_map", 0, 1 | 1 << 4, False),
        ("irq_enable", 0, 0, False),
        ("task_start", 0, 0, False),
        ("task_start", 1, 0, False),
        ("task_rotate", 0, 3, True),
    ]
    assert scenario.steps["worker_1"][0].argument == 0xFFFF_FFFF
    assert scenario.expect[1] == Entry("worker_0", "semaphore_take", "E_OK")
    assert not list(differences(scenario, execute(scenario).log, "the model"))


def test_the_table_for_the_interpreter(tmp_path: Path) -> None:
    scenario = load(written(tmp_path, GOOD))
    table = encoder.encode(scenario, ticks=4, first_tick=1000)
    words = [int.from_bytes(table[i : i + 4], "little") for i in range(0, len(table), 4)]
    assert words[:6] == [0x3243534D, len(words), 1000 + 7 * 20_000, 31, 4000, 5]
    kind, number, first, count = words[6 + 4 : 6 + 8]  # the second program: worker_0
    assert (kind, number, count) == (1, 0, 1)
    assert words[first : first + 5] == [19, 0, 0xFFFF_FFFF, 0, 1]


def test_the_log_of_the_interpreter(tmp_path: Path) -> None:
    scenario = load(written(tmp_path, GOOD))
    marks = [(1, 9 << 16 | 0), (1, 1 << 24 | (-50 & 0xFFFF)), (1, 4 << 24)]
    assert [str(entry) for entry in encoder.decode(scenario, marks)] == [
        "main task_rotate E_OK",
        "worker_0 semaphore_take E_TMOUT",
        "line task_start E_OK",
    ]


OBJECTS = """\
text: a test
given:
  event_flags:
    f: {initial: 1}
  queues:
    q: {capacity: 3}
  mutexes:
    m: {ceiling: 2}
    n: {}
  tasks:
    t:
      priority: 4
      steps:
        - {call: event_flags_take_all, event_flags: f, pattern: 1, timeout: 5}
        - {call: queue_post, queue: q, message: 0x12345, priority: 3}
        - {call: queue_receive, queue: q, timeout: poll}
        - {call: mutex_lock, mutex: m, timeout: forever}
        - {call: mutex_state, mutex: m}
        - {call: mutex_state, mutex: n}
        - {call: timer_start, timer: alarm, ticks: 2, period: once}
        - {call: irq_raise, interrupt: alarm}
  timers:
    alarm: {action: queue_post, object: q, word: 9}
expect:
  - t event_flags_take_all E_OK 0x1
  - t queue_post E_OK
  - t queue_receive E_OK 74565
  - t mutex_lock E_OK
  - t mutex_state t 1
  - t mutex_state nobody
  - t timer_start E_OK
  - t irq_raise E_OK
"""


def test_objects_operands_and_values(tmp_path: Path) -> None:
    scenario = load(written(tmp_path, OBJECTS))
    assert scenario.interrupts == {"alarm": 32}
    calls = [(c.name, c.number, c.argument, c.operand) for c in scenario.main if not c.logged]
    assert calls == [
        ("event_flags_create", 0, 1, 0),
        ("queue_create", 0, 3, 0),
        ("mutex_create", 0, 1 << 8 | 2, 0),
        ("mutex_create", 1, 0, 0),
        ("task_create", 0, 4, 0),
        ("irq_map", 32, 5, 9),
        ("irq_enable", 32, 0, 0),
        ("task_start", 0, 0, 0),
    ]
    steps = [(c.number, c.argument, c.operand) for c in scenario.steps["t"]]
    assert steps[:2] == [(0, 1, 5), (0, 0x12345, 3)]
    assert steps[-2:] == [(0, 2, 0), (32, 0, 0)]
    assert not list(differences(scenario, execute(scenario).log, "the model"))


def test_the_log_of_calls_that_bring_a_word(tmp_path: Path) -> None:
    scenario = load(written(tmp_path, OBJECTS))
    place = 1 << 24 | 2 << 16
    other = 1 << 24 | 1 << 16  # between the two halves of a word
    marks = [(3, place | 1), (1, other), (2, place | 0x2345), (1, place | (-50 & 0xFFFF))]
    assert [str(entry) for entry in encoder.decode(scenario, marks)] == [
        "t queue_post E_OK",
        "t queue_receive E_OK 74565",
        "t queue_receive E_TMOUT",
    ]


def test_results_of_tasks() -> None:
    assert read_result("task_state", ["ready", "notified"], []) == "ready notified"
    for words in (["notified"], ["ready", "ready"], ["ready", "notified", "notified"]):
        assert read_result("task_state", words, []) is None


def test_results_of_mutexes() -> None:
    tasks = {"a": 0, "b": 1}
    found = {1 | 2 << 9: "b 2", 64: "nobody", 64 | 1 << 17: "nobody abandoned"}
    for word, text in found.items():
        assert result_text("mutex_state", 0, word, tasks) == text
        assert read_result("mutex_state", text.split(), tasks) == text
    wrong = ("b", "c 1", "b x", "nobody 1", "b 1 left", "abandoned", "E_OK")
    for text in wrong:
        assert read_result("mutex_state", text.split(), tasks) is None


OBJECT_ERRORS = {
    "bad word of a line": (
        "word: 9",
        "word: -1",
        "case.yaml:23: given.timers.alarm.word is -1; allowed is a whole number 0 … 4294967295;"
        " correct the value.",
    ),
    "missing operand": (
        ", pattern: 1, timeout: 5}",
        ", pattern: 1}",
        "case.yaml:14: given.tasks.t.steps[0] has no timeout, which event_flags_take_all needs;"
        " add it.",
    ),
    "bad operand": (
        "period: once",
        "period: twice",
        "case.yaml:20: given.tasks.t.steps[6].period is 'twice'; allowed is once, a whole number"
        " 0 … 4294967295; correct the value.",
    ),
    "a wire of a timer": (
        "{call: irq_raise, interrupt: alarm}",
        "{call: edge, interrupt: alarm}",
        "case.yaml:21: given.tasks.t.steps[7].interrupt is 'alarm'; allowed is no interrupt is"
        " given, or a number; correct the name.",
    ),
    "a value is missing": (
        "queue_receive E_OK 74565",
        "queue_receive E_OK",
        "case.yaml:27: expect[2] ends with 'E_OK'; allowed is E_OK and the value, E_SYS, ",
    ),
    "a value too much": (
        "t queue_post E_OK",
        "t queue_post E_OK 5",
        "case.yaml:26: expect[1] ends with 'E_OK 5'; allowed is E_OK, E_SYS, ",
    ),
    "an owner without locks": (
        "mutex_state t 1",
        "mutex_state t",
        "case.yaml:29: expect[4] ends with 't'; allowed is nobody or a task and its locks, then"
        " abandoned or nothing, E_ID, E_NOEXS; correct the result.",
    ),
}


@pytest.mark.parametrize("name", OBJECT_ERRORS)
def test_an_error_about_objects(name: str, tmp_path: Path) -> None:
    old, new, sentence = OBJECT_ERRORS[name]
    assert OBJECTS.count(old) == 1
    with pytest.raises(ScenarioError) as caught:
        load(written(tmp_path, OBJECTS.replace(old, new)))
    assert sentence in caught.value.message


STEP = "        - {call: semaphore_take, semaphore: s, timeout: forever}"
ERRORS = {
    "unknown key": (
        "  time_reset: 5",
        "  offset: 5",
        "case.yaml:3: given.offset is an unknown key; known here are time_reset, semaphores,"
        " event_flags, queues, mutexes, tasks, timers, interrupts, report, main; remove it.",
    ),
    "number out of range": (
        "      priority: 9",
        "      priority: 32",
        "case.yaml:14: given.tasks.last.priority is 32; allowed is a whole number 0 … 31;"
        " correct the value.",
    ),
    "missing key": (
        "text: a test\n",
        "",
        "case.yaml:1: text is missing; add it: text, not empty.",
    ),
    "unknown state": (
        "state: dormant",
        "state: asleep",
        "case.yaml:15: given.tasks.last.state is 'asleep'; allowed is absent, dormant, ready;"
        " correct the value.",
    ),
    "step without call": (
        STEP,
        "        - {semaphore: s}",
        "case.yaml:12: given.tasks.worker.steps[0] has no call; add one of ",
    ),
    "unknown call": (
        STEP,
        "        - {call: semaphore_tak}",
        "; did you mean semaphore_take.",
    ),
    "unknown argument": (
        STEP,
        "        - {call: semaphore_give, semaphore: s, timeout: 1}",
        "case.yaml:12: given.tasks.worker.steps[0].timeout is an unknown key; semaphore_give takes"
        " semaphore; remove it.",
    ),
    "too many times": (
        STEP,
        "        - {call: semaphore_give, semaphore: s, times: 1001}",
        "case.yaml:12: given.tasks.worker.steps[0].times is 1001; allowed is a whole number"
        " 1 … 1000; correct the value.",
    ),
    "missing argument": (
        STEP,
        "        - {call: semaphore_take, semaphore: s}",
        "case.yaml:12: given.tasks.worker.steps[0] has no timeout, which semaphore_take needs;"
        " add it.",
    ),
    "unknown object": (
        STEP,
        "        - {call: semaphore_give, semaphore: t}",
        "case.yaml:12: given.tasks.worker.steps[0].semaphore is 't'; allowed is s, later, or a"
        " number; correct the name.",
    ),
    "bad argument": (
        STEP,
        "        - {call: semaphore_take, semaphore: s, timeout: never}",
        "case.yaml:12: given.tasks.worker.steps[0].timeout is 'never'; allowed is forever, poll,"
        " a whole number 0 … 4294967295; correct the value.",
    ),
    "argument too large for its field": (
        STEP,
        "        - {call: semaphore_create, semaphore: s, initial: 0, maximum: 65536}",
        "case.yaml:12: given.tasks.worker.steps[0].maximum is 65536; allowed is a whole number"
        " 0 … 65535; correct the value.",
    ),
    "bad flag": (
        STEP,
        "        - {call: irq_map, interrupt: line, action: none, object: 0, handler: 1}",
        "case.yaml:12: given.tasks.worker.steps[0].handler is 1; allowed is true, false;"
        " correct the value.",
    ),
    "bad action": (
        STEP,
        "        - {call: irq_map, interrupt: line, action: give, object: 0, handler: true}",
        "case.yaml:12: given.tasks.worker.steps[0].action is 'give'; allowed is none,"
        " semaphore_give, task_wakeup, task_release, event_flags_set, queue_post,"
        " notification_set, notification_give; correct the value.",
    ),
    "object of no action": (
        "      action: semaphore_give\n",
        "",
        "case.yaml:19: given.interrupts.line.object is 's'; the action none has no object;"
        " remove it.",
    ),
    "initial above maximum": (
        "{initial: 1, maximum: 2}",
        "{initial: 3, maximum: 2}",
        "case.yaml:5: given.semaphores.s.initial is 3; allowed is 0 … 2 (maximum).",
    ),
    "group beyond the priorities": (
        "      count: 2",
        "      count: 40",
        "case.yaml:10: given.tasks.worker.count is 40; with priority 3 the last task has 42,"
        " allowed is 0 … 31; lower it.",
    ),
    "two objects of one name": (
        "    later: {state: absent}",
        "    last: {state: absent}",
        "case.yaml:6: given.semaphores.last has the name 'last', which is that of a task;"
        " rename it.",
    ),
    "entry of two words": (
        "  - main task_rotate E_OK",
        "  - main task_rotate",
        "case.yaml:26: expect[0] is 'main task_rotate'; allowed is: who, call, result;"
        " write three words.",
    ),
    "entry of nobody": (
        "  - main task_rotate E_OK",
        "  - nobody task_rotate E_OK",
        "case.yaml:26: expect[0] names 'nobody'; allowed is worker_0, worker_1, last, line, main;"
        " correct the name.",
    ),
    "entry of no call": (
        "  - main task_rotate E_OK",
        "  - main spin E_OK",
        "case.yaml:26: expect[0] names 'spin'; allowed is task_create, ",
    ),
    "entry without result": (
        "  - main task_rotate E_OK",
        "  - main task_rotate OK",
        "case.yaml:26: expect[0] ends with 'OK'; allowed is E_OK, ",
    ),
    "entry with a bad state": (
        "  - main task_rotate E_OK",
        "  - main task_state sleepy",
        "case.yaml:26: expect[0] ends with 'sleepy'; allowed is running, ready, waiting,"
        " suspended, waiting_suspended, dormant, each with notified or without, E_ID, E_NOEXS;"
        " correct the result.",
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_says_where_what_and_what_is_allowed(name: str, tmp_path: Path) -> None:
    old, new, sentence = ERRORS[name]
    assert GOOD.count(old) == 1
    with pytest.raises(ScenarioError) as caught:
        load(written(tmp_path, GOOD.replace(old, new)))
    assert sentence in caught.value.message
    assert caught.value.exit_code == 2


def test_all_errors_are_told_in_order_of_line(tmp_path: Path) -> None:
    text = GOOD.replace("semaphore: s, timeout: forever", "semaphore: x, timeout: y")
    with pytest.raises(ScenarioError) as caught:
        load(written(tmp_path, text.replace("task_rotate E_OK", "task_rotate OK")))
    lines = caught.value.message.splitlines()
    assert [line.split(":")[1] for line in lines] == ["12", "12", "12", "12", "26"]


# ---- scenarios whose order depends on cycles ----------------------------------------------------

UNDETERMINED = {
    "raise that preempts its caller": (
        """\
text: t
given:
  tasks:
    low:
      priority: 5
      steps:
        - {call: irq_raise, interrupt: line}
    high:
      priority: 1
      steps:
        - {call: task_sleep, timeout: forever}
  interrupts:
    line: {action: task_wakeup, object: high}
expect: []
""",
        "case.yaml:7: irq_raise preempts its caller at a time that depends on cycles; make the"
        " caller the most urgent, disable dispatch, or use edge.",
    ),
    "two equal tasks time out": (
        """\
text: t
given:
  tasks:
    a:
      priority: 5
      steps:
        - {call: task_delay, ticks: 2}
    b:
      priority: 5
      steps:
        - {call: task_delay, ticks: 2}
expect: []
""",
        "case.yaml:1: at tick 2 several tasks of one priority time out; in which order is not"
        " determined; give them different priorities.",
    ),
    "a spin ends in the tick of a timeout": (
        """\
text: t
given:
  tasks:
    high:
      priority: 1
      steps:
        - {call: task_delay, ticks: 2}
    low:
      priority: 5
      steps:
        - {call: spin, ticks: 2}
expect: []
""",
        "case.yaml:1: at tick 2 low stops to spin and a task times out; which comes first is a"
        " matter of cycles; move one of them.",
    ),
    "a timer expires in the tick of a timeout": (
        """\
text: t
given:
  timers:
    alarm: {action: task_wakeup, object: a}
  tasks:
    a:
      priority: 5
      steps:
        - {call: timer_start, timer: alarm, ticks: 2, period: once}
        - {call: task_delay, ticks: 2}
expect: []
""",
        "case.yaml:1: at tick 2 a task times out and a timer expires; which comes first is a"
        " matter of cycles; move one of them.",
    ),
    "flags release two equal tasks": (
        """\
text: t
given:
  event_flags:
    f: {}
  tasks:
    waiter:
      priority: 5
      steps:
        - {call: event_flags_wait_any, event_flags: f, pattern: 1, timeout: forever}
    other:
      priority: 5
      steps:
        - {call: event_flags_wait_any, event_flags: f, pattern: 1, timeout: forever}
    last:
      priority: 4
      steps:
        - {call: task_delay, ticks: 1}
        - {call: event_flags_set, event_flags: f, pattern: 1}
expect: []
""",
        "case.yaml:1: event flags release several tasks of one priority at once; in which order"
        " is not determined; give them different priorities.",
    ),
    "a task that ends leaves mutexes to two equal tasks": (
        """\
text: t
given:
  mutexes:
    m: {}
    n: {}
  tasks:
    a:
      priority: 5
      steps:
        - {call: task_delay, ticks: 1}
        - {call: mutex_lock, mutex: m, timeout: forever}
    b:
      priority: 5
      steps:
        - {call: task_delay, ticks: 2}
        - {call: mutex_lock, mutex: n, timeout: forever}
    owner:
      priority: 6
      steps:
        - {call: mutex_lock, mutex: m, timeout: poll}
        - {call: mutex_lock, mutex: n, timeout: poll}
        - {call: task_delay, ticks: 3}
expect: []
""",
        "case.yaml:22: the mutexes of owner, which ended, go to several tasks of one priority at"
        " once; in which order is not determined; give them different priorities.",
    ),
    "a line that rises twice at once": (
        """\
text: t
given:
  tasks:
    a:
      priority: 5
      steps:
        - {call: edge, interrupt: line}
        - {call: edge, interrupt: line}
  interrupts:
    line: {action: task_wakeup, object: a}
expect: []
""",
        "case.yaml:8: edge of a line that is still to rise; use another line.",
    ),
    "tasks that never end": (
        """\
text: t
given:
  tasks:
    a:
      priority: 5
      steps:
        - {call: spin, ticks: 99999}
expect: []
""",
        "case.yaml:1: the tasks run for ever; end their steps.",
    ),
}


@pytest.mark.parametrize("name", UNDETERMINED)
def test_a_scenario_has_one_right_log(name: str, tmp_path: Path) -> None:
    text, sentence = UNDETERMINED[name]
    with pytest.raises(ScenarioError) as caught:
        execute(load(written(tmp_path, text)))
    assert caught.value.message == sentence


TERMINATED = """\
text: t
given:
  mutexes:
    m: {}
    n: {ceiling: 3}
  tasks:
    boss:
      priority: 0
      steps:
        - {call: task_delay, ticks: 3}
        - {call: task_terminate, task: owner}
    a:
      priority: 3
      steps:
        - {call: task_delay, ticks: 1}
        - {call: mutex_lock, mutex: m, timeout: forever}
        - {call: mutex_unlock, mutex: m}
    b:
      priority: 5
      steps:
        - {call: task_delay, ticks: 2}
        - {call: mutex_lock, mutex: n, timeout: forever}
        - {call: mutex_unlock, mutex: n}
    owner:
      priority: 6
      steps:
        - {call: mutex_lock, mutex: m, timeout: poll}
        - {call: mutex_lock, mutex: n, timeout: poll}
        - {call: task_sleep, timeout: forever}
expect: []
"""
SECOND_LOCK = "        - {call: mutex_lock, mutex: n, timeout: poll}\n"
THE_END = "        - {call: task_terminate, task: owner}\n"
SUSPENDED = "        - {call: task_suspend, task: a}\n"
RESUMED = "        - {call: task_resume, task: a}\n"


def test_a_ceiling_makes_two_heirs_equal(tmp_path: Path) -> None:
    """The priority counts that an heir has as the owner; the step that ends the task is named."""
    with pytest.raises(ScenarioError) as caught:
        execute(load(written(tmp_path, TERMINATED)))
    assert caught.value.message == (
        "case.yaml:11: the mutexes of owner, which ended, go to several tasks of one priority at"
        " once; in which order is not determined; give them different priorities."
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(SECOND_LOCK, "", id="one mutex"),
        pytest.param("{ceiling: 3}", "{ceiling: 4}", id="other priorities"),
        pytest.param(THE_END, SUSPENDED + THE_END + RESUMED, id="one heir is suspended"),
    ],
)
def test_heirs_in_an_order_that_shows_nowhere_are_accepted(
    old: str, new: str, tmp_path: Path
) -> None:
    """Controls of the test above."""
    assert TERMINATED.count(old) == 1
    outcome = execute(load(written(tmp_path, TERMINATED.replace(old, new))))
    assert [entry.call for entry in outcome.log].count("mutex_unlock") == 2


# ---- differences --------------------------------------------------------------------------------


def test_a_wrong_log_is_told_with_its_line(tmp_path: Path) -> None:
    scenario = load(written(tmp_path, GOOD))
    right = list(scenario.expect)
    other = Entry("worker_1", "semaphore_take", "E_OK")
    assert list(differences(scenario, right, "sw")) == []
    assert list(differences(scenario, [right[0], other], "sw")) == [
        "case.yaml:27: entry 2 is 'worker_0 semaphore_take E_OK', sw gave"
        " 'worker_1 semaphore_take E_OK'."
    ]
    assert list(differences(scenario, right[:1], "sw")) == [
        "case.yaml:27: entry 2 is 'worker_0 semaphore_take E_OK', sw gave 'nothing more'."
    ]
    assert list(differences(scenario, [*right, other], "sw")) == [
        "case.yaml:27: the expected log ends here, sw went on with 'worker_1 semaphore_take E_OK'."
    ]
