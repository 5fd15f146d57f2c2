# SPDX-License-Identifier: Apache-2.0
"""Every source file names its licence before anything else, generated ones included.

A template of a source is one, too. The programs that `melanion new` and the studio
write are their users' own.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.common.tree import ROOT, tree

SUFFIXES = {".py", ".sv", ".c", ".h", ".S", ".cpp", ".vlt", ".mk", ".sby", ".ld", ".yml"}
NAMES = {"Makefile", "run", ".editorconfig", ".clang-format", ".pre-commit-config.yaml"}
USERS_OWN = ("melanion/cli/new_app/", "melanion/cli/new_freertos/", "melanion/studio/starter/")
# In the first line, or behind one that names the interpreter or the language.
LINE = re.compile(
    r"(?:(?:#!|`verilator_config)[^\n]*\n)?(?:#|//|/\*|\{#) SPDX-License-Identifier: Apache-2\.0\b"
)


def is_source(name: str) -> bool:
    path = Path(name.removesuffix(".j2"))
    return (path.suffix in SUFFIXES or path.name in NAMES) and not name.startswith(USERS_OWN)


def names_its_licence(text: str) -> bool:
    return LINE.match(text) is not None


def test_every_source_names_its_licence() -> None:
    names = [str(path.relative_to(ROOT)) for path in tree() if path.is_file()]
    sources = [name for name in names if is_source(name)]
    assert len(sources) > 900
    assert [n for n in sources if not names_its_licence((ROOT / n).read_text("utf-8"))] == []


def test_a_file_without_licence_is_found() -> None:
    assert names_its_licence("#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n")
    assert names_its_licence("/* SPDX-License-Identifier: Apache-2.0 */\n")
    assert not names_its_licence("// mel_unit\n// SPDX-License-Identifier: Apache-2.0\n")
    assert not names_its_licence("# SPDX-License-Identifier: MIT\n")
    assert not names_its_licence("")
    assert is_source("hw/engine/mel_unit.sv") and is_source("soc/tops/mel_system_pkg.sv.j2")
    assert is_source(".ci/run") and is_source("melanion/export/templates/Makefile.j2")
    assert not is_source("melanion/studio/starter/main.c")
    assert not is_source("melanion/cli/new_app/main.c") and not is_source("docs/tour.md")
