"""One experiment on one system: run, replay, measure. What came out is kept in the build cache.

The key of a kept outcome covers everything that decides it: hardware, program, settings, the model
that judged the run
and the code and definition that measured it. A run that the model rejects leaves nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import mel_gen

from melanion import build, config, paths
from melanion.build import cache
from melanion.experiments.definition import load
from melanion.experiments.measure import measure
from melanion.experiments.rows import Measurement, Row
from melanion.run import run_program
from melanion.run.provenance import provenance

Report = Callable[[str], None]

SEED = 1
FILE = "measurements.json"


@dataclass(frozen=True)
class Outcome:
    """What one system gave, and everything that was decided."""

    measurements: tuple[Measurement, ...]
    provenance: dict[str, Any]


def work(experiment: str, kernel: str, report: Report) -> Outcome:
    """Measure one system, or take what the cache holds. Raises MelanionError of every room
    below."""
    definition = load(experiment)
    system = config.find(kernel)
    app = build.application(str(paths.data_root() / "apps" / definition.app))
    hardware = build.hardware(system, report=report)
    program = build.program(system, app, report=report)
    settings = {
        "seed": SEED,
        "max_cycles": definition.max_cycles,
        "wait_states": system.memory.wait_states,
        "unit_wait_states": system.unit_wait_states,
    }

    def make(folder: Path) -> None:
        result = run_program(
            system, app, seed=SEED, max_cycles=definition.max_cycles, report=report
        )
        report("measuring")
        lacks = system.kernel_info.lacks
        measured = measure(experiment, kernel, definition, result.events, lacks)
        text = json.dumps([asdict(each) for each in measured], ensure_ascii=False)
        (folder / FILE).write_text(text, encoding="utf-8")

    key = cache.key_of(
        [
            (
                "run",
                json.dumps([hardware.key, program.key, kernel, settings], sort_keys=True).encode(),
            ),
            ("definition", definition.model_dump_json().encode()),
            *judges(),
        ]
    )
    folder = cache.entry("outcome", key, make, report, f"running {app.name} on {system.name}")
    measurements = tuple(map(_measurement, json.loads((folder / FILE).read_text(encoding="utf-8"))))
    return Outcome(measurements, provenance(system, hardware, program, settings))


def judges() -> list[tuple[str, bytes]]:
    """The code that decides whether a run counts, and what is measured in it."""
    package = Path(__file__).resolve().parent.parent
    folders = [package / "model", package / "experiments", package / "run", package / "trace"]
    files = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    files += sorted(Path(mel_gen.__file__).parent.glob("*.py"))
    return [(f"{path.parent.name}/{path.name}", path.read_bytes()) for path in files]


def _measurement(entry: dict[str, Any]) -> Measurement:
    histogram = tuple((int(value), int(count)) for value, count in entry["histogram"])
    return Measurement(Row(**entry["row"]), histogram)
