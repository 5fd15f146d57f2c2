# SPDX-License-Identifier: Apache-2.0
"""One system as a folder that needs nothing of Melanion (docs/howto/export.md): hardware, kernel
library, an example, and what builds them with Verilator, make and GCC; or its hardware unit alone
in plain Verilog (docs/howto/unit-as-ip.md), or its kernel library for a SoC that is not ours
(docs/howto/foreign-soc.md).

`content`, `plain_content` and `library_content` say what is in it, `write`, `write_plain` and
`write_library` put it there.
"""

from melanion.export.errors import ExportError
from melanion.export.folder import (
    content,
    library_content,
    plain_content,
    registers_content,
    write,
    write_library,
    write_plain,
    write_registers,
)
from melanion.export.foreign import Foreign, load
from melanion.export.wrapper import NATIVE

__all__ = [
    "NATIVE",
    "ExportError",
    "Foreign",
    "content",
    "library_content",
    "load",
    "plain_content",
    "registers_content",
    "write",
    "write_library",
    "write_plain",
    "write_registers",
]
