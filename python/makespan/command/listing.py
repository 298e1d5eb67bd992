# SPDX-License-Identifier: Apache-2.0
"""What --list prints: algorithms, what each does, and its options."""

from __future__ import annotations

import json
import shutil
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from makespan.base.engine import load_engine
from makespan.settings.algorithm import entries_of

WIDTH_MAX = 100


def listing(registries: Sequence[str], *, as_json: bool) -> str:
    """Of these registries of the engine. Raises `NotConfiguredError` without it."""
    engine = load_engine()
    found = {name.removeprefix("available_"): entries_of(engine, name) for name in registries}
    return entries_text(found, as_json=as_json)


def entries_text(found: Mapping[str, Sequence[Mapping[str, Any]]], *, as_json: bool) -> str:
    """Entries by what they are: each has a name, a summary, and options where it takes some."""
    if as_json:
        document = {"format": "makespan list", "version": 1, **found}
        return json.dumps(document, allow_nan=False) + "\n"
    width = min(WIDTH_MAX, shutil.get_terminal_size((WIDTH_MAX, 24)).columns)
    parts = [_table(title, entries, width) for title, entries in found.items()]
    return "\n".join(parts)


def _table(title: str, entries: Sequence[Mapping[str, Any]], width: int) -> str:
    column = max(len(entry["name"]) for entry in entries) + 4
    lines = [f"{title}:\n"]
    for entry in entries:
        lacking = "" if entry.get("is_built", True) else " (not in this build)"
        lines.append(_row("  " + entry["name"], entry["summary"] + lacking, column, width))
        for option in entry.get("options", ()):
            said = f"{option['name']}={option['default']:g}: {option['help']}"
            lines.append(_row("", said, column + 2, width))
    return "".join(lines)


def _row(left: str, right: str, column: int, width: int) -> str:
    text = textwrap.fill(
        right,
        width,
        initial_indent=f"{left:<{column}}",
        subsequent_indent=" " * (column + 2),
        break_on_hyphens=False,
    )
    return f"{text.rstrip() or left}\n"
