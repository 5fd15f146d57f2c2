# SPDX-License-Identifier: Apache-2.0
"""The first screen of README.md and the data sheet in a real browser, wide and narrow, light and
dark: every text is in its place and readable, no table is wider than its box. That a defect is
found is shown with planted ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from melanion import paths
from melanion.datasheet import present
from melanion.docs.pages import front
from melanion.report.page import page
from tests.common.browser import Browser, open_browser, program
from tests.common.exact_cycles import pinned
from tests.docs.test_docs import text_of
from tests.lab.test_datasheet import sheet
from tests.lab.test_pages_in_browser import LOOK, VIEWS
from tests.lab.test_report import result as synthetic

ROOT = paths.data_root()
PICTURE = ROOT / "docs" / "latency.svg"
PROGRAM = program()
pytestmark = pytest.mark.skipif(
    PROGRAM is None, reason="no Chromium is installed; `melanion doctor` says how"
)
BETWEEN = ((1000, False), (700, False))  # as a tablet has it
LEAST = 9  # height of a text in pixels, on the narrowest screen
COLUMN = 830  # width of a repository's page in a wide window

(SW,) = (row.loaded for row in front.figures() if row.name == "sw")

# A picture in a page as light or as dark as itself.
FIGURE = """<!DOCTYPE html><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<style>body {{ margin: 16px; background: #fbfbf9; color: #1c1c1a }} figure {{ margin: 0 }}
@media (prefers-color-scheme: dark) {{ body {{ background: #171715; color: #ecece6 }} }}
svg {{ max-width: 100%; height: auto }}</style><figure><h3>picture</h3>{}</figure>"""
SMALLEST = """Math.min(...[...document.querySelectorAll('svg text')]
  .map(e => e.getBoundingClientRect().height))"""

# As a repository's page shows Markdown: a table that is too wide scrolls.
PAGE = """<!DOCTYPE html><meta charset="utf-8"><style>
body {{ margin: 0 auto; max-width: {column}px; font: 16px/1.5 sans-serif }}
img {{ max-width: 100% }} code {{ font: 85% monospace; padding: .2em .4em }}
table {{ display: block; width: max-content; max-width: 100%; overflow: auto;
  border-collapse: collapse }}
th, td {{ padding: 6px 13px; border: 1px solid }}</style>{body}"""
WIDE = """[...document.querySelectorAll('table')].filter(e => e.scrollWidth > e.clientWidth + 1)
  .map(e => e.textContent.trim().slice(0, 60))"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert PROGRAM is not None
    with open_browser(PROGRAM) as found:
        yield found


def looked_at(
    browser: Browser, file: Path, text: str, views: Sequence[tuple[int, bool]]
) -> list[str]:
    """Return the defects of a page in some views."""
    file.write_text(text, encoding="utf-8")
    found = []
    for width, dark in views:
        browser.load(file, width, dark=dark)
        where = f"{width} px, {'dark' if dark else 'light'}"
        found += [f"{where}: {each}" for each in [*browser.ask(LOOK), *browser.console]]
    return found


def planted_in(text: str, pattern: str, planted: str) -> str:
    wrong, count = re.subn(pattern, planted, text, count=1, flags=re.DOTALL)
    assert count == 1
    return wrong


# ---- the picture of README.md --------------------------------------------------------------------


def test_the_picture(browser: Browser, tmp_path: Path) -> None:
    file, text = tmp_path / "picture.html", FIGURE.format(text_of(PICTURE))
    assert looked_at(browser, file, text, VIEWS) == []
    assert browser.ask(SMALLEST) >= LEAST
    assert browser.ask("document.querySelector('svg').clientWidth") == 368


@pytest.mark.parametrize(
    ("pattern", "planted", "sentence"),
    [
        (rf' x="[\d.]+"( y="[\d.]+"[^>]*>{SW}<)', r' x="8"\1', f"'sw' is over '{SW}'"),
        (rf"(<text [^>]*)>{SW}", rf"\1 transform='translate(-400 0)'>{SW}", "leaves its chart"),
        (r"(dark\).*?)--text:#ecece6", r"\1--text:#333333", r"dark: contrast 1\.\d"),
    ],
)
def test_a_wrong_picture_is_found(
    browser: Browser, tmp_path: Path, pattern: str, planted: str, sentence: str
) -> None:
    text = planted_in(FIGURE.format(text_of(PICTURE)), pattern, planted)
    found = looked_at(browser, tmp_path / "wrong.html", text, VIEWS[-1:])
    assert any(re.search(sentence, each) for each in found), found


# ---- README.md as a page -------------------------------------------------------------------------


def readme() -> str:
    """Its HTML; pictures are left out."""
    body = MarkdownIt("commonmark").enable("table").render(text_of(ROOT / "README.md"))
    return PAGE.format(column=COLUMN, body=re.sub(r"<img [^>]*>", "", body))


def test_tables_of_the_readme_fit_its_page(browser: Browser, tmp_path: Path) -> None:
    file, text = tmp_path / "readme.html", readme()
    file.write_text(text, encoding="utf-8")
    browser.load(file, 1400)
    assert browser.ask("document.querySelectorAll('table').length") == 3
    assert browser.ask(WIDE) == []
    text = planted_in(text, r"<td[^>]*>nothing", r"<td>" + "nothing" * 90)
    file.write_text(text, encoding="utf-8")
    browser.load(file, 1400)
    assert len(browser.ask(WIDE)) == 1


# ---- the data sheet ------------------------------------------------------------------------------


LEAD = "document.querySelector('h1 + .lead').textContent"
ANCHORS = """[...document.querySelectorAll('.contents a')]
  .map(e => document.querySelector(e.hash).textContent === e.textContent)"""


BROKEN = """[...document.querySelectorAll('.wide td.words')].filter(e => / = /.test(e.textContent)
  && e.getBoundingClientRect().height > 30).map(e => e.textContent)"""


@pinned
def test_the_data_sheet(browser: Browser, tmp_path: Path) -> None:
    text = present.page(sheet())
    assert looked_at(browser, tmp_path / "sheet.html", text, [*VIEWS, *BETWEEN]) == []
    tables = sum(section.table is not None for section in present.sections(sheet()))
    assert browser.ask("document.querySelectorAll('.scroll > table').length") == tables >= 8
    assert re.search(r"the slowest call \d+ cycles \(mel_\w+\)", browser.ask(LEAD))
    assert browser.ask(ANCHORS) == [True] * len(present.sections(sheet()))
    browser.load(tmp_path / "sheet.html", 400)
    labels = (
        "getComputedStyle(document.querySelector('.wide td[data-is=seen]'), '::before').content"
    )
    assert browser.ask(labels) == '"seen"', "a cell says its column where there are no headings"
    assert browser.ask(BROKEN) == [], "a sum is on one line"


def test_a_table_that_is_too_wide_has_a_shadow_where_it_is_cut(
    browser: Browser, tmp_path: Path
) -> None:
    """With ten kernels: covers that move with the table lie over shadows that do not."""
    names = ["sw", "freertos", "hwrtos", "port", "banked", "booster"]
    more = ["hwrtos@bus:20", "sw-vexriscv", "hwrtos-vexriscv", "port-vexriscv"]
    text = page(synthetic(*names, *more))
    file = tmp_path / "wide.html"
    found = looked_at(browser, file, text, VIEWS[:1])
    assert len(found) == 1 and re.search(r"the table is \d{4} px wide in 1048", found[0])
    style = "getComputedStyle(document.querySelector('.scroll'))"
    assert browser.ask(f"{style}.backgroundAttachment") == "local, local, scroll, scroll"
    assert browser.ask(f"{style}.backgroundImage").count("linear-gradient(") == 4
    assert looked_at(browser, file, text, VIEWS[2:]) == []


@pinned
@pytest.mark.parametrize(
    ("pattern", "planted", "view", "sentence"),
    [
        (
            r'class="wraps stack roomy wide"',
            "",
            (1400, False),
            r"the table is \d{4} px wide in 1048",
        ),
        (
            r'class="wraps stack roomy wide"',
            "class='wraps'",
            (400, True),
            r"the table is \d+ px wide",
        ),
        (
            r"(<h2 id=\"in-the-unit\".*?<td) class=\"text\"",
            r"\1",
            (400, True),
            r"the table is \d+ px wide",
        ),
        (r">mel_task_self<", f">{40 * 'mel_task_self'}<", (1400, False), "px wide in 1048"),
        (r"--text: #ecece6", "--text: #333333", (400, True), r"dark: contrast 1\.\d"),
    ],
)
def test_a_wrong_data_sheet_is_found(
    browser: Browser,
    tmp_path: Path,
    pattern: str,
    planted: str,
    view: tuple[int, bool],
    sentence: str,
) -> None:
    text = planted_in(present.page(sheet()), pattern, planted)
    found = looked_at(browser, tmp_path / "wrong.html", text, [view])
    assert any(re.search(sentence, each) for each in found), found
