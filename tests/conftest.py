# SPDX-License-Identifier: Apache-2.0
"""For every test: `python` is the interpreter that runs it (Verilator's makefiles call that name,
and a machine may have `python3` alone), and Ctrl-C works in the programs that are tested (they
would inherit from a shell's background job that it is ignored). What is measured goes into a
results store of its own, not into the user's.
Long tests, the order of files, what is kept: soak.py, order.py, repeat.py."""

import atexit
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from tests.common.order import pytest_collection_modifyitems
from tests.common.repeat import pytest_addoption, pytest_configure
from tests.common.soak import pytest_generate_tests, pytest_pycollect_makeitem

__all__ = [
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_generate_tests",
    "pytest_pycollect_makeitem",
]

os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
_results = tempfile.mkdtemp(prefix="melanion-results-")
atexit.register(shutil.rmtree, _results, ignore_errors=True)
os.environ["MELANION_RESULTS"] = f"{_results}/results.sqlite"
