# SPDX-License-Identifier: Apache-2.0
"""python -m tests.random: one case or many, as the failures print it."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.common.verilated import BenchError
from tests.random import bench, coverage, document, script
from tests.random.campaign import (
    LANES,
    SIZES,
    Case,
    CaseError,
    Result,
    cases,
    rehearse_case,
    run_case,
    shrink,
)
from tests.random.profiles import PROFILES


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.random", description=__doc__)
    parser.add_argument("--size", choices=[*SIZES, *LANES], action="append", help="default: all")
    parser.add_argument("--profile", choices=PROFILES, help="default: all")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, default=1, help="how many seeds")
    parser.add_argument("--jobs", type=int, default=1, help="how many cases at once")
    parser.add_argument("--commands", type=int, default=1000, help="commands in a script")
    parser.add_argument(
        "--ratio",
        type=int,
        choices=(1, 2),
        default=1,
        help="cycles of the unit's clock in one of the cores",
    )
    parser.add_argument(
        "--rtl", type=Path, default=bench.RTL, help="a copy of hw/engine, to use instead"
    )
    parser.add_argument(
        "--shrink", action="store_true", help="make the first failing script small and print it"
    )
    parser.add_argument(
        "--keep", type=Path, help="folder for script, trace and log of the first failing case"
    )
    parser.add_argument(
        "--rehearse", action="store_true", help="on the model alone, without the RTL"
    )
    parser.add_argument(
        "--coverage", action="store_true", help="print how often each situation came"
    )
    parser.add_argument("--document", action="store_true", help="write docs/reference/coverage.md")
    return parser.parse_args()


def _keep(folder: Path, case: Case, program: Path) -> None:
    from tests.random.campaign import cycle_bound
    from tests.random.generate import generate

    entries = generate(case.seed, case.limits, PROFILES[case.profile], case.commands)
    outcome = bench.run(program, case.limits, entries, case.seed, cycle_bound(case.limits))
    folder.mkdir(parents=True, exist_ok=True)
    script.write(folder / "script", entries)
    (folder / "trace").write_bytes(outcome.trace)
    (folder / "log").write_bytes(outcome.log)


def _run(case: Case, program: Path) -> Result:
    result = run_case(case, program)
    result.run.events.clear()
    result.run.accesses.clear()
    return result


def _look_into(case: Case, program: Path, options: argparse.Namespace) -> None:
    """A case that failed."""
    if options.keep:
        _keep(options.keep, case, program)
    if options.shrink:
        found = shrink(case, program, lambda text: print(text, file=sys.stderr))
        print("\n".join(map(str, found)))


def _report(total: Counter[str]) -> None:
    print("\n".join(f"{count:9} {name}" for name, count in sorted(total.items())))
    print("never:", ", ".join(sorted(name for name in coverage.expected() if not total[name])))


def main() -> int:
    """Exit status: 0 all agree, 1 a case failed, 2 the bench could not be built or run."""
    options = _arguments()
    seeds = range(options.seed, options.seed + options.seeds)
    chosen = cases(options.size or SIZES, seeds, options.commands, options.ratio)
    chosen = [case for case in chosen if options.profile in (None, case.profile)]
    total: Counter[str] = Counter()
    commands = cycles = 0
    results: dict[str, Result] = {}
    if options.rehearse:
        for case in chosen:
            total += rehearse_case(case)
        _report(total)
        return 0
    try:
        programs = {case.size: case.build(options.rtl) for case in chosen}
        with ProcessPoolExecutor(options.jobs) as pool:
            judged = pool.map(_run, chosen, [programs[case.size] for case in chosen])
            try:
                for case, result in zip(chosen, judged, strict=True):
                    before = results.get(case.size)
                    results[case.size] = document.merge([before, result] if before else [result])
                    total += result.coverage
                    commands += result.commands
                    cycles += result.cycles
                    print(
                        f"{case.size:14} {case.profile:11} seed {case.seed:<6}"
                        f" {result.commands:6} commands {result.cycles:9} cycles, longest accept"
                        f" {result.longest_accept}, wait {result.longest_wait},"
                        f" answer {result.longest_answer}",
                        flush=True,
                    )
            except CaseError as failure:
                pool.shutdown(cancel_futures=True)
                print(failure.told(options.rtl))
                _look_into(failure.case, programs[failure.case.size], options)
                return 1
    except BenchError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{commands} commands, {cycles} cycles: all agree with the model")
    if options.coverage:
        _report(total)
    if options.document:
        print(f"written: {document.write(results, seeds)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
