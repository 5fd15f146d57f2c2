# SPDX-License-Identifier: Apache-2.0
"""Calls `melanion export`, which may be installed in another environment."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

RECORD = "system.json"


class ExportFailed(Exception):
    """Melanion refused, or is not there; the message is its own sentence."""


def exported(system: str, folder: Path, words: Sequence[str], melanion: str) -> dict[str, Any]:
    """Write an export to `folder`, in place of one that is there. Returns its record of
    decisions. `melanion`: the program. Raises ExportFailed."""
    if (folder / RECORD).is_file():
        shutil.rmtree(folder)
    command = [melanion, "export", system, str(folder), *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise ExportFailed(
            f"{melanion} cannot be started ({error.strerror}); install Melanion, or name its"
            " program: the argument melanion=, of the demo --melanion."
        ) from None
    if done.returncode != 0:
        raise ExportFailed(f"{' '.join(command)}: {(done.stderr or done.stdout).strip()}")
    found: dict[str, Any] = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    return found
