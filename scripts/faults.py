# SPDX-License-Identifier: Apache-2.0
"""Writes docs/reference/faults.md from tests/faults/faults.yaml.

With --check it only says whether the page is out of date, and its exit code is then 1.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "faults.md"

sys.path.insert(0, str(ROOT))  # tests/ is no installed package

from tests.faults import table  # noqa: E402


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="scripts/faults.py", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    try:
        text = table.render(table.load())
    except table.TableError as error:
        print(error, file=sys.stderr)
        return 1
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    if options.check:
        print(f"{PAGE.relative_to(ROOT)} is out of date; run `python scripts/faults.py`.")
        return 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
