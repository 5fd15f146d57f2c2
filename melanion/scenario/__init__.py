# SPDX-License-Identifier: Apache-2.0
"""Scenarios: small programs with the expected order of their completed calls, as data.

A scenario gives objects, the steps of each task and interrupt handler (one kernel call each), and
`expect`: who completed which call with which result. A call completes when its caller runs again;
a task starts with its first step whenever it is started. `times` repeats a call and logs
the last one, `edge` lets a line rise as soon as every task waits or spins, `spin` keeps the core
busy for some ticks.

One file (tests/scenarios/<object>_<behaviour>.yaml) runs on the golden model, on the C kernel and
on the hardware unit and gives the same log on all three. `loader` reads a file (its shape is
`schema`), `executor` runs it on the model, `encoder` makes the table for the C interpreter.
"""

from melanion.scenario.executor import execute
from melanion.scenario.language import Entry, Scenario, ScenarioError
from melanion.scenario.loader import load

__all__ = ["Entry", "Scenario", "ScenarioError", "execute", "load"]
