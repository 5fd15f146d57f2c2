# SPDX-License-Identifier: Apache-2.0
"""A program: native yosys as sby starts it, `yosys.py -ql LOG SCRIPT`.

Contract: runs the commands of the script; all that yosys says goes to the log, and only errors to
the standard error; ends with 0, or with 1 after an error. Imports nothing of Melanion, because it
starts several times per proof.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def run(log: str, script: str) -> str:
    """Run a script and return yosys's error text; empty after success. The library ends its process
    at an error, so it gets a process of its own."""
    child = os.fork()
    if child == 0:
        # The library says on the standard output which command runs, whatever is asked of it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        from pyosys import libyosys

        libyosys.run_pass(f"tee -q -o {log} script {script}", libyosys.Design())
        sys.exit(0)
    if os.waitpid(child, 0)[1] == 0:
        return ""
    if not Path(log).is_file():
        return f"{log}: yosys wrote no log."
    said = Path(log).read_text(encoding="utf-8", errors="replace").splitlines()
    first = next((at for at, line in enumerate(said) if "ERROR: " in line), 0)
    return "\n".join(said[first:]) or "yosys said nothing."


if __name__ == "__main__":
    option, *files = sys.argv[1:]
    if option != "-ql" or len(files) != 2:
        sys.exit("usage: yosys.py -ql LOG SCRIPT")
    sys.exit(run(*files) or 0)
