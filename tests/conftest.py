"""For every test: `python` is the interpreter that runs it (Verilator's makefiles call that name,
and a machine may have `python3` alone), and Ctrl-C works in the programs that are tested (they
would inherit from a shell's background job that it is ignored)."""

import os
import signal
import sys
from pathlib import Path

os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
