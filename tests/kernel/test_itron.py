# SPDX-License-Identifier: Apache-2.0
"""The layer for µITRON (kernel/compat/itron) on several kernels: each call with each status, many
tasks at once, the rows of its configuration. Programs check themselves; the replay judges the
kernel's calls below them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mel_gen import KERNELS
from ruamel.yaml import YAML

from melanion import build, config, paths
from melanion.build import BuildError
from melanion.errors import MelanionError
from melanion.model import ReplayError
from melanion.run import RunError, RunResult, Settings, run_program
from tests.common.planted_tree import ProgramMutant, TreeMutant, programs
from tests.common.scenario_run import SINGLE

ROOT = paths.data_root()
LAYER = ROOT / "kernel" / "compat" / "itron"
FACTS = YAML(typ="safe").load((LAYER / "calls.yaml").read_text(encoding="utf-8"))
CALLS = {name: row for group in FACTS["calls"].values() for name, row in group.items()}
PAIRS = {(name, status) for name, row in CALLS.items() for status in row["statuses"]}
FILE = Path(__file__).parents[1] / "mutants" / "itron.yaml"
SOAK = pytest.mark.soak
MORE = "port", "banked", "sw-sorted"  # in the soak


def run(system: str, app: str, wait_states: str = "0", seed: int = 1) -> RunResult:
    """Raises RunError for what the program finds, ReplayError for a wrong schedule."""
    return run_program(
        config.find(system),
        build.application(paths.data_root() / "apps" / "itron" / app),
        Settings(wait_states=wait_states, unit_wait_states=wait_states, seed=seed),
    )


# ---- each call with each status ------------------------------------------------------------------


def shown(console: str) -> set[tuple[str, str]]:
    """The pairs of a call and a status that a run has printed."""
    return {(call, status) for call, status in map(str.split, console.splitlines())}


def disagreements(pairs: set[tuple[str, str]]) -> list[str]:
    """Return values that calls.yaml promises and no run has shown, and the reverse."""
    missing = [f"{call} never returned {status}" for call, status in PAIRS - pairs]
    more = [f"{call} returned {status}, not in calls.yaml" for call, status in pairs - PAIRS]
    return sorted(missing + more)


@pytest.mark.parametrize(
    "kernel",
    ["sw", "hwrtos", "hwrtos-single", *(pytest.param(name, marks=SOAK) for name in MORE)],
)
def test_every_call_returns_every_status(kernel: str) -> None:
    assert disagreements(shown(run(kernel, "statuses").console)) == []


def test_a_pair_that_is_missing_or_too_much_is_named() -> None:
    assert disagreements(PAIRS - {("can_act", "value")}) == ["can_act never returned value"]
    assert disagreements(PAIRS | {("sns_loc", "E_OK")}) == [
        "sns_loc returned E_OK, not in calls.yaml"
    ]
    assert disagreements(shown("act_tsk E_QOVR\nslp_tsk E_OK\n") | PAIRS) == []


CALL = re.compile(r"^(?:static inline )?(?:ER|ER_ID|ER_UINT|BOOL|void) (\w+)\(", re.MULTILINE)


def test_calls_are_those_that_the_header_declares() -> None:
    declared = CALL.findall((LAYER / "kernel.h").read_text(encoding="utf-8"))
    assert sorted(set(declared) - {"itron_in_handler"}) == sorted(CALLS)


def test_calls_stand_over_calls_that_there_are() -> None:
    folder = ROOT / "kernel" / "include" / "melanion"
    headers = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.h"))
    for name, row in CALLS.items():
        for below in row["over"]:
            assert below == "step" or f" {below}(" in headers, f"{name}: {below}"


# ---- many at once, and an example ----------------------------------------------------------------


@pytest.mark.parametrize(
    "system",
    [
        "hwrtos-2",
        *(
            pytest.param(name, marks=SOAK)
            for name in ("sw", "sw-sorted", "hwrtos", "hwrtos-4", "port-2", "banked", "banked-2")
        ),
        pytest.param("hwrtos-single-4", marks=SOAK),
    ],
)
def test_nothing_is_lost_when_all_call_at_once(system: str) -> None:
    assert run(system, "crowd").console == "crowd: nothing was lost\n"


@SOAK
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "system",
    [
        *("sw", "hwrtos", "hwrtos-2", "hwrtos-4", "banked-2", "port-4"),
        *("hwrtos-single", "hwrtos-single-4"),
    ],
)
def test_nothing_is_lost_with_wait_states(system: str, seed: int) -> None:
    result = run(system, "crowd", wait_states="0-3", seed=seed)
    assert result.console == "crowd: nothing was lost\n"


@pytest.mark.parametrize(
    "kernel",
    ["hwrtos", *(pytest.param(name, marks=SOAK) for name in ("sw", "port", "banked", *SINGLE))],
)
def test_nothing_is_lost_when_an_interrupt_comes_in_any_cycle(kernel: str) -> None:
    assert run(kernel, "races").console == "races: nothing was lost\n"


SERVED = ("sw", "hwrtos", "port", "banked", "sw-sorted", "sw-poll-3", "lockcache-2")
# In `make soak`: the first two need simulations that no other test of every run builds.
LATER = {"sw-poll-3", "lockcache-2", "port", "sw-sorted"}
# The others, and how a program with all kinds of objects ends there.
REFUSING = {
    "freertos": "itron_meter is written for the interface itron, which the kernel freertos",
    "booster": "exit code 250 .* itron: CRE_MTX\\(MTX_CONSOLE\\) in itron_cfg.h was refused",
    "rtu": "CRE_FLG: there are more rows and spare IDs than the system rtu has room for",
}


def test_the_page_says_which_kernels_refuse_a_program() -> None:
    assert {re.sub(r"-\d$", "", name) for name in SERVED} | set(REFUSING) == set(KERNELS)
    page = (ROOT / "docs" / "reference" / "itron.md").read_text(encoding="utf-8")
    (served,) = re.findall(r"^All calls work on the kernels (.*)\.$", page, re.MULTILINE)
    assert re.findall(r"`([\w-]+)`", served) == [re.sub(r"-\d$", "", name) for name in SERVED]
    for name in REFUSING:
        assert re.search(rf"^(The system )?`{name}` (refuses|lacks|has no)", page, re.MULTILINE)


@pytest.mark.parametrize("kernel", REFUSING)
def test_example_where_the_layer_is_not_whole(kernel: str) -> None:
    """The program is refused by the build, which needs no simulation, or by the run."""
    system, app = config.find(kernel), build.application("itron_meter")
    with pytest.raises(MelanionError, match=REFUSING[kernel]):
        build.program(system, app)
        run_program(system, app)


@pytest.mark.parametrize(
    "kernel",
    [
        *(pytest.param(name, marks=SOAK if name in LATER else []) for name in SERVED),
        *("hwrtos-single", *(pytest.param(name, marks=SOAK) for name in SINGLE[1:])),
    ],
)
def test_example(kernel: str) -> None:
    result = run_program(config.find(kernel), build.application("itron_meter"))
    *averages, last = result.console.splitlines()
    assert averages == [f"average {number}" for number in (17, 45, 73, 91, 66)]
    assert re.fullmatch(r"over at tick \d+", last)


# ---- the configuration of a program --------------------------------------------------------------

PROGRAM = """#include <kernel.h>
void task(VP_INT exinf) { (void)exinf; mel_exit(0); }
void handler(VP_INT exinf) { (void)exinf; }
void routine(VP_INT exinf) { (void)exinf; }
void bare(void) {}
"""
TASK = "CRE_TSK(TASK_ONE, TA_ACT, 0, task, 5, 512)\n"


def program(folder: Path, rows: str) -> build.App:
    """A program with these rows."""
    (folder / "app.yaml").write_text("name: mine\ncompat: itron\n", encoding="utf-8")
    (folder / "mine.c").write_text(PROGRAM, encoding="utf-8")
    (folder / "itron_cfg.h").write_text(rows, encoding="utf-8")
    return build.application(folder)


WRONG = {
    "CRE_TSK(T1, TA_RSTR, 0, task, 5, 512)": (
        "CRE_TSK(T1): tskatr is TA_RSTR, allowed is TA_HLNG or TA_ASM, and TA_ACT"
    ),
    "CRE_TSK(T2, TA_ACT, 0, task, 0, 512)": (
        "CRE_TSK(T2): itskpri is 0, allowed is 1 to the priorities of the system sw"
    ),
    "CRE_TSK(T3, TA_ACT, 0, task, 33, 512)": "CRE_TSK(T3): itskpri is 33, allowed",
    "CRE_TSK(T4, TA_ACT, 0, task, 5, 500)": (
        "CRE_TSK(T4): stksz is 500, allowed is a multiple of 16, 256 or more"
    ),
    "CRE_SEM(S1, TA_TFIFO, 0, 1)": (
        "CRE_SEM(S1): sematr is TA_TFIFO, allowed is TA_TPRI: tasks wait in order"
    ),
    "CRE_SEM(S2, TA_TPRI, 0, 65536)": "CRE_SEM(S2): maxsem is 65536, allowed is 1 to 65535",
    "CRE_SEM(S3, TA_TPRI, 3, 2)": "CRE_SEM(S3): isemcnt is 3, allowed is 0 to maxsem",
    "CRE_FLG(F1, TA_WMUL, 0)": (
        "CRE_FLG(F1): flgatr is TA_WMUL, allowed is TA_WSGL, with TA_CLR or without"
    ),
    "CRE_DTQ(D1, TA_TFIFO, 4)": "CRE_DTQ(D1): dtqatr is TA_TFIFO, allowed is TA_TPRI",
    "CRE_DTQ(D2, TA_TPRI, 0)": (
        "CRE_DTQ(D2): dtqcnt is 0, allowed is 1 to the messages of the system sw"
    ),
    "CRE_DTQ(D3, TA_TPRI, 61)": (
        "all dtqcnt, and one of each mailbox, are more than the messages of the system"
    ),
    "CRE_MBX(B1, TA_MPRI, 3)": (
        "CRE_MBX(B1): mbxatr is TA_MPRI, allowed is TA_TPRI, and TA_MFIFO or TA_MPRI"
    ),
    "CRE_MBX(B2, TA_TPRI | TA_MPRI, 0)": "CRE_MBX(B2): maxmpri is 0, allowed is 1 to 255",
    "CRE_MTX(X1, TA_TPRI, 0)": (
        "CRE_MTX(X1): mtxatr is TA_TPRI, allowed is TA_INHERIT or TA_CEILING"
    ),
    "CRE_MTX(X2, TA_CEILING, 0)": (
        "CRE_MTX(X2): ceilpri is 0, allowed is 1 to the priorities of the system sw"
    ),
    "CRE_MPF(P1, TA_TFIFO, 1, 8)": "CRE_MPF(P1): mpfatr is TA_TFIFO, allowed is TA_TPRI",
    "CRE_MPF(P2, TA_TPRI, 0, 8)": "CRE_MPF(P2): blkcnt is 0, allowed is 1 to 65535",
    "CRE_MPF(P3, TA_TPRI, 1, 0)": "CRE_MPF(P3): blksz is 0, allowed is 1 or more",
    "CRE_CYC(C1, 16, 0, handler, 1, 0)": (
        "CRE_CYC(C1): cycatr is 16, allowed is TA_HLNG or TA_ASM, TA_STA, TA_PHS"
    ),
    "CRE_CYC(C2, TA_STA, 0, handler, 0, 0)": "CRE_CYC(C2): cyctim is 0, allowed is 1 to 0x7FFFFFFE",
    "CRE_CYC(C3, TA_STA, 0, handler, 1, -1)": (
        "CRE_CYC(C3): cycphs is -1, allowed is 0 to 0x7FFFFFFE"
    ),
    "CRE_ALM(A1, TA_STA, 0, handler)": (
        "CRE_ALM(A1): almatr is TA_STA, allowed is TA_HLNG or TA_ASM"
    ),
    "DEF_INH(32, TA_HLNG, bare)": (
        "DEF_INH(32): inhno is 32, allowed is 0 to the interrupts of the system sw less 1"
    ),
    "ATT_ISR(TA_HLNG, 0, -1, handler)": (
        "ATT_ISR(handler): intno is -1, allowed is 0 to the interrupts"
    ),
}
# Each row with a count above that of a system, and the words that name the excess.
MANY = {
    "CRE_TSK(N{}, 0, 0, task, 5, 256)": (65, "CRE_TSK: there are more rows and spare IDs than"),
    "CRE_SEM(N{}, TA_TPRI, 0, 1)": (65, "CRE_SEM, CRE_MPF: there are more rows and spare IDs"),
    "CRE_FLG(N{}, 0, 0)": (17, "CRE_FLG: there are more"),
    "CRE_DTQ(N{}, TA_TPRI, 1)": (17, "CRE_DTQ, CRE_MBX: there are more"),
    "CRE_MTX(N{}, TA_INHERIT, 0)": (17, "CRE_MTX: there are more"),
    "CRE_CYC(N{}, 0, 0, handler, 1, 0)": (9, "CRE_CYC, CRE_ALM: there are more rows and spare IDs"),
}


def compiler_says(app: build.App) -> tuple[str, str]:
    """The sentence about a program that cannot be built, and all that the compiler said."""
    with pytest.raises(BuildError, match=r"mine does not compile: .*itron_cfg\.h: .*") as caught:
        build.program(config.find("sw"), app)
    sentence = caught.value.message
    log = re.search(r"whole output: (\S+)\)", sentence)
    assert log
    return sentence, Path(log[1]).read_text(encoding="utf-8")


def test_wrong_rows_are_named_when_the_program_is_built(tmp_path: Path) -> None:
    """Each by row, key, value and range; the first in the sentence."""
    sentence, text = compiler_says(program(tmp_path, TASK + "\n".join(WRONG) + "\n"))
    assert "itron_cfg.h: CRE_" in sentence
    assert [wanted for wanted in WRONG.values() if wanted not in text] == []
    # Nobody complains of what is right.
    assert len(re.findall('failed: "itron_cfg', text)) == len(WRONG)


def test_too_many_rows_are_named_when_the_program_is_built(tmp_path: Path) -> None:
    rows = [
        row.format(f"{kind}_{i}")
        for kind, (row, (count, _)) in enumerate(MANY.items())
        for i in range(count)
    ]
    _, text = compiler_says(program(tmp_path, "\n".join(rows) + "\n"))
    assert [wanted for _, wanted in MANY.values() if f"itron_cfg.h: {wanted}" not in text] == []


def test_interrupt_with_two_rows_ends_the_boot_with_a_sentence(tmp_path: Path) -> None:
    rows = "DEF_INH(7, TA_HLNG, bare)\nATT_ISR(TA_HLNG, 0, 7, handler)\n"
    text = r"itron: ATT_ISR\(handler\) in itron_cfg\.h: intno is 7, which another row has; allowed"
    with pytest.raises(RunError) as caught:
        run_program(config.find("sw"), program(tmp_path, TASK + rows))
    assert re.search(text, caught.value.message), caught.value.message


def test_all_rows_of_a_right_configuration_are_made(tmp_path: Path) -> None:
    rows = [row for row in ALL_ROWS.splitlines() if row]
    run_program(config.find("sw"), program(tmp_path, TASK + "\n".join(rows) + "\n"))


ALL_ROWS = """
CRE_SEM(S, TA_TPRI, 0, 1)
CRE_FLG(F, TA_TPRI | TA_WMUL, 1)
CRE_DTQ(Q, TA_TPRI, 4)
CRE_MBX(M, TA_TPRI | TA_MPRI, 3)
CRE_MTX(X, TA_CEILING, 3)
CRE_MPF(P, TA_TPRI, 2, 9)
CRE_CYC(C, TA_STA | TA_PHS, 0, handler, 3, 2)
CRE_ALM(A, TA_HLNG, 0, handler)
DEF_INH(1, TA_HLNG, bare)
ATT_ISR(TA_HLNG, 0, 2, handler)
ATT_INI(TA_HLNG, 0, routine)
"""


# ---- mutants -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mutant", programs(FILE, quick=3))
def test_mutant_is_caught(
    mutant: ProgramMutant, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mutant.plant(monkeypatch, tmp_path)
    with pytest.raises((RunError, ReplayError)) as caught:
        run(mutant.kernel, mutant.app)
    print(caught.value.message)


def test_refused_row_ends_the_boot_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No row that compiles is refused: so the layer is made to refuse one."""
    planted, mine = tmp_path / "planted", tmp_path / "mine"
    planted.mkdir()
    mine.mkdir()
    TreeMutant(
        "every semaphore is wrong",
        "kernel/compat/itron/objects.c",
        "pk_csem->sematr == TA_TPRI",
        "pk_csem->sematr != TA_TPRI",
    ).plant(monkeypatch, planted)
    text = r"itron: CRE_SEM\(S\) in itron_cfg\.h was refused with status -11; correct it, or raise"
    with pytest.raises(RunError) as caught:
        run_program(config.find("sw"), program(mine, f"{TASK}CRE_SEM(S, TA_TPRI, 0, 1)\n"))
    assert re.search(text, caught.value.message), caught.value.message
