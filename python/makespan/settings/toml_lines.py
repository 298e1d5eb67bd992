# SPDX-License-Identifier: Apache-2.0
"""Where the keys of a TOML file stand, for messages."""

from __future__ import annotations

import re

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]#]+?)\s*\]\]?\s*(?:#.*)?")
_KEY = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=")

Place = tuple[str, int, str]
"""A table's name, which of that name it is (from 0), and a key; "" for the table itself."""


def key_lines(text: str) -> dict[Place, int]:
    """The line of each key and of each table's header, from 1; of a file that is TOML."""
    lines: dict[Place, int] = {}
    counts: dict[str, int] = {}
    table, number = "", 0
    for at, line in enumerate(text.splitlines(), start=1):
        header = _HEADER.fullmatch(line)
        if header:
            table = header[2]
            number = counts.get(table, 0)
            counts[table] = number + 1
            lines[table, number, ""] = at
            continue
        key = _KEY.match(line)
        if key:
            lines.setdefault((table, number, key[1]), at)
    return lines
