# SPDX-License-Identifier: Apache-2.0
"""Ends of the C library (kernel/stdio/ending.c) in a program for Melanion's own calls: exit, abort
and a failed assert end the run; a function of the program's own comes first, and a program that
calls none has nothing of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from melanion import build, config
from melanion.build import App
from melanion.run import RunError, run_program

HEAD = "#include <assert.h>\n#include <melanion/kernel.h>\n#include <stdlib.h>\n"
OWN = "void abort(void) { mel_exit(7); }\n"


def app(folder: Path, body: str, own: str = "") -> App:
    (folder / "app.yaml").write_text("name: ends\n")
    (folder / "main.c").write_text(f"{HEAD}{own}int main(void) {{ {body} }}\n")
    return build.application(folder)


@pytest.mark.parametrize(
    ("body", "own", "code"),
    [
        ("exit(3);", "", 3),
        ("abort();", "", 134),
        ("volatile int x = 0; assert(x);", "", 134),
        ("volatile int x = 0; assert(x);", OWN, 7),
    ],
)
def test_a_call_of_the_library_ends_the_run(body: str, own: str, code: int, tmp_path: Path) -> None:
    with pytest.raises(RunError, match=f"ended with exit code {code} "):
        run_program(config.find("sw"), app(tmp_path, body, own))


def test_a_program_without_such_calls_has_nothing_of_them(tmp_path: Path) -> None:
    symbols = build.program(config.find("sw"), app(tmp_path, "return 0;")).content.symbols
    assert not {"abort", "_exit"} & symbols.keys()
