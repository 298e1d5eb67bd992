# SPDX-License-Identifier: Apache-2.0
"""A run of a grid from its input to its outcome, whatever the application computes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

from makespan.base.errors import InputError
from makespan.base.extras import require
from makespan.files.folder_lock import locked_folder
from makespan.grid.checkpoints import check_folder, checkpoints_in
from makespan.grid.grid_run import Watch, check_values, run_steps
from makespan.grid.lines_digest import expect_lines, lines_digest
from makespan.grid.outcome import Callbacks, GridFiles, GridOutcome
from makespan.grid.saving import GridOfFields, Saving
from makespan.grid.steps import Recurrent
from makespan.grid.table_file import read_table, write_table
from makespan.job.interrupts import Interrupts
from makespan.settings.key_file import KeyValues

TABLE = "table.csv"
_LINES = "lines"
"""In the state of a checkpoint: what tells that lines of tables are those that were written."""


class Application(Protocol):
    """What is run. All is called on image 0, while the others serve."""

    grid: GridOfFields
    given: KeyValues

    @property
    def columns(self) -> Sequence[str]:
        """Of its table; the first one is the step."""

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

    def finish(self, out: Path | None, outcome: GridOutcome) -> None:
        """Measures and draws what all of it shows."""

    @property
    def table_every(self) -> int:
        """Steps from line to line; 0 for none but the last."""

    @property
    def view_every(self) -> int:
        """Steps from one file for ParaView to the next; 0 for none."""

    @property
    def checkpoint_every(self) -> int:
        """Steps from one checkpoint to the next; 0 for the last step's alone."""


def check_out(files: GridFiles) -> None:
    """Raises `InputError` if results would lie among those of another run."""
    out = files.out
    if out is None:
        return
    if out.exists() and not out.is_dir():
        raise InputError(f"--out {out}: it is a file; name a folder")
    if not out.parent.is_dir():
        raise InputError(f"--out {out}: folder {out.parent} does not exist; create it")
    if (out / TABLE).exists() and files.restart_from is None:
        raise InputError(
            f"--out {out}: it holds the results of an earlier run; {_way_on(files.checkpoint)}"
        )


def _way_on(checkpoints: Path | None) -> str:
    """The advice for a run that would overwrite results, with or without checkpoints."""
    if checkpoints is None:
        return (
            "name another folder, or delete this one; a run with --checkpoint can be gone on with, "
            "by --restart-from and its last checkpoint"
        )
    there = checkpoints_in(checkpoints) if checkpoints.is_dir() else []
    if not there:
        return (
            f"there is no checkpoint in {checkpoints} to go on from: name another folder, or "
            "delete this one"
        )
    return f"go on with --restart-from {there[-1]}, or name another folder"


def check_folders(files: GridFiles) -> None:
    """Raises `InputError` if anything would lie among what is of another run."""
    check_out(files)
    if files.checkpoint is not None:
        check_folder(files.checkpoint, files.restart_from, files.out)


def lock_folders(files: GridFiles, locks: ExitStack) -> None:
    """Makes them, and keeps other runs out. Raises `InputError` where one is in them."""
    flags = {"--out": files.out, "--checkpoint": files.checkpoint}
    locked = set()
    for flag, folder in flags.items():
        if folder is not None and folder.resolve() not in locked:
            locks.enter_context(locked_folder(flag, folder))
            locked.add(folder.resolve())
    check_folders(files)  # a run may have ended there since they were looked at


def check_libraries(files: GridFiles) -> None:
    """Raises `NotConfiguredError` where a file is asked for that needs a library we lack."""
    asked = {
        "--out": files.out,
        "--checkpoint": files.checkpoint,
        "--restart-from": files.restart_from,
    }
    for flag, path in asked.items():
        if path is not None:
            require("grids", for_=flag)


class FieldRun:
    """One run; `go` blocks until it is over."""

    def __init__(
        self, team: Any, application: Application, outcome: GridOutcome, callbacks: Callbacks
    ) -> None:
        self._team = team
        self._application = application
        self._outcome = outcome
        self._callbacks = callbacks
        self._saving = Saving(team, application.grid)
        self._saved_step: int | None = None

    def go(self, files: GridFiles) -> None:
        """Fills the outcome. Raises `InputError`, or what the engine raises."""
        with ExitStack() as locks:
            self._prepare(files, locks)
            self._run(files)

    def _run(self, files: GridFiles) -> None:
        out, outcome = files.out, self._outcome
        outcome.first_step = self._team.step
        begin = time.monotonic()
        with Interrupts() as interrupts:
            watch = Watch(self._callbacks.progress, lambda: interrupts.asked)
            outcome.is_complete = run_steps(
                self._team,
                outcome.steps,
                self._application.grid.fields,
                self._recurrents(files),
                watch,
            )
            outcome.last_step = self._team.step
            outcome.seconds = time.monotonic() - begin
            outcome.report = self._team.report()
            if outcome.is_complete:
                outcome.hash = self._team.hash()
            else:
                check_values(self._team, self._application.grid.fields)
                self._save(files)
            if out is not None:
                self._record(out)
            self._application.finish(out, outcome)

    def _prepare(self, files: GridFiles, locks: ExitStack) -> None:
        """What is refused is refused before anything is written."""
        check_libraries(files)
        check_folders(files)
        if files.restart_from is not None:
            self._saving.check_source(files.restart_from)
        self._application.open(self._team)
        if files.restart_from is not None:
            state = self._saving.restore(files.restart_from)
            self._application.take_state(self._team, state)
            if files.out is not None:
                self._expect_tables(files.out, state)
        else:
            self._application.start(self._team)
        lock_folders(files, locks)
        if files.out is None:
            return
        if files.restart_from is not None:
            columns = self._application.columns
            self._outcome.lines = list(read_table(files.out / TABLE, columns, self._team.step))
            self._application.going_on(files.out, self._team.step)

    def _recurrents(self, files: GridFiles) -> list[Recurrent]:
        application, out = self._application, files.out
        # What changes the grid comes before what is told of it.
        found = application.recurrents(self._team, out, self._outcome)
        found.append(Recurrent(application.table_every, self._tell, at_end=True))
        if out is not None and application.view_every:
            found.append(Recurrent(application.view_every, lambda step: self._view(out, step)))
        if files.checkpoint is not None:
            every = application.checkpoint_every
            found.append(Recurrent(every, lambda _: self._save(files), at_end=True))
        return found

    def _tell(self, step: int) -> None:
        line = self._application.line(self._team, step)
        self._outcome.lines.append(line)
        self._callbacks.line(line)

    def _view(self, out: Path, step: int) -> None:
        path = self._saving.view(out / "paraview", step, self._application.grid.fields)
        self._outcome.add_written(path)

    def _save(self, files: GridFiles) -> None:
        """Tables first: what a run goes on from is never ahead of them."""
        if files.checkpoint is None:
            return
        if files.out is not None:
            self._record(files.out)
        step = self._team.step
        # One of this step may be there from a run before: it is replaced, for it may be damaged.
        if step != self._saved_step:
            self._saved_step = step
            state = {**self._application.state(), **self._digests(files.out)}
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
