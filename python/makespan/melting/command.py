# SPDX-License-Identifier: Apache-2.0
"""`makespan melt`: read the input, run, print lines as they come, write, sum up."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine, load_engine
from makespan.base.errors import ExitCode, InputError
from makespan.command.spec import CommandSpec
from makespan.melting.input import INPUT, MELT_FILE, MELT_SETTINGS, given_melt
from makespan.settings.setting import expect_beside
from makespan.settings.shared import EXAMPLE, JSON, LIST, PROGRESS, QUIET

if TYPE_CHECKING:
    from makespan.melting.outcome import Line, MeltOutcome
    from makespan.melting.outputs import MeltFiles
    from makespan.report.progress_bar import ProgressBar


def _melt(given: Mapping[str, Any]) -> ExitCode:
    return MeltCommand(given).run()


COMMAND = CommandSpec(
    name="melt",
    text=(
        "Run a melt of Lennard-Jones atoms: LAMMPS's bench in.lj, cut into objects that move where "
        "they are needed. Prints LAMMPS's table of temperature, energies and pressure; the result "
        "has the same bits wherever objects are."
    ),
    settings=(INPUT, *MELT_SETTINGS, JSON, PROGRESS, QUIET, LIST, EXAMPLE),
    run=_melt,
    examples=(
        "makespan melt --example > in.toml",
        "makespan melt in.toml --steps 1000 -o melt.dcd --report melt.html",
        "mpiexec.mpich -n 4 makespan melt in.toml --threads 2 --checkpoint saved",
        "makespan melt in.toml --virtual --synthetic 'package:2 core:24 pu:1' --nodes 2",
    ),
    example_input=MELT_FILE.example,
    without={"devices": "its places are threads, of which --threads says how many"},
)


@dataclass(frozen=True, slots=True)
class MeltCommand:
    """One call of `makespan melt`, its flags read."""

    given: Mapping[str, Any]

    def run(self) -> ExitCode:
        """Melts; collective under a launcher. Raises `MakespanError`, `Interrupted`."""
        from makespan.job.interrupts import Interrupts
        from makespan.job.teams import on_first_image
        from makespan.melting.checkpoints import last_checkpoint
        from makespan.melting.outputs import write_outputs
        from makespan.melting.record import melt_record
        from makespan.melting.run import joined_team

        engine = load_engine()
        found = on_first_image(
            joined_team(engine, self.given["threads"]), lambda team: self._melted(engine, team)
        )
        if found is None:
            return ExitCode.OK
        outcome, files = found
        with Interrupts() as interrupts:  # the run is over: in a moment all is written
            record = melt_record(engine, outcome, files, ("makespan", *sys.argv[1:]))
            write_outputs(outcome, record, files)
            self._tell_end(outcome, files)
            sys.stdout.flush()
            asked_later = interrupts.take()
        outcome.expect_unasked(last_checkpoint(files.checkpoint), asked_later=asked_later)
        return ExitCode.OK

    def _melted(self, engine: Engine, team: Any) -> tuple[MeltOutcome, MeltFiles]:
        from makespan.melting.outputs import checked_files
        from makespan.melting.run import Wishes, run_melt
        from makespan.melting.virtual import virtual_places
        from makespan.report.progress_bar import progress_bar

        source = self.given["input"]
        if source is None:
            raise InputError(
                "no input file (there is nothing to melt): name one; --example prints one"
            )
        # Not of keywords: a record's settings, which repeat a run, have all keys.
        beside = {"frame_steps": "output", "checkpoint_phases": "checkpoint"}
        expect_beside(self.given, beside)
        values = given_melt(source, self.given)
        files = checked_files(source, values, self.given)
        with progress_bar(self.given) as bar:
            shows = not (self.given["json"] or self.given["quiet"])
            wishes = Wishes(_Lines(bar), bar) if shows else Wishes(on_progress=bar)
            places = virtual_places(engine, self.given, values, team.images)
            return run_melt(engine, team, values, files, wishes, places=places), files

    def _tell_end(self, outcome: MeltOutcome, files: MeltFiles) -> None:
        if self.given["json"]:
            from makespan.melting.document import melt_document

            sys.stdout.write(melt_document(outcome))
            return
        if self.given["quiet"]:
            return
        from makespan.base.number_text import count_text
        from makespan.melting.table import summary_text

        sys.stdout.write(f"\n{summary_text(outcome)}")
        if files.output is not None:
            sys.stdout.write(f"wrote {files.output}: {count_text(outcome.frames, 'frame')}\n")
        for path in files.written_after():
            sys.stdout.write(f"wrote {path}\n")


@dataclass(slots=True)
class _Lines:
    """Prints lines of the table as they come, below its head."""

    bar: ProgressBar
    is_begun: bool = False

    def __call__(self, line: Line) -> None:
        from makespan.melting.table import HEAD, line_text

        self.bar.clear()
        if not self.is_begun:
            sys.stdout.write(f"{HEAD}\n")
        self.is_begun = True
        sys.stdout.write(f"{line_text(line)}\n")
        sys.stdout.flush()
