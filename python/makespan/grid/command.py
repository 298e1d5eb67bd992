# SPDX-License-Identifier: Apache-2.0
"""The story of `makespan calcium` and `makespan diffuse`: read, run, print lines, sum up."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from makespan.base.engine import load_engine
from makespan.base.errors import ExitCode, InputError
from makespan.command.command import Command
from makespan.command.exit import say
from makespan.grid.flags import CutName, ScheduleName
from makespan.job.interrupts import Interrupts
from makespan.job.launcher import is_later_image

if TYPE_CHECKING:
    from makespan.base.engine import Engine
    from makespan.grid.outcome import Callbacks, GridOrder, GridOutcome
    from makespan.grid.table import GridTable
    from makespan.settings.key_file import KeyFile, KeyValues


TRACED_PHASES = 5000
"""Of each device, the last ones: some thousand steps."""


class GridKind(Protocol):
    """What one of the commands runs."""

    def input_file(self) -> KeyFile:
        """What its input files may say."""

    def example(self) -> str:
        """An input file with all keys."""

    def table(self) -> GridTable:
        """What it prints as it goes."""

    def run(
        self, engine: Engine, team: Any, given: KeyValues, order: GridOrder, callbacks: Callbacks
    ) -> GridOutcome:
        """Runs it; on image 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridCommand(Command):
    """One call of such a command, its flags read."""

    kind: GridKind
    input: Path | None
    example: bool
    keys: Mapping[str, Any]
    threads: int | None
    devices: int
    gpus: int
    schedule: ScheduleName
    cut: CutName
    rebalance: int
    out: Path | None
    checkpoint: Path | None
    restart_from: Path | None
    trace: Path | None
    quiet: bool

    def _run(self) -> ExitCode:
        if self.example:
            sys.stdout.write("" if is_later_image() else self.kind.example())
            return ExitCode.OK
        from makespan.grid.grid_run import joined_team
        from makespan.job.teams import on_first_image

        engine = load_engine()
        outcome = on_first_image(
            joined_team(engine, self.threads), lambda team: self._ran(engine, team)
        )
        if outcome is None:
            return ExitCode.OK
        with Interrupts():  # the run is over
            self._write_trace(outcome)
            self._tell_end(outcome)
        return self._tell_interrupt(outcome)

    def _given(self) -> KeyValues:
        file = self.kind.input_file()
        if self.input is None:
            raise InputError(
                "no input file (there is nothing to run): name one; --example prints one"
            )
        return file.read(self.input).with_values(
            self.keys, {name: f"--{name.replace('_', '-')}" for name in self.keys}
        )

    def _order(self) -> GridOrder:
        from makespan.grid.outcome import GridFiles, GridOrder, RunOptions

        return GridOrder(
            GridFiles(self.out, self.checkpoint, self.restart_from),
            RunOptions(
                self.threads,
                self.devices,
                self.gpus,
                self.schedule.value,
                self.cut.value,
                self.rebalance,
                0 if self.trace is None else TRACED_PHASES,
            ),
        )

    def _ran(self, engine: Engine, team: Any) -> GridOutcome:
        from makespan.files.atomic import check_outputs
        from makespan.grid.outcome import Callbacks
        from makespan.report.run_bar import RunBar

        given = self._given()
        check_outputs((self.trace,), (self.input, self.restart_from))
        table = self.kind.table()
        shows = not (self.json or self.quiet)
        with RunBar(enabled=sys.stderr.isatty() and not self.quiet) as bar:
            is_begun = False

            def show(line: Mapping[str, Any]) -> None:
                nonlocal is_begun
                if not shows:
                    return
                bar.clear()
                sys.stdout.write(f"{table.line_text(line)}\n" if is_begun else table.begin(line))
                sys.stdout.flush()
                is_begun = True

            return self.kind.run(engine, team, given, self._order(), Callbacks(show, bar))

    def _write_trace(self, outcome: GridOutcome) -> None:
        if self.trace is None:
            return
        from makespan.files.atomic import write_files
        from makespan.grid.trace import grid_trace

        text = grid_trace(outcome.report)
        write_files({self.trace: lambda path: _write_text(path, text)})
        outcome.add_written(self.trace)

    def _tell_end(self, outcome: GridOutcome) -> None:
        if self.json:
            from makespan.grid.document import grid_document

            sys.stdout.write(grid_document(outcome))
        elif not self.quiet:
            from makespan.grid.table import summary_text, written_text

            sys.stdout.write(f"\n{summary_text(outcome)}")
            sys.stdout.write(written_text(outcome))

    def _tell_interrupt(self, outcome: GridOutcome) -> ExitCode:
        if outcome.is_complete:
            return ExitCode.OK
        sys.stdout.flush()
        text = f"interrupted after step {outcome.last_step} of {outcome.steps}"
        if self.checkpoint is None:
            say(f"{text} (with --checkpoint DIR a run can go on)")
        else:
            from makespan.grid.checkpoints import checkpoint_path

            saved = checkpoint_path(self.checkpoint, outcome.last_step)
            say(f"{text}; the same goes on with --restart-from {saved}")
        return ExitCode.INTERRUPTED


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
