# SPDX-License-Identifier: Apache-2.0
"""Files of the checkout, for rules about all of them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from melanion import paths

ROOT = paths.data_root()


def tree() -> list[Path]:
    """The files that git knows or would add; without git every file outside ignored folders."""
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
    )
    if done.returncode:
        ignored = re.compile(r"(^|/)(\.(?!ci/)[^/]+|build|dist|__pycache__)/")
        names = [str(p.relative_to(ROOT)) for p in ROOT.rglob("*") if p.is_file()]
        return [ROOT / name for name in names if not ignored.search(name)]
    return [ROOT / name for name in done.stdout.decode().split("\0") if name]
