# SPDX-License-Identifier: Apache-2.0
"""Result pages in a real browser: every figure and table is there and readable at 1400 and at 400
pixels, light and dark; nothing overflows, nothing is cut off, the console is empty, no network is
asked for.

`defects` finds; that it does is shown with planted ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from melanion.claims.reference import load_references
from melanion.claims.result import Result
from melanion.report import overview, timeline
from melanion.report.declared import figures_of
from melanion.report.page import page
from melanion.report.reproduction import reproduction_page
from melanion.results import result
from melanion.trace.excerpt import Excerpt
from tests.common import needed, stored
from tests.common.browser import Browser, open_browser, program

PROGRAM = program()
pytestmark = needed.needs("browser", "no Chromium is installed" if PROGRAM is None else "")
VIEWS = ((1400, False), (1400, True), (400, False), (400, True))  # pixels; dark
LARGEST = 3_000_000  # bytes of a page

# Finds content that is cut off, too low in contrast or too wide, and quotes it. At these widths a
# table fits its box, which would scroll, and a cell its text; a chart's text is inside the chart.
LOOK = """(() => {
  const found = [], root = document.documentElement;
  const shown = e => { const r = e.getBoundingClientRect(); return r.width > 1 && r.height > 1; };
  if (root.scrollWidth > window.innerWidth)
    found.push(`the page is ${root.scrollWidth} px wide`);
  for (const e of document.querySelectorAll('h1,h2,h3,p,figure,svg,.scroll,li,dd')) {
    if (e.closest('details:not([open])')) continue;
    const r = e.getBoundingClientRect();
    if (r.right > window.innerWidth + 1 || r.left < -1)
      found.push(`${e.tagName} leaves the window: ${e.textContent.slice(0, 40)}`);
    if (e.scrollWidth > e.clientWidth + 1 && !e.matches('.scroll,svg') && e.clientWidth)
      found.push(`${e.tagName} is cut off: ${e.textContent.slice(0, 40)}`);
  }
  for (const e of document.querySelectorAll('table')) {
    const name = e.id || e.className || e.textContent.trim().slice(0, 40);
    const box = e.closest('.scroll');
    if (!box) found.push(`${name}: the table has no box`);
    else if (box.scrollWidth > box.clientWidth + 1)
      found.push(`${name}: the table is ${box.scrollWidth} px wide in ${box.clientWidth}`);
    for (const cell of e.querySelectorAll('td,th'))
      if (shown(cell) && cell.scrollWidth > cell.clientWidth + 1)
        found.push(`${name}: a cell is cut off: ${cell.textContent.slice(0, 40)}`);
  }
  for (const svg of document.querySelectorAll('figure svg')) {
    const box = svg.getBoundingClientRect();
    const name = svg.closest('figure').querySelector('h3').textContent.slice(0, 40);
    if (!shown(svg)) found.push(`a chart is empty: ${name}`);
    if (!svg.querySelector('.bar,.curve,.mark')) found.push(`a chart shows nothing: ${name}`);
    const scale = box.width / svg.viewBox.baseVal.width;
    const texts = [...svg.querySelectorAll('text')].map(e => [e, e.getBoundingClientRect()]);
    for (const [e, r] of texts)
      if (r.left < box.left - 1 || r.right > box.right + 1 || r.top < box.top - 1
          || r.bottom > box.bottom + 1)
        found.push(`'${e.textContent}' leaves its chart: ${name}`);
      else if (parseFloat(getComputedStyle(e).fontSize) * scale < 8)
        found.push(`'${e.textContent}' is too small: ${name}`);
    texts.forEach(([e, a], i) => texts.slice(i + 1).forEach(([f, b]) => {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const tall = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > -1 && tall > 5)
        found.push(`'${e.textContent}' ${wide > 2 ? 'is over' : 'touches'} `
          + `'${f.textContent}': ${name}`);
    }));
  }
  const light = text => { const [r, g, b] = text.match(/[\\d.]+/g).map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const page = light(getComputedStyle(document.body).backgroundColor);
  for (const e of document.querySelectorAll('h1,p,td,th,figcaption,svg text')) {
    const style = getComputedStyle(e);
    const own = light(e.closest('svg') ? style.fill : style.color);
    const ratio = (Math.max(own, page) + 0.05) / (Math.min(own, page) + 0.05);
    if (ratio < 4) { found.push(`contrast ${ratio.toFixed(1)}: ${e.textContent.slice(0, 40)}`); }
  }
  return [...new Set(found)];
})()"""

COUNT = """({
  figures: document.querySelectorAll('figure svg').length,
  titles: [...document.querySelectorAll('figure h3')].map(e => e.textContent.trim()),
  sources: [...document.querySelectorAll('figure .source')].map(e => e.textContent.trim()),
  tables: [...document.querySelectorAll('table')].map(e => e.querySelectorAll('tbody tr').length),
  panels: [...document.querySelectorAll('figure svg')].flatMap(svg =>
    [...new Set([...svg.querySelectorAll('[data-kernel]')].map(e => e.dataset.kernel))]
    .filter(kernel => svg.getAttribute('aria-label').includes(kernel + ':')
      && ['runs', 'ready', 'waits', 'trap', 'interrupts-off', 'event', 'arrow'].every(kind => {
        const found = [...svg.querySelectorAll(`.${kind}[data-kernel="${kernel}"]`)];
        return found.length && found.every(e => e.querySelector('title')); }))).length,
  untitled: [...document.querySelectorAll('.figures svg :is(.bar,.mark)')]
    .filter(e => !e.querySelector('title')).length,
  scripts: document.querySelectorAll('script').length,
})"""


@dataclass(frozen=True)
class Expected:
    """Expected content of a page: figures, for each table its lines, panels of timelines."""

    figures: int
    tables: list[int]
    panels: int = 0


def defects(
    browser: Browser,
    file: Path,
    expected: Expected,
    views: Sequence[tuple[int, bool]] = VIEWS,
) -> list[str]:
    """Return the defects of a page."""
    found = []
    if file.stat().st_size > LARGEST:
        found.append(f"the file has {file.stat().st_size} bytes")
    for width, dark in views:
        browser.load(file, width, dark=dark)
        where = f"{width} px, {'dark' if dark else 'light'}"
        found += [f"{where}: {each}" for each in browser.ask(LOOK)]
        found += [f"{where}: console: {each}" for each in browser.console]
    found += _missing(browser.ask(COUNT), expected)
    return found


def _missing(counted: dict[str, object], expected: Expected) -> Iterator[str]:
    if counted["figures"] != expected.figures:
        yield f"there are {counted['figures']} figures, not {expected.figures}"
    if counted["tables"] != expected.tables:
        yield f"the tables have {counted['tables']} lines, not {expected.tables}"
    if counted["panels"] != expected.panels:
        yield f"{counted['panels']} panels of timelines are whole, not {expected.panels}"
    if counted["untitled"]:
        yield f"{counted['untitled']} bars or marks say nothing to a mouse"
    if counted["scripts"]:
        yield "there is a script"
    for name in ("titles", "sources"):
        texts = counted[name]
        assert isinstance(texts, list)
        if len(texts) != expected.figures or not all(texts):
            yield f"not every figure has one of the {name}"
        if name == "sources" and not all(f"commit {stored.COMMIT}" in text for text in texts):
            yield "not every figure names its commit"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert PROGRAM is not None
    with open_browser(PROGRAM) as found:
        yield found


@pytest.fixture(scope="module")
def whole() -> overview.Overview:
    return overview.collected(stored.collection(), load_references("all"))


@pytest.fixture(scope="module")
def pages(whole: overview.Overview, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The page of everything, and that of one document."""
    folder = tmp_path_factory.mktemp("pages")
    document = next(each for each in whole.documents if each.reference.name == "white-paper")
    texts = {"overview": overview.page(whole), "white-paper": reproduction_page(document)}
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in texts}


@pytest.fixture(scope="module")
def small() -> tuple[str, Expected]:
    """The page without documents, which has no defect."""
    only = overview.of(stored.collection(), [])
    assert only.latency is not None
    panels = panels_of(only.latency, overview.SLOWEST)
    tables = [len(only.latency.lines()), *words_of(panels), 0]
    return overview.page(only), Expected(12, tables, sum(map(len, panels)))


def panels_of(found: Result, shown: Sequence[str]) -> list[list[Excerpt]]:
    """The panels of each figure of timelines: those shown, and the brief ones of all kernels."""
    worst_cases = found.worst_cases
    first = [kernel for kernel in shown if kernel in worst_cases]
    longest = max((worst_cases[kernel].cycles for kernel in first), default=0)
    brief = [
        k for k, worst_case in worst_cases.items() if worst_case.cycles * timeline.BRIEF <= longest
    ]
    return [[worst_cases[kernel].excerpt for kernel in each] for each in (first, brief) if each]


def words_of(panels: list[list[Excerpt]]) -> list[int]:
    """Lines of the table of each."""
    return [sum(len(p.slices) + len(p.instants) for p in each) for each in panels]


def test_the_small_page_has_no_defect(
    browser: Browser, small: tuple[str, Expected], tmp_path: Path
) -> None:
    file = tmp_path / "small.html"
    file.write_text(small[0], encoding="utf-8")
    assert defects(browser, file, small[1], VIEWS[-1:]) == []


def drawn(found: Result) -> int:
    bars = [b for b in found.definition.bars if set(b.kernels) & set(found.kernels)]
    return len(figures_of(found)) + len(bars)


def expected_of(whole: overview.Overview) -> Expected:
    """Two timelines, six distributions, three curves, cycles, area, Thread-Metric; then the
    documents' own."""
    assert whole.latency is not None
    results = [each for document in whole.documents for each in document.results]
    verdicts = [
        len(document.of(each))
        for document in whole.documents
        for each in document.results
        if document.of(each)
    ]
    panels = panels_of(whole.latency, overview.SLOWEST)
    tables = [len(whole.latency.lines()), *words_of(panels), len(whole.documents), *verdicts]
    figures = len(panels) + 6 + 3 + 1 + 1 + 1 + sum(map(drawn, results))
    return Expected(figures, tables, sum(map(len, panels)))


def test_the_page_of_all_results(
    browser: Browser, whole: overview.Overview, pages: dict[str, Path]
) -> None:
    expected = expected_of(whole)
    assert expected.figures > 25 and len(expected.tables) > 15
    assert defects(browser, pages["overview"], expected) == []


def test_the_page_of_a_document(
    browser: Browser, whole: overview.Overview, pages: dict[str, Path]
) -> None:
    document = next(each for each in whole.documents if each.reference.name == "white-paper")
    tables = []
    for each in document.results:
        tables += [len(document.of(each)), len(each.measurements)]
    expected = Expected(sum(map(drawn, document.results)), tables)
    assert defects(browser, pages["white-paper"], expected) == []


@pytest.mark.parametrize("kernels", [["sw", "hwrtos"], list(overview.KERNELS)], ids=len)
def test_the_page_of_a_comparison(browser: Browser, tmp_path: Path, kernels: Sequence[str]) -> None:
    """With two kernels, and with six."""
    found, _ = result(stored.collection(), "latency", kernels)
    assert found is not None
    file = tmp_path / "report.html"
    file.write_text(page(found), encoding="utf-8")
    lines = len(found.lines())
    panels = panels_of(found, timeline.extremes(found))
    tables = [lines, *words_of(panels), lines * len(kernels)]
    expected = Expected(len(panels) + 6 + 3, tables, sum(map(len, panels)))
    assert defects(browser, file, expected, VIEWS[1:3]) == []


@pytest.mark.parametrize(
    ("pattern", "planted", "sentence"),
    [
        (r"<figure>.*?</figure>", "", r"there are \d+ figures, not \d+"),
        (r"<svg .*?</svg>", "<svg></svg>", r"a chart (is empty|shows nothing)"),
        (r"<tr class=\"new\">.*?</tr>", "", r"the tables have .* lines, not"),
        (r"</main>", "<div style='width:500px'>x</div></main>", r"400 px.*page is 5\d\d px wide"),
        (r"</main>", "<script>console.log('x')</script></main>", r"console: log: x"),
        (r"</main>", "<script>x()</script></main>", r"console: exception: Uncaught"),
        (r"</main>", "<img src='https://melanion.test/x.png'></main>", r"console: request: https"),
        (r"(<svg .*?)<text ", r"\1<text transform='translate(-300 0)' ", r"leaves its chart"),
        (r'<path class="arrow".*?</path>', "", r"\d panels of timelines are whole, not"),
        (
            r"(<h3>Last task .*?)translate\(11",
            r"\1translate(17",
            r"'\d.*' (touches|is over) 'cycles, w",
        ),
        (r"svg text \{ font: 12px", "svg text { font: 8px", r"is too small: "),
        (r'(class="bar s\d"[^>]*>)<title>.*?</title>', r"\1", r"1 bars or marks say nothing"),
        (r'class="stack" id', "id", r"worst-cases: the table is \d+ px wide in 368"),
        (r'<div class="scroll">', "<div>", r"the table has no box"),
        (
            r"(Yield to another) task",
            r"\1<span style='margin-left:400px'></span>",
            r"cell is cut off",
        ),
        (r"--text: #ecece6", "--text: #333333", r"dark: contrast 1\.\d"),
        (r'<span class="source">[^<]*', '<span class="source">', r"not every figure"),
    ],
)
def test_planted_defects_are_found(
    browser: Browser,
    small: tuple[str, Expected],
    tmp_path: Path,
    pattern: str,
    planted: str,
    sentence: str,
) -> None:
    text, expected = small
    wrong, count = re.subn(pattern, planted, text, count=1, flags=re.DOTALL)
    assert count == 1
    file = tmp_path / "wrong.html"
    file.write_text(wrong, encoding="utf-8")
    found = defects(browser, file, expected, VIEWS[-1:])
    assert any(re.search(sentence, each) for each in found), found
