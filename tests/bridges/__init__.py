"""The bridges of hw/bridges, driven by bus models of others, and planted bugs for their proofs."""
