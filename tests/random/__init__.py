"""Random test of the hardware unit: seeded scripts, a Verilator bench of the unit alone, the model.

`script` is the script's file format, `profiles` and `generate` make scripts (`rehearsal` plays them
ahead), `bench` builds and runs bench.sv with bench.cpp, `judge` checks a run (`coverage` counts
what it went through), `campaign` runs many and shrinks failures, `mutants` plants bugs in the RTL.
`python -m tests.random --help` is the command that a failure prints.
"""
