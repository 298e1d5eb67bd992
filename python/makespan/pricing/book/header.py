# SPDX-License-Identifier: Apache-2.0
"""Which column is which: aliases, and names that no book has."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from makespan.pricing.book.problems import Problems
from makespan.pricing.columns.book import COLUMNS_BY_NAME, NAME_OF_ALIAS

_LIKE = 0.6
"""As difflib has it for close matches."""
_MEANINGS = {
    "maturity": "expiry",
    "tenor": "expiry",
    "underlying": "spot",
    "sigma": "volatility",
    "vols": "volatility",
}
"""What other systems call a column."""


def known_columns(names: Sequence[str], problems: Problems) -> dict[str, str]:
    """Maps each known column's own name to the name that the book uses for it."""
    found: dict[str, str] = {}
    for given in names:
        name = given if given in COLUMNS_BY_NAME else NAME_OF_ALIAS.get(given)
        if name is None:
            problems.add_file(f"unknown column {given!r} ({_hint(given)})", given)
        elif name in found:
            text = f"columns '{found[name]}' and '{given}' are both {name}; keep one"
            problems.add_file(text, name)
        else:
            found[name] = given
    return found


def _hint(given: str) -> str:
    near = nearest_name(given)
    return f"did you mean {near!r}?" if near else "no column has a name like it"


def nearest_name(given: str) -> str | None:
    """The known column that `given` most likely was meant to be; None: it is like none."""
    word = given.lower()
    if word in _MEANINGS:
        return _MEANINGS[word]

    def likeness(name: str) -> float:
        starts = [name, *name.split("_")]
        same_start = any(one.startswith(word) or word.startswith(one) for one in starts)
        return SequenceMatcher(None, word, name).ratio() + (0.5 if same_start else 0.0)

    nearest = max(COLUMNS_BY_NAME, key=likeness)
    return nearest if likeness(nearest) >= _LIKE else None
