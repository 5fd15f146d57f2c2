# SPDX-License-Identifier: Apache-2.0
"""Ends of a program without app.yaml: exit, abort and a failed assert of the C library end the run.
They are weak, so that a program's own come first, and the linker drops those that nobody calls."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import melanion.build.tools as tools
from melanion.build.errors import BuildError

SOURCE = """#include <melanion/kernel.h>
#define END __attribute__((weak)) _Noreturn void
END _exit(int code);
END abort(void);
END _exit(int code) { mel_exit((uint32_t)code); }
END abort(void) { mel_exit(134); } /* as a shell shows SIGABRT */
"""
_NAME = "ending"


def compiled(work: Path, gcc: Sequence[str], include: Path) -> Path:
    """The object file, made in `work`."""
    source, target = work / f"{_NAME}.c", work / f"{_NAME}.o"
    source.write_text(SOURCE, encoding="ascii")
    words = [*gcc, f"-I{include}", "-c", str(source), "-o", str(target)]
    done = tools.run(words, folder=work)
    if done.status != 0:
        raise BuildError(f"{source.name} of melanion does not compile: {done.output.strip()}.")
    return target
