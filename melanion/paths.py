# SPDX-License-Identifier: Apache-2.0
"""Data folders: `hw kernel soc spec gen apps boards configs experiments`.

In a checkout (also an editable installation) they are beside the package, in a wheel in
`melanion/data`.
"""

from __future__ import annotations

from pathlib import Path

from melanion.errors import MelanionError

_PACKAGE = Path(__file__).resolve().parent
_WITNESS = Path("spec", "commands.yaml")


class PathsError(MelanionError):
    """The installation is not whole."""


def is_checkout() -> bool:
    """The package runs from a checkout, whose files a developer may change."""
    return (_PACKAGE.parent / _WITNESS).is_file()


def data_root() -> Path:
    """The folder that holds the data folders."""
    for root in (_PACKAGE.parent, _PACKAGE / "data"):
        if (root / _WITNESS).is_file():
            return root
    raise PathsError(
        f"{_PACKAGE}: this installation holds no {_WITNESS.as_posix()}, neither beside the"
        " package nor in"
        " its data folder; install Melanion again (`pip install --force-reinstall melanion`)."
    )


def cache_root() -> Path:
    """Folder of the build cache, per user (XDG_CACHE_HOME on Linux)."""
    # Here, because the set-up uses the rest of this module before any package is there.
    from platformdirs import user_cache_path

    return user_cache_path("melanion")
