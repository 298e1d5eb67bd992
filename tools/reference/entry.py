# SPDX-License-Identifier: Apache-2.0
"""What a page of the reference is made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Entry:
    """What users can name: a directive of Sphinx, how it is declared, what is said of it.

    Several signatures: declarations that stand together under one comment.
    """

    directive: str
    signatures: list[str]
    names: list[str]
    text: list[str] = field(default_factory=list)
    """The comment's lines, without its marks."""
    members: list[Entry] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    """Declarations of arguments, where the signature does not have them."""

    def all_names(self) -> Iterator[str]:
        """The names of this entry and of its members."""
        yield from self.names
        for member in self.members:
            yield from member.all_names()


@dataclass(frozen=True)
class Section:
    """A part of a page: one header, one module."""

    title: str
    text: list[str]
    entries: list[Entry]
    scope: str = ""
    """The namespace of the entries."""
