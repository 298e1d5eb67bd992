# SPDX-License-Identifier: Apache-2.0
"""Prices a book from Python: any kind of table in, the same kind out."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from makespan.book import Book, checked_book, raw_book
from makespan.book.accuracy import Defaults
from makespan.book.tables import like
from makespan.engine import Engine, Team, load_engine
from makespan.errors import BookWarning, InputError
from makespan.memory import speed_memory
from makespan.output import desk_units, price_table
from makespan.overdue import warn_of_run
from makespan.record import RunContext, json_text, run_record
from makespan.run import JournalRequest, Outcome, Progress, run_book
from makespan.schema import SEED_DEFAULT
from makespan.settings import DEVICE_TIMEOUT_S, UNITS, Settings
from makespan.timeline import Timeline, empty_timeline

if TYPE_CHECKING:
    import polars as pl

WARNINGS_SHOWN_MAX = 5


class PriceResult(NamedTuple):
    """Prices, and the record of the run that made them."""

    table: Any
    record: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Priced:
    """All of a run: `table` in the units asked for, in the book's row order."""

    book: Book
    outcome: Outcome
    table: pl.DataFrame
    record: dict[str, Any]
    memory_problem: str | None = None
    """Why speeds were not remembered, or a file of them not used; no result depends on it."""

    def problems(self) -> list[str]:
        """What went wrong and changed no result."""
        told = (self.outcome.journal_problem, self.memory_problem, *self.outcome.overdue)
        return [one for one in told if one]

    def timeline(self) -> Timeline:
        """Who did what, when; empty where an earlier run's journal had everything."""
        return self.outcome.timeline or empty_timeline()


def price(
    book: object,
    *,
    method: str = "mc",
    paths: int | None = None,
    std_error: float | None = None,
    greeks: bool = False,
    seed: int = SEED_DEFAULT,
    devices: str | None = None,
    threads: int | None = None,
    isa: str = "auto",
    mode: str = "auto",
    dispatcher: str = "steal",
    policy: str = "equal_time",
    device_timeout: float = DEVICE_TIMEOUT_S,
    inject: str | None = None,
    memory: bool = True,
    precision: str = "auto",
    rounds: int = 10,
    replicates: int = 32,
    confidence: float = 0.95,
    fixing_grid: str | None = None,
    journal: str | PathLike[str] | None = None,
    resume: bool = False,
    skip_invalid: bool = False,
    units: str = "standard",
    progress: Callable[[Progress], None] | None = None,
) -> Any:
    """Prices a book of Asian options on every core of this machine.

    `book`: a path (CSV, Parquet, Arrow), a polars or pandas DataFrame, a pyarrow Table, or a dict
    of arrays, with the columns of docs/reference/book-format.md. In pandas and numpy tables NaN
    means "not given".

    Accuracy: `paths` simulated, or `std_error` [price units, for notional 1] reached;
    without either, 1e-4 of each row's spot. A row's own `paths` or `std_error` comes first.
    `memory` begins with the devices' speeds of earlier runs, and keeps this run's.
    A thread that is at one piece of work for `device_timeout` [s], and ten times its prediction, is
    taken as lost, and others do its work; a `RuntimeWarning` tells, as of one that takes ten times
    its prediction.
    `journal` keeps finished options on disk; with `resume` only missing ones are priced. With
    `skip_invalid` bad rows get status 'error' instead of stopping the run. `units='desk'` gives
    vega and rho per 1 % and theta per day, in columns with other names.

    Returns the same kind of table in the same row order (a path or LazyFrame gives polars). pandas
    results carry the run record as JSON in `attrs`, pyarrow ones in the schema's metadata;
    `price_with_record` returns it for every kind.

    Raises `BookError` with everything that is wrong with the book, `InputError` for settings,
    `JournalError`, `NotConfiguredError`; `KeyboardInterrupt` within a second of Ctrl-C, with the
    journal kept.
    """
    arguments = {name: value for name, value in locals().items() if name != "book"}
    return price_with_record(book, **arguments).table


def price_with_record(
    book: object,
    *,
    journal: str | PathLike[str] | None = None,
    resume: bool = False,
    skip_invalid: bool = False,
    units: str = "standard",
    progress: Callable[[Progress], None] | None = None,
    **settings: Any,
) -> PriceResult:
    """As `price`, and returns the run record too (docs/reference/record.md)."""
    is_path = isinstance(book, str | PathLike)
    priced = price_everything(
        load_engine(),
        book,
        Settings(**settings),
        journal=None if journal is None else JournalRequest(Path(journal), resume),
        skip_invalid=skip_invalid,
        progress=progress,
        context=RunContext(source=fspath(book) if is_path else None, units=units),  # type: ignore[call-overload]
    )
    _warn(priced.book)
    for problem in priced.problems():
        warnings.warn(problem, RuntimeWarning, stacklevel=3)
    return PriceResult(like(book, priced.table, json_text(priced.record)), priced.record)


def price_everything(
    engine: Engine,
    source: object,
    settings: Settings,
    *,
    journal: JournalRequest | None = None,
    skip_invalid: bool = False,
    progress: Callable[[Progress], None] | None = None,
    context: RunContext | None = None,
    team: Team | None = None,
    warn: Callable[[str], None] = warn_of_run,
) -> Priced:
    """What `price` and the command line have in common: check, read, run, tabulate, record."""
    context = context or RunContext()
    settings.check(engine)
    if context.units not in UNITS:
        raise InputError(f"units must be one of {', '.join(UNITS)}; got '{context.units}'")
    defaults = Defaults(settings.fixing_grid, settings.paths, settings.std_error, settings.seed)
    book = checked_book(raw_book(source), defaults, skip_invalid=skip_invalid)
    memory = speed_memory(engine, settings)
    outcome = run_book(
        engine, book, settings, journal, progress=progress, team=team, memory=memory, warn=warn
    )
    table = price_table(book, outcome, settings)
    if context.units == "desk":
        table = desk_units(table)
    record = run_record(engine, book, settings, outcome, context)
    return Priced(book, outcome, table, record, memory.problem)


def _warn(book: Book) -> None:
    for problem in book.warnings[:WARNINGS_SHOWN_MAX]:
        warnings.warn(str(problem), BookWarning, stacklevel=4)
    left = len(book.warnings) - WARNINGS_SHOWN_MAX
    if left > 0:
        warnings.warn(f"... and {left} more like these", BookWarning, stacklevel=4)
