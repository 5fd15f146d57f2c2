# SPDX-License-Identifier: Apache-2.0
"""Symbolic execution of the microprogram: each command from its entry over all paths, with free
contents of the state, compared with the functions of melanion/model on the same state.

`paths`: decisions and the solver · `machine`: a word's meaning · `lists`: lists as abstract
sequences · `state`: what both sides begin with, and its invariants · `model`: melanion/model on
symbols · `relation`: what must be equal in the end · `commands`: the proofs.
"""
