# SPDX-License-Identifier: Apache-2.0
"""Kinds of values that settings have: which fit, what is said of others, how text becomes one."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from makespan.base.engine import Engine

INT32_MAX = 2**31 - 1
STEPS_MAX = 2**53
THREADS_MAX = 1 << 12


class Kind(ABC):
    """What values a setting can have. Values are those of TOML and of Python."""

    metavar = "TEXT"
    """In help texts, in the place of the value; empty for a switch."""

    @property
    @abstractmethod
    def right(self) -> str:
        """What can be given, as the end of a message: `give a number above 0`."""

    @abstractmethod
    def fits(self, value: Any) -> bool:
        """Whether a value can be used."""

    def problem(self, value: Any, engine: Engine | None = None) -> str | None:  # noqa: ARG002
        """What would be right; None for a value that fits.

        Kinds whose words the engine knows ask it; without one they load it, and raise
        `NotConfiguredError` where that cannot be done.
        """
        return None if self.fits(value) else self.right_for(value)

    def right_for(self, value: Any) -> str:  # noqa: ARG002
        """`right`, or what says more of a value that does not fit."""
        return self.right

    def parsed(self, text: str) -> Any:
        """The value that a flag's text stands for; raises `ValueError` where there is none."""
        return text

    @property
    def choices(self) -> Sequence[str]:
        """All words that fit, where they can be listed: for help and for completion."""
        return ()


@dataclass(frozen=True, slots=True)
class Switch(Kind):
    """On or off: a flag without a value."""

    metavar = ""

    @property
    def right(self) -> str:
        """What can be given."""
        return "give true or false"

    def fits(self, value: Any) -> bool:
        """TOML's and Python's truth values."""
        return isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Text(Kind):
    """Any text but the empty one; with `takes` those that it takes."""

    what: str = "a text"
    metavar: str = "TEXT"
    takes: Callable[[str], bool] | None = None

    @property
    def right(self) -> str:
        """What can be given."""
        return f"give {self.what}"

    def fits(self, value: Any) -> bool:
        """Whether there is something in it, and it is taken."""
        is_text = isinstance(value, str) and value != ""
        return is_text and (self.takes is None or self.takes(value))


@dataclass(frozen=True, slots=True)
class Whole(Kind):
    """Whole numbers from `least` to `most`."""

    least: int
    most: int = INT32_MAX
    metavar = "N"

    @property
    def right(self) -> str:
        """What can be given."""
        if self.most in (INT32_MAX, STEPS_MAX):
            return f"give a whole number of at least {self.least}"
        return f"give a whole number from {self.least} to {power_text(self.most)}"

    def right_for(self, value: Any) -> str:
        """Names the limit that is left out elsewhere."""
        is_hidden = self.most in (INT32_MAX, STEPS_MAX)
        is_above = is_hidden and type(value) is int and value > self.most
        return f"give a whole number up to {power_text(self.most)}" if is_above else self.right

    def fits(self, value: Any) -> bool:
        """Whether it lies in the range; TOML's `true` is a Python int, and none."""
        return type(value) is int and self.least <= value <= self.most

    def parsed(self, text: str) -> Any:
        """As Python writes whole numbers."""
        return int(text)


@dataclass(frozen=True, slots=True)
class Number(Kind):
    """Finite numbers in a range."""

    above: float | None = None
    """Greater than this ..."""
    least: float | None = None
    """... or at least this."""
    most: float = math.inf
    below: float = math.inf
    metavar = "X"

    @property
    def right(self) -> str:
        """What can be given."""
        if self.above is not None and math.isfinite(self.below):
            return f"give a number between {self.above:g} and {self.below:g}"
        low = "" if self.least is None else f", {self.least:g} or above"
        low = low if self.above is None else f" above {self.above:g}"
        if math.isfinite(self.most) and self.above is not None:
            low += f", up to {self.most:g}"
        elif math.isfinite(self.most):
            low = f" from {self.least or 0:g} to {self.most:g}"
        return f"give a {'' if low else 'finite '}number{low}"

    def right_for(self, value: Any) -> str:
        """`right`; of what is no finite number, that too."""
        is_endless = isinstance(value, float) and not math.isfinite(value)
        return (
            self.right.replace("give a number", "give a finite number")
            if is_endless
            else self.right
        )

    def fits(self, value: Any) -> bool:
        """Whether it is a finite number in the range."""
        if not is_finite(value):
            return False
        if self.above is not None and value <= self.above:
            return False
        if self.least is not None and value < self.least:
            return False
        return bool(value <= self.most and value < self.below)

    def parsed(self, text: str) -> Any:
        """As Python writes numbers."""
        return float(text)


@dataclass(frozen=True, slots=True)
class OneOf(Kind):
    """One of some words or whole numbers."""

    values: tuple[str | int, ...]
    metavar = "WORD"

    @property
    def right(self) -> str:
        """What can be given."""
        texts = [str(value) for value in self.values]
        return f"give {', '.join(texts[:-1])} or {texts[-1]}" if texts[1:] else f"give {texts[0]}"

    def fits(self, value: Any) -> bool:
        """Whether it is one of them."""
        return any(type(value) is type(one) and value == one for one in self.values)

    def parsed(self, text: str) -> Any:
        """The value that is written so."""
        return next((one for one in self.values if str(one) == text), text)

    @property
    def choices(self) -> Sequence[str]:
        """All of them."""
        return [str(value) for value in self.values]


@dataclass(frozen=True, slots=True)
class OrElse(Kind):
    """What one kind takes, or another."""

    first: Kind
    second: Kind
    metavar: str = "X"

    @property
    def right(self) -> str:
        """What can be given."""
        return f"{self.first.right}, or {self.second.right.removeprefix('give ')}"

    def fits(self, value: Any) -> bool:
        """Whether one of them takes it."""
        return self.first.fits(value) or self.second.fits(value)

    def parsed(self, text: str) -> Any:
        """As the first one that takes it reads it."""
        for kind in (self.first, self.second):
            try:
                value = kind.parsed(text)
            except ValueError:
                continue
            if kind.fits(value):
                return value
        raise ValueError(text)

    @property
    def choices(self) -> Sequence[str]:
        """Of both."""
        return [*self.first.choices, *self.second.choices]


@dataclass(frozen=True, slots=True)
class ListOf(Kind):
    """Lists of any length, or of one; a flag's text has commas between."""

    kind: Kind
    length: int | None = None
    what: str = ""
    metavar: str = "A,B,..."

    @property
    def right(self) -> str:
        """What can be given."""
        return f"give {self.what or 'a list'}"

    def fits(self, value: Any) -> bool:
        """Whether each fits, and they are as many."""
        return (
            isinstance(value, list | tuple)
            and (self.length is None or len(value) == self.length)
            and all(self.kind.fits(one) for one in value)
        )

    def parsed(self, text: str) -> Any:
        """What stands between the commas, in brackets or not; `[]` is the empty list."""
        if text.startswith("[") and text.endswith("]"):
            text = text[1:-1]
            if not text.strip():
                return []
        return [self.kind.parsed(one.strip()) for one in text.split(",")]


@dataclass(frozen=True, slots=True)
class Checked(Kind):
    """What a function takes, where no other kind does."""

    takes: Callable[[Any], bool]
    what: str
    reads: Callable[[str], Any] = str
    metavar: str = "X"

    @property
    def right(self) -> str:
        """What can be given."""
        return f"give {self.what}"

    def fits(self, value: Any) -> bool:
        """Whether the function takes it."""
        return self.takes(value)

    def parsed(self, text: str) -> Any:
        """As `reads` does it."""
        return self.reads(text)


@dataclass(frozen=True, slots=True)
class FilePath(Kind):
    """The path of a file, read or written, or of a folder."""

    what: str = "the path of a file"
    metavar: str = "FILE"

    @property
    def right(self) -> str:
        """What can be given."""
        return f"give {self.what}"

    def fits(self, value: Any) -> bool:
        """Whether it can be a path."""
        return isinstance(value, str | PathLike) and str(value) != ""

    def parsed(self, text: str) -> Any:
        """Of this system; no text names a file, although `Path` takes it for this folder."""
        if not text:
            raise ValueError(text)
        return Path(text)


FOLDER = FilePath("the path of a folder", "DIR")
ABOVE_0 = Number(above=0.0)
FROM_0 = Number(least=0.0)
FINITE = Number()
COUNT = Whole(1)
STEPS = Whole(1, STEPS_MAX)
"""Of steps between two events that do happen."""
STEPS_OR_NONE = Whole(0, STEPS_MAX)
THREADS = Whole(1, THREADS_MAX)


def is_finite(value: Any) -> bool:
    """Numbers that fit into a double; TOML's whole numbers have as many digits as they like."""
    try:
        return type(value) in (int, float) and math.isfinite(value)
    except OverflowError:
        return False


def triple(kind: Kind, what: str) -> ListOf:
    """Three of them, along x, y, z."""
    return ListOf(kind, 3, what, "X,Y,Z")


def power_text(number: int) -> str:
    """A large number that is a power of 2, or one less, in few digits."""
    for less, end in ((0, ""), (1, " - 1")):
        power = number + less
        if power > INT32_MAX and power & (power - 1) == 0:
            return f"2^{power.bit_length() - 1}{end}"
    return str(number)
