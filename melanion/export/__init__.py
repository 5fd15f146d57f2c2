# SPDX-License-Identifier: Apache-2.0
"""One system as a folder that needs nothing of Melanion (docs/howto/export.md): hardware, kernel
library, an example, and what builds them with Verilator, make and GCC; or its hardware unit alone
in plain Verilog (docs/howto/unit-as-ip.md).

`content` and `plain_content` say what is in it, `write` and `write_plain` put it there.
"""

from melanion.export.errors import ExportError
from melanion.export.folder import content, plain_content, write, write_plain
from melanion.export.wrapper import NATIVE

__all__ = ["NATIVE", "ExportError", "content", "plain_content", "write", "write_plain"]
