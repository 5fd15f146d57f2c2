# SPDX-License-Identifier: Apache-2.0
"""A program: `yosys -l LOG -p 'tcl SCRIPT'` as FuseSoC's flow starts it, on the package pyosys.

That has no Tcl: Python's interpreter runs the script, and every command that it does not know is
one of yosys."""

from __future__ import annotations

import os
import sys
import tkinter

from pyosys import libyosys


def main(arguments: list[str]) -> None:
    [script] = [word.removeprefix("tcl ") for word in arguments if word.startswith("tcl ")]
    design = libyosys.Design()
    tcl = tkinter.Tcl()

    def command(*words: str) -> None:
        if words != ("-import",):
            libyosys.run_pass(" ".join(words), design)

    tcl.createcommand("yosys", command)
    tcl.createcommand("unknown", command)
    tcl.createcommand("read_slang", command)
    tcl.eval(f"source {{{script}}}")


if __name__ == "__main__":
    os.environ.setdefault("TERM", "dumb")
    main(sys.argv[1:])
