# SPDX-License-Identifier: Apache-2.0
"""The story of `makespan calcium` and `makespan diffuse`: read, run, print lines, sum up."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from makespan.base.engine import load_engine
from makespan.base.errors import ExitCode, InputError
from makespan.base.setting_names import called
from makespan.job.interrupts import Interrupts
from makespan.settings.setting import expect_beside, toml_text

if TYPE_CHECKING:
    from makespan.base.engine import Engine
    from makespan.grids.input import GridOrder
    from makespan.grids.outcome import Callbacks, GridOutcome
    from makespan.grids.table import GridTable
    from makespan.settings.input_file import InputFile, InputValues

BESIDE = {
    **dict.fromkeys(("slice_axis", "slice_ms", "slice_steps", "state_ms", "state_steps"), "output"),
    **dict.fromkeys(("checkpoint_ms", "checkpoint_steps"), "checkpoint"),
}
"""Flags that say nothing without another one."""
Run = Callable[["Engine", Any, "InputValues", "GridOrder", "Callbacks"], "GridOutcome"]
"""Runs it; on image 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridCommand:
    """One call of such a command, its flags read."""

    given: Mapping[str, Any]
    file: InputFile
    flags: Sequence[str]
    """Keys of its input file that are flags as well."""
    needs: Mapping[str, tuple[str, Sequence[Any]]]
    """Flags that mean nothing unless a key has one of these values; any but none, where empty."""
    table: GridTable
    start: Run

    def run(self) -> ExitCode:
        """Runs it; collective under a launcher. Raises `MakespanError`, `Interrupted`."""
        from makespan.grids.input import order_of
        from makespan.grids.joined_run import run_joined

        expect_beside(self.given, {one: of for one, of in BESIDE.items() if one in self.flags})
        engine = load_engine()
        order = replace(
            order_of(self.given, self.given["input"]), command=("makespan", *sys.argv[1:])
        )
        outcome = run_joined(engine, order, lambda team: self._ran(engine, team, order))
        if outcome is None:
            return ExitCode.OK
        with Interrupts() as interrupts:  # the run is over
            self._tell_end(outcome)
            sys.stdout.flush()
            outcome.asked_to_end |= interrupts.take()
        outcome.expect_unasked()
        return ExitCode.OK

    def _values(self) -> InputValues:
        if self.given["input"] is None:
            raise InputError(
                "no input file (there is nothing to run): name one; --example prints one"
            )
        read = self.file.read(self.given["input"])
        values = read.with_flags({name: self.given[name] for name in self.flags})
        for name, (of, wanted) in self.needs.items():
            if self.given[name] is None or (values[of] in wanted if wanted else values[of]):
                continue
            raise InputError(
                f"{called(name)} ({of} = {toml_text(values[of])} has no use for it): change "
                f"{called(of)}, or leave it out"
            )
        return values

    def _ran(self, engine: Engine, team: Any, order: GridOrder) -> GridOutcome:
        from makespan.grids.outcome import Callbacks
        from makespan.report.progress_bar import progress_bar

        values, table = self._values(), self.table
        shows = not (self.given["json"] or self.given["quiet"])
        with progress_bar(self.given) as bar:
            is_begun = False

            def show(line: Mapping[str, Any]) -> None:
                nonlocal is_begun
                if not shows:
                    return
                bar.clear()
                sys.stdout.write(f"{table.line_text(line)}\n" if is_begun else table.begin(line))
                sys.stdout.flush()
                is_begun = True

            return self.start(engine, team, values, order, Callbacks(show, bar))

    def _tell_end(self, outcome: GridOutcome) -> None:
        if self.given["json"]:
            from makespan.grids.document import grid_document

            sys.stdout.write(grid_document(outcome))
        elif not self.given["quiet"]:
            from makespan.grids.table import summary_text, written_text

            sys.stdout.write(f"\n{summary_text(outcome)}")
            sys.stdout.write(written_text(outcome))
