# SPDX-License-Identifier: Apache-2.0
"""Programs without a kernel, for the tests of soc, build and run: one C text and start.S."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

from melanion import build, config
from melanion.build import App, library
from melanion.config import System
from melanion.run import RunResult, Settings, run_program

FOLDER = Path(__file__).parent


def app(folder: Path, text: str, name: str = "bare") -> App:
    """An application folder with this main.c."""
    folder.mkdir(exist_ok=True)
    (folder / "app.yaml").write_text(f"name: {name}\n")
    (folder / "main.c").write_text(f'#include "bare.h"\n{text}')
    (folder / "bare.h").write_text((FOLDER / "bare.h").read_text())
    return build.application(folder)


def no_kernel() -> Any:
    """While active, programs are linked with start.S in place of a kernel."""
    return mock.patch.object(library, "sources", lambda *_: [FOLDER / "start.S"])


def run(
    folder: Path,
    text: str,
    system: System | None = None,
    *,
    failed: Callable[[RunResult], None] = lambda _: None,
    **settings: Any,
) -> RunResult:
    """Build and run one C text; `failed`: as `run_program` has it."""
    with no_kernel():
        return run_program(
            system or config.find("sw"), app(folder, text), Settings(**settings), failed=failed
        )
