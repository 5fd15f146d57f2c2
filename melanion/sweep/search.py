# SPDX-License-Identifier: Apache-2.0
"""Search by Optuna for points that are small in all costs (TPE sampler, three objectives).

Points are proposed in batches of a fixed size, and answered in the order in which they were
proposed: the same seed gives the same points with any number of workers, and after an interruption.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from melanion.sweep.cluster import needed
from melanion.sweep.front import COSTS, Answer
from melanion.sweep.plan import SYSTEM, Plan, Point, Value

IDLE = 20  # batches without a new point: the search is at its end

Settle = Callable[[Sequence[Point]], list[Answer]]


def search(plan: Plan, settle: Settle) -> None:
    """Propose and settle until there are enough different points, or no new ones; a grid that is no
    larger is settled as a whole. Raises SweepError: Optuna is not installed."""
    assert plan.search is not None
    if plan.size <= plan.search.points:
        settle(list(plan.grid()))
        return
    optuna = needed("optuna", f"{plan.file}: mode: search")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sampler = optuna.samplers.TPESampler(seed=plan.search.seed, constant_liar=True)
    study = optuna.create_study(directions=["minimize"] * len(COSTS), sampler=sampler)
    answers: dict[Point, Answer] = {}
    most, idle = plan.search.points, 0
    while (left := most - len(answers)) > 0 and idle < IDLE:
        trials = [study.ask() for _ in range(min(plan.search.batch, left))]
        points = [_proposed(plan, trial) for trial in trials]
        new = [point for point in dict.fromkeys(points) if point not in answers]
        answers |= dict(zip(new, settle(new), strict=True))
        for trial, point in zip(trials, points, strict=True):
            costs = answers[point].costs
            if costs is None:
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
            else:
                study.tell(trial, list(map(float, costs)))
        idle = 0 if new else idle + 1


def _proposed(plan: Plan, trial: Any) -> Point:
    """A value of each axis: of numbers by their place, so that neighbours are near."""
    base: str = trial.suggest_categorical(SYSTEM, plan.systems)
    values: dict[str, Value] = {}
    for key, every in plan.axes.items():
        if isinstance(every[0], str):
            values[key] = trial.suggest_categorical(key, every)
        else:
            values[key] = every[trial.suggest_int(key, 0, len(every) - 1)]
    return plan.point(plan.quantities[0], base, values)
