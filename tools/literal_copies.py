# SPDX-License-Identifier: Apache-2.0
"""Find lines of the sources that stand twice, word for word; tidy.py counts them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LINES_MIN = 6
LETTERS_MIN = 120
"""Of so many lines: shorter ones are lists of braces and numbers."""
SUFFIXES = {".cpp", ".hpp", ".cu", ".py"}
NOT_COUNTED = ("//", "#", "/*", "* ", "*/", "import ", "from ")
"""How comments and includes begin, which many files have alike."""


@dataclass(frozen=True)
class Copy:
    """Lines of `path` from `line` on that stand in `original`, too, from `original_line` on."""

    path: Path
    line: int
    original: Path
    original_line: int


def _code_of(text: str) -> list[tuple[int, str]]:
    stripped = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(at, line) for at, line in stripped if line and not line.startswith(NOT_COUNTED)]


def literal_copies(texts: dict[Path, str]) -> Iterator[Copy]:
    """Each stretch of LINES_MIN lines of code or more that stood before, in any of the files."""
    first: dict[str, tuple[Path, int, int]] = {}
    for path, text in texts.items():
        lines = _code_of(text)
        before: tuple[Path, int] | None = None
        for at in range(len(lines) - LINES_MIN + 1):
            key = "\n".join(line for _, line in lines[at : at + LINES_MIN])
            if sum(map(str.isalnum, key)) < LETTERS_MIN:
                # Too few letters to begin a copy with; one that goes on goes on.
                before = None if before is None else (before[0], before[1] + 1)
                continue
            if key not in first:
                first[key] = (path, at, lines[at][0])
                before = None
                continue
            original, place, line = first[key]
            if before != (original, place - 1):
                yield Copy(path, lines[at][0], original, line)
            before = (original, place)
