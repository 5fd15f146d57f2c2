# SPDX-License-Identifier: Apache-2.0
"""Faults (docs/reference/faults.md): directed sweeps, and the table of what is shown where.

faults.yaml is the table; melanion/docs/pages/faults.py makes the page of it. `stage` writes scripts
for the bench of the unit (tests/random) along with the model, so that a sweep knows the context in
which a request arrives.
`requests`, `windows`, `boundaries`, `races` are sweeps over the unit alone, `resets` has a bench of
its own; `whole` runs programs on the whole system. Every sweep is a function of what it examines,
so that test_faults_mutants.py can give it something broken.
"""
