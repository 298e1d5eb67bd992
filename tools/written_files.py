# SPDX-License-Identifier: Apache-2.0
"""What tools that write files of the tree from others have in common: they write, or check."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def write_or_check(
    arguments: Sequence[str],
    tool: str,
    texts: Mapping[Path, str],
    differs: Callable[[str, str], bool] = str.__ne__,
) -> int:
    """Writes each file, or with --check says which are not as they would be written; the exit code.

    `differs` gets what a file holds ("" where there is none) and what would be written.
    """
    parser = argparse.ArgumentParser(prog=tool)
    parser.add_argument("--check", action="store_true", help="change nothing")
    check = parser.parse_args(arguments).check
    stale = []
    for path, text in texts.items():
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        if differs(old, text):
            stale.append(str(path.relative_to(ROOT)))
        if not check and old != text:
            path.write_text(text, encoding="utf-8")
    if check and stale:
        sys.stderr.write(f"{tool}: not current: {', '.join(stale)}: run python tools/{tool}.py\n")
    return 1 if check and stale else 0
