# SPDX-License-Identifier: Apache-2.0
"""What lies beyond the ends of a grid, as all commands on grids are told it: the key `boundary`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from makespan.settings.kinds import Kind, is_finite

AXES = ("x", "y", "z")
NO_FLUX, PERIODIC, REST = "no-flux", "periodic", "rest"

End = str | float
"""A word, or the value beyond the end."""


@dataclass(frozen=True, slots=True)
class Boundary(Kind):
    """A word for all ends; numbers and single axes where they are taken."""

    words: tuple[str, ...] = (NO_FLUX, PERIODIC)
    has_numbers: bool = True
    is_by_axis: bool = True
    metavar = "BOUNDARY"

    @property
    def right(self) -> str:
        """What can be given."""
        one = ", ".join(f'"{word}"' for word in self.words[:-1]) + f' or "{self.words[-1]}"'
        if self.has_numbers:
            one = ", ".join(f'"{word}"' for word in self.words) + " or a number"
        if not self.is_by_axis:
            return f"give {one}"
        low = "0.0" if self.has_numbers else f'"{NO_FLUX}"'
        return (
            f'give {one}, or by axis, as {{x = "periodic", z = [{low}, "no-flux"]}}: both ends, or '
            "the low one and the high one; periodic are both"
        )

    def fits(self, value: Any) -> bool:
        """Whether it says something of all ends."""
        if isinstance(value, Mapping):
            is_known = self.is_by_axis and bool(value) and set(value) <= set(AXES)
            return is_known and all(map(self._is_axis, value.values()))
        return self._is_end(value)

    def parsed(self, text: str) -> Any:
        """A number, a word, or by axis, as a file has it (TOML)."""
        if text.lstrip().startswith(("{", '"')):
            import tomllib

            return tomllib.loads(f"boundary = {text}")["boundary"]  # its error is a ValueError
        try:
            return float(text)
        except ValueError:
            return text

    @property
    def choices(self) -> Sequence[str]:
        """The words."""
        return self.words

    def _is_axis(self, value: Any) -> bool:
        if not isinstance(value, list | tuple):
            return self._is_end(value)
        if len(value) != 2 or not all(map(self._is_end, value)):
            return False
        return all(one == PERIODIC for one in value) or PERIODIC not in value

    def _is_end(self, value: Any) -> bool:
        if isinstance(value, str):
            return value in self.words
        # numpy's numbers become Python's.
        plain = value.tolist() if hasattr(value, "tolist") else value
        return self.has_numbers and is_finite(plain)


def ends_of(boundary: Any) -> list[tuple[End, End]]:
    """Of a value that fits: the low end and the high one of x, y and z."""
    by_axis = boundary if isinstance(boundary, Mapping) else dict.fromkeys(AXES, boundary)
    pairs = []
    for axis in AXES:
        both = by_axis.get(axis, NO_FLUX)
        low, high = both if isinstance(both, list | tuple) else (both, both)
        pairs.append((_end(low), _end(high)))
    return pairs


def _end(value: Any) -> End:
    return value if isinstance(value, str) else float(value)
