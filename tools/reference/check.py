# SPDX-License-Identifier: Apache-2.0
"""Which public names of Python, C, C++ and Fortran have no entry in the reference, or no text."""

from __future__ import annotations

import re
from pathlib import Path

from reference.declarations import sections_of
from reference.entry import Entry
from reference.fortran import fortran_entries, offered
from reference.headers import SOURCES, c_headers, public_headers
from reference.python import public_names

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
C_NAMES = (
    re.compile(r"\b(makespan_\w+)(?=\()"),
    re.compile(r"\b(MAKESPAN_\w+) ="),
    re.compile(r"\benum (makespan_\w+) \{"),
    re.compile(r"^typedef struct \w+ (\w+);", re.MULTILINE),
    re.compile(r"^\} (makespan_\w+);", re.MULTILINE),
    re.compile(r"^typedef \w+ \(\*(makespan_\w+)\)\(", re.MULTILINE),
)
LINE_COMMENT = re.compile(r"//.*")
HIDDEN = re.compile(r"^namespace (?:detail|internal) \{.*?^\}", re.MULTILINE | re.DOTALL)
CPP_NAMES = (
    re.compile(
        r"^(?:template <.*> ?)?(?: *requires .*\n)?(?:class|struct|enum(?: class)?) "
        r"(?:\[\[.*?\]\] )?(?:alignas\(\w+\) )?(\w+)(?: final)?(?: :[^;{]*)?\s*\{",
        re.MULTILINE,
    ),
    re.compile(r"^(?:using|concept|template <.*>\s+concept) (\w+) =", re.MULTILINE),
    re.compile(
        r"^(?! |static_assert|[A-Z][A-Z_]+\()(?:\[\[\w+\]\] )?[\w:<>,&*\[\] ]*?"
        r"(?<!::)\b(\w+)\(",
        re.MULTILINE,
    ),
)
"""What is declared in a namespace, whose content is not indented: types, aliases, functions."""


def cpp_names(text: str) -> set[str]:
    """The names that a header of C++ declares in its namespaces, found line by line."""
    code = HIDDEN.sub("", LINE_COMMENT.sub("", text))
    return {name for pattern in CPP_NAMES for name in pattern.findall(code)}


def c_names(text: str) -> set[str]:
    """The names that a header of C declares, found without regard to how it is cut into entries."""
    code = COMMENT.sub("", text)
    return {name for pattern in C_NAMES for name in pattern.findall(code)}


def _entries_of(text: str, domain: str) -> list[Entry]:
    _, sections = sections_of(text, domain)
    return [entry for section in sections for entry in section.entries]


def _missing(text: str, names: set[str], domain: str) -> list[str]:
    told = {name for entry in _entries_of(text, domain) for name in entry.all_names()}
    return sorted(names - told)


def missing_c(text: str) -> list[str]:
    """Those of a header of C that have no entry."""
    return _missing(text, c_names(text), "c")


def missing_cpp(text: str) -> list[str]:
    """Those of a header of C++ that have no entry."""
    return _missing(text, cpp_names(text), "cpp")


def untold_c(text: str) -> list[str]:
    """Entries of a header of C that say nothing; values and members stand under their type's."""
    return [
        (entry.names or entry.signatures)[0]
        for entry in _entries_of(text, "c")
        if entry.directive and not entry.text
    ]


def untold_fortran(root: Path) -> list[str]:
    """Procedures, types and constants of the module that nothing is said of."""
    entries = [entry for _, module in fortran_entries(root) for entry in module]
    bound = [one for entry in entries for one in entry.members if "%" in one.names[0]]
    return sorted({one.names[0] for one in entries + bound if not one.text})


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
        f"{SOURCES / header}: {name} has no comment, and its entry in the reference no text"
        for header in c_headers(root)
        for name in untold_c((root / SOURCES / header).read_text(encoding="utf-8"))
    ]
    lines += [
        f"{SOURCES / header}: {name} has no entry in the reference"
        for header in public_headers(root)
        for name in missing_cpp((root / SOURCES / header).read_text(encoding="utf-8"))
    ]
    lines += [
        f"fortran/makespan.f90: {name} has no entry in the reference"
        for name in missing_fortran(root)
    ]
    lines += [
        f"fortran/makespan.f90: {name} has no comment, and its entry in the reference no text"
        for name in untold_fortran(root)
    ]
    lines += [
        f"python/makespan: makespan.{name} has no docstring, and its entry no text"
        for one in public_names(root)
        for name in one.undocumented
    ]
    return lines
