# SPDX-License-Identifier: Apache-2.0
"""The strict loader of `spec/`, the facts from which everything else is generated."""

from melanion.spec.facts import Spec
from melanion.spec.loader import SpecError, load

__all__ = ["Spec", "SpecError", "load"]
