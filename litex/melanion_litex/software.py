# SPDX-License-Identifier: Apache-2.0
"""Programs with Melanion's kernel and LiteX's generated headers, such as csr.h."""

from __future__ import annotations

import inspect
import subprocess
from collections.abc import Sequence
from pathlib import Path

from litex.soc.integration.builder import soc_directory

HOST = Path(__file__).parent / "data" / "host.c"


def build_program(soc, builder, library: str | Path, sources: Sequence[str | Path]) -> Path:
    """Build a program after `builder.build()`; the image's path, named after the first source.
    `library`: the folder of the kernel's, such as `soc.melanion.folder`. Console: LiteX's UART
    (data/host.c). Raises CalledProcessError, with the compiler's text on standard error."""
    headers = [
        builder.include_dir,
        Path(soc_directory, "software", "include"),
        Path(inspect.getfile(type(soc.cpu))).parent,
    ]
    every = [*(Path(source).absolute() for source in sources), HOST]
    words = [f"PROGRAM={' '.join(map(str, every))}"]
    # LiteX's headers are GNU C, and are not compiled with our warnings.
    flags = ["-std=gnu11", *(f"-isystem {folder}" for folder in headers)]
    words += [f"MORE_FLAGS={' '.join(flags)}"]
    subprocess.run(["make", "-s", "-C", str(library), "program", *words], check=True)
    return Path(library, "build", f"{every[0].stem}.bin")
