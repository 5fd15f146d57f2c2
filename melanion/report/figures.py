# SPDX-License-Identifier: Apache-2.0
"""Charts of many series get a legend of the page; those of few have the names in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import melanion.report.chart as chart
from melanion.report.chart import NAMED, Series

SHORT = 10  # a longer name would lie over other curves


def lines_of(series: Sequence[Series], axis: str, y_title: str) -> dict[str, Any]:
    """Curves, as `chart` and perhaps `legend` of a figure."""
    few = len(series) <= NAMED and max(len(each.name) for each in series) <= SHORT
    return {"chart": chart.lines(series, axis, y_title, named=few), **_legend(series, few)}


def bars_of(names: Sequence[str], series: Sequence[Series], x_title: str) -> dict[str, Any]:
    """Groups of bars, as `chart` and perhaps `legend` of a figure."""
    few = len(series) <= NAMED
    return {"chart": chart.bars(names, series, x_title, named=few), **_legend(series, few)}


def _legend(series: Sequence[Series], few: bool) -> dict[str, Any]:
    return {} if few else {"legend": [(each.name, each.slot) for each in series]}
