# SPDX-License-Identifier: Apache-2.0
"""Entries as pages of reStructuredText."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from reference.entry import Entry, Section
from reference.text import code_block, inline, to_rst

INDENT = "   "


@dataclass
class Page:
    """The lines of one page.

    What is no type may be declared in several headers, or for several versions of a library, and
    has one entry: `declared` are those that have theirs on this page, or on another that was given
    the same set.
    """

    language: str
    lines: list[str] = field(default_factory=list)
    declared: set[str] = field(default_factory=set)

    def title(self, text: str, mark: str) -> None:
        """A heading."""
        self.lines += ["", text, mark * len(text), ""]

    def text(self, lines: list[str]) -> None:
        """A comment, as paragraphs."""
        self.lines += to_rst(lines, self.language)

    def section(self, section: Section) -> None:
        """All entries of a section."""
        if section.scope:
            self.lines += [f".. cpp:namespace:: {section.scope}", ""]
        for entry in section.entries:
            self._entry(entry, "", section.scope)

    def _entry(self, entry: Entry, indent: str, scope: str) -> None:
        if not entry.directive:
            self._remark(entry.text, indent)
            return
        signatures = entry.signatures
        if entry.directive.endswith(("function", "var", "member")):
            signatures = [one for one in signatures if f"{scope} {one}" not in self.declared]
            self.declared.update(f"{scope} {one}" for one in signatures)
        if not signatures:
            return
        begin = f"{indent}.. {entry.directive}:: "
        self.lines += [begin + signatures[0]]
        self.lines += [" " * len(begin) + signature for signature in signatures[1:]]
        self.lines.append("")
        body = to_rst(entry.text, self.language)
        if entry.code:
            body += code_block(entry.code, self.language)
        self.lines += [f"{indent}{INDENT}{line}".rstrip() for line in body]
        for member in entry.members:
            self._entry(member, indent + INDENT, f"{scope}::{entry.signatures[0]}")

    def _remark(self, text: list[str], indent: str) -> None:
        heading = re.fullmatch(r"-{2,} ?(.*?)-*", text[0])
        if heading:
            self.lines += [f"{indent}.. rubric:: {inline(heading[1])}", ""]
            text = text[1:]
        self.lines += [f"{indent}{line}".rstrip() for line in to_rst(text, self.language)]
