"""Random test of the hardware unit: seeded scripts, a Verilator bench of the unit alone, judged by the golden model.

`script` is the script's file format, `generate` makes scripts, `bench` builds and runs bench.sv with bench.cpp,
`judge` checks a run, `campaign` runs many, `shrink` makes a failing script small, `mutants` plants bugs. `python -m
tests.random --help` is the replay command that a failure prints.
"""
