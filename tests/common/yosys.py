# SPDX-License-Identifier: Apache-2.0
"""Runs commands of yosys, the native one that proofs use."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from melanion.yosys import COMMAND


def complaint(folder: Path, commands: str) -> str:
    """Return yosys's message when a command fails; empty: all pass. Paths are from `folder`."""
    with tempfile.TemporaryDirectory(prefix="melanion-yosys-") as place:
        log, script = Path(place, "log"), Path(place, "script")
        script.write_text("\n".join(commands.split(";")) + "\n", encoding="utf-8")
        words = [*COMMAND, "-ql", str(log), str(script)]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    return done.stderr or f"status {done.returncode}" if done.returncode else ""
