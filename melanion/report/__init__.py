# SPDX-License-Identifier: Apache-2.0
"""Results as people and programs read them: a terminal table, one self-contained page, CSV,
JSON."""

from melanion.report.collected import reproduction
from melanion.report.export import (
    ReportError,
    check_writable,
    csv_text,
    json_text,
    write,
    write_bytes,
    write_text,
)
from melanion.report.finding import headline
from melanion.report.judged import judged
from melanion.report.terminal import table

__all__ = [
    "ReportError",
    "check_writable",
    "csv_text",
    "headline",
    "json_text",
    "judged",
    "reproduction",
    "table",
    "write",
    "write_bytes",
    "write_text",
]
