# SPDX-License-Identifier: Apache-2.0
"""The story of `makespan balance`: read the graph, know the places, let strategies decide, tell."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from makespan.base.engine import Engine, load_engine
from makespan.base.errors import InputError
from makespan.command.command import Command
from makespan.command.exit import stdout_width
from makespan.command.reports import check_report
from makespan.graph.place_source import PlaceSource
from makespan.job.launcher import is_later_image

if TYPE_CHECKING:
    from rich.console import Console

    from makespan.files.atomic import Writer
    from makespan.graph.balancing import Comparison
    from makespan.graph.phase_flags import PhaseFlags
    from makespan.graph.phases import PhasesJob, Played

FALLBACK_WIDTH = 110


@dataclass(frozen=True, slots=True)
class _Found:
    """What came of it."""

    comparison: Comparison
    job: PhasesJob | None = None
    played: Sequence[Played] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BalanceCommand(Command):
    """One call of `makespan balance`, its flags read."""

    graph: Sequence[Path] | None
    source: PlaceSource
    asked: PhaseFlags
    phase: int | None
    strategy: str | None
    option: Sequence[str] | None
    output: Path | None
    report: Path | None
    list: bool
    quiet: bool

    def _run(self) -> None:
        if is_later_image():
            return
        engine = load_engine()
        if self.list:
            self._show_balancers(engine)
            return
        if not self.graph:
            raise InputError("no graph (there is nothing to balance): name a file, or --list")
        self._check_outputs(self.graph)
        job = self.asked.job()
        found = self._compared(engine, self.graph, job)
        self._write(found)
        if self.json:
            from makespan.graph.document import balance_document

            sys.stdout.write(balance_document(found.comparison, found.played))
        elif not self.quiet:
            self._show(found)

    def _check_outputs(self, graph: Sequence[Path]) -> None:
        from makespan.files.atomic import check_outputs
        from makespan.graph.mapping_file import check_mapping_path

        check_report(self.report)
        if self.output is not None:
            check_mapping_path(self.output)
        check_outputs((self.output, self.report), (*graph, self.source.machine))

    def _compared(self, engine: Engine, graph: Sequence[Path], job: PhasesJob | None) -> _Found:
        from makespan.graph.balancing import Strategies
        from makespan.graph.phases import play
        from makespan.graph.read_graph import read_graph
        from makespan.report.step_bar import StepBar

        strategies = Strategies.named(engine, self.strategy, self.option or ())
        places = self.source.known(engine)
        with StepBar(enabled=sys.stderr.isatty() and not self.quiet) as bar:
            table = read_graph(graph, self.phase, bar)
            comparison = strategies.compare(engine, table, places, bar)
            if job is None:
                return _Found(comparison)
            return _Found(
                comparison, job, play(engine, table, places, strategies, job, progress=bar)
            )

    def _write(self, found: _Found) -> None:
        from makespan.files.atomic import write_files
        from makespan.graph.mapping_file import mapping_document, mapping_writer
        from makespan.graph.page import balance_html

        writers: dict[Path, Writer] = {}
        if self.output is not None:
            comparison, best = found.comparison, found.comparison.best
            document = mapping_document(
                comparison.graph, best.name, best.mapping, comparison.places.labels
            )
            writers[self.output] = mapping_writer(self.output, document)
        if self.report is not None:
            text = balance_html(found.comparison, found.job, found.played)
            writers[self.report] = lambda path: _write_text(path, text)
        write_files(writers)

    def _show(self, found: _Found) -> None:
        from makespan.graph.phases_table import phases_table
        from makespan.graph.table import comparison_table, headline

        console, comparison = _console(), found.comparison
        console.print(headline(comparison), markup=False, soft_wrap=True)
        console.print()
        console.print(comparison_table(comparison))
        for note in comparison.graph.notes:
            console.print(f"\n{note}", markup=False)
        if found.job is not None:
            console.print(f"\n{found.job.phases} phases, balanced on the way:\n", markup=False)
            console.print(phases_table(found.played))
        if self.output is not None:
            text = f"\nwrote {self.output}: the mapping by {comparison.best.name}"
            console.print(text, markup=False, soft_wrap=True)
        if self.report is not None:
            console.print(f"wrote {self.report}", markup=False, soft_wrap=True)

    def _show_balancers(self, engine: Engine) -> None:
        if self.json:
            import json

            sys.stdout.write(json.dumps({"balancers": engine.balancers()}) + "\n")
            return
        from makespan.graph.table import balancers_table

        _console().print(balancers_table(engine.balancers()))


def _console() -> Console:
    from rich.console import Console

    return Console(width=max(FALLBACK_WIDTH, stdout_width(FALLBACK_WIDTH)), highlight=False)


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
