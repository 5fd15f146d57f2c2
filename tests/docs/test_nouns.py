# SPDX-License-Identifier: Apache-2.0
"""Pages of kernel objects: every call, command, measured row and scenario is on exactly one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import pytest
from mel_gen import Command

from melanion.docs import headers
from melanion.docs.errors import DocsError
from melanion.docs.pages import nouns
from melanion.docs.pages.objects import Noun
from melanion.docs.rows import FILES, lines

# Headers without a call of a kernel object: types, devices, text, marks, atomic sequences, locks.
OTHERS = {"types", "melanion", "device", "console", "input", "measure", "tracepoint", "compound"}
OTHERS |= {"lock", "irq_lock"}
DECLARED = re.compile(r"^(?:static inline |_Noreturn )?[\w ]+[ *](mel_\w+)\(", re.MULTILINE)


def declared() -> set[str]:
    """Functions of the headers, by a second reading of them."""
    found = set()
    for path in headers.FOLDER.glob("*.h"):
        if path.stem not in OTHERS:
            found |= set(DECLARED.findall(path.read_text(encoding="utf-8")))
    return found


def wrong_pages(every: Sequence[Noun]) -> list[str]:
    """Calls, commands, measured calls and scenarios that are not on exactly one page."""
    texts = [nouns.page(noun) for noun in every]
    rows = lines(FILES["calls"])
    wanted = {
        "call": (declared(), r"^### `(\w+)`$"),
        "command": ({each.name.lower() for each in Command}, r"^\| `(\w+)` \| (?:handler|idle|t)"),
        "cycles": ({f"mel_{row['metric']}" for row in rows}, r"^\| `(mel_\w+)` \|"),
        "scenario": (
            {path.stem for path in nouns.SCENARIOS.glob("*.yaml")},
            r"^\| \[(\w+)\]\(\.\./\.\./tests/scenarios/",
        ),
    }
    found = []
    for what, (names, pattern) in wanted.items():
        said = Counter(name for text in texts for name in re.findall(pattern, text, re.MULTILINE))
        found += [f"{what} {name}: {said[name]}" for name in sorted(names) if said[name] != 1]
        found += [f"{what} {name}: unknown" for name in sorted(set(said) - names)]
    return found


def test_everything_is_on_one_page() -> None:
    assert wrong_pages(nouns.EVERY) == []


def test_what_is_on_no_page_and_on_two_is_found() -> None:
    lost = [noun for noun in nouns.EVERY if noun.stem != "timer"]
    found = wrong_pages([*lost, next(noun for noun in nouns.EVERY if noun.stem == "quantum")])
    assert {"call mel_timer_stop: 0", "command timer_start: 0", "cycles mel_timer_start: 0"} <= {
        *found
    }
    assert "scenario timers_in_one_tick: 0" in found and "call mel_quantum_set: 2" in found


HEADER = """/* SPDX-License-Identifier: Apache-2.0 */
/* lamp.h: lamps. One is on,
 * or off. */
typedef int (*mel_lamp_function_t)(void);

/* Switch `lamp` on; MEL_SELF is none. Callers: task; with 2 * 3
 * also idle. E_OK; E_ID.
 * µITRON: none. FreeRTOS: vLamp. */
mel_status_t mel_lamp_on(mel_id_t lamp,
                         uint32_t more);
"""


def test_a_header_is_read() -> None:
    found = headers.parsed("lamp.h", HEADER)
    assert found.introduction == "Lamps. One is on, or off."
    (function,) = found.functions
    assert function.prototype == "mel_status_t mel_lamp_on(mel_id_t lamp, uint32_t more)"
    assert function.meaning == "Switch `lamp` on; MEL_SELF is none."
    assert function.parts == {
        "Callers": "task; with 2 * 3 also idle.",
        headers.STATUS: "E_OK; E_ID.",
        "µITRON": "none.",
        "FreeRTOS": "vLamp.",
    }


def test_a_header_that_says_nothing_is_refused() -> None:
    with pytest.raises(DocsError, match=r"lamp\.h: no comment says what the header is\."):
        headers.parsed("lamp.h", HEADER.replace("/* lamp.h", "int x; /* lamp.h"))


def test_a_page_without_proved_programs_is_refused() -> None:
    assert nouns.proved("| a_b | all |\n| c | not yet |\n") == {"a_b": "all", "c": "not yet"}
    with pytest.raises(DocsError, match=r"program-proofs\.md has no table"):
        nouns.proved("nothing")
