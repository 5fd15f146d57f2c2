# SPDX-License-Identifier: Apache-2.0
"""One HTML file: no script, no other file; light and dark; from 400 px up."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from jinja2 import ChoiceLoader, PackageLoader

from melanion.report.colours import PALETTE, slots
from melanion.report.svg import number
from melanion.templates import environment

FRAME = "melanion.report"  # the package of frame.html.j2, which every page fills


def html(
    package: str, template: str, filters: Mapping[str, Callable[..., object]] = {}, **values: Any
) -> str:
    """The page that `template` of `package` makes of `values`."""
    loader = ChoiceLoader([PackageLoader(package, "."), PackageLoader(FRAME, ".")])
    made = environment(loader, escape=True)
    made.globals.update(palette=list(enumerate(PALETTE)), slots=slots)
    made.filters.update({"code": code, "number": number, **filters})
    return made.get_template(template).render(values)


def code(text: str) -> str:
    """HTML of a sentence in which the user is to type the `words` between grave accents."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))
