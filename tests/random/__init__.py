# SPDX-License-Identifier: Apache-2.0
"""Random test of the hardware unit: seeded scripts, a Verilator bench of the unit alone, the model.

`script` is the script's file format; `profiles`, `operands`, `bursts` and `generate` make scripts
(`rehearsal` plays them ahead on the model, with a `driver` for each core); `bench` builds and runs
bench.sv with bench.cpp and ports.h; `judge` checks a run (`loads` what every access returned,
`lines` the interrupt lines, `turns` that no core starves, `edges` the account of interrupts,
`coverage` counts what it went through), `steps` holds every step of hw/engine against its bounds
(measured by steps.sv); `campaign` runs many and shrinks failures; `mutants` plants
bugs in the RTL, `planted_cores` those of several cores in the model.
`python -m tests.random --help` is the command that a failure prints. While a part of the unit is
brought up: `--profile plain` touches no event flags, queues, mutexes and timers; `flags`, `queues`,
`mutexes`, `timers` touch one of them only; `--rehearse` needs no RTL.
Sizes with several cores: `two`, `three`, `four`, `four_default`.
"""
