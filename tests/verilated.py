# SPDX-License-Identifier: Apache-2.0
"""C++ benches around modules of the RTL: verilated and compiled once per text of their sources and
options, and kept under build/benches/."""

from __future__ import annotations

import contextlib
import hashlib
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from melanion.build import tools

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "benches"
SECONDS = 300.0
# The model's class is Vbench. Random power-up contents; little optimization: most benches run for
# seconds, and what runs once, at power-up, is half of their text.
FLAGS = shlex.split(
    "--cc --exe --build --no-std -j 1 --prefix Vbench -o bench -O3 --output-split 0 -Wno-fatal"
    " --x-assign unique --x-initial unique"
)
MAKE_FLAGS = f"OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1 {tools.PCH_FLAG}"
INCLUDE = ROOT / "gen" / "c"


class BenchError(Exception):
    """A bench could not be built, or its program broke off; the text says where."""


def build(top: str, files: Sequence[Path], driver: Path, options: Sequence[str] = ()) -> Path:
    """The bench of module `top`; built, as a whole, when it is not there yet. Raises BenchError.

    `driver`: its C++ file; it may include the headers beside it, and those of gen/c.
    """
    words = ["--top-module", top, *FLAGS, *options]
    digest = hashlib.sha256(repr((sys.prefix, words, MAKE_FLAGS)).encode())
    headers = [*sorted(driver.parent.glob("*.h")), *sorted(INCLUDE.rglob("*.h"))]
    for file in [*files, driver, *headers]:
        digest.update(file.name.encode() + file.read_bytes())
    target = BUILD / digest.hexdigest()[:20] / "bench"
    if target.is_file():
        return target
    environment = tools.verilator_environment()
    if ccache := tools.optional("ccache"):
        environment["OBJCACHE"] = ccache
    BUILD.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix="build.", dir=BUILD))
    command = [
        str(tools.verilator_root() / "bin" / "verilator"), *words, "--Mdir", str(work),
        "-CFLAGS", f"-std=c++17 -I{INCLUDE}", "-MAKEFLAGS", MAKE_FLAGS,
        *map(str, files), str(driver),
    ]  # fmt: skip
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=SECONDS
        )
        if done.returncode:
            raise BenchError(f"verilator failed:\n{(done.stdout + done.stderr)[-4000:]}")
        with contextlib.suppress(OSError):  # another process built the same meanwhile
            work.rename(target.parent)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return target
