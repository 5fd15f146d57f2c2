# SPDX-License-Identifier: Apache-2.0
"""The data sheet of a system: worst cases of every call, measured beside counted.

How a bound is counted, and what is not in it: docs/explanation/datasheet.md.
"""

from melanion.datasheet.sheet import DatasheetError, Sheet, excesses
from melanion.datasheet.work import make

__all__ = ["DatasheetError", "Sheet", "excesses", "make"]
