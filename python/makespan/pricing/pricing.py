# SPDX-License-Identifier: Apache-2.0
"""What the command and the Python function have in common: check, read, run, tabulate, record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from makespan.base.engine import Engine
from makespan.base.errors import Interrupted
from makespan.job.overdue import warn_of_run
from makespan.job.progress import OnProgress
from makespan.pricing.book import Book, MarketTables, checked_book, raw_book, read_market
from makespan.pricing.book.accuracy import Defaults
from makespan.pricing.input import Settings
from makespan.pricing.outcome import JournalRequest, Outcome, Priced
from makespan.pricing.price_table import desk_units, price_table
from makespan.pricing.record import RunContext, run_record
from makespan.pricing.run import RunDevices, run_book
from makespan.pricing.sensitivity.sensitivities import planned
from makespan.pricing.session import Session
from makespan.pricing.speed_memory import speed_memory


@dataclass(frozen=True, slots=True)
class Wishes:
    """How a book is read, with what it refers to, and how a run is watched."""

    journal: JournalRequest | None = None
    skip_invalid: bool = False
    market: MarketTables = field(default_factory=MarketTables)
    on_progress: OnProgress | None = None
    warn: Callable[[str], None] = warn_of_run


def price_everything(
    engine: Engine,
    source: object,
    settings: Settings,
    wishes: Wishes | None = None,
    *,
    context: RunContext | None = None,
    session: Session | None = None,
) -> Priced:
    """On image 0, with the devices of all images of the session, if there is one. Blocks.

    Raises `BookError`, `InputError`, `JournalError`, `NotConfiguredError`, `Interrupted`.
    """
    wishes = wishes or Wishes()
    context = context or RunContext()
    settings.check(engine)
    defaults = Defaults(settings.fixing_grid, settings.paths, settings.std_error, settings.seed)
    market = read_market(wishes.market)
    book = checked_book(raw_book(source), defaults, skip_invalid=wishes.skip_invalid, market=market)
    session = session or Session()
    memory = session.memory or speed_memory(engine, settings)

    def run(book: Book, settings: Settings, journal: JournalRequest | None) -> Outcome:
        return run_book(
            engine,
            book,
            settings,
            journal,
            progress=wishes.on_progress,
            devices=RunDevices(session.team, memory),
            warn=wishes.warn,
        )

    by = settings.sensitivities
    plan = None if by is None else planned(book, by, settings.method)
    outcome = run(book, settings, wishes.journal)
    table = price_table(book, outcome, settings)
    if context.units == "desk":
        table = desk_units(table)
    record = run_record(engine, book, settings, outcome, context)
    if plan is None:
        return Priced(book, outcome, table, record, memory_problem=memory.problem)
    # Low-discrepancy points have their own replicates, and would take 16 times as many.
    method = "mc" if settings.method in ("rqmc", "rqmc_smooth") else settings.method
    try:
        found = plan.taken(
            outcome,
            lambda bumped: run(bumped, settings.without_greeks(method), None),
            desk=context.units == "desk",
        )
    except Interrupted as stopped:
        kept = None if wishes.journal is None else wishes.journal.path
        unit = "prices of sensitivities"
        raise Interrupted(stopped.done, stopped.total, unit, restart_from=kept) from None
    record["sensitivities"] = {
        "values": found.table.height,
        "prices": found.prices,
        "wall_s": found.wall_s,
    }
    return Priced(book, outcome, table, record, found.table, memory.problem)
