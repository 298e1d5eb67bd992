# SPDX-License-Identifier: Apache-2.0
"""Which public names of Python, C and Fortran have no entry in the reference."""

from __future__ import annotations

import re
from pathlib import Path

from reference.declarations import sections_of
from reference.fortran import fortran_entries, offered
from reference.headers import SOURCES, c_headers
from reference.python import public_names

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
C_NAMES = (
    re.compile(r"\b(makespan_\w+)(?=\()"),
    re.compile(r"\b(MAKESPAN_\w+) ="),
    re.compile(r"\benum (makespan_\w+) \{"),
    re.compile(r"^typedef struct \w+ (\w+);", re.MULTILINE),
    re.compile(r"^\} (makespan_\w+);", re.MULTILINE),
)


def c_names(text: str) -> set[str]:
    """The names that a header of C declares, found without regard to how it is cut into entries."""
    code = COMMENT.sub("", text)
    return {name for pattern in C_NAMES for name in pattern.findall(code)}


def missing_c(text: str) -> list[str]:
    """Those of a header that have no entry."""
    _, sections = sections_of(text, "c")
    entries = [entry for section in sections for entry in section.entries]
    return sorted(c_names(text) - {name for entry in entries for name in entry.all_names()})


def missing_fortran(root: Path) -> list[str]:
    """Those that the module offers and that have no entry."""
    told = {
        name for _, entries in fortran_entries(root) for entry in entries for name in entry.names
    }
    return sorted({name for names in offered(root).values() for name in names} - told)


def missing(root: Path) -> list[str]:
    """A line for each public name without an entry, or without a text where there must be one."""
    if not c_headers(root):
        return [f"{SOURCES}/makespan/capi: no header of the C interface"]
    lines = [
        f"{SOURCES / header}: {name} has no entry in the reference"
        for header in c_headers(root)
        for name in missing_c((root / SOURCES / header).read_text(encoding="utf-8"))
    ]
    lines += [
        f"fortran/makespan.f90: {name} has no entry in the reference"
        for name in missing_fortran(root)
    ]
    lines += [
        f"python/makespan: makespan.{one.name} has no docstring, and its entry no text"
        for one in public_names(root)
        if not one.is_documented
    ]
    return lines
