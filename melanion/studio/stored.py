# SPDX-License-Identifier: Apache-2.0
"""Sets of the results store in the studio: listed, opened, kept from both sides, exported."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from melanion import results
from melanion.config import System
from melanion.report.export import units_text
from melanion.results import MeasuredSet, Store, Unit, repeat
from melanion.results.unit import of_json
from melanion.studio import systems
from melanion.studio.catalog import FOLDER, Catalog
from melanion.studio.errors import StudioError
from melanion.studio.gallery import load
from melanion.studio.limits import OpenRequest, StoredRun
from melanion.studio.outcome import ANSWER, IMAGE, TRACE, UNIT

SHOWN = 40  # sets in the list
MANY = 8  # units of a set that are listed; those of `melanion reproduce` are hundreds
WAITS = ("0", "1", "5", "0-7")  # those of the page (studio/src/state.ts)
KEPT = (TRACE, IMAGE, ANSWER, repeat.EVENTS)
NAME = " # "  # between the commands of a set and its name: a comment of the shell


def listed() -> list[dict[str, Any]]:
    """The newest sets first."""
    if not results.location().is_file():
        return []
    store = Store(results.location())
    return [_set(store, each) for each in reversed(store.sets()[-SHOWN:])]


def _set(store: Store, found: MeasuredSet) -> dict[str, Any]:
    command, _, name = found.command.partition(NAME)
    return {
        "number": found.number,
        "began": found.began,
        "name": name,
        "command": command,
        "report": f"melanion report rows {found.number}",
        "units": found.got,
        "runs": [_run(unit) for unit in store.of_set(found.number)] if found.got <= MANY else [],
    }


def _run(unit: Unit) -> dict[str, Any]:
    """`how`: the page shows it from its trace, or runs it again; empty: it cannot."""
    opened = "" if repeat.of_unit(unit) is None else "again"
    if opened and repeat.archive(results.location(), unit).is_file():
        opened = "trace"
    rows = [each.row for each in unit.measurements]
    figures = [{"label": r.label, "unit": r.unit, "n": r.n, "max": r.max} for r in rows]
    return {
        "experiment": unit.experiment,
        "kernel": unit.kernel,
        "judged": unit.judged,
        "commit": unit.commit,
        "how": opened,
        "rows": figures,
    }


def unit(wanted: StoredRun) -> Unit:
    """Raises ResultsError, StudioError."""
    for found in _units(wanted.set):
        if (found.experiment, found.kernel) == (wanted.experiment, wanted.kernel):
            return found
    raise StudioError(
        f"set {wanted.set} holds no {wanted.experiment!r} on {wanted.kernel}; open the list again.",
        2,
    )


def _units(number: int) -> list[Unit]:
    """Units of a set that the store has. Raises ResultsError."""
    store = results.there(results.location())
    return list(results.choose(store, str(number)).units.values())


def opened(wanted: OpenRequest, catalog: Catalog) -> list[dict[str, Any]]:
    """Requests that repeat one or two runs of a set, side by side. Raises StudioError."""
    units = _units(wanted.set) if wanted.run is None else [unit(wanted.run)]
    where = f"set {wanted.set}"
    runs = [_request(where, wanted.set, each, catalog) for each in units]
    if len(runs) > 2:
        raise StudioError(f"{where} holds {len(runs)} runs, and the page shows two; open one.", 2)
    common = [{k: v for k, v in run.items() if k not in ("system", "stored")} for run in runs]
    if any(each != common[0] for each in common):
        raise StudioError(
            f"the runs of {where} differ in more than their systems, and the page shows one program"
            " with the same settings on two systems; open one.",
            2,
        )
    return runs


def _request(where: str, number: int, found: Unit, catalog: Catalog) -> dict[str, Any]:
    """Raises StudioError."""
    place = f"{where}, {found.experiment} on {found.kernel}"
    again = repeat.of_unit(found)
    if again is None:
        raise StudioError(
            f"{place}: it was stored without what repeats it (it is no run, had --define, --input"
            f" or --sources, or is older); its command is `{found.command.partition(NAME)[0]}`.",
            2,
        )
    try:
        program = catalog.program_of(again)
    except StudioError as error:
        raise StudioError(f"{place}: {error.message}", 2) from error
    name = catalog.system_of(again)
    system = systems.named(name, catalog.folder)
    decided, waits = found.provenance, str(found.provenance["wait_states"])
    length, slower = int(decided["max_cycles"]), 1 + int(waits.rpartition("-")[2])
    knobs = {k.removeprefix("variable_"): v for k, v in decided.items() if k[:9] == "variable_"}
    offered = load().programs[program].knobs if program in load().programs else {}
    missing = [knob for knob in knobs if program != FOLDER and knob not in offered]
    wrong = [*_unlike(system, decided), *(f"--set {knob}" for knob in missing)]
    if waits not in WAITS or length % slower:
        wrong.append(f"--wait-states {waits} with --max-cycles {length}")
    if wrong:
        raise StudioError(
            f"{place}: the page has no control for {', '.join(wrong)}; its command is"
            f" `{found.command.partition(NAME)[0]}`.",
            2,
        )
    return {
        "program": program,
        "system": systems.described(name, system),
        "seed": int(decided["seed"]),
        "wait_states": waits,
        "cycles": length // slower,
        "pulses": decided.get("pulses", ""),
        "knobs": knobs,
        "stored": {"set": number, "experiment": found.experiment, "kernel": found.kernel},
    }


def _unlike(system: System, decided: Mapping[str, Any]) -> list[str]:
    """Options of a run that the page does not set, and that the system decides otherwise."""
    usual = {
        "data_wait_states": decided["wait_states"],
        "unit_wait_states": system.unit_wait_states,
    }
    return [
        f"--{key.replace('_', '-')} {decided[key]}"
        for key, value in usual.items()
        if str(decided[key]) != str(value)
    ]


def keep(name: str, folders: Mapping[str, Path]) -> dict[str, Any]:
    """Keep the runs of both sides, with their traces, as one set. Raises StudioError."""
    units, files, commands = [], [], []
    for side, folder in folders.items():
        if not (folder / UNIT).is_file():
            which = "above" if side == "a" else "below"
            raise StudioError(
                f"the kernel {which} has no run that ended as it should; run both kernels, then"
                " save.",
                2,
            )
        units.append(of_json(json.loads((folder / UNIT).read_text("utf-8"))))
        files.append({each: (folder / each).read_bytes() for each in KEPT})
        commands.append(json.loads(files[-1][ANSWER])["command"])
    if len({(each.experiment, each.kernel) for each in units}) < len(units):
        raise StudioError(
            "both systems have the same name, and a set holds one run of each; name one of them"
            " otherwise in its file.",
            2,
        )
    store = Store(results.location())
    for each, content in zip(units, files, strict=True):
        repeat.keep_files(store.file, each, content)
    number = store.keep(f"{'; '.join(commands)}{NAME}{name}", units)
    return {"number": number, "command": f"melanion report rows {number}"}


def text(number: int, *, as_csv: bool) -> str:
    """A set as `melanion report rows` prints it. Raises ResultsError."""
    return units_text(_units(number), as_csv=as_csv)
