# SPDX-License-Identifier: Apache-2.0
"""One experiment on one system: run, replay, measure. What came out is kept in the build cache.

The key of a kept outcome covers everything that decides it: hardware, program, settings, the model
that judged the run, the code of this folder and the definition that it measured by. A run that the
model rejects leaves nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import mel_gen
import numpy as np

from melanion import build, config, paths
from melanion.build import App, cache
from melanion.measure.definition import Definition, ExperimentError
from melanion.measure.measure import measure
from melanion.measure.rows import Measurement, Row
from melanion.measure.worst_case import WorstCase, worst_case, worst_case_of_json
from melanion.run import RunError, RunResult, Settings, run_program, speeds
from melanion.run.evidence import shown
from melanion.run.judge import MORE_CYCLES
from melanion.run.provenance import provenance

Report = Callable[[str], None]

SEED = 1
FILE, WORST_CASE = "measurements.json", "worst_case.json"


@dataclass(frozen=True)
class Outcome:
    """Measurements of one system, with everything that was decided."""

    measurements: tuple[Measurement, ...]
    provenance: dict[str, Any]
    worst_case: WorstCase | None = None


def work(experiment: str, definition: Definition, kernel: str, report: Report) -> Outcome:
    """Measure one system, or take what the cache holds. `experiment`: name in the rows. Raises
    MelanionError of every folder below."""
    system = config.find(kernel)
    apps = applications(definition)
    waits = [each.waits for each in definition.programs]
    hardware = build.hardware(system, report=report)
    programs = [build.program(system, app, report=report) for app in apps]
    settings = {
        "seed": SEED,
        "max_cycles": definition.max_cycles,
        **speeds(system),
    }

    def make(folder: Path) -> None:
        with shown() as failed, _limited():
            runs = [
                run_program(
                    system,
                    app,
                    Settings(
                        seed=SEED,
                        max_cycles=definition.max_cycles,
                        wait_states=code,
                        data_wait_states=data,
                        unit_wait_states=unit,
                    ),
                    report=report,
                    failed=failed,
                )
                for app, (code, data, unit) in zip(apps, waits or [(None, None, None)], strict=True)
            ]
        report("measuring")
        short = () if system.implementations.get("lock", "none") != "none" else ("short_lock",)
        atomics = () if build.has_atomics(system) else ("atomics",)
        lacks = {*system.kernel_info.lacks, *short, *atomics}
        # Events of several runs one after the other: each phase lies in one of them.
        events = np.concatenate([run.events for run in runs])
        counted = any(metric.unit == "bytes" for metric in definition.metrics.values())
        sizes = build.kernel_bytes(programs[0]) if counted else {}
        reported = system.kernel_info.replayed
        retired = [run.instructions for run in runs]
        missed = [misses(run) for run in runs]
        measured = measure(
            experiment, kernel, definition, events, lacks, sizes, reported, retired, missed
        )
        text = json.dumps([asdict(each) for each in measured], ensure_ascii=False)
        (folder / FILE).write_text(text, encoding="utf-8")
        kept = worst_case(experiment, definition, system, events)
        text = json.dumps(kept and kept.as_json(), ensure_ascii=False)
        (folder / WORST_CASE).write_text(text, encoding="utf-8")

    key = cache.key_of(
        [
            (
                "run",
                json.dumps(
                    [hardware.key, *(each.key for each in programs), kernel, settings, waits],
                    sort_keys=True,
                ).encode(),
            ),
            ("definition", definition.measured.encode()),
            *judges(),
        ]
    )
    folder = cache.entry("outcome", key, make, report, f"running {apps[0].name} on {system.name}")
    measurements = tuple(map(_measurement, json.loads((folder / FILE).read_text(encoding="utf-8"))))
    kept = json.loads((folder / WORST_CASE).read_text(encoding="utf-8"))
    decided = provenance(system, hardware, programs[0], settings)
    return Outcome(measurements, decided, kept and worst_case_of_json(kept))


@contextmanager
def _limited() -> Iterator[None]:
    """Remedy of a run that is too short: its limit is in the definition, and its program ends with
    mel_exit in a task."""
    try:
        yield
    except RunError as error:
        head, _, remedy = error.message.rpartition("; ")
        if not remedy.endswith(f"{MORE_CYCLES}."):
            raise
        raise RunError(
            f"{head}; let a task end it with mel_exit(), or allow more with max_cycles in the"
            " definition."
        ) from None


def misses(run: RunResult) -> dict[str, int]:
    """Cache misses of all cores, by port; empty without caches."""
    found: dict[str, int] = {}
    for each in run.caches:
        found[each.port] = found.get(each.port, 0) + each.misses
    return found


def applications(definition: Definition) -> list[App]:
    """The programs of an experiment: its application, or what is made from it. Raises BuildError,
    ExperimentError."""
    app = build.application(str(paths.data_root() / "apps" / definition.app))
    found = [
        replace(
            app,
            sources=tuple(app.folder / name for name in each.sources),
            defines={**app.defines, **each.defines},
            compat=_compat(each.compat) if each.compat else app.compat,
            optimization=each.optimization,
            loaded=each.loaded,
        )
        for each in definition.programs
    ]
    for name in (path for each in found for path in each.sources if not path.is_file()):
        raise ExperimentError(
            f"{definition.title}: a program has the source {name.name}, which the folder"
            f" apps/{definition.app} does not hold; correct the name."
        )
    for each in definition.programs:
        if each.compat and not _compat(each.compat).is_dir():
            raise ExperimentError(
                f"{definition.title}: a program is written for the interface {each.compat}, which"
                " kernel/compat does not hold; correct the name."
            )
    return found or [app]


def _compat(name: str) -> Path:
    """The folder of an interface."""
    return paths.data_root() / "kernel" / "compat" / name


def judges() -> list[tuple[str, bytes]]:
    """The code that decides whether a run counts, and what is measured in it."""
    package = Path(__file__).resolve().parent.parent
    folders = [package / name for name in ("model", "measure", "run", "trace")]
    folders.append(Path(mel_gen.__file__).parent)
    files = [(folder, path) for folder in folders for path in sorted(folder.rglob("*.py"))]
    return [
        (path.relative_to(folder.parent).as_posix(), path.read_bytes()) for folder, path in files
    ]


def _measurement(entry: dict[str, Any]) -> Measurement:
    histogram = tuple((int(value), int(count)) for value, count in entry["histogram"])
    return Measurement(Row(**entry["row"]), histogram)
