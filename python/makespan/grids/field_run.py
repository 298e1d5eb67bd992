# SPDX-License-Identifier: Apache-2.0
"""A run of a grid from its input to its outcome, whatever the application computes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from makespan.base.engine import load_engine
from makespan.base.errors import InputError, Interrupted
from makespan.files.kept_result import kept_result
from makespan.grids.grid_run import BadValue, Watch, check_values, run_steps
from makespan.grids.input import GridOrder
from makespan.grids.lines_digest import expect_lines, lines_digest
from makespan.grids.outcome import Callbacks, GridOutcome
from makespan.grids.outputs import TABLE, check_files, lock_folders
from makespan.grids.saving import GridOfFields, Saving
from makespan.grids.steps import Recurrent
from makespan.grids.table_file import read_table, write_table
from makespan.grids.tuner import tune
from makespan.job.interrupts import Interrupts
from makespan.report.result_hash import tree_hash
from makespan.settings.input_file import InputValues

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LINES = "lines"
"""In the state of a checkpoint: what tells that lines of tables are those that were written."""


class Application(Protocol):
    """What is run. All is called on image 0, while the others serve."""

    grid: GridOfFields
    given: InputValues

    @property
    def columns(self) -> Sequence[str]:
        """Of its table; the first one is the step."""

    @property
    def costs(self) -> Mapping[str, Any]:
        """What the time of a step depends on besides the points."""

    @property
    def stated(self) -> Mapping[str, Any] | None:
        """What a record says of the problem besides the input; None: the input says all."""

    @property
    def has_own_values(self) -> bool:
        """Whether first values are arrays or a file, whose hash records have."""

    @property
    def start_file(self) -> Path | None:
        """A file of first values."""

    def open(self, team: Any) -> None:
        """Makes the team's grid. Raises `InputError`."""

    def start(self, team: Any) -> None:
        """Gives it its first values. Raises `InputError`."""

    def line(self, team: Any, step: int) -> dict[str, Any]:
        """A line of the table."""

    def going_on(self, out: Path, step: int) -> None:
        """Takes up what an earlier run recorded in the folder before this step."""

    def recurrents(self, team: Any, out: Path | None, outcome: GridOutcome) -> list[Recurrent]:
        """What it does besides its table; written files are added to the outcome."""

    def record(self, out: Path) -> None:
        """Writes what was recorded so far."""

    def recorded(self, step: int) -> Mapping[str, float]:
        """Tables that `record` writes, and what their first column has at this step."""

    def state(self) -> Mapping[str, Any]:
        """What a checkpoint holds besides the fields; as JSON has it."""

    def take_state(self, team: Any, state: Mapping[str, Any]) -> None:
        """The same from a checkpoint."""

    def bad_text(self, bad: BadValue) -> str:
        """A value that is no number, for messages: by its place as the user has it."""

    def measures(self) -> Mapping[str, Any]:
        """What all of it shows, by name; of the run's last step."""

    def draw(self, out: Path, outcome: GridOutcome) -> None:
        """Draws the same. Raises `InputError` if the disk refuses."""

    @property
    def table_every(self) -> int:
        """Steps from line to line; 0 for none but the last."""

    @property
    def view_every(self) -> int:
        """Steps from one file for ParaView to the next; 0 for none."""

    @property
    def checkpoint_every(self) -> int:
        """Steps from one checkpoint to the next; 0 for the last step's alone."""


class FieldRun:
    """One run; `go` blocks until it is over."""

    def __init__(
        self, team: Any, application: Application, order: GridOrder, callbacks: Callbacks
    ) -> None:
        self._team = team
        self._application = application
        self._files = order.files
        self._callbacks = callbacks
        self._saving = Saving(team, application.grid)
        self._saved_step: int | None = None
        grid = application.grid
        self._outcome = GridOutcome(
            name=grid.application,
            given=application.given,
            order=order,
            images=team.images,
            threads=team.threads,
            points=grid.points,
            steps=grid.clock.steps,
            stated=application.stated,
        )

    def go(self) -> GridOutcome:
        """What came of it, also where Ctrl-C ended it.

        Raises `InputError`, whose `result` is the outcome where only a file of the last step cannot
        be written; or what the engine raises.
        """
        with ExitStack() as locks:
            self._prepare(locks)
            self._run()
        return self._outcome

    def _run(self) -> None:
        out, outcome = self._files.output, self._outcome
        outcome.first_step = self._team.step
        begin = time.monotonic()
        with Interrupts() as interrupts:
            unwritten = self._steps(interrupts)
            outcome.last_step = self._team.step
            outcome.seconds = time.monotonic() - begin
            outcome.report = self._team.report()
            if outcome.is_complete:
                outcome.hash = self._hash()
            else:
                application = self._application
                check_values(self._team, application.grid.fields, application.bad_text)
            outcome.measures = self._application.measures()
            if outcome.order.keeps_fields:
                outcome.fields = self._fields()
            with kept_result(lambda: outcome):
                if unwritten is not None:
                    raise unwritten
                self._write(out)
            outcome.asked_to_end = interrupts.take()

    def _steps(self, interrupts: Interrupts) -> InputError | None:
        """All steps, unless Ctrl-C comes; what kept a file of the last one from being written."""
        application, outcome = self._application, self._outcome
        watch = Watch(self._callbacks.progress, lambda: interrupts.asked, application.bad_text)
        try:
            with self._kept_lines(self._files.output):
                outcome.is_complete = run_steps(
                    self._team, outcome.steps, application.grid.fields, self._recurrents(), watch
                )
        except InputError as error:
            if self._team.step < outcome.steps:
                raise
            outcome.is_complete = True
            lines, step = outcome.lines, application.columns[0]
            if not lines or lines[-1][step] < outcome.steps:  # a picture comes before the line
                self._tell(outcome.steps)
            return error
        return None

    def _write(self, out: Path | None) -> None:
        """What is written of the step that the run ended with."""
        if not self._outcome.is_complete:
            self._save()
        if out is not None:
            self._record(out)
            self._application.draw(out, self._outcome)

    @contextmanager
    def _kept_lines(self, out: Path | None) -> Iterator[None]:
        """Of a run that an exception ends, all lines that were told are written: of good values."""
        try:
            yield
        except Exception:
            if out is not None and self._outcome.lines:
                with suppress(InputError):  # what ended the run says more
                    self._record(out)
            raise

    def _hash(self) -> str:
        grid = self._application.grid
        x, y, z = grid.points
        shape = (len(grid.fields), z, y, x)
        return tree_hash(self._outcome.name, shape, self._team.digests())

    def _fields(self) -> dict[str, NDArray[np.float64]]:
        grid = self._application.grid
        return {
            name: self._team.gather(number, (0, 0, 0), grid.points)
            for number, name in enumerate(grid.fields)
        }

    def _prepare(self, locks: ExitStack) -> None:
        """What is refused is refused before anything is written."""
        files = self._files
        check_files(files, self._application.start_file)
        begin = 0
        if files.restart_from is not None:
            begin = self._saving.check_source(files.restart_from)
        try:
            self._tune(self._application.grid.clock.steps - begin)
            self._application.open(self._team)
        except KeyboardInterrupt as error:
            steps = self._outcome.steps
            raise Interrupted(begin, steps, "steps", restart_from=files.restart_from) from error
        if files.restart_from is not None:
            state = self._saving.restore(files.restart_from)
            self._application.take_state(self._team, state)
            if files.output is not None:
                self._expect_tables(files.output, state)
        else:
            self._application.start(self._team)
            if self._application.has_own_values:
                self._outcome.first_hash = self._hash()
        lock_folders(files, locks)
        if files.output is None:
            return
        if files.restart_from is not None:
            columns = self._application.columns
            table = files.output / TABLE
            self._outcome.lines = list(read_table(table, columns, self._team.step))
            self._application.going_on(files.output, self._team.step)

    def _tune(self, steps: int) -> None:
        application, outcome = self._application, self._outcome
        options = outcome.order.options
        outcome.tuning = tune(load_engine(), self._team, application, options, steps)
        outcome.given = application.given

    def _recurrents(self) -> list[Recurrent]:
        application, out = self._application, self._files.output
        # What changes the grid comes before what is told of it.
        found = application.recurrents(self._team, out, self._outcome)
        found.append(Recurrent(application.table_every, self._tell, at_end=True))
        if out is not None and application.view_every:
            found.append(Recurrent(application.view_every, lambda step: self._view(out, step)))
        if self._files.checkpoint is not None:
            every = application.checkpoint_every
            found.append(Recurrent(every, lambda _: self._save(), at_end=True))
        return found

    def _tell(self, step: int) -> None:
        line = self._application.line(self._team, step)
        self._outcome.lines.append(line)
        self._callbacks.line(line)

    def _view(self, out: Path, step: int) -> None:
        path = self._saving.view(out / "paraview", step, self._application.grid.fields)
        self._outcome.add_written(path)

    def _save(self) -> None:
        """Tables first: what a run goes on from is never ahead of them."""
        files = self._files
        if files.checkpoint is None:
            return
        if files.output is not None:
            self._record(files.output)
        step = self._team.step
        # One of this step may be there from a run before: it is replaced, for it may be damaged.
        if step != self._saved_step:
            self._saved_step = step
            state = {**self._application.state(), **self._digests(files.output)}
            self._saving.checkpoint(files.checkpoint, step, state)

    def _tables(self) -> dict[str, float]:
        step = self._team.step
        return {TABLE: step, **self._application.recorded(step)}

    def _digests(self, out: Path | None) -> dict[str, Any]:
        """Of the lines that a run which goes on from here takes up."""
        if out is None:
            return {}
        return {
            _LINES: {name: lines_digest(out / name, end) for name, end in self._tables().items()}
        }

    def _expect_tables(self, out: Path, state: Mapping[str, Any]) -> None:
        written = state.get(_LINES, {})
        for name, end in self._tables().items():
            expect_lines(out / name, end, written.get(name))

    def _record(self, out: Path) -> None:
        write_table(out / TABLE, self._application.columns, self._outcome.lines)
        self._outcome.add_written(out / TABLE)
        self._application.record(out)
