# SPDX-License-Identifier: Apache-2.0
"""Systems that come with Melanion, composed from the values of axes (configs/systems.yaml).

`compose` gives a configuration as a file would hold it; the loader checks it by the same rules.
"""

from __future__ import annotations

import copy
from typing import Any

from mel_gen import KERNELS, PARAMETERS

from melanion import paths
from melanion.config.errors import ConfigError
from melanion.config.name import Name
from melanion.errors import meant
from melanion.spec.check import check
from melanion.spec.schema import KernelName, Row
from melanion.spec.yaml_file import YamlFile, read

FILE = "configs/systems.yaml"
# Keys of a configuration that a name may set beside sizes: `banked[resident=8,tick_us=500]`.
_BESIDE = {"resident": ("core",), "kib": ("memory",), "clock_mhz": (), "tick_us": ()}


Keys = dict[str, Any]  # part of a configuration; the loader checks the composed whole


class Systems(Row):
    """`usual`: keys of every system; `kernels`: other values of a kernel; `axes`: axis → word of a
    name → its values; `systems`: names that are listed, by kernel."""

    usual: Keys
    kernels: dict[KernelName, Keys]
    axes: dict[str, dict[str, Keys]]
    systems: dict[KernelName, list[KernelName]]

    @property
    def words(self) -> dict[str, str]:
        """Word of a name → its axis, in the order of names."""
        return {word: axis for axis, words in self.axes.items() for word in words}


def systems() -> Systems:
    """Content of FILE. Raises ConfigError."""
    found, problems = check(Systems, read(paths.data_root() / FILE, FILE))
    if found is None:
        raise ConfigError("\n".join(problems), 2)
    return found


def names() -> list[str]:
    """Systems that documents, experiments and tests name; others are composed as well."""
    return sorted(name for group in systems().systems.values() for name in group)


def compose(name: Name, kernel: str) -> YamlFile:
    """Configuration that a name says; `kernel`: the variant that its coupling chooses. Wait
    states, place and memory of the name are left to the loader. Raises ConfigError."""
    there = systems()
    words = _ordered(name, there)
    value: dict[str, Any] = {
        "name": "-".join([kernel, *words]),
        "kernel": kernel,
        **copy.deepcopy(there.usual),
    }
    _merge(value, there.kernels.get(kernel, {}))
    for word in words:
        try:
            _merge(value, there.axes[there.words[word]][word])
        except TypeError as error:
            raise ConfigError(
                f"{name.text}: {word} does not go with the other words of the name, which list the"
                " cores one by one; leave one of them out.",
                2,
            ) from error
    for key, size in name.sizes:
        _merge(value, _sized(name, key, size))
    return YamlFile(name.text, value)


def _ordered(name: Name, there: Systems) -> list[str]:
    """Words of a name in the order of axes, one of each axis at most."""
    known = list(there.words)
    axes: dict[str, str] = {}
    for word in name.words:
        if word not in known:
            hint = meant(word, known, "leave it out, or write a .yaml file")
            raise ConfigError(
                f"{name.text}: {word!r} is no word of a system's name; behind a kernel may stand"
                f" {', '.join(known)} ({FILE}); {hint}.",
                2,
            )
        other = axes.setdefault(there.words[word], word)
        if other != word:
            raise ConfigError(
                f"{name.text}: {other} and {word} are both about {there.words[word]}; leave one of"
                " them out.",
                2,
            )
    return sorted(axes.values(), key=known.index)


def _sized(name: Name, key: str, size: str) -> dict[str, Any]:
    """One size as the keys of a configuration around it."""
    known = [parameter for parameter in PARAMETERS if parameter != "cores"]
    if key not in known and key not in _BESIDE:
        hint = meant(key, [*known, *_BESIDE], "name one of them")
        raise ConfigError(
            f"{name.text}: {key!r} is no size; there are {', '.join([*known, *_BESIDE])}; {hint}.",
            2,
        )
    if not size.isdecimal():
        raise ConfigError(
            f"{name.text}: {key} is {size!r}; allowed is a whole number, as in"
            f" {name.kernel}[{key}=8]; correct it.",
            2,
        )
    value: dict[str, Any] = {key: int(size)}
    for outer in _BESIDE.get(key, ("parameters",)):
        value = {outer: value}
    return value


def _merge(value: dict[str, Any], other: dict[str, Any]) -> None:
    """Lay `other` over `value`, mapping by mapping. Raises TypeError where a list stands."""
    for key, new in other.items():
        old = value.get(key)
        if isinstance(old, list):
            raise TypeError(key)
        if isinstance(old, dict) and isinstance(new, dict):
            _merge(old, new)
        else:
            value[key] = copy.deepcopy(new)


def variant(kernel: str, coupling: str) -> str | None:
    """The kernel with the hardware unit that differs from `kernel` in the coupling: `banked` for
    `hwrtos` on `banked`, or itself; None when there is none."""
    if KERNELS[kernel].coupling == coupling:
        return kernel
    fitting = (
        name
        for name, info in KERNELS.items()
        if info.unit and info.of == kernel and info.coupling == coupling
    )
    return next(fitting, None)
