"""Reads configuration files, and finds systems by name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from mel_gen import KERNELS

from melanion import paths
from melanion.config.schema import System
from melanion.errors import MelanionError
from melanion.spec.check import check, sentence
from melanion.spec.yaml_file import KeyPath, YamlFile, read

# Interrupt lines of software kernels: one 32-bit word (soc/devices/mel_intc.sv).
CONTROLLER_LINES = 32
WAIT_STATES_MAXIMUM = 1000
VARIANTS = {"ibex": ("main", "small"), "vexriscv": ("linux",)}

_NAME = re.compile(r"(?P<kernel>[^@:]+)(@(?P<attachment>[^@:]+)(:(?P<waits>[^@:]+))?)?")


class ConfigError(MelanionError):
    """A configuration is wrong, or a system's name unknown: one sentence per line."""


def names() -> list[str]:
    """The configurations that come with Melanion."""
    return sorted(path.stem for path in (paths.data_root() / "configs").glob("*.yaml"))


def find(text: str) -> System:
    """A system by name (`hwrtos`, `hwrtos@bus:20`, `hwrtos@port`) or by file (`./my.yaml`). Raises
    ConfigError."""
    if text.endswith((".yaml", ".yml")) or "/" in text:
        return load(Path(text))
    match = _NAME.fullmatch(text)
    if match is None:
        raise ConfigError(
            f"{text!r} is no system; write kernel, kernel@attachment, kernel@attachment:waits, or"
            " the path of a .yaml file.",
            2,
        )
    kernel, attachment = match["kernel"], match["attachment"]
    if kernel not in names():
        raise ConfigError(_unknown(kernel), 2)
    kernel = _other(kernel, attachment)
    system = load(paths.data_root() / "configs" / f"{kernel}.yaml", f"configs/{kernel}.yaml")
    if attachment is not None and attachment != system.attachment:
        raise ConfigError(
            f"{text}: {kernel} has the attachment {system.attachment}, not {attachment!r};"
            f" write {kernel}" + (f" or {kernel}@{system.attachment}." if system.unit else "."),
            2,
        )
    if match["waits"] is None:
        return system
    waits = _waits(text, match["waits"])
    name = re.sub("[@:]", "-", text)
    return system.model_copy(update={"name": name, "unit_wait_states": waits})


def _other(kernel: str, attachment: str | None) -> str:
    """`port` is short for `hwrtos@port`, `port-2` for `hwrtos-2@port`."""
    if attachment not in KERNELS:
        return kernel
    other = re.sub(r"^hwrtos\b", attachment, kernel)
    return other if other in names() else kernel


def _waits(text: str, waits: str) -> int:
    if not waits.isdecimal() or int(waits) > WAIT_STATES_MAXIMUM:
        raise ConfigError(
            f"{text}: the wait states are {waits!r}; allowed is a whole number"
            f" 0 … {WAIT_STATES_MAXIMUM}; correct the number after the colon.",
            2,
        )
    return int(waits)


def _unknown(kernel: str) -> str:
    if kernel in KERNELS:
        return f"{_planned(kernel)}."
    close = difflib.get_close_matches(kernel, [*KERNELS, *names()], n=1)
    hint = f"did you mean {close[0]}" if close else "name one of them, or the path of a .yaml file"
    return f"{kernel!r} is no system; there are {', '.join(names())}; {hint}."


def _planned(kernel: str) -> str:
    works = ", ".join(name for name, info in KERNELS.items() if info.status == "works")
    text = KERNELS[kernel].text
    return f"the kernel {kernel} ({text}) is planned and does not work yet; use one of {works}"


def load(path: Path, name: str | None = None) -> System:
    """Read one configuration file; messages call it `name`. Raises ConfigError with every error."""
    file = read(path, name or str(path))
    system, problems = check(System, file)
    if system is not None:
        problems = _broken_rules(system, file)
        if not problems:
            return system
    raise ConfigError("\n".join(problems), 2)


def _broken_rules(system: System, file: YamlFile) -> list[str]:
    """What no single key can see."""
    wrong = partial(sentence, file)

    if system.kernel not in KERNELS:
        rest = f"is {system.kernel!r}; allowed is one of {', '.join(KERNELS)}; correct the name"
        return [wrong(("kernel",), rest)]
    if KERNELS[system.kernel].status != "works":
        return [wrong(("kernel",), f"is {system.kernel!r}: {_planned(system.kernel)}")]
    found = []
    if system.attachment != system.kernel_info.attachment:
        found.append(
            wrong(
                ("attachment",),
                f"is {system.attachment!r}; the kernel {system.kernel} needs"
                f" {system.kernel_info.attachment}; write that",
            )
        )
    found += _wrong_core(system, wrong)
    if not system.unit and system.core.count > 1:
        found.append(
            wrong(
                ("core", "count"),
                f"is {system.core.count}; the kernel {system.kernel}, which is software alone, runs"
                " on 1 core; write 1, or take a kernel with the hardware unit (hwrtos)",
            )
        )
    if system.attachment == "banked":
        found += _without_banks(system, wrong)
    least = system.tick_cycles_minimum
    if system.tick_cycles < least:
        fits = -(-least // system.clock_mhz)
        found.append(
            wrong(
                ("tick_us",),
                f"is {system.tick_us} µs, at {system.clock_mhz} MHz {system.tick_cycles} cycles;"
                f" {system.parameters.tasks} tasks need at least {least} cycles ({fits} µs);"
                " lengthen the tick, raise clock_mhz or lower parameters.tasks",
            )
        )
    if not system.unit and system.parameters.interrupts > CONTROLLER_LINES:
        found.append(
            wrong(
                ("parameters", "interrupts"),
                f"is {system.parameters.interrupts}; a kernel without the hardware unit has an"
                f" interrupt controller of {CONTROLLER_LINES} lines; allowed is"
                f" 0 … {CONTROLLER_LINES}; lower the number",
            )
        )
    return found


def _wrong_core(system: System, wrong: Callable[[KeyPath, str], str]) -> list[str]:
    """What this type of core is not made with."""
    core, found = system.core, []
    if core.variant not in VARIANTS[core.type]:
        some = ", ".join(VARIANTS[core.type])
        rest = f"of the core {core.type} allowed is {some}; correct the value"
        found.append(wrong(("core", "variant"), f"is {core.variant!r}; {rest}"))
    if core.type == "ibex":
        return found
    if core.count > 1:
        rest = f"is {core.count}; the data cache of vexriscv does not see what others write into"
        found.append(wrong(("core", "count"), f"{rest} memory; write 1, or take the core ibex"))
    if core.pmp:
        rest = "vexriscv has no physical memory protection; write false, or take the core ibex"
        found.append(wrong(("core", "pmp"), f"is true; the core {rest}"))
    if system.attachment == "banked":
        rest = "needs a core whose registers are outside it; take the core ibex, or the kernel port"
        found.append(wrong(("attachment",), f"is 'banked'; that {rest}"))
    return found


def _without_banks(system: System, wrong: Callable[[KeyPath, str], str]) -> list[str]:
    """What register banks do not serve."""
    found = []
    if system.core.banks <= system.core.count:
        least = f"{system.core.count + 1} … 64"
        rest = f"with {system.core.count} cores allowed is {least}: each may lend one; write more"
        found.append(wrong(("core", "banks"), f"is {system.core.banks}; {rest}"))
    if system.core.pmp:
        rest = "the attachment banked has no user mode; write false, or take the kernel port"
        found.append(wrong(("core", "pmp"), f"is true; {rest}"))
    return found
