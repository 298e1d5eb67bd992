# SPDX-License-Identifier: Apache-2.0
"""The story of `makespan melt`: read the input, run, print lines as they come, write, sum up."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine, load_engine
from makespan.base.errors import ExitCode, InputError
from makespan.command.command import Command
from makespan.command.exit import say
from makespan.command.reports import check_report
from makespan.job.interrupts import Interrupts
from makespan.job.launcher import is_later_image

if TYPE_CHECKING:
    from makespan.melting.run import MeltFiles, MeltOutcome
    from makespan.settings.key_file import KeyValues

_KEYS = {"every": "frame_steps"}
"""Flags whose key in the input file has another name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeltCommand(Command):
    """One call of `makespan melt`, its flags read."""

    input: Path | None
    example: bool
    keys: Mapping[str, Any]
    threads: int | None
    trajectory: Path | None
    report: Path | None
    checkpoint: Path | None
    restart_from: Path | None
    quiet: bool

    def _run(self) -> ExitCode:
        if self.example:
            from makespan.melting.keys import example_text

            sys.stdout.write("" if is_later_image() else example_text())
            return ExitCode.OK
        from makespan.job.teams import on_first_image
        from makespan.melting.run import joined_team

        engine = load_engine()
        outcome = on_first_image(
            joined_team(engine, self.threads), lambda team: self._melted(engine, team)
        )
        if outcome is None:
            return ExitCode.OK
        with Interrupts():  # the run is over: in a moment all is written
            self._write(outcome)
            self._tell_end(outcome)
        return self._tell_interrupt(outcome)

    def _given(self) -> KeyValues:
        from makespan.melting.input import MELT_FILE

        if self.input is None:
            raise InputError(
                "no input file (there is nothing to melt): name one; --example prints one"
            )
        given = {_KEYS.get(flag, flag): value for flag, value in self.keys.items()}
        balance = given["balance"]
        if balance is not None and balance.isdecimal():
            given["balance"] = int(balance)
        flags = {_KEYS.get(flag, flag): "--" + flag.replace("_", "-") for flag in self.keys}
        return MELT_FILE.read(self.input).with_values(given, flags)

    def _files(self) -> MeltFiles:
        """What is written is tried before the run."""
        from makespan.files.atomic import check_outputs
        from makespan.melting.run import MeltFiles
        from makespan.melting.trajectory import check_trajectory

        check_report(self.report)
        check_outputs((self.trajectory, self.report), (self.input,))
        if self.trajectory is not None:
            check_trajectory(self.trajectory)
        elif self.keys["every"] is not None:
            raise InputError(
                "--every (no frames are written): name a file for them by --trajectory"
            )
        return MeltFiles(self.trajectory, self.checkpoint, self.restart_from)

    def _melted(self, engine: Engine, team: Any) -> MeltOutcome:
        given = self._given()
        files = self._files()

        from makespan.melting.run import Callbacks, run_melt
        from makespan.melting.table import HEAD, line_text
        from makespan.report.run_bar import RunBar

        shows = not (self.json or self.quiet)
        with RunBar(enabled=sys.stderr.isatty() and not self.quiet) as bar:

            def show(text: str) -> None:
                if shows:
                    bar.clear()
                    sys.stdout.write(f"{text}\n")
                    sys.stdout.flush()

            is_begun = False

            def show_line(line: Mapping[str, Any]) -> None:
                nonlocal is_begun
                if not is_begun:
                    show(HEAD)
                is_begun = True
                show(line_text(line))

            return run_melt(engine, team, given, files, Callbacks(show_line, bar))

    def _write(self, outcome: MeltOutcome) -> None:
        if self.report is None:
            return
        from makespan.files.atomic import write_files
        from makespan.melting.page import melt_html

        text = melt_html(outcome)
        write_files({self.report: lambda path: _write_text(path, text)})

    def _tell_end(self, outcome: MeltOutcome) -> None:
        if self.json:
            from makespan.melting.document import melt_document

            sys.stdout.write(melt_document(outcome))
            return
        if self.quiet:
            return
        from makespan.melting.table import summary_text

        sys.stdout.write(f"\n{summary_text(outcome)}")
        if self.trajectory is not None:
            frames = "1 frame" if outcome.frames == 1 else f"{outcome.frames} frames"
            sys.stdout.write(f"wrote {self.trajectory}: {frames}\n")
        if self.report is not None:
            sys.stdout.write(f"wrote {self.report}\n")

    def _tell_interrupt(self, outcome: MeltOutcome) -> ExitCode:
        if outcome.is_complete:
            return ExitCode.OK
        sys.stdout.flush()
        saved = None if self.checkpoint is None else _last_checkpoint(self.checkpoint)
        how = (
            "(with --checkpoint DIR a run can go on)"
            if saved is None
            else f"--restart-from {saved}"
        )
        text = f"interrupted after step {outcome.report['steps']} of {outcome.given['steps']}"
        say(f"{text} {how}" if saved is None else f"{text}; the same goes on with {how}")
        return ExitCode.INTERRUPTED


def _last_checkpoint(folder: Path) -> Path | None:
    """The one with the most phases."""
    from makespan.melting.run import checkpoints_in

    return next(reversed(checkpoints_in(folder)), None)


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
