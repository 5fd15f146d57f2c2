# SPDX-License-Identifier: Apache-2.0
"""The manual as a site: it builds without a warning, every link in it leads somewhere, nothing is
loaded from elsewhere; in a browser nothing is wider than its box, and the search finds. Tests of
the whole manual are a soak; of a small one, and of what stops it, are not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from melanion import __version__
from melanion.docs import command
from melanion.docs.errors import DocsError
from melanion.docs.manual import site, staging
from tests.common import needed
from tests.common.browser import Browser, open_browser, program

PROGRAM = program()
in_browser = needed.needs("browser", "no Chromium is installed" if PROGRAM is None else "")

# Table boxes and code scroll; all else is in the window, and so is the page.
LOOK = """(() => {
  const found = [];
  if (document.documentElement.scrollWidth > window.innerWidth)
    found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  const scrolls = e => e.closest('.table-wrapper,pre,.highlight,.sidebar-drawer,.toc-drawer');
  for (const e of document.querySelectorAll('h1,h2,h3,p,li,img,.table-wrapper,pre')) {
    const box = e.parentElement && scrolls(e.parentElement);
    const r = e.getBoundingClientRect();
    if (!box && r.width && (r.right > window.innerWidth + 1 || r.left < -1))
      found.push(`${e.tagName} leaves the window: ${e.textContent.slice(0, 40)}`);
  }
  for (const e of document.querySelectorAll('article table'))
    if (!e.closest('.table-wrapper'))
      found.push(`a table has no box: ${e.textContent.slice(0, 40)}`);
  for (const e of document.querySelectorAll('td code .pre'))
    if (e.getClientRects().length > 1 && /^\\w+$/.test(e.textContent))
      found.push(`a word is broken: ${e.textContent}`);
  for (const e of document.querySelectorAll('article img'))
    if (!e.naturalWidth) found.push(`a picture is not there: ${e.getAttribute('src')}`);
  return found;
})()"""
COLOUR = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
FOUND = "[...document.querySelectorAll('#search-results li a')].map(e => e.getAttribute('href'))"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of this version."""
    folder = tmp_path_factory.mktemp("manual")
    assert command.main(["manual", str(folder)]) == 0
    return folder / __version__


# ---- links ---------------------------------------------------------------------------------------


class Addresses(HTMLParser):
    """Anchors of a page, what it links, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.linked: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.linked.append(found["href"])
        if tag == "link" and found.get("rel") in ("stylesheet", "icon", "preload"):
            self.loaded.append(found["href"])
        if tag in ("script", "img", "iframe", "source") and "src" in found:
            self.loaded.append(found["src"])


@cache
def addresses(page: Path) -> Addresses:
    return Addresses(page.read_text(encoding="utf-8"))


def wrong_addresses(page: Path, found: Addresses) -> Iterator[str]:
    """Links inside the site that lead nowhere; loads from elsewhere."""
    for address in [*found.linked, *found.loaded]:
        parts = urlsplit(address)
        if parts.scheme:
            if address in found.loaded and parts.scheme != "data":
                yield f"loads {address}"
            continue
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        if not target.is_file():
            yield f"leads to no file: {address}"
        elif parts.fragment and unquote(parts.fragment) not in addresses(target).anchors:
            yield f"leads to no anchor: {address}"


@pytest.mark.soak
def test_every_link_leads_somewhere(built: Path) -> None:
    pages = sorted(built.rglob("*.html"))
    assert len(pages) > 500
    found = [
        f"{page.relative_to(built)}: {wrong}"
        for page in pages
        for wrong in wrong_addresses(page, addresses(page))
    ]
    assert found == []
    styles = [path.read_text(encoding="utf-8") for path in built.rglob("*.css")]
    assert styles and not any(re.search(r"url\(['\"]?https?:|@import", text) for text in styles)


@pytest.mark.soak
def test_wrong_links_are_found(built: Path) -> None:
    page = built / "index.html"
    text = '<a href="nowhere.html"></a><a href="#nothing"></a><a href="firmware.html#learn"></a>'
    text += '<script src="https://cdn.invalid/x.js"></script><a href="https://host.invalid/"></a>'
    assert list(wrong_addresses(page, Addresses(text))) == [
        "leads to no file: nowhere.html",
        "leads to no anchor: #nothing",
        "loads https://cdn.invalid/x.js",
    ]


@pytest.mark.soak
def test_every_page_is_in_the_navigation(built: Path) -> None:
    """The doors, the reference and the decisions, and below them every page."""
    front = addresses(built / "index.html")
    for name in staging.pages().values():
        assert name.replace(".md", ".html") in front.linked or name == "index.md", name
    doors = ["firmware.html", "soc.html", "research.html", "reference/index.html"]
    places = [front.linked.index(each) for each in doors]
    assert places == sorted(places)


def test_every_page_has_a_contents_page() -> None:
    """Else the manual is not built; beside the front page only pages about the project stand."""
    below = staging.contents()
    assert {name for name in below[staging.FRONT] if name.startswith("docs/")} <= {
        *staging.CONTENTS,
        "docs/glossary.md",
        "docs/tour.md",
    }


# ---- what stops the build ------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A tree of nothing but contents pages, pages beside folders and one page of a door."""
    root = tmp_path / "tree"
    texts = dict.fromkeys([*staging.CONTENTS, *staging.BESIDE], "# Page\n")
    inside = " ".join(f"[x](../{name})" for name in staging.BESIDE)
    texts[staging.FRONT] = f"# Front\n\n{inside}\n"
    texts[staging.CONTENTS[0]] = "# Door\n\n[first](howto/first.md#steps) `[no](link.md)`\n"
    texts["docs/howto/first.md"] = "# First\n\n## Steps\n\n[source](../../hw/a.sv) [hw](../../hw)\n"
    texts["hw/a.sv"] = "module a; endmodule  // <a>\n"
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def test_a_small_site(small: Path, tmp_path: Path) -> None:
    """The control of the next test; sources are shown, and a second build replaces the first."""
    (tmp_path / "out" / __version__).mkdir(parents=True)
    (tmp_path / "out" / __version__ / "old.html").touch()
    front = site.build(tmp_path / "out", root=small)
    assert f"url={__version__}/index.html" in front.read_text(encoding="utf-8")
    assert not (front.parent / __version__ / "old.html").exists()
    shown = (front.parent / __version__ / "tree" / "hw" / "a.sv.html").read_text(encoding="utf-8")
    assert "&lt;a&gt;" in shown
    listed = (front.parent / __version__ / "tree" / "hw.html").read_text(encoding="utf-8")
    assert '<a href="hw/a.sv.html">a.sv</a>' in listed


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("docs/howto/first.md", "# F\n\n[x](gone.md)\n", r"first\.md: link gone\.md leads to noth"),
        ("docs/howto/first.md", "# F\n\n[x](../../../a)\n", r"first\.md: link .* leads to nothing"),
        ("docs/howto/lost.md", "# L\n", r"lost\.md: no contents page links it; link it from docs/"),
        ("docs/reference/lost.md", "# L\n", r"lost\.md: .* link it from docs/reference/README\.md"),
        ("docs/howto/first.md", "# First\n\n## Step\n", r"the manual has errors:\n.*steps"),
        (
            "docs/howto/first.md",
            "# First\n\n## Steps\n\n```{nothing}\n```\n",
            r"errors:\n.*nothing",
        ),
    ],
)
def test_what_is_wrong_stops_the_build(
    small: Path, tmp_path: Path, name: str, text: str, sentence: str
) -> None:
    (small / name).write_text(text, encoding="utf-8")
    with pytest.raises(DocsError, match=sentence):
        site.build(tmp_path / "out", root=small)
    assert not (tmp_path / "out").exists()


# ---- in a browser --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert PROGRAM is not None
    with open_browser(PROGRAM) as found:
        yield found


def look(browser: Browser, page: Path, width: int, *, dark: bool) -> list[str]:
    """Defects of a page in a window."""
    browser.load(page, width, dark=dark)
    light = sum(browser.ask(COLOUR)) > 3 * 128
    found = [*browser.ask(LOOK), *(f"console: {said}" for said in browser.console)]
    return [*found, *(["the page is light"] if dark and light else [])]


@in_browser
@pytest.mark.soak
def test_every_page_fits_a_phone_and_a_desk(browser: Browser, built: Path) -> None:
    found = []
    for name in staging.pages().values():
        page = built / name.replace(".md", ".html")
        for width, dark in ((1400, False), (400, True)):
            found += [
                f"{name}, {width} px: {wrong}" for wrong in look(browser, page, width, dark=dark)
            ]
    for page in (built / "tree" / "hw" / "engine" / "mel_unit.sv.html", built / "search.html"):
        found += [f"{page.name}: {wrong}" for wrong in look(browser, page, 400, dark=True)]
    assert found == []


@in_browser
@pytest.mark.soak
@pytest.mark.parametrize(
    ("planted", "sentence"),
    [
        ("<p style='width:600px'>x</p></article>", "P leaves the window: x"),
        ("<table><tr><td>x</td></tr></table></article>", "a table has no box: x"),
        (
            "<table style='width:40px'><tr><td style='overflow-wrap:anywhere'><code>"
            "<span class='pre'>mel_sem_take</span></code></table></article>",
            "a word is broken: mel_sem_take",
        ),
        ("<img src='gone.png'></article>", "a picture is not there: gone.png"),
        ("<script>console.log('x')</script></article>", "console: log: x"),
        ("<style>body{background:#fff!important}</style></article>", "the page is light"),
    ],
)
def test_planted_defects_are_found(
    browser: Browser, built: Path, planted: str, sentence: str
) -> None:
    text = (built / "firmware.html").read_text(encoding="utf-8")
    wrong = built / "planted.html"
    wrong.write_text(text.replace("</article>", planted, 1), encoding="utf-8")
    try:
        assert sentence in look(browser, wrong, 400, dark=True)
    finally:
        wrong.unlink()


@in_browser
@pytest.mark.soak
@pytest.mark.parametrize(
    ("word", "page"),
    [
        ("inheritance", "explanation/priority-inheritance.html"),
        ("mel_sem_give", "reference/semaphore.html"),
    ],
)
def test_the_search_finds_a_word(browser: Browser, built: Path, word: str, page: str) -> None:
    """From the disk, without a server."""
    browser.load(built / "search.html", 1400, query=f"?q={word}")
    found = browser.ask(
        f"new Promise(done => {{ const look = n => {{ const found = {FOUND};"
        " if (found.length || !n) done(found); else setTimeout(look, 100, n - 1); }; look(100); })"
    )
    assert any(page in address for address in found), found
    browser.load(built / "search.html", 1400, query="?q=zzqqx")
    assert browser.ask(FOUND) == []
