#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write docs/decisions/index.md from the decisions' own first lines.

Run: `python tools/decision_index.py` writes the page, `--check` only says whether it is current.

A decision begins with `# NNNN: title`, and below it stands `status · date · room`. The status is
Accepted, `Accepted, amended by [NNNN](file)` or `Superseded by [NNNN](file)`, with one link or
more; the room is one of layers.toml or a folder of some, or a part beside the engine.
"""

from __future__ import annotations

import datetime
import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "decisions"
PAGE = FOLDER / "index.md"
PARTS = ("bench", "build", "docs", "python", "tests")
"""Rooms of what is not in src/makespan."""

HEAD = """# Decisions

This page is written by `tools/decision_index.py` from the decisions' first lines; change it there.

One page for each decision: its context, the options, the choice, what follows. A decision that was
changed by a later one says so in its status.

| number | decision | status | date | room |
|---|---|---|---|---|
"""
ROOMS_HEAD = """
## By room

A room is a folder of `src/makespan`, or a part of the project beside it: """

_TITLE = re.compile(r"# (?P<number>\d{4}): (?P<title>[A-Z`a-z].*\S)")
_LINK = r"\[\d{4}\]\(\d{4}-[\w-]+\.md\)"
_STATUS = rf"Accepted(?:, amended by {_LINK}(?:, {_LINK})*)?|Superseded by {_LINK}(?:, {_LINK})*"
_STATE = re.compile(rf"(?P<status>{_STATUS}) · (?P<date>\d{{4}}-\d\d-\d\d) · (?P<room>[\w/]+)")


@dataclass(frozen=True)
class Decision:
    """What the first lines of a decision say."""

    file: str
    number: str
    title: str
    status: str
    date: str
    room: str

    @property
    def changed_by(self) -> list[str]:
        """The files of the decisions that changed it."""
        return re.findall(r"\]\(([^)]*)\)", self.status)


def known_rooms(layers: Path = ROOT / "layers.toml") -> set[str]:
    """The rooms of the engine, the folders that hold some, and the parts beside it."""
    rooms = tomllib.loads(layers.read_text(encoding="utf-8"))["rooms"]
    folders = (parent.as_posix() for room in rooms for parent in PurePosixPath(room).parents)
    return {*rooms, *folders, *PARTS} - {"."}


def read_decision(path: Path) -> Decision:
    """Read the first lines; raises ValueError that says which line has another form."""
    lines = [*path.read_text(encoding="utf-8").splitlines(), "", "", ""]
    title, state = _TITLE.fullmatch(lines[0]), _STATE.fullmatch(lines[2])
    if not title or title["number"] != path.name[:4]:
        raise ValueError(f"{path}:1: '{lines[0]}' (begin with '# {path.name[:4]}: title')")
    if lines[1] or not state:
        example = "Accepted · 2026-11-20 · bag/protocol"
        raise ValueError(f"{path}:3: '{lines[2]}' (write status, date and room: '{example}')")
    return Decision(file=path.name, **title.groupdict(), **state.groupdict())


def complaints(decisions: list[Decision], rooms: set[str]) -> list[str]:
    """Rooms and dates that do not exist, numbers twice, links that lead nowhere or back in time."""
    files = {decision.file for decision in decisions}
    numbers = [decision.number for decision in decisions]
    wrong = []
    for decision in decisions:
        if decision.room not in rooms:
            wrong.append(f"{decision.file}: room '{decision.room}' (not in layers.toml): name one")
        if numbers.count(decision.number) > 1:
            wrong.append(f"{decision.file}: {decision.number} is taken: choose the next number")
        wrong += [
            f"{decision.file}: '{target}' is no later decision"
            for target in decision.changed_by
            if target not in files or target <= decision.file
        ]
        try:
            datetime.date.fromisoformat(decision.date)
        except ValueError:
            wrong.append(f"{decision.file}: '{decision.date}' is no date")
    return wrong


def read_all(folder: Path = FOLDER) -> list[Decision]:
    """All decisions by number; raises ValueError with everything that is wrong with them."""
    decisions = [read_decision(path) for path in sorted(folder.glob("[0-9]*.md"))]
    wrong = complaints(decisions, known_rooms())
    if wrong:
        raise ValueError("\n".join(wrong))
    return decisions


def page(decisions: list[Decision]) -> str:
    """The whole page."""
    rows = [
        f"| {one.number} | [{one.title}]({one.file}) | {one.status} | {one.date} | `{one.room}` |\n"
        for one in decisions
    ]
    by_room: dict[str, list[str]] = {}
    for one in decisions:
        by_room.setdefault(one.room, []).append(f"[{one.number}]({one.file})")
    lines = [f"| `{room}` | {', '.join(links)} |\n" for room, links in sorted(by_room.items())]
    parts = ", ".join(f"`{part}`" for part in PARTS)
    table = f"{parts}.\n\n| room | decisions |\n|---|---|\n"
    return HEAD + "".join(rows) + ROOMS_HEAD + table + "".join(lines)


def main() -> int:
    """Write the page, or check it; 1 when it is not current or a decision has another form."""
    try:
        text = page(read_all())
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != text:
        print(f"{PAGE} is not current; run `python tools/decision_index.py`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
