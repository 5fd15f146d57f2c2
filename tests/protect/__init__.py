# SPDX-License-Identifier: Apache-2.0
"""The protected unit (melanion/protect, docs/decisions/0051)."""
