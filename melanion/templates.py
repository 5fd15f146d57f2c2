# SPDX-License-Identifier: Apache-2.0
"""Environment of all templates: a missing name is an error, a line that holds only a block leaves
nothing."""

from __future__ import annotations

from jinja2 import BaseLoader, Environment, StrictUndefined


def environment(loader: BaseLoader, *, escape: bool = False) -> Environment:
    """`escape`: what is inserted is text of an HTML page."""
    return Environment(
        loader=loader,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=escape,
    )
