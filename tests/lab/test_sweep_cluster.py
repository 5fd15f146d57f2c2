# SPDX-License-Identifier: Apache-2.0
"""A sweep on a Dask cluster of this machine, real but for its size: points are bounds of the
hardware unit, computed from its microprogram (some 10 ms each; nothing is simulated). A worker is
killed in the middle: no point is lost, and only what it had in work is begun a second time."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from melanion import cli
from melanion.results import Store
from melanion.sweep import Answer, Campaign, Cluster, Point, SweepError, load
from melanion.sweep.cluster import AHEAD, needed
from melanion.sweep.evaluate import LOG

distributed = needed("distributed", "a cluster")

WORKERS = 2
POINTS = 1000
FILE = """title: Bounds over sizes
systems: [hwrtos, port]
parameters:
  tasks: {{from: 8, to: {most}, step: 1}}
  mutexes: [4, 8, 16, 32, 64]
bounds: [irq_wakeup]
"""


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(LOG, str(tmp_path / "log"))
    return tmp_path / "log"


@pytest.fixture
def address(log: Path) -> Iterator[str]:
    """Scheduler of a cluster whose workers are processes, which are replaced when they end."""
    with distributed.LocalCluster(
        n_workers=WORKERS,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        host="127.0.0.1",
        silence_logs=50,
    ) as cluster:
        yield cluster.scheduler_address


class Killer:
    """Kills the worker that began the last evaluation, when so many points have ended."""

    def __init__(self, log: Path, after: int) -> None:
        self._log, self._after = log, after
        self.ended_points = 0
        self.killed = 0

    def begun(self, point: Point) -> None:
        pass

    def ended(self, answer: Answer) -> None:
        self.ended_points += 1
        if self.ended_points == self._after:
            self.killed = int(begun(self._log)[-1][0])
            os.kill(self.killed, signal.SIGKILL)


def begun(log: Path) -> list[tuple[str, str]]:
    """Process and point of each evaluation."""
    lines = log.read_text(encoding="utf-8").splitlines()
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in lines]


@pytest.mark.soak
def test_a_worker_is_killed_in_the_middle(tmp_path: Path, address: str, log: Path) -> None:
    file = tmp_path / "my.yaml"
    file.write_text(FILE.format(most=107), encoding="utf-8")
    plan, store = load(file), Store(tmp_path / "store")
    told = Killer(log, POINTS // 2)
    cluster = Cluster(address)
    campaign = Campaign(plan, store, cluster, "a test", told)
    campaign.run()
    cluster.close()

    # None is lost.
    assert [each.point for each in campaign.answers] == list(plan.grid())
    assert len(campaign.answers) == told.ended_points == POINTS
    assert {each.state for each in campaign.answers} == {"done"}
    assert len(store.measured("sweep bound of irq_wakeup")) == POINTS

    # None is begun twice but those that the killed worker had.
    assert told.killed
    evaluations = begun(log)
    number = Counter(name for _, name in evaluations)
    assert set(number) == {point.name for point in plan.grid()}
    twice = {name for name, count in number.items() if count > 1}
    first = {name: worker for worker, name in reversed(evaluations)}
    assert {first[name] for name in twice} <= {str(told.killed)}
    assert len(twice) <= AHEAD and max(number.values()) <= 2

    # A repeat asks no worker.
    before = len(evaluations)
    idle = Cluster(address)
    again = Campaign(plan, store, idle, "a test", Killer(log, 0))
    again.run()
    idle.close()
    assert all(each.found for each in again.answers)
    assert len(begun(log)) == before


def test_the_command(
    tmp_path: Path,
    address: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MELANION_RESULTS", str(tmp_path / "results.sqlite"))
    Path("my.yaml").write_text(FILE.format(most=8), encoding="utf-8")
    with pytest.raises(SystemExit) as caught:
        cli.main(["sweep", "my.yaml", "--dask", address])
    assert caught.value.code == 0
    assert "10 points: 10 done" in capsys.readouterr().out


def test_nobody_answers() -> None:
    with pytest.raises(SweepError) as caught:
        Cluster("tcp://127.0.0.1:1", patience=0.5)
    assert caught.value.message == (
        "--dask tcp://127.0.0.1:1: no scheduler of Dask answers there within 0.5 s; start one with"
        " `dask scheduler`, or correct the address, such as tcp://127.0.0.1:8786."
    )
    assert caught.value.exit_code == 2


def test_no_worker_comes(tmp_path: Path) -> None:
    (tmp_path / "my.yaml").write_text(FILE.format(most=8), encoding="utf-8")
    plan = load(tmp_path / "my.yaml")
    with distributed.LocalCluster(
        n_workers=0, dashboard_address=None, host="127.0.0.1", silence_logs=50
    ) as empty:
        cluster = Cluster(empty.scheduler_address, alone=1.0)
        campaign = Campaign(plan, Store(tmp_path / "store"), cluster, "a test", Killer(Path(), 0))
        with pytest.raises(SweepError) as caught:
            campaign.run()
        cluster.close()
        assert caught.value.message == (
            f"--dask {empty.scheduler_address}: the cluster has had no worker for 1 s; what was"
            f" done is kept; start one with `dask worker {empty.scheduler_address}` and run the"
            " same command again."
        )
