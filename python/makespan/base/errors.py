# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, one class for each way out, and the exit code that each has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from makespan.base.setting_names import called
from makespan.base.uncaught import exit_uncaught

PROBLEMS_SHOWN_MAX = 1000
"""More lines than this would bury a terminal; `BookError.problems` always has all of them."""


class ExitCode(IntEnum):
    """Exit codes of the command line."""

    OK = 0
    BAD_INPUT = 2
    NOT_CONFIGURED = 3
    RUNTIME_FAILURE = 4
    INTERRUPTED = 130


class _Travels(BaseException):
    """Pickles whatever its constructor takes: results and errors go from image to image."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _as_it_was, (type(self), self.args), self.__dict__


def _as_it_was(kind: type[BaseException], arguments: tuple[Any, ...]) -> BaseException:
    return kind.__new__(kind, *arguments)


class MakespanError(_Travels, Exception):
    """Base of every error that makespan raises on purpose."""

    __module__ = "makespan"
    exit_code = ExitCode.RUNTIME_FAILURE


class InputError(MakespanError, ValueError):
    """A file, a value or a combination of settings cannot be used; the message says why.

    `result` is what the function would have returned, if it is only a file of its results that
    could not be written at the end; else None.
    """

    __module__ = "makespan"
    exit_code = ExitCode.BAD_INPUT
    result: Any = None


class JournalError(InputError):
    """The journal cannot be used: the message says why.

    It belongs to another book or other items, other settings, another build or another process, is
    damaged, is not there or cannot be written.
    """

    __module__ = "makespan"


class NotConfiguredError(MakespanError):
    """A part that was not built or not installed is needed."""

    __module__ = "makespan"
    exit_code = ExitCode.NOT_CONFIGURED


class EngineError(MakespanError, RuntimeError):
    """A run cannot go on, although what was asked for can be: its message says why.

    A value of a grid is no number any more, an image is lost, a result does not come. `result` is
    what `price` would have returned without sensitivities, if only those could not be had; else
    None.
    """

    __module__ = "makespan"
    result: Any = None


def text_of(error: BaseException) -> str:
    """What it says, or that it does not: it may be a user's."""
    try:
        return str(error)
    except Exception as failure:
        return f"(its text raises {type(failure).__name__})"


class ItemError(MakespanError, RuntimeError):
    """An item of `makespan.map` raised: its index; the exception itself is the cause."""

    __module__ = "makespan"

    def __init__(self, index: int, error: BaseException) -> None:
        super().__init__(f"item {index}: {type(error).__name__}: {text_of(error)}")
        self.index = index


class Interrupted(_Travels, KeyboardInterrupt):
    """Ctrl-C during a run: it has stopped, and what was done is kept as far as it can be.

    `done` of `total` `unit` (options, steps, items, cases, sensitivities, prices of sensitivities)
    were done. `result` is what a complete run returns, of these alone, of `map` a dict of the
    results by the index of their item; None where a part of it says nothing. `restart_from` is the
    checkpoint or the journal that a run can go on from; None: there is none.
    """

    __module__ = "makespan"

    def __init__(
        self,
        done: int,
        total: int,
        unit: str,
        *,
        result: Any = None,
        restart_from: Path | None = None,
    ) -> None:
        super().__init__(f"interrupted after {done} of {total} {unit}")
        exit_uncaught(Interrupted, ExitCode.INTERRUPTED)
        self.done = done
        self.total = total
        self.unit = unit
        self.result = result
        self.restart_from = restart_from


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a book.

    `row` counts the book's data rows from 1 (None: the whole file); `line` is the line of a
    CSV file where that is not simply `row + 1`.
    """

    text: str
    row: int | None = None
    id: str | None = None
    column: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        if self.row is None:
            return self.text
        name = f" ({self.id})" if self.id is not None else ""
        line = f", line {self.line}" if self.line is not None else ""
        return f"row {self.row}{name}{line}: {self.text}"


class BookError(InputError):
    """Everything that is wrong with one book, all at once."""

    __module__ = "makespan"

    def __init__(self, source: str, problems: Sequence[Problem], *, first_line: bool = False):
        self.source = source
        self.problems = tuple(problems)
        super().__init__(self._message(first_line=first_line))

    def _message(self, *, first_line: bool) -> str:
        if len(self.problems) == 1 and self.problems[0].row is None:
            return f"{self.source}: {self.problems[0]}"
        where = " (row 1 is line 2 of the file)" if first_line else ""
        count = "1 error" if len(self.problems) == 1 else f"{len(self.problems)} errors"
        lines = [f"{self.source}: {count}{where}"]
        lines += [f"  {problem}" for problem in self.problems[:PROBLEMS_SHOWN_MAX]]
        left = len(self.problems) - PROBLEMS_SHOWN_MAX
        if left > 0:
            skip = called("skip_invalid")
            lines.append(f"  ... and {left} more; {skip} writes all of them to the output")
        return "\n".join(lines)


class BookWarning(UserWarning):
    """A value that is allowed but looks like a mistake."""

    __module__ = "makespan"
