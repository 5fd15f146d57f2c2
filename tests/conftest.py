"""For every test: `python` is the interpreter that runs it. Verilator's makefiles call that name,
and a machine may have `python3` alone."""

import os
import sys
from pathlib import Path

os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
