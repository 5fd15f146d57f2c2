# SPDX-License-Identifier: Apache-2.0
"""The experiment `latency` as a table in Markdown, and drawings as whole SVG files.

Pure: the documents (melanion/docs) supply the result.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

import melanion.report.finding as finding
from melanion.claims.result import Result
from melanion.measure.rows import Parameters
from melanion.report.colours import PALETTE
from melanion.report.svg import HEIGHT, WIDTH, label, number

# The rows of the table. Where a metric has a load or a size, the hardest one is shown.
ROWS: tuple[tuple[str, Parameters], ...] = (
    ("yield", {}),
    ("sem_give_take", {}),
    ("sem_give_switch", {}),
    ("irq_to_handler", {"load": "calls"}),
    ("irq_to_task", {"load": "calls"}),
    ("tick_idle", {}),
    ("tick_wake", {"n": 1, "which": "first"}),
    ("tick_wake", {"n": 32, "which": "first"}),
    ("tick_wake", {"n": 32, "which": "last"}),
    ("irq_off_max", {"tasks": 4}),
    ("irq_off_max", {"tasks": 60}),
)
GAP, TITLE = 24, 44


def table(result: Result) -> str:
    """Largest value of every row, for every kernel, the median where it is another one, and how
    many samples there are at least."""
    kernels = " | ".join(f"`{kernel}`" for kernel in result.kernels)
    lines = [
        f"| cycles: **max** (median, if another) | {kernels} | samples, at least |",
        "|---|" + "--:|" * len(result.kernels) + "--:|",
    ]
    for metric, parameters in ROWS:
        found = [result.get(kernel, metric, parameters).row for kernel in result.kernels]
        cells = " | ".join(_cell(row.max, row.median) for row in found)
        title = finding.row_title(result, metric, parameters)
        lines.append(f"| {title} | {cells} | {number(min(row.n for row in found))} |")
    return "\n".join(lines)


def _cell(most: int, median: int) -> str:
    return f"**{number(most)}**" + (f" ({number(median)})" if median != most else "")


def conditions(result: Result, tick: str) -> str:
    """Conditions of the figures, as a list. `tick`: the tick lengths in words."""
    systems = [result.provenance["systems"][kernel] for kernel in result.kernels]

    def of(key: str) -> str:
        """One value, or one per kernel where they differ."""
        values = [system[key] for system in systems]
        if len(set(values)) == 1:
            return str(values[0])
        return ", ".join(f"{v} ({k})" for v, k in zip(values, result.kernels, strict=True))

    tools = result.provenance["tools"]
    compiler = next(version for name, version in tools.items() if name.endswith("-gcc"))
    return "\n".join(
        [
            f"Measured by `{result.provenance['command']}` at commit"
            f" `{result.provenance['commit']}`:",
            "",
            f"* core: {of('core')}; memory: {of('memory')}; kernel: {of('sizes')}",
            f"* compiler: {compiler}, `{of('flags')}`; simulator: {tools['verilator']}",
            f"* tick: {tick}",
        ]
    )


def sheet(panels: Sequence[tuple[str, str]]) -> str:
    """A whole SVG file: drawings below one another, as wide as a phone. A panel is its title,
    `head: finding`, and a drawing of `chart`, with at most two series."""
    width, step = WIDTH + 2 * GAP, TITLE + HEIGHT + GAP
    parts = []
    for i, (title, drawing) in enumerate(panels):
        top = GAP + i * step
        head, _, rest = title.partition(": ")
        parts.append(label(GAP, top + 10, head, kind="title"))
        parts.append(label(GAP, top + 28, rest, kind="finding"))
        place = f'<svg x="{GAP}" y="{top + TITLE}" width="{WIDTH}" height="{HEIGHT}" '
        parts.append(drawing.replace("<svg ", place, 1))
    height = GAP + len(panels) * step
    return whole(parts, width, height, "; ".join(title for title, _ in panels), natural=width)


def whole(
    parts: Sequence[str],
    width: int,
    height: int,
    description: str,
    *,
    natural: int | None = None,
    style: Sequence[str] = (),
) -> str:
    """A whole SVG file of `parts`, on a page of its own, light or dark. `natural`: its width in
    pixels where there is room; None: all that there is. `style`: rules besides those of charts."""
    size = f' width="{natural}" height="{height * natural / width:.0f}"' if natural else ""
    page = f'<rect class="page" width="{width}" height="{height}" rx="8"/>'
    body = re.sub(r"(?<=>)(?=<)", "\n", page + "".join(parts))
    rules = _style(style, _used(body))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"{size} role="img"'
        f' aria-label="{escape(description, quote=True)}">\n{rules}\n{body}\n</svg>\n'
    )


def _used(body: str) -> list[int]:
    """Slots of colours that a picture uses."""
    return sorted({int(slot) for slot in re.findall(r'class="[^"]*\bs(\d)\b', body)})


def _style(more: Sequence[str], used: Sequence[int]) -> str:
    """The classes of the charts, for a light and a dark page."""

    def colours(page: str, text: str, soft: str, rule: str, shade: int) -> str:
        slots = "".join(f"--s{i}:{PALETTE[i][shade]};" for i in used)
        return f":root{{--page:{page};--text:{text};--soft:{soft};--rule:{rule};{slots}}}"

    dark = colours("#171715", "#ecece6", "#a3a39b", "#3a3a35", 1)
    lines = [
        colours("#fbfbf9", "#1c1c1a", "#62625c", "#deded8", 0),
        f"@media (prefers-color-scheme:dark){{{dark}}}",
        "text{font:12px system-ui,'DejaVu Sans',sans-serif;fill:var(--soft)}",
        ".page{fill:var(--page)}",
        ".title{font-weight:600;font-size:14px;fill:var(--text)} .finding{fill:var(--text)}",
        ".name{font-weight:600} .grid{stroke:var(--rule)} .base{stroke:var(--soft)}",
        ".bar{fill-opacity:.8} .limit{stroke-dasharray:3 3} .curve{fill:none;stroke-width:2}",
    ]
    for i in used:
        lines.append(
            f".s{i}.bar,.s{i}.mark,.s{i}.name{{fill:var(--s{i})}}"
            f" .s{i}.curve,.s{i}.limit{{stroke:var(--s{i})}}"
        )
    return "<style>\n" + "\n".join([*lines, *more]) + "\n</style>"
