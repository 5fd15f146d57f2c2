"""One HTML file: no script, no other file; light and dark; from 400 px up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

FRAME = "melanion.report"  # the package of frame.html.j2, which every page fills


def html(
    package: str, template: str, filters: Mapping[str, Callable[..., str]] = {}, **values: Any
) -> str:
    """The page that `template` of `package` makes of `values`."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package, "."), PackageLoader(FRAME, ".")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    environment.filters.update(filters)
    return environment.get_template(template).render(values)
