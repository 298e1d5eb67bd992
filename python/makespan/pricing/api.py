# SPDX-License-Identifier: Apache-2.0
"""`makespan.price`: prices a book from Python; any kind of table in, the same kind out."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine, load_engine
from makespan.base.errors import BookWarning, EngineError, InputError, Interrupted
from makespan.base.forked import expect_polars
from makespan.job.callers_level import callers_level
from makespan.job.gather import gathered
from makespan.job.hold_mpi import hold_mpi_in_job
from makespan.job.interrupts import Interrupts
from makespan.job.progress import OnProgress
from makespan.pricing.book import MarketTables
from makespan.pricing.book.tables import like
from makespan.pricing.input import MARKET_TABLES, PYTHON_SETTINGS, Settings
from makespan.pricing.outcome import Priced, PriceResult
from makespan.pricing.outputs import (
    Outputs,
    named_outputs,
    stale_sensitivities,
    write_outputs,
    written_if_whole,
)
from makespan.pricing.pricing import Wishes, price_everything
from makespan.pricing.record import RunContext
from makespan.pricing.session import joined_session
from makespan.report.run_record import json_text
from makespan.settings.keywords import takes

if TYPE_CHECKING:
    import polars as pl

WARNINGS_SHOWN_MAX = 5


@takes(PYTHON_SETTINGS)
def price(
    book: object,
    *,
    curves: object = None,
    baskets: object = None,
    correlations: object = None,
    surfaces: object = None,
    on_progress: OnProgress | None = None,
    **given: Any,
) -> PriceResult | None:
    """Prices a book of Asian options on every core of this machine, or of all images of a job.

    `book`: a path (CSV, Parquet, Arrow), a polars or pandas DataFrame, a pyarrow Table, or a dict
    of arrays, with the columns of docs/reference/book-format.md; NaN in pandas and numpy tables,
    and what a numpy mask hides, means "not given". `curves`, which rows name: a path, a table, or a
    dict `{name: {"kind": ..., "time": [...], "value": [...]}}` (docs/reference/curves.md);
    `baskets`, likewise, and the `correlations` of their underlyings (docs/reference/baskets.md);
    `surfaces` of volatilities (docs/reference/surfaces.md).
    `sensitivities`: a table of derivatives as well (docs/explanation/sensitivities.md).

    Accuracy: `paths` simulated, or `std_error` reached; without either, 1e-4 of each row's spot. A
    row's own `paths` or `std_error` comes first. `memory` begins with the devices' speeds of
    earlier runs, and keeps this run's. A thread that is at one piece of work for `timeout`, and ten
    times its prediction, is taken as lost, and others do its work; a `RuntimeWarning` tells, as of
    one that takes ten times its prediction. Files are written where they are named.

    Blocks. In a program that mpiexec started: collective, by all its processes, with the same book
    and keywords. The first gets the result, the others None; with `gather="all"` all get it.

    Returns a `PriceResult`; its table is of the kind that the book was (polars for a path), in its
    row order. pandas tables carry the record as JSON in `attrs`, pyarrow ones in the metadata.

    Raises `BookError` with everything that is wrong with the book, `InputError` for settings, or
    with the `result` when all is priced and a file cannot be written, `JournalError`,
    `NotConfiguredError`, `EngineError` where polars cannot be used (a process forked from one that
    has used it); `Interrupted` within a second of Ctrl-C, with the journal kept: its
    `result` has the prices that were done, and status error in all other rows; None if there were
    none. If only sensitivities were not done, the files are written without them; where the engine
    could not go on with them, `EngineError` has the `result`. A `RuntimeWarning` tells of a file
    of sensitivities of earlier prices beside prices that have none.
    """
    expect_polars("price")
    engine = load_engine()
    hold_mpi_in_job(engine)
    market = MarketTables(curves, baskets, correlations, surfaces)

    def work() -> PriceResult | None:
        with _as_result(book):
            return _priced(engine, book, market, on_progress, given)

    return gathered(work, given["gather"])


def _priced(
    engine: Engine,
    book: object,
    market: MarketTables,
    on_progress: OnProgress | None,
    given: Mapping[str, Any],
) -> PriceResult | None:
    """None on images that serve."""
    settings = Settings.of(given)
    with joined_session(engine, settings) as session:
        if session.is_serving:
            session.serve()
            return None
        outputs = named_outputs(book, {**given, **_paths(market)})
        wishes = Wishes(outputs.journal, given["skip_invalid"], market, on_progress)
        context = _context(book, market, outputs, given["units"])
        with written_if_whole(outputs, lambda priced: _warn_of_part(priced, outputs)):
            priced = price_everything(
                engine, book, settings, wishes, context=context, session=session
            )
    with Interrupts() as late:
        write_outputs(priced, outputs)
        result = _result(book, priced)
        if priced.sensitivities is None:
            _warn_of_part(priced, outputs)
        else:
            _warn(priced)
        priced.outcome.asked_to_end |= late.take()
    priced.expect_unasked(result)
    return result


@contextmanager
def _as_result(book: object) -> Iterator[None]:
    """Makes what there is of a run that did not end well what a user gets."""
    try:
        yield
    except (Interrupted, InputError, EngineError) as stop:
        if isinstance(stop.result, Priced):
            stop.result = _result(book, stop.result)
        raise


def _result(book: object, priced: Priced) -> PriceResult:
    def alike(table: pl.DataFrame, *, has_its_rows: bool) -> Any:
        return like(book, table, lambda: json_text(priced.record), has_its_rows=has_its_rows)

    found = priced.sensitivities
    return PriceResult(
        alike(priced.table, has_its_rows=True),
        priced.record,
        None if found is None else alike(found, has_its_rows=False),
    )


def _context(book: object, market: MarketTables, outputs: Outputs, units: str) -> RunContext:
    files = _paths(market)
    return RunContext(
        source=_path_text(book),
        curves=files["curves"],
        baskets=files["baskets"],
        correlations=files["correlations"],
        surfaces=files["surfaces"],
        output=outputs.absolute_prices(),
        units=units,
    )


def _paths(market: MarketTables) -> dict[str, str | None]:
    """Of the tables that are files."""
    return {name: _path_text(getattr(market, name)) for name in MARKET_TABLES}


def _path_text(source: object) -> str | None:
    return str(source) if isinstance(source, str | PathLike) else None


def _warn_of_part(priced: Priced, outputs: Outputs) -> None:
    """Of a run that has written its prices, if any, without sensitivities."""
    _warn(priced)
    stale = stale_sensitivities(outputs)
    if stale is not None:
        warnings.warn(stale, RuntimeWarning, stacklevel=callers_level())


def _warn(priced: Priced) -> None:
    book, level = priced.book, callers_level()
    for problem in book.warnings[:WARNINGS_SHOWN_MAX]:
        warnings.warn(str(problem), BookWarning, stacklevel=level)
    left = len(book.warnings) - WARNINGS_SHOWN_MAX
    if left > 0:
        warnings.warn(f"... and {left} more like these", BookWarning, stacklevel=level)
    for trouble in priced.problems():
        warnings.warn(trouble, RuntimeWarning, stacklevel=level)
