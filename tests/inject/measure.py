# SPDX-License-Identifier: Apache-2.0
"""`python -m tests.inject.measure [FLIPS] [SYSTEM …]` writes tests/asserted/injection.csv: classes
of what single bit flips led to, of each kind of state of four systems. What the results store holds
is not run again. `python -m melanion.docs` then writes docs/howto/inject.md."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from melanion import build, config, paths, results
from melanion.docs import injection
from melanion.docs.rows import Line, text_of
from melanion.inject import CLASSES, Campaign, prepared, run
from melanion.inject.present import result
from melanion.results import Store
from melanion.run import Settings

FLIPS = 2000
JOBS = 1


def rows(system: str, flips: int) -> Iterator[Line]:
    """A row for each kind of state."""
    app = build.application(str(paths.data_root() / injection.APP))
    campaign = Campaign(config.find(system), app, injection.SEED, flips)
    typed = f"melanion inject {system} {injection.APP} --flips {flips} --seed {injection.SEED}"
    with prepared(campaign, Settings(), lambda _: None) as (ready, harness):
        records = run(ready, harness, Store(results.location()), typed, JOBS)
        done = result(ready, records, typed, 0, 0.0)
    for line in done.kinds:
        values: dict[str, str | int] = {
            "system": system,
            "seed": campaign.seed,
            "commit": done.provenance["commit"],
            "kind": line.kind,
            "bits": line.bits,
            "flips": line.flips,
            **{name: line.counts[name] for name in CLASSES},
            "at_most": f"{line.bound:.6f}",
            "digest": injection.digest(system),
        }
        yield {name: str(values[name]) for name in injection.COLUMNS}


def main(words: Sequence[str]) -> None:
    """Measure, and write the file."""
    flips = int(words[0]) if words else FLIPS
    chosen = words[1:] or injection.SYSTEMS
    kept = [row for row in injection.recorded() if row["system"] not in chosen]
    found = kept + [row for system in chosen for row in rows(system, flips)]
    order = {name: place for place, name in enumerate(injection.SYSTEMS)}
    found.sort(key=lambda row: order[row["system"]])
    injection.FILE.write_text(text_of(found), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
