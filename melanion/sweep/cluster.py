# SPDX-License-Identifier: Apache-2.0
"""Workers of a Dask cluster, which may come and go.

Dask gives the points of a worker that is lost to others. An outcome is fetched as soon as it is
there, and little more is begun than the cluster can work on, so that what a lost worker takes with
it is at most what it had in work. Workers write nothing into the results store: only the machine
that asks does.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from melanion.sweep.errors import SweepError
from melanion.sweep.evaluate import Outcome, evaluate
from melanion.sweep.plan import Point

PATIENCE = 10.0  # seconds until a scheduler must have answered
ALONE = 60.0  # seconds that a cluster may be without a worker
GLANCE = 1.0  # seconds between looks at the workers
AHEAD = 2  # points begun for each thread: one in work, one waiting


def needed(name: str, what: str) -> ModuleType:
    """An optional package. Raises SweepError: it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise SweepError(
            f"{what} needs the package {name}, which is not installed; in a checkout run"
            " `make setup-dev`, elsewhere `pip install 'melanion[sweep]'`."
        ) from error


class Cluster:
    """The cluster of the scheduler at `address`. Raises SweepError: nobody answers there."""

    def __init__(self, address: str, patience: float = PATIENCE, alone: float = ALONE) -> None:
        self._dask = needed("distributed", "--dask")
        self._address, self._alone = address, alone
        self._without = 0.0  # seconds without a worker
        try:
            self._client: Any = self._dask.Client(address, timeout=patience)
        except (OSError, ValueError, TimeoutError) as error:
            raise SweepError(
                f"--dask {address}: no scheduler of Dask answers there within {patience:g} s; start"
                " one with `dask scheduler`, or correct the address, such as"
                " tcp://127.0.0.1:8786.",
                2,
            ) from error
        self._points: dict[Any, Point] = {}

    @property
    def threads(self) -> int:
        """Points that the cluster can work on at a time."""
        found: dict[str, int] = self._client.nthreads()
        return sum(found.values())

    @property
    def free(self) -> int:
        return max(AHEAD * self.threads, 1) - len(self._points)

    def begin(self, point: Point, expected: str) -> None:
        future = self._client.submit(evaluate, point, expected, pure=False)
        self._points[future] = point

    def ended(self) -> Iterator[Outcome]:
        while self._points:
            try:
                done = self._dask.wait(
                    list(self._points), timeout=GLANCE, return_when="FIRST_COMPLETED"
                ).done
            except TimeoutError:
                self._check_workers()
                continue
            self._without = 0.0
            for future in done:
                point = self._points.pop(future)
                yield self._outcome(future, point)
            return

    def _check_workers(self) -> None:
        """Raises SweepError: the scheduler is gone, or no worker comes."""
        if self._client.status != "running":
            raise SweepError(
                f"--dask {self._address}: the scheduler has gone; what was done is kept; start it"
                " and run the same command again."
            )
        self._without = 0.0 if self.threads else self._without + GLANCE
        if self._without >= self._alone:
            raise SweepError(
                f"--dask {self._address}: the cluster has had no worker for {self._alone:g} s; what"
                f" was done is kept; start one with `dask worker {self._address}` and run the same"
                " command again."
            )

    def _outcome(self, future: Any, point: Point) -> Outcome:
        try:
            found: Outcome = future.result()
        except self._dask.scheduler.KilledWorker:
            cause = "every worker that began this point was lost; free memory and run it again."
            return Outcome(point, 0.0, failure=cause)
        except Exception as error:
            kind = type(error).__name__
            cause = f"the cluster could not run this point ({kind}: {error}); run it again."
            return Outcome(point, 0.0, failure=cause)
        return found

    def close(self) -> None:
        """Give up what is under way; the cluster stays."""
        for future in self._points:
            future.cancel()
        self._points = {}
        self._client.close()
