# SPDX-License-Identifier: Apache-2.0
"""Kernels whose files cargo fetches: where it cannot, tests leave them out and say why."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from melanion.build import freertos, tools
from melanion.build.errors import BuildError, FetchError
from tests.common import needed


@cache
def cargo_problem() -> str:
    """Return the doctor's complaint about cargo, or that of a failed fetch; empty: no complaint."""
    if problem := needed.problem("cargo"):
        return problem
    try:
        freertos.upstream()
    except FetchError as error:  # a fetched file that is not the pinned one fails its test
        return error.message
    except BuildError:
        return ""
    return ""


needs_cargo = needed.needs("cargo", cargo_problem())


def buildable(kernels: Iterable[str]) -> list[str]:
    """Return the kernels that can be built here; warn if freertos is left out."""
    problem = cargo_problem()
    if problem:
        warnings.warn(f"freertos is left out: {problem}", stacklevel=2)
    return [kernel for kernel in kernels if kernel != "freertos" or not problem]


def crate(name: str, version: str, work: Path) -> Path:
    """Return the folder of a crate that cargo fetches for a package in `work`; it is where cargo
    keeps it, and only to be read."""
    (work / "src").mkdir(parents=True)
    (work / "src" / "lib.rs").write_text("")
    (work / "Cargo.toml").write_text(
        '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n\n'
        f'[dependencies]\n{name} = {{ version = "={version}", default-features = false }}\n'
    )
    words = ["cargo", "metadata", "--format-version", "1", "--quiet"]
    done = tools.run(words, folder=work)
    assert done.status == 0, done.output
    [line] = [line for line in done.output.splitlines() if line.startswith("{")]
    packages = json.loads(line)["packages"]
    [manifest] = [each["manifest_path"] for each in packages if each["name"] == name]
    return Path(manifest).parent


def digest(files: Iterable[Path]) -> str:
    """Return the SHA-256 of files, one behind the other."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
