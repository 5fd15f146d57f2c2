# SPDX-License-Identifier: Apache-2.0
"""C++ benches around modules of the RTL: verilated and compiled once per text of their sources and
options, and kept in the build cache; run within a limit of processor time."""

from __future__ import annotations

import contextlib
import resource
import shlex
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from melanion.build import BuildError, cache, model

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 300  # processor time for one run of a bench
# The model's class is Vbench. Random power-up contents.
PREFIX = "Vbench"
FLAGS = [
    *model.VERILATOR_FLAGS,
    *shlex.split(f"-j 1 --prefix {PREFIX} -O3 --output-split 0"),
    *shlex.split("--x-assign unique --x-initial unique"),
]
MAKE_FLAGS = ("OPT_FAST=-O1", "OPT_GLOBAL=-O2")
INCLUDE = ROOT / "gen" / "c"


class BenchError(Exception):
    """A bench could not be built, or its program broke off; the text says where."""


def build(top: str, files: Sequence[Path], driver: Path, options: Sequence[str] = ()) -> Path:
    """The bench of module `top`; built, as a whole, when it is not there yet. Raises BenchError.

    `driver`: its C++ file; it may include the headers beside it, and those of gen/c.
    """
    words = ["--top-module", top, *FLAGS, *options]
    headers = [*sorted(driver.parent.glob("*.h")), *sorted(INCLUDE.rglob("*.h"))]
    key = cache.key_of(
        [
            *((f"{i} {file.name}", file.read_bytes()) for i, file in enumerate(files)),
            *((file.name, file.read_bytes()) for file in [driver, *headers, model.makefile()]),
            ("flags", "\n".join([*words, model.CXX_FLAGS, *MAKE_FLAGS]).encode()),
            ("tools", "\n".join(model.versions().values()).encode()),
        ]
    )
    include = ["-CFLAGS", f"{model.CXX_FLAGS} -I{INCLUDE} -I{driver.parent}"]
    recipe = model.Recipe(PREFIX, (driver.stem,), MAKE_FLAGS, [])

    def make(work: Path) -> None:
        model.verilate([*words, *include, *map(str, files), str(driver)], work)
        model.link(recipe, work, lambda _: None)

    try:
        return cache.entry("bench", key, make, lambda _: None, f"building the bench {top}") / "sim"
    except (model.ToolError, BuildError) as error:
        raise BenchError(str(error)) from None


def run(
    words: Sequence[str], seconds: int = SECONDS, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a bench to its end. Raises BenchError when it takes more processor time than that."""
    process = subprocess.Popen(
        list(words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        cwd=folder,
    )
    with contextlib.suppress(ProcessLookupError):
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds + 1))
    out, err = process.communicate()
    if -process.returncode in (signal.SIGXCPU, signal.SIGKILL):
        raise BenchError(f"{Path(words[0]).name}: not done after {seconds} s of processor time.")
    return subprocess.CompletedProcess(list(words), process.returncode, out, err)
