# SPDX-License-Identifier: Apache-2.0
"""The bridges of hw/bridges, driven by bus models of others, and planted bugs for their proofs."""
