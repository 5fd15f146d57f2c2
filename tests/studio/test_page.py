# SPDX-License-Identifier: Apache-2.0
"""The page in a real browser: what it shows is what the same runs show natively, the golden model
judges them, and a visitor moves interrupts, sweeps them, and hands on a link."""

from __future__ import annotations

import gzip
import json
import shlex
import shutil
import struct
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from melanion import build, config, micro, paths
from melanion.cli import run as run_command
from melanion.micro import report
from melanion.run import Settings, run_program, simulation
from melanion.soc import Purpose
from melanion.studio import load, write_page
from melanion.studio.errors import StudioError
from tests.common.browser import Browser
from tests.common.needed import needs, problem
from tests.lab.test_pages_in_browser import LOOK, VIEWS
from tests.studio import seen
from tests.studio.served import served

pytestmark = [needs(tool, problem(tool)) for tool in ("browser", "emscripten", "npm")]

GALLERY = load().chosen(("freertos", "hwrtos"), ("interrupt",))
ROW = GALLERY.programs["interrupt"]
[LINE] = ROW.lines
PATIENCE = 120  # seconds until the browser has simulated and judged, beside other work
until, drawn = (partial(each, patience=PATIENCE) for each in (seen.until, seen.drawn))
BEFORE_A_PICTURE, MODEL = 5_000_000, 10_000_000  # bytes, compressed: at most


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("page") / "site"
    write_page(out, GALLERY)
    return out


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with served(folder) as found:
        yield found


def data(browser: Browser, side: str, key: str) -> str:
    found: str = browser.ask(f"document.querySelector('#run-{side}').dataset.{key}")
    return found


def native(system: str, pulses: tuple[int, ...], **knobs: int) -> list[int]:
    """Cycles of the measured spans of the same run without the page."""
    given = tuple((LINE.number, cycle) for cycle in pulses)
    settings = Settings(max_cycles=ROW.cycles, endless=True, pulses=given, variables=knobs)
    app = build.freertos_application(GALLERY.folder("interrupt"))
    result = run_program(config.find(system), app, settings)
    return seen.spans(result)


def test_a_visitor_sees_two_judged_runs(browser: Browser, address: str) -> None:
    browser.visit(address, 1400)
    drawn(browser)
    until(browser, "document.querySelector('#run-b').dataset.verdict", "agrees")
    assert data(browser, "a", "verdict") == "own"
    for side, system in (("a", "freertos"), ("b", "hwrtos")):
        spans = native(system, tuple(LINE.pulses))
        assert data(browser, side, "system") == system
        assert int(data(browser, side, "spans")) == len(spans) == len(LINE.pulses)
        assert int(data(browser, side, "worst")) == max(spans)
    print(browser.ask("document.querySelector('#speed').textContent"))
    assert browser.console == []


def test_the_command_below_the_picture_does_the_same(browser: Browser, address: str) -> None:
    browser.visit(address, 1400)
    drawn(browser)
    said = browser.ask("document.querySelector('#output-b').textContent")
    command = said[said.index("melanion run ") :].splitlines()[0]
    _, _, app, *words = shlex.split(command)
    folder = str(paths.data_root() / app)
    result = CliRunner().invoke(run_command.command, [folder, *words, "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["cycles"] == ROW.cycles == int(data(browser, "b", "cycles"))
    assert f"3@{LINE.pulses[-1]}" in command


def test_an_interrupt_moves_by_keys_and_both_kernels_run_again(
    browser: Browser, address: str
) -> None:
    browser.visit(address, 1400)
    drawn(browser)
    browser.ask(
        "document.querySelector('.handle').focus();"
        "for (let i = 0; i < 7; i++) document.activeElement.dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))"
    )
    moved = LINE.pulses[0] + 7
    until(browser, "document.querySelector('.handle').dataset.cycle", str(moved))
    pulses = (moved, *LINE.pulses[1:])
    for side, system in (("a", "freertos"), ("b", "hwrtos")):
        worst = str(max(native(system, pulses)))
        until(browser, f"document.querySelector('#run-{side}').dataset.worst", worst)
    assert str(moved) in browser.ask("location.hash")


def test_a_sweep_measures_every_cycle(browser: Browser, address: str) -> None:
    first, last = LINE.pulses[0] + 3, LINE.pulses[0] + 8
    browser.visit(address, 1400)
    drawn(browser)
    for name, value in (("from", first), ("to", last), ("step", 1)):
        browser.ask(
            f"(field => {{ field.value = {value};"
            " for (const kind of ['input', 'change'])"
            " field.dispatchEvent(new Event(kind, {bubbles: true})) }"
            f")(document.querySelector('#sweep-{name}'))"
        )
    browser.ask("document.querySelector('#sweep-start').click()")
    until(browser, "document.body.dataset.sweep", "done")
    figures = browser.ask(
        "[...document.querySelectorAll('#figures tr[data-side]')]"
        ".map(row => [...row.children].map(cell => cell.textContent))"
    )
    for row, system in zip(figures, ("freertos", "hwrtos"), strict=True):
        swept = [native(system, (cycle, *LINE.pulses[1:]))[0] for cycle in range(first, last + 1)]
        numbers = [cell.replace("\u202f", "").replace("\u2009", "") for cell in row]
        assert {str(len(swept)), str(min(swept)), str(max(swept))} <= set(numbers), row


def test_a_link_brings_the_same_run(browser: Browser, address: str) -> None:
    browser.visit(address, 1400)
    drawn(browser)
    browser.ask(
        "(field => { field.value = 0; field.dispatchEvent(new Event('input', {bubbles: true}));"
        " field.dispatchEvent(new Event('change', {bubbles: true})) }"
        ")(document.querySelector('#knob-background_tasks'))"
    )
    worst = str(max(native("freertos", tuple(LINE.pulses), background_tasks=0)))
    until(browser, "document.querySelector('#run-a').dataset.worst", worst)
    link = browser.ask("location.href")
    browser.visit(link, 1400)
    drawn(browser)
    assert data(browser, "a", "worst") == worst
    assert browser.ask("document.querySelector('#knob-background_tasks').value") == "0"


def test_a_tick_that_is_too_short_is_lengthened_and_said(browser: Browser, address: str) -> None:
    browser.visit(address, 1400)
    drawn(browser)
    shortest = config.find("hwrtos").tick_cycles_minimum
    browser.ask(
        "(field => { field.value = 100;"
        " field.dispatchEvent(new Event('change', {bubbles: true})) }"
        ")(document.querySelector('#knob-tick_cycles'))"
    )
    assert browser.ask("document.querySelector('#knob-tick_cycles').value") == str(shortest)
    assert browser.ask("document.querySelector('#notice').textContent") == (
        "A tick of 100 cycles is too short for freertos, whose shortest tick has 576 cycles: these"
        " runs have that one."
    )
    worst = str(max(native("hwrtos", tuple(LINE.pulses), tick_cycles=shortest)))
    until(browser, "document.querySelector('#run-b').dataset.worst", worst)
    until(browser, "document.querySelector('#run-b').dataset.verdict", "agrees")
    words = browser.ask("document.querySelector('#output-b .command').textContent")
    assert f"--set tick_cycles={shortest}" in words


def test_a_wrong_link_is_mended_and_said(browser: Browser, address: str) -> None:
    browser.visit(address, 1400)
    drawn(browser)
    link = browser.ask("location.href")
    wrong = link.replace("background_tasks=3", "background_tasks=99")
    assert wrong != link, link
    browser.visit(wrong, 1400)
    drawn(browser)
    assert "background" in browser.ask("document.querySelector('#notice').textContent")
    assert browser.ask("document.querySelector('#knob-background_tasks').value") == "8"


CELLS = (
    "[...document.querySelectorAll('.unit tbody tr')]"
    ".map(row => [...row.cells].map(cell => cell.innerText))"
)
STATE = "document.querySelector('#unit').dataset.unit"


def test_a_click_on_a_command_shows_the_cycles_of_the_unit(
    browser: Browser, address: str, tmp_path: Path
) -> None:
    browser.visit(address, 1400)
    drawn(browser)
    until(browser, "document.querySelector('#run-b').dataset.verdict", "agrees")
    cycle = seen.click_event(browser, "b", "notification_take_all(", patience=PATIENCE)
    until(browser, STATE, "shown")
    caption = browser.ask("document.querySelector('.unit caption').textContent")
    assert caption.startswith("command notification_take_all: ")
    lines = browser.ask(CELLS)
    assert [line[1] for line in lines] == [str(n) for n in range(1, len(lines) + 1)]
    expected = of_the_unit("hwrtos", cycle, tmp_path)
    assert [line[3] for line in lines] == expected
    assert lines[2][3] == "command notification_take_all"
    assert "goto notification_take_all_2 after next" in lines[2][4]
    assert lines[2][2].startswith("notification.mu:")
    [answer] = [line for line in lines if "core 0 is answered" in line[5]]
    assert caption.endswith(f"answered in cycle {answer[1]}")
    assert browser.console == []
    for width, dark in VIEWS:
        browser.visit(address, width, dark=dark)
        drawn(browser)
        seen.click_event(browser, "b", "", patience=PATIENCE)
        until(browser, STATE, "shown")
        assert browser.ask(LOOK) == []


def of_the_unit(system: str, event: int, folder: Path) -> list[str]:
    """Names of the addresses in the step of an event, from the native simulation."""
    chosen, given = config.find(system), tuple((LINE.number, cycle) for cycle in LINE.pulses)
    settings = Settings(max_cycles=event + 300, endless=True, pulses=given)
    app = build.freertos_application(GALLERY.folder("interrupt"))
    hardware, image = build.hardware(chosen, Purpose.UNIT), build.program(chosen, app)
    decided = settings.decide(chosen, app)
    records, _ = simulation.watched(hardware, image, decided, folder, 0, lambda _: None)
    cycles = list(struct.iter_unpack("<IHH", records))
    begins, idle, stalls, annulled = 32, 4, 2, 1
    at = max(
        n for n, (cycle, _, flags) in enumerate(cycles) if cycle < event and not flags & stalls
    )
    first = max(n for n, (_, _, flags) in enumerate(cycles[: at + 1]) if flags & begins)
    last = next(
        n for n in range(at, len(cycles)) if cycles[n][2] & idle and not cycles[n][2] & annulled
    )
    words = {line.address: line for line in report.lines(micro.assemble())}
    return [
        f"{words[each].label}{f'+{words[each].offset}' if words[each].offset else ''}"
        if each in words
        else f"{each:#x}"
        for _, each, _ in cycles[first:last]
    ]


def test_a_listing_with_shifted_addresses_is_noticed(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    """The control of the click: the label in the first line is then another one."""
    copy = tmp_path / "site"
    shutil.copytree(folder, copy)
    path = copy / "microprogram.json.gz"
    listing = json.loads(gzip.decompress(path.read_bytes()))
    for word in listing["words"]:
        word[0] += 1
    path.write_bytes(gzip.compress(json.dumps(listing).encode()))
    with served(copy) as other:
        browser.visit(other, 1400)
        drawn(browser)
        seen.click_event(browser, "b", "notification_take_all(", patience=PATIENCE)
        until(browser, STATE, "shown")
        caption = browser.ask("document.querySelector('.unit caption').textContent")
    assert not caption.startswith("command notification_take_all: ")


def test_a_kernel_without_a_unit_says_so(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    out = tmp_path_factory.mktemp("page") / "site"
    write_page(out, load().chosen(("sw", "hwrtos"), ("interrupt",)))
    with served(out) as other:
        browser.visit(other, 1400)
        drawn(browser)
        seen.click_event(browser, "a", "", patience=PATIENCE)
        said = browser.ask("document.querySelector('#unit').textContent")
        assert browser.ask(STATE) == "none"
        assert said.startswith("sw has no hardware unit: ")
        browser.ask("document.querySelector('#timeline').focus()")
        browser.ask(
            "document.querySelector('#timeline').dispatchEvent("
            "new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))"
        )
        assert browser.ask("document.querySelector('#unit').hidden") is True


@pytest.mark.parametrize(("width", "dark"), VIEWS)
def test_nothing_is_wider_than_its_box(
    browser: Browser, address: str, width: int, dark: bool
) -> None:
    browser.visit(address, width, dark=dark)
    drawn(browser)
    assert browser.ask(LOOK) == []
    assert browser.console == []


def test_a_run_that_the_model_rejects_is_shown(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    """The verdict's control: the model believes in fewer tasks than the program makes."""
    copy = tmp_path / "site"
    shutil.copytree(folder, copy)
    path = copy / "programs" / "interrupt" / "hwrtos.json"
    document = json.loads(path.read_text())
    document["model"]["limits"]["tasks"] = 2
    path.write_text(json.dumps(document))
    with served(copy) as other:
        browser.visit(other, 1400)
        drawn(browser)
        until(browser, "document.querySelector('#run-b').dataset.verdict", "differs")
        said = browser.ask("document.querySelector('#run-b .message').textContent")
    assert "the run differs from the model" in said


def test_a_file_that_is_missing_is_named(browser: Browser, folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "site"
    shutil.copytree(folder, copy)
    (copy / "systems" / "hwrtos" / "sim.wasm").unlink()
    with served(copy) as other:
        browser.visit(other, 1400)
        until(browser, "document.body.dataset.state", "failed")
        said = browser.ask("document.querySelector('#run-b .message').textContent")
    assert "systems/hwrtos/sim.wasm" in said


def test_a_first_picture_loads_little(folder: Path) -> None:
    def packed(*paths: Path) -> int:
        return sum(len(gzip.compress(path.read_bytes(), mtime=0)) for path in paths)

    files = {path for path in folder.rglob("*") if path.is_file()}
    model = {path for path in files if path.parent.name == "pyodide" or path.name == "model.zip"}
    first, later = packed(*(files - model)), packed(*model)
    print(f"before the first picture {first} bytes, the model {later} bytes, compressed")
    assert 100_000 < first < BEFORE_A_PICTURE
    assert 1_000_000 < later < MODEL


# ---- the folder --------------------------------------------------------------------------------


def test_a_folder_of_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("kept")
    with pytest.raises(StudioError) as error:
        write_page(tmp_path, GALLERY)
    assert error.value.message == (
        f"{tmp_path}: this folder holds other files and no page; name an empty or a new folder."
    )
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_page_is_replaced_and_nothing_is_left_beside_it(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "site"
    shutil.copytree(folder, out)
    (out / "old.txt").write_text("of an earlier page")
    write_page(out, GALLERY)
    assert not (out / "old.txt").exists()
    assert (out / "manifest.json").is_file()
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
