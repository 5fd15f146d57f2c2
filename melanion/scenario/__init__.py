"""Scenarios: small programs with the expected order of their completed calls, as data.

One file (tests/scenarios/<object>_<behaviour>.yaml) runs on the golden model, on the C kernel and
on the hardware unit and gives the same log on all three. `loader` reads a file (its shape is
`schema`), `executor` runs it on the model, `encoder` makes the table for the C interpreter.
"""

from melanion.scenario.executor import execute
from melanion.scenario.language import Entry, Scenario, ScenarioError
from melanion.scenario.loader import load

__all__ = ["Entry", "Scenario", "ScenarioError", "execute", "load"]
