# SPDX-License-Identifier: Apache-2.0
"""One system as a folder that needs nothing of Melanion (docs/howto/export.md): hardware, kernel
library, an example, and what builds them with Verilator, make and GCC.

`content` says what is in it, `write` puts it there.
"""

from melanion.export.errors import ExportError
from melanion.export.folder import content, write

__all__ = ["ExportError", "content", "write"]
