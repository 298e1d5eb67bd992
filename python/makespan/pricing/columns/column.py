# SPDX-License-Identifier: Apache-2.0
"""What is said of one column of a table that makespan reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

SIZE_MAX = 1e100


class Kind(Enum):
    """How the cells of a column are read."""

    IDENTIFIER = "text or whole number"
    CHOICE = "one of the words"
    NUMBER = "number (float64)"
    WHOLE = "whole number (int64)"
    NATURAL = "whole number (uint64)"
    TIMES = "list of numbers (CSV: 0.25;0.5;1)"
    NAME = "text: a name"


@dataclass(frozen=True, slots=True)
class Bound:
    """A range that single values must lie in; None leaves a side open."""

    low: float | None = None
    low_allowed: bool = True
    high: float | None = None

    def text(self) -> str:
        """The range in words, for messages: `> 0`, `0..1000000`."""
        if self.low is not None and self.high is not None:
            return f"{int(self.low)}..{int(self.high):,}".replace(",", " ")
        return f"{'>=' if self.low_allowed else '>'} {int(self.low or 0)}"


@dataclass(frozen=True, slots=True)
class Column:
    """One column that a book may have; `default` is prose for people, not a value."""

    name: str
    kind: Kind
    default: str
    doc: str
    rule: str = ""
    unit: str = ""
    aliases: tuple[str, ...] = ()
    choices: dict[str, int] = field(default_factory=dict)
    bound: Bound | None = None
    percent_above: float | None = None
    """Warn that a value larger than this (in size) looks like percent."""
    smallest: float = 0.0
    """Values nearer to 0, but not 0, would underflow in the engine's double precision."""
    largest: float = SIZE_MAX
    """Values beyond this, in size, would overflow there."""

    @property
    def choice_words(self) -> str:
        """The choices as a message writes them: 'call' or 'put'."""
        words = [f"'{word}'" for word in self.choices if len(word) > 1]
        return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


POSITIVE = Bound(low=0, low_allowed=False)
NOT_NEGATIVE = Bound(low=0)


def name_of(name: str, doc: str, rule: str = "") -> Column:
    """A column that may name something of another table: a curve, a surface, a basket."""
    return Column(name, Kind.NAME, "empty", doc, rule=rule)
