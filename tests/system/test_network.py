# SPDX-License-Identifier: Apache-2.0
"""lwIP over the Ethernet MAC in whole systems: what it must answer and what not, with the counts
that say why (network/answers.c), and mutants. The MAC alone: tests/rtl/test_ethernet.py; figures:
tests/lab/test_network_experiment.py.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from melanion import build, config
from melanion.build import App
from melanion.run import RunResult, Settings, run_program
from tests.common import findings
from tests.common.fetched import needs_cargo
from tests.common.planted_tree import TreeMutant

pytestmark = needs_cargo

ANSWERS = Path(__file__).resolve().parent / "network" / "answers.c"
END = "network: all was answered that must be\n"
NOW, SOAK = ("sw", "hwrtos"), ("freertos", "port", "banked", "booster", "hwrtos-vexriscv")
PROGRAM = "apps/benchmarks/network"
MUTANTS = (
    TreeMutant(
        "a wrong checksum of UDP is not noticed",
        f"{PROGRAM}/lwipopts.h",
        "#define LWIP_CHKSUM_ALGORITHM 3",
        "#define LWIP_CHKSUM_ALGORITHM 3\n#define CHECKSUM_CHECK_UDP 0",
    ),
    TreeMutant(
        "replies have no checksum",
        f"{PROGRAM}/lwipopts.h",
        "#define LWIP_CHKSUM_ALGORITHM 3",
        "#define LWIP_CHKSUM_ALGORITHM 3\n#define CHECKSUM_GEN_UDP 0",
    ),
    TreeMutant(
        "a frame is lost on its way to the stack",
        f"{PROGRAM}/interface.c",
        "if (frame == NULL) {",
        "if (frame == NULL || mel_ethernet_get(MEL_ETHERNET_REG_ACCEPTED) == 5) {",
    ),
    TreeMutant(
        "a frame is lost, and nobody counts it",
        f"{PROGRAM}/interface.c",
        "} else if (interface.input(frame, &interface) != ERR_OK) {",
        "} else if (mel_ethernet_get(MEL_ETHERNET_REG_ACCEPTED) == 5) {\n"
        "        (void)pbuf_free(frame);\n"
        "    } else if (interface.input(frame, &interface) != ERR_OK) {",
    ),
    TreeMutant(
        "a frame is answered twice",
        f"{PROGRAM}/echo.c",
        "        netbuf_delete(datagram);",
        "        (void)netconn_send(connection, datagram);\n"
        "        (void)netconn_sendto(connection, datagram, netbuf_fromaddr(datagram),"
        " netbuf_fromport(datagram));\n        netbuf_delete(datagram);",
    ),
    TreeMutant(
        "the last word of a frame stays in the MAC",
        "kernel/ethernet/unit.c",
        "(MEL_ETHERNET_PAD + bytes + 3) / 4; words",
        "(MEL_ETHERNET_PAD + bytes + 3) / 4 - 1; words",
    ),
    TreeMutant(
        "one frame is moved for each edge",
        f"{PROGRAM}/interface.c",
        "for (uint32_t bytes; (bytes = mel_ethernet_length()) != 0;) {",
        "for (uint32_t bytes = mel_ethernet_length(); bytes != 0; bytes = 0) {",
    ),
    TreeMutant(
        "the interrupts have other lines",
        "soc/tops/mel_ethernet_tile.sv",
        "64'(irq) << EthernetLine;",
        "64'(irq) << (EthernetLine + 1);",
    ),
)


def program() -> App:
    """The benchmark, with answers.c in the place of its phases."""
    app = build.application("network")
    own = [path for path in app.sources if path.name != "conduct.c"]
    assert len(own) == len(app.sources) - 1
    return replace(app, name="answers", sources=(*own, ANSWERS))


def run(name: str, settings: Settings | None = None) -> RunResult:
    return run_program(config.find(f"{name}-ethernet"), program(), settings or Settings())


def works_on(name: str) -> None:
    """Raises AssertionError: the program ends otherwise."""
    result = run(name)
    assert (result.code, result.console) == (0, END)


@pytest.mark.parametrize(
    "name", [*NOW, *(pytest.param(name, marks=pytest.mark.soak) for name in SOAK)]
)
def test_the_stack_answers_what_it_must(name: str) -> None:
    works_on(name)


@pytest.mark.soak
@pytest.mark.parametrize("name", NOW)
def test_slow_memory_and_a_slow_window_lose_nothing(name: str) -> None:
    """Each access waits, and each for another time."""
    settings = Settings(wait_states="0-2", unit_wait_states="0-9")
    result = run(name, settings)
    assert (result.code, result.console) == (0, END)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_planted_bug_is_noticed(
    mutant: TreeMutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mutant.plant(monkeypatch, tmp_path)
    complaint = findings.words(lambda: works_on("sw"))
    assert "network: line " in complaint, complaint


def test_without_a_bug_nothing_is_noticed() -> None:
    assert findings.words(lambda: works_on("sw")) == ""


def test_others_take_the_same_cycles_beside_it() -> None:
    app = build.application("pingpong")
    beside, alone = (
        run_program(config.find(name), app, Settings()).cycles for name in ("sw-ethernet", "sw")
    )
    assert beside == alone
