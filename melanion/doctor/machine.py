# SPDX-License-Identifier: Apache-2.0
"""Queries about a machine: programs, compilers, Python packages, folders. Standard library only.

The set-up script uses this module before any package is installed, and tests put a machine that
lacks something here.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path

from melanion.doctor.distribution import OS_RELEASE, Distribution, identify

_SECONDS = 20.0  # a compiler's first start on a cold disk


class Machine:
    """The machine that we run on. Tests override single methods."""

    def which(self, program: str) -> str | None:
        """The path of a program on PATH."""
        return shutil.which(program)

    def output(self, command: Sequence[str], text: str = "") -> str | None:
        """Return the output of a command that is given `text`; None when it fails or does not
        start."""
        try:
            done = subprocess.run(
                command, input=text, capture_output=True, text=True, timeout=_SECONDS, check=True
            )
        except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
            return None
        return done.stdout.strip()

    def python(self) -> tuple[int, int, int]:
        """The version of the running Python."""
        return sys.version_info[:3]

    def python_library(self) -> Path | None:
        """The shared library of the running Python, for programs that embed it."""
        names = ("INSTSONAME", "LIBDIR", "MULTIARCH")
        library, folder, multiarch = (sysconfig.get_config_var(name) or "" for name in names)
        places = (Path(folder, library), Path(folder, multiarch, library))
        return next((p for p in places if ".so" in library and p.is_file()), None)

    def module_folder(self, name: str) -> Path | None:
        """The folder of an importable package."""
        importlib.invalidate_caches()  # the set-up asks again after it has installed
        found = importlib.util.find_spec(name)
        return Path(found.origin).parent if found and found.origin else None

    def package_version(self, name: str) -> str | None:
        """The version of an installed Python package."""
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return None

    def distribution(self) -> Distribution:
        """The distribution that we run on."""
        try:
            text = OS_RELEASE.read_text(encoding="utf-8")
        except OSError:
            text = ""
        return identify(platform.system(), text)

    def is_root(self) -> bool:
        """Packages can be installed without sudo."""
        return os.geteuid() == 0

    def write_problem(self, folder: Path) -> str | None:
        """Why nothing can be written into a folder (made when missing); None when it can."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=folder) as file:
                file.write(b"\0" * 4096)
        except OSError as error:
            return error.strerror or str(error)
        return None

    def free_bytes(self, folder: Path) -> int:
        """Free space of the file system of an existing folder."""
        return shutil.disk_usage(folder).free
