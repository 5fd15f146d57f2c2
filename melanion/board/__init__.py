# SPDX-License-Identifier: Apache-2.0
"""A system and a program on an FPGA board: from a configuration to a bitstream.

`find` reads a board (boards/*.yaml); `design` fits a system to it; `closed` synthesizes, places and
routes it until its timing closes; `bitstream` writes it with a program, in seconds; `load` puts it
into a board that is plugged in; `page` is the report.
"""

from melanion.board.design import Design, Trace, design
from melanion.board.errors import BoardError
from melanion.board.flow import Routed, bitstream, closed, kept, load, routed
from melanion.board.report import page
from melanion.board.schema import Board, find, names

__all__ = [
    "Board",
    "BoardError",
    "Design",
    "Routed",
    "Trace",
    "bitstream",
    "closed",
    "design",
    "find",
    "kept",
    "load",
    "names",
    "page",
    "routed",
]
