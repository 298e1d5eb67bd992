# SPDX-License-Identifier: Apache-2.0
"""Prices a checked book: starts the engine, keeps the journal, reports, stops on Ctrl-C."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from makespan.base.engine import Engine, Run, RunState, Team
from makespan.base.errors import InputError, Interrupted, NotConfiguredError
from makespan.base.number_text import rate_text
from makespan.base.version import engine_build
from makespan.files.journal_request import JournalRequest
from makespan.job.interrupts import Interrupts
from makespan.job.overdue import overdue_text, warn_of_run
from makespan.job.progress import OnProgress, Progress
from makespan.job.stopping import expect_none_left, stop, stopped_on_error, threads_may_stay
from makespan.pricing.book import Book
from makespan.pricing.book.digest import contract_hashes
from makespan.pricing.book.ids import id_bytes
from makespan.pricing.book.normal import rows_of
from makespan.pricing.input import Settings
from makespan.pricing.journal import Journal
from makespan.pricing.outcome import Columns, Outcome
from makespan.pricing.priced_part import priced_part
from makespan.pricing.speed_memory import NO_MEMORY, SpeedMemory
from makespan.pricing.timeline import timeline_of

FIRST_WAIT_S = 0.01
WAIT_S = 0.1
"""Between two looks at the engine: batches of the journal, and how long Ctrl-C may take."""


@dataclass(frozen=True, slots=True)
class RunDevices:
    """With what a book is priced."""

    team: Team | None = None
    """Of a job: the devices of all its images."""
    memory: SpeedMemory = field(default_factory=lambda: NO_MEMORY)
    """Gives the speeds to begin with, and gets those that this image's devices have shown."""


def run_book(
    engine: Engine,
    book: Book,
    settings: Settings,
    journal: JournalRequest | None = None,
    *,
    progress: OnProgress | None = None,
    devices: RunDevices | None = None,
    warn: Callable[[str], None] = warn_of_run,
) -> Outcome:
    """Prices every valid row of the book, with the devices of all images if there is a team.

    `warn` is told at once of devices of this image that take far too long.

    Blocks until done. Ctrl-C stops the engine within a second, commits what it had finished and
    raises `Interrupted`, whose `result` is the part of the book that has prices and the `Outcome`
    of that, or None. Raises `InputError`, `JournalError`, or what the engine raises.
    """
    expect_none_left()
    team, memory = (devices or RunDevices()).team, (devices or RunDevices()).memory
    start = time.perf_counter()
    ids = book.valid_ids.to_list()
    text, offsets = id_bytes(book.valid_ids if book.streams is None else book.streams)
    keys = engine.option_keys(text, offsets)
    columns = {"option_key": keys, **book.columns}
    results = _Results(len(keys), _journal_writer(engine, book, settings, journal, columns))
    interrupts = Interrupts()
    with ExitStack() as to_the_end:
        with results:
            rows = results.missing()
            summary: Mapping[str, Any] = {}
            timeline = None
            if len(rows):
                given = settings.for_engine(engine) | {"speeds": memory.remembered()}
                run = _started(engine, rows_of(columns, rows), given, team)
                with threads_may_stay(run):
                    to_the_end.enter_context(interrupts)
                    listeners = _Listeners(ids, rows, progress, warn)
                    try:
                        _Driver(run, rows, results, team, listeners).drive(interrupts)
                    except Interrupted as stop:
                        if results.done.any():
                            stop.result = results.priced_part(book, time.perf_counter() - start)
                        raise
                    summary = run.summary()
                memory.keep(run.speeds())
                if settings.timeline:
                    timeline = timeline_of(run, engine.span_kinds(), rows, ids)
        outcome = Outcome(
            results.columns,
            summary,
            results.restored,
            time.perf_counter() - start,
            timeline,
            results.journal_problem,
            _elsewhere(summary, rows, ids),
        )
        outcome.asked_to_end = interrupts.take()
    return outcome


def _elsewhere(
    summary: Mapping[str, Any], rows: NDArray[np.int64], ids: Sequence[str]
) -> tuple[str, ...]:
    notes = [note for note in summary.get("overdue", ()) if note["image"] != 0]
    return tuple(overdue_text(note, f"option {ids[rows[note['row']]]}") for note in notes)


@dataclass(frozen=True, slots=True)
class _Listeners:
    """The callbacks that hear of a run while it is on."""

    ids: Sequence[str]
    rows: NDArray[np.int64]
    progress: OnProgress | None
    warn: Callable[[str], None]

    def hear_overdue(self, notes: Iterable[Mapping[str, Any]]) -> None:
        for note in notes:
            self.warn(overdue_text(note, f"option {self.ids[self.rows[note['row']]]}"))

    def hear(self, state: RunState, done: int, total: int) -> None:
        if self.progress is not None:
            self.progress(_progress_of(state, done, total))


def _progress_of(state: RunState, done: int, total: int) -> Progress:
    work_done, elapsed_s = state["work_done"], state["elapsed_s"]
    share = work_done / max(state["work_total"], work_done, 1.0)
    if elapsed_s <= 0 or work_done <= 0:
        return Progress(done, total, "options", elapsed_s, share)
    left_s = max(elapsed_s * (state["work_total"] / work_done - 1.0), 0.0)
    note = rate_text(state["path_steps"] / elapsed_s)
    return Progress(done, total, "options", elapsed_s, share, left_s, note)


class _JournalWriter:
    """The journal together with the keys of this book's rows."""

    def __init__(self, journal: Journal, columns: Columns, settings: str, ids: list[str]) -> None:
        self.journal = journal
        self.keys = columns["option_key"]
        self.contracts = contract_hashes(columns, settings)
        self.ids = ids

    def restored(self) -> tuple[NDArray[np.int64], Columns]:
        return self.journal.finished(self.keys, self.contracts)

    def commit(self, rows: NDArray[np.int64], out: Columns) -> None:
        picked = rows.tolist()
        contracts = [self.contracts[row] for row in picked]
        self.journal.commit(self.keys[rows], contracts, [self.ids[row] for row in picked], out)


def _journal_writer(
    engine: Engine,
    book: Book,
    settings: Settings,
    request: JournalRequest | None,
    columns: Columns,
) -> _JournalWriter | None:
    if request is None:
        return None
    bits = settings.bits()
    header = {"makespan": engine_build(engine), **bits, "input_hash": book.input_hash}
    journal = Journal.open(request.path, header, resume=request.resume)
    try:
        return _JournalWriter(journal, columns, json.dumps(bits), book.valid_ids.to_list())
    except BaseException:
        journal.close()
        raise


def _started(
    engine: Engine, columns: Columns, settings: Mapping[str, Any], team: Team | None
) -> Run:
    try:
        return engine.PricingRun(columns, settings, team)
    except ValueError as error:
        raise InputError(str(error)) from error
    except NotImplementedError as error:
        raise NotConfiguredError(str(error)) from error


@dataclass(slots=True)
class _Results:
    """Output columns as they fill up; what is stored here is in the journal already."""

    rows: int
    journal_writer: _JournalWriter | None
    columns: Columns = field(default_factory=dict)
    restored: int = 0
    journal_problem: str | None = None
    done: NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        self.done = np.zeros(self.rows, dtype=np.bool_)

    def __enter__(self) -> _Results:
        if self.journal_writer is not None:
            try:
                rows, columns = self.journal_writer.restored()
            except BaseException:
                self.journal_writer.journal.close()
                raise
            self._place(rows, columns)
            self.restored = len(rows)
            self.journal_problem = self.journal_writer.journal.problem("priced again")
        return self

    def __exit__(self, *_: object) -> None:
        if self.journal_writer is not None:
            self.journal_writer.journal.close()

    def missing(self) -> NDArray[np.int64]:
        """Rows that have no result yet."""
        return np.flatnonzero(~self.done)

    def priced_part(self, book: Book, wall_s: float) -> tuple[Book, Outcome]:
        """What is there of the book."""
        outcome = Outcome(self.columns, {}, self.restored, wall_s, None, self.journal_problem)
        return priced_part(book, outcome, self.done)

    def store(self, rows: NDArray[np.int64], out: Columns) -> None:
        """Commits these rows to the journal first, then keeps them."""
        if self.journal_writer is not None:
            self.journal_writer.commit(rows, out)
        self._place(rows, out)

    def _place(self, rows: NDArray[np.int64], out: Columns) -> None:
        for name, values in out.items():
            if name not in self.columns:
                self.columns[name] = np.zeros(self.rows, dtype=values.dtype)
            self.columns[name][rows] = values
        self.done[rows] = True


class _Driver:
    """Waits for a run and takes what it finishes; engine row i is row `rows[i]` of the results."""

    def __init__(
        self,
        run: Run,
        rows: NDArray[np.int64],
        results: _Results,
        team: Team | None,
        listeners: _Listeners,
    ) -> None:
        self.run = run
        self.listeners = listeners
        self.team = team
        self.rows = rows
        self.results = results

    def drive(self, interrupts: Interrupts) -> None:
        """Until the run is done; on any exception the engine is stopped before it goes on.

        Ctrl-C when nothing is left to do changes nothing.
        """
        wait_s = FIRST_WAIT_S
        with stopped_on_error(self.run, self.team):
            while not self._step(wait_s):
                wait_s = WAIT_S
                if interrupts.asked:
                    self._interrupt()

    def _interrupt(self) -> None:
        """Stops the engine, keeps what it had finished, and raises if that is not all."""
        stop(self.run, self.team)
        self._take()
        finished = int(np.count_nonzero(self.results.done))
        if finished == self.results.rows:
            return
        writer = self.results.journal_writer
        path = None if writer is None else writer.journal.path
        raise Interrupted(finished, self.results.rows, "options", restart_from=path)

    def _step(self, wait_s: float) -> bool:
        state = self.run.wait(wait_s)
        self._take()
        self.listeners.hear_overdue(self.run.take_overdue())
        done = int(np.count_nonzero(self.results.done))
        self.listeners.hear(state, done, self.results.rows)
        return state["done"]

    def _take(self) -> None:
        finished = self.run.take_finished()
        if len(finished):
            out = {name: np.asarray(c) for name, c in self.run.columns(finished).items()}
            self.results.store(self.rows[finished], out)
