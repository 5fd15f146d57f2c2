# SPDX-License-Identifier: Apache-2.0
"""The studio in a real browser: a visitor edits his program, builds it, runs it and sees what has
changed."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from melanion import build, config
from melanion.run import Settings, run_program
from melanion.studio import load
from tests.common.browser import Browser
from tests.common.needed import needs, problem
from tests.lab.test_pages_in_browser import LOOK, VIEWS
from tests.studio import seen
from tests.studio.studio_server import Client, studio

pytestmark = [needs(tool, problem(tool)) for tool in ("browser", "npm")]

PATIENCE = 600  # seconds until both kernels have run, with a simulation that must be built first
until, drawn = (partial(each, patience=PATIENCE) for each in (seen.until, seen.drawn))
GALLERY = load()
CYCLES, PULSES = 60_000, ((3, 40_000), (3, 44_000))
EDITOR = "document.querySelector('#editor').shadowRoot"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("studio")
    shutil.copytree(GALLERY.folder("interrupt"), root / "mine")
    shutil.copytree(GALLERY.folder("interrupt").parent / "common", root / "common")
    return root / "mine"


@pytest.fixture(scope="module")
def client(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with studio(tmp_path_factory.mktemp("results"), folder) as found:
        yield found


@pytest.fixture
def page(browser: Browser, client: Client) -> Iterator[Browser]:
    """The studio with the program of the folder, which has run; nothing is left for the next."""
    browser.visit(client.server.address, 1400)
    drawn(browser)
    if browser.ask("document.querySelector('#own-pulses').value") == "":
        fill(browser, "#own-cycles", CYCLES)
        drawn(browser)
        fill(browser, "#own-pulses", " ".join(f"{line}@{cycle}" for line, cycle in PULSES))
        until(browser, "document.querySelectorAll('.handle').length", len(PULSES))
    drawn(browser)
    yield browser


def fill(browser: Browser, field: str, value: object) -> None:
    browser.ask(
        f"(field => {{ field.value = {str(value)!r};"
        " field.dispatchEvent(new Event('change', {bubbles: true})) }"
        f")(document.querySelector({field!r}))"
    )


def click(browser: Browser, button: str) -> None:
    browser.ask(f"document.querySelector({button!r}).click()")


def worst(browser: Browser, side: str) -> int:
    return int(browser.ask(f"document.querySelector('#run-{side}').dataset.worst"))


def type_before(browser: Browser, place: str, text: str) -> None:
    """Type into the editor, in front of a place in a visible line of it."""
    done = browser.ask(
        f"""(() => {{
  const lines = [...{EDITOR}.querySelectorAll('.cm-line')];
  const line = lines.find(each => each.textContent.includes({place!r}));
  line.scrollIntoView({{block: 'center'}});
  {EDITOR}.querySelector('.cm-content').focus();
  const nodes = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  for (let at = line.textContent.indexOf({place!r}), node; (node = nodes.nextNode());)
    if (at > node.data.length) at -= node.data.length;
    else {{ getSelection().collapse(node, at); break; }}
  return new Promise(done => setTimeout(() =>
    done(document.execCommand('insertText', false, {text!r})), 50));
}})()"""
    )
    assert done


def native(folder: Path, system: str) -> int:
    """Longest measured span of the folder's program as it is now."""
    settings = Settings(max_cycles=CYCLES, endless=True, pulses=PULSES)
    result = run_program(config.find(system), build.freertos_application(folder), settings)
    return max(seen.spans(result))


def test_a_visitor_edits_builds_runs_and_sees_the_worst_change(page: Browser, folder: Path) -> None:
    before = {side: worst(page, side) for side in ("a", "b")}
    text = (folder / "main.c").read_text()
    assert before == {"a": native(folder, "freertos"), "b": native(folder, "hwrtos")}
    type_before(page, "MEL_REGION_SERVED(0", "work(100); ")
    assert "main.c" in page.ask("document.querySelector('#file-state').textContent")
    click(page, "#build")
    until(page, "document.querySelector('#save').disabled", True)
    saved = (folder / "main.c").read_text()
    assert saved == text.replace("MEL_REGION_SERVED(0,", "work(100); MEL_REGION_SERVED(0,")
    for side, system in (("a", "freertos"), ("b", "hwrtos")):
        now = native(folder, system)
        assert now > before[side] + 100
        until(page, f"document.querySelector('#run-{side}').dataset.worst", str(now))
    drawn(page)
    assert page.ask("document.querySelector('#run-a').dataset.verdict") == "own"
    assert page.ask("document.querySelector('#run-b').dataset.verdict") == "agrees"
    assert "--pulse 3@40000" in page.ask("document.querySelector('#output-b .command').textContent")
    assert page.console == []


def test_a_click_on_a_command_shows_the_cycles_of_the_unit(page: Browser) -> None:
    seen.click_event(page, "b", "notification_take_all(", patience=PATIENCE)
    until(page, "document.querySelector('#unit').dataset.unit", "shown")
    caption = page.ask("document.querySelector('.unit caption').textContent")
    assert caption.startswith("command notification_take_all: ")
    assert page.console == []


def test_a_build_error_stands_at_its_line(page: Browser, folder: Path) -> None:
    text = (folder / "main.c").read_text()
    place = "MEL_REGION_SERVED(0"
    [line] = [n for n, each in enumerate(text.splitlines(), 1) if place in each]
    type_before(page, place, "wrong ")
    click(page, "#build")
    try:
        until(page, "document.querySelector('#file-state').dataset.line", str(line))
        until(page, "document.body.dataset.state", "failed")
    finally:
        (folder / "main.c").write_text(text)
    assert page.ask(f"{EDITOR}.querySelectorAll('.cm-lint-marker-error').length") == 1
    said = page.ask("document.querySelector('#run-a .message').textContent")
    assert said.startswith(f"{folder}/main.c:{line}: ") and "does not compile" in said


def test_a_file_that_has_changed_is_opened_again(page: Browser, folder: Path) -> None:
    text = (folder / "main.c").read_text()
    type_before(page, "MEL_REGION_SERVED(0", "work(1); ")
    (folder / "main.c").write_text("/* another program */\n" + text)
    click(page, "#save")
    said = "document.querySelector('#file-state').textContent"
    until(page, f"{said}.includes('was changed by another program')", True)
    click(page, "#reopen")
    until(page, said, "saved")
    first = f"{EDITOR}.querySelector('.cm-line').textContent"
    until(page, f"{EDITOR}.querySelector('.cm-content').textContent.includes('work(1)')", False)
    page.ask(f"{EDITOR}.querySelector('.cm-scroller').scrollTo(0, 0)")
    until(page, first, "/* another program */")
    (folder / "main.c").write_text(text)


def test_a_system_is_composed_and_used(page: Browser) -> None:
    fill(page, "#system-name", "hwrtos[tasks=1000]")
    until(page, "document.querySelector('#system-use').disabled", True)
    said = page.ask("document.querySelector('#system-message').textContent")
    assert "parameters.tasks is 1000" in said
    click(page, "#export")
    assert page.ask("document.querySelector('#export-said').textContent") == (
        "The form shows no system; correct what its message names."
    )
    fill(page, "#system-name", "banked")
    until(page, "document.querySelector('#system-kernel').value", "banked")
    fill(page, "#axis-cores", 2)
    until(page, "document.querySelector('#system-name').value", "banked-2")
    fill(page, "#axis-core", "vexriscv")
    until(page, "document.querySelector('#system-use').disabled", True)
    assert page.ask("document.querySelector('#system-name').value") == ""
    fill(page, "#system-name", "banked")
    until(page, "document.querySelector('#system-use').disabled", False)
    fill(page, "#size-tasks", 16)
    until(page, "document.querySelector('#system-name').value", "banked[tasks=16]")
    assert "interpolated" in page.ask("document.querySelector('#system-price').textContent")
    fill(page, "#system-kernel", "sw")
    until(page, "document.querySelector('#system-name').value", "sw[tasks=16]")
    assert "measured" in page.ask("document.querySelector('#system-price').textContent")
    fill(page, "#size-tasks", 64)
    until(page, "document.querySelector('#system-name').value", "sw")
    click(page, "#system-use")
    until(page, "document.querySelector('#run-b').dataset.system", "sw")
    assert page.ask("document.querySelector('#kernel-b').value") == "sw"
    drawn(page)
    assert page.ask("document.querySelector('#run-b').dataset.verdict") == "agrees"


@pytest.mark.soak
def test_stop_ends_the_runs_of_the_server(page: Browser, client: Client) -> None:
    workers = client.server.studio.workers
    fill(page, "#own-cycles", 2_000_000)
    fill(page, "#wait-states", "5")
    end = time.monotonic() + PATIENCE
    while not any(worker.busy for worker in workers.values()) and time.monotonic() < end:
        time.sleep(0.02)
    click(page, "#stop")
    until(page, "document.body.dataset.state", "stopped")
    while any(worker.busy for worker in workers.values()) and time.monotonic() < end:
        time.sleep(0.02)
    assert not any(worker.busy for worker in workers.values())
    fill(page, "#wait-states", "0")
    fill(page, "#own-cycles", CYCLES)
    drawn(page)


def test_a_system_of_the_form_is_one_of_the_kernels_at_once(page: Browser) -> None:
    """Neither kernel is run: stopping comes first."""
    fill(page, "#system-name", "sw[tasks=16]")
    shown = "document.querySelector('#system-form .command').textContent"
    until(page, shown, "melanion systems 'sw[tasks=16]'")
    click(page, "#system-use")
    click(page, "#stop")
    until(page, "document.querySelector('#kernel-b').value", "sw[tasks=16]")
    fill(page, "#kernel-b", "hwrtos")
    drawn(page)


def test_both_runs_are_kept_opened_and_run_again(page: Browser) -> None:
    page.ask("document.querySelector('#stored').open = true")
    fill(page, "#set-name", "in the browser")
    click(page, "#set-keep")
    said = "document.querySelector('#stored-said').textContent"
    until(page, f"{said}.startsWith('kept as set ')", True)
    number = page.ask(said).split()[3].rstrip(";")
    shown = {side: worst(page, side) for side in ("a", "b")}
    fill(page, "#seed", 2)
    for act, how in (("open", "its kept trace"), ("run-again", "bit for bit")):
        click(page, f"#sets tr[data-set='{number}'] [data-act='{act}']")
        for side in ("a", "b"):
            until(page, f"document.querySelector('#run-{side}').dataset.stored", "same")
            told = f"document.querySelector('#run-{side} .hints').textContent"
            until(page, f"{told}.includes('{how}')", True)
        drawn(page)
        assert {side: worst(page, side) for side in ("a", "b")} == shown
    assert page.ask("document.querySelector('#seed').value") == "1"
    click(page, "#run")
    until(page, "document.querySelector('#run-b').dataset.stored", "")
    drawn(page)
    assert page.console == []


def test_an_empty_folder_becomes_a_program(
    browser: Browser, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with studio(tmp_path_factory.mktemp("results"), tmp_path) as client:
        browser.visit(client.server.address, 1400)
        drawn(browser)
        assert browser.ask("document.querySelector('#beginning').hidden") is False
        click(browser, "#begin")
        until(browser, "document.querySelector('#own-pulses').value", "3@40000 3@44000")
        until(browser, "document.querySelector('#run-b').dataset.spans", "2")
        drawn(browser)
        assert browser.ask("document.querySelector('#files').value") == "main.c"
        fill(browser, "#own-values", "busy_turns")
        said = "document.querySelector('#own-said').textContent"
        assert browser.ask(said).startswith("Write name=value, such as busy_turns=500, ")
        fill(browser, "#own-values", "busy_turns=500")
        until(browser, "document.body.dataset.state", "running")
        drawn(browser)
        words = browser.ask("document.querySelector('#output-b .command').textContent")
        assert "--set busy_turns=500" in words
        fill(browser, "#new-name", "work.c")
        click(browser, "#new")
        until(browser, "document.querySelector('#files').value", "work.c")
        browser.visit("about:blank", 1400)


def test_the_token_leaves_the_address_and_stays_in_the_tab(page: Browser, client: Client) -> None:
    assert client.server.token not in page.ask("location.href + document.documentElement.outerHTML")
    page.visit(f"http://127.0.0.1:{client.server.port}/", 1400)
    drawn(page)


def test_a_wrong_token_gets_a_sentence(browser: Browser, client: Client) -> None:
    browser.visit(client.server.address + "wrong", 1400)
    until(browser, "document.body.dataset.state", "failed")
    said = browser.ask("document.querySelector('#comparison').textContent")
    assert said == (
        "The page cannot start: The token is missing or is that of another start of the studio;"
        " open the address that it printed."
    )


@pytest.mark.parametrize(
    ("width", "dark"),
    [pytest.param(*view, marks=[] if view == VIEWS[-1] else pytest.mark.soak) for view in VIEWS],
)
def test_nothing_is_wider_than_its_box(
    browser: Browser, client: Client, width: int, dark: bool
) -> None:
    browser.visit(client.server.address, width, dark=dark)
    drawn(browser)
    browser.ask("document.querySelector('#system').open = true")
    assert browser.ask(LOOK) == []
    assert browser.console == []
