"""Random test of the hardware unit: seeded scripts, a Verilator bench of the unit alone, the model.

`script` is the script's file format; `profiles`, `operands`, `bursts` and `generate` make scripts
(`rehearsal` plays them ahead on the model); `bench` builds and runs bench.sv with bench.cpp;
`judge` checks a run (`coverage` counts what it went through, `edges` accounts for interrupts);
`campaign` runs many and shrinks failures; `mutants` plants bugs in the RTL.
`python -m tests.random --help` is the command that a failure prints. While a part of the unit is
brought up: `--profile plain` touches no event flags, queues, mutexes and timers; `flags`, `queues`,
`mutexes`, `timers` touch one of them only; `--rehearse` needs no RTL.
"""
