# SPDX-License-Identifier: Apache-2.0
"""What the command and the Python function have in common: check, read, run, tabulate, record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from makespan.base.engine import Engine
from makespan.base.errors import EngineError, Interrupted
from makespan.files.journal_request import JournalRequest
from makespan.job.interrupts import Interrupts
from makespan.job.overdue import warn_of_run
from makespan.job.progress import OnProgress, Progress
from makespan.pricing.book import Book, MarketTables, checked_book, raw_book, read_market
from makespan.pricing.book.accuracy import Defaults
from makespan.pricing.input import Settings
from makespan.pricing.outcome import Outcome, Priced
from makespan.pricing.price_table import desk_units, price_table
from makespan.pricing.record import RunContext, run_record
from makespan.pricing.run import RunDevices, run_book
from makespan.pricing.sensitivities import Plan, planned
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


@dataclass(slots=True)
class _Listener:
    """The user's function of progress; what it raised comes out as it is."""

    call: OnProgress
    raised: BaseException | None = None

    def __call__(self, progress: Progress) -> None:
        try:
            self.call(progress)
        except BaseException as error:
            self.raised = error
            raise


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

    Raises `BookError`, `InputError`, `JournalError`, `NotConfiguredError`; `Interrupted`, whose
    result is what is there, or None; `EngineError`, whose result is all but the sensitivities if
    only those could not be had. Ctrl-C that comes later than the prices is left in the outcome.
    """
    wishes, context, session = wishes or Wishes(), context or RunContext(), session or Session()
    listener = None if wishes.on_progress is None else _Listener(wishes.on_progress)
    settings.check(engine)
    book = _checked(source, settings, wishes)
    memory = session.memory or speed_memory(engine, settings)

    def run(book: Book, settings: Settings, journal: JournalRequest | None) -> Outcome:
        return run_book(
            engine,
            book,
            settings,
            journal,
            progress=listener,
            devices=RunDevices(session.team, memory),
            warn=wishes.warn,
        )

    def priced(book: Book, outcome: Outcome) -> Priced:
        found = _tabulated(engine, book, settings, outcome, context)
        return replace(found, memory_problem=memory.problem)

    by = settings.sensitivities
    plan = None if by is None else planned(book, by, settings.method)
    try:
        found = priced(book, run(book, settings, wishes.journal))
    except Interrupted as stop:
        stop.result = stop.result and replace(priced(*stop.result), is_whole=False)
        raise
    if plan is None:
        return found
    of_moved = settings.without_greeks(_method_of_moved(settings))

    def moved(bumped: Book) -> Outcome:
        if found.outcome.asked_to_end:
            raise KeyboardInterrupt
        outcome = run(bumped, of_moved, None)
        found.outcome.asked_to_end |= outcome.asked_to_end
        return outcome

    try:
        return _with_sensitivities(found, plan, moved, wishes.journal, context)
    except (RuntimeError, MemoryError) as error:
        if listener is not None and error is listener.raised:
            raise
        raise _without_sensitivities(error, found) from error


def _tabulated(
    engine: Engine, book: Book, settings: Settings, outcome: Outcome, context: RunContext
) -> Priced:
    with Interrupts() as late:
        table = price_table(book, outcome, settings)
        if context.units == "desk":
            table = desk_units(table)
        record = run_record(engine, book, settings, outcome, context)
        outcome.asked_to_end |= late.take()
    return Priced(book, outcome, table, record)


def _method_of_moved(settings: Settings) -> str:
    # Low-discrepancy points have their own replicates, and would take 16 times as many.
    return "mc" if settings.method in ("rqmc", "rqmc_smooth") else settings.method


def _checked(source: object, settings: Settings, wishes: Wishes) -> Book:
    defaults = Defaults(
        settings.fixing_grid, settings.paths, settings.std_error, settings.seed, settings.method
    )
    skip, market = wishes.skip_invalid, read_market(wishes.market)
    return checked_book(raw_book(source), defaults, skip_invalid=skip, market=market)


def _with_sensitivities(
    priced: Priced,
    plan: Plan,
    price: Callable[[Book], Outcome],
    journal: JournalRequest | None,
    context: RunContext,
) -> Priced:
    """Raises `Interrupted` with the prices alone, and what the engine raises."""
    kept = None if journal is None else journal.path
    none_done = (0, len(plan.bumps), "sensitivities")
    if priced.outcome.asked_to_end and any(not bump.problem for bump in plan.bumps):
        raise Interrupted(*none_done, result=priced, restart_from=kept)
    try:
        found = plan.taken(priced.outcome, price, desk=context.units == "desk")
    except Interrupted as stopped:
        unit = "prices of sensitivities"
        raise Interrupted(
            stopped.done, stopped.total, unit, result=priced, restart_from=kept
        ) from None
    except KeyboardInterrupt:
        raise Interrupted(*none_done, result=priced, restart_from=kept) from None
    priced.record["sensitivities"] = {
        "values": found.table.height,
        "prices": found.prices,
        "wall_s": found.wall_s,
    }
    return replace(priced, sensitivities=found.table)


def _without_sensitivities(error: RuntimeError | MemoryError, priced: Priced) -> EngineError:
    told = str(error) or type(error).__name__
    failure = EngineError(f"after all prices, at their sensitivities: {told}")
    failure.result = priced
    return failure
