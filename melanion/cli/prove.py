# SPDX-License-Identifier: Apache-2.0
"""`melanion prove`: run the proofs of hw/formal, or plant bugs that they must notice."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from melanion import paths
from melanion import prove as room
from melanion.prove.mutant import noticed
from melanion.prove.page import PAGE
from melanion.prove.theorem import FORMAL

WORDS = {
    "PASS": "ok",
    "FAIL": "FAILED",
    "UNKNOWN": "NOT PROVED",
    "ERROR": "ERROR",
    "TIMEOUT": "TIMEOUT",
}


@click.command("prove")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--quick", is_flag=True, help="Run only the proofs of `make test`.")
@click.option(
    "--mutants", is_flag=True, help="Insert each listed mutant; the proof must detect it."
)
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path),
              help="Write the results to this file.")  # fmt: skip
@click.option(
    "--record", is_flag=True, help="Write docs/reference/proofs.md; rows of other proofs stay."
)
def command(
    names: tuple[str, ...], quick: bool, mutants: bool, json_file: Path | None, record: bool
) -> int:
    """Run the proofs of the hardware: all, or each NAME (a proof, or proof.task)."""
    root = paths.data_root()
    every = room.theorems(root)
    chosen = room.select(every, names, quick and not mutants)
    if record and mutants:
        raise room.ProveError(
            "--record keeps results of proofs, not of mutants; leave out --mutants.",
            exit_code=2,
        )
    tools = room.find({root / FORMAL / f"{theorem.proof}.sby" for theorem in chosen})
    outcomes, bad = (
        _mutants(tools, root, chosen, every, quick) if mutants else _prove(tools, root, chosen)
    )
    if json_file:
        data = [outcome.as_dict() for outcome in outcomes]
        json_file.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    if record and not bad:
        room.record(outcomes, every, root)
        (root / PAGE).write_text(room.page(every, room.mutants(root), root), encoding="utf-8")
        click.echo(f"wrote {PAGE}")
    what = "mutants are detected" if mutants else "theorems are proved"
    click.echo(f"{len(outcomes) - bad} of {len(outcomes)} {what}")
    return 1 if bad else 0


def _prove(
    tools: room.Tools, root: Path, chosen: Sequence[room.Theorem]
) -> tuple[list[room.Outcome], int]:
    outcomes = []
    with room.workspace(root) as folder:
        for number, theorem in enumerate(chosen, 1):
            _progress(f"{number}/{len(chosen)} {theorem.name}")
            outcome = room.prove(tools, folder, theorem)
            outcomes.append(outcome)
            facts = ", ".join(filter(None, [outcome.bound, outcome.parameters, outcome.solver]))
            _line(f"{WORDS[outcome.status]:<10} {theorem.name}: {theorem.claim}"
                  f" [{facts}, {outcome.seconds} s]")  # fmt: skip
            if not outcome.passed:
                trace = f"; trace: {outcome.trace}" if outcome.trace else ""
                _line(f"           at {outcome.place}{trace}")
    return outcomes, sum(not outcome.passed for outcome in outcomes)


def _mutants(
    tools: room.Tools,
    root: Path,
    chosen: Sequence[room.Theorem],
    every: Sequence[room.Theorem],
    quick: bool,
) -> tuple[list[room.Outcome], int]:
    known = {theorem.name: theorem for theorem in every}
    names = {theorem.name for theorem in chosen}
    bugs = [bug for bug in room.mutants(root) if bug.theorem in names and (bug.quick or not quick)]
    outcomes, bad = [], 0
    for number, bug in enumerate(bugs, 1):
        _progress(f"{number}/{len(bugs)} {bug.name}")
        outcome = room.caught(tools, root, bug, known[bug.theorem])
        outcomes.append(outcome)
        if noticed(outcome):
            _line(
                f"noticed    {bug.name}: {bug.theorem} fails at {outcome.place}"
                f" [{outcome.seconds} s]"
            )
        else:
            bad += 1
            _line(
                f"MISSED     {bug.name}: {bug.theorem} ends with {outcome.status} {outcome.place}"
            )
    return outcomes, bad


def _progress(text: str) -> None:
    """Show the running task, on a terminal only; the line of its result overwrites it."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{text} …", err=True, nl=False)


def _line(text: str) -> None:
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", err=True, nl=False)
    click.echo(text)
