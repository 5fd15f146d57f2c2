# SPDX-License-Identifier: Apache-2.0
"""The bridges of hw/bridges, driven by bus models of others, and mutants for their proofs."""
