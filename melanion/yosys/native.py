# SPDX-License-Identifier: Apache-2.0
"""A program: the native yosys, `native.py SCRIPT`, or as sby starts it, `native.py -ql LOG SCRIPT`.

Contract: runs the commands of the script. All that yosys says goes to the standard output; with a
log there, and only errors to the standard error. Ends with 0, or with 1 after an error. Imports
nothing of Melanion, because it starts several times per proof.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def run(command: str) -> None:
    """Run a command of yosys. The library ends this process at an error."""
    from pyosys import libyosys

    libyosys.run_pass(command, libyosys.Design())


def run_quietly(log: str, script: str) -> str:
    """Run a script in a process of its own and return yosys's error text; empty after success."""
    child = os.fork()
    if child == 0:
        # The library says on the standard output which command runs, whatever is asked of it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        run(f"tee -q -o {log} script {script}")
        sys.exit(0)
    if os.waitpid(child, 0)[1] == 0:
        return ""
    if not Path(log).is_file():
        return f"{log}: yosys wrote no log."
    said = Path(log).read_text(encoding="utf-8", errors="replace").splitlines()
    first = next((at for at, line in enumerate(said) if "ERROR: " in line), 0)
    return "\n".join(said[first:]) or "yosys said nothing."


if __name__ == "__main__":
    match sys.argv[1:]:
        case [script] if not script.startswith("-"):
            run(f"script {script}")
        case ["-ql", log, script]:
            sys.exit(run_quietly(log, script) or 0)
        case _:
            sys.exit("usage: native.py [-ql LOG] SCRIPT")
