# SPDX-License-Identifier: Apache-2.0
"""The story of `makespan price`: plan the files, price, write, show; and every way it can end.

Libraries are imported where they are first needed, so that `--help` does not wait for them.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.cli.exit import failed, forget_stdout, say, stdout_width
from makespan.engine import load_engine
from makespan.errors import EngineError, ExitCode, MakespanError, PricingInterrupted

if TYPE_CHECKING:
    from makespan.api import Priced
    from makespan.cli.outputs import Outputs
    from makespan.engine import Team
    from makespan.errors import Problem
    from makespan.job import Job
    from makespan.settings import Settings

WARNINGS_SHOWN_MAX = 10
FALLBACK_WIDTH = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceCommand:
    """One call of `makespan price`, its flags read."""

    book: Path
    settings: dict[str, Any]
    output: Path | None
    record: Path | None
    trace: Path | None
    report: Path | None
    journal: Path | None
    resume: bool
    skip_invalid: bool
    units: str
    quiet: bool
    json: bool
    rows: int

    def run(self) -> ExitCode:
        """Does it, says how it ended, and returns the exit code."""
        try:
            code = self._price()
            sys.stdout.flush()
        except PricingInterrupted as interrupt:
            say(self._how_to_resume(interrupt))
            return ExitCode.INTERRUPTED
        except KeyboardInterrupt:
            say("interrupted while reading or writing; no file was left half written")
            return ExitCode.INTERRUPTED
        except BrokenPipeError:
            forget_stdout()
            return ExitCode.OK
        except MakespanError as error:
            return failed(error, as_json=self.json)
        except (RuntimeError, MemoryError, OSError) as error:
            return failed(EngineError(f"{type(error).__name__}: {error}"), as_json=self.json)
        return code

    def _price(self) -> ExitCode:
        from makespan.job import joined_job
        from makespan.settings import Settings

        settings = Settings(**self.settings)
        with joined_job(load_engine(), settings) as job:
            if job.is_serving:
                job.serve()
                return ExitCode.OK
            return self._price_in(job, settings)

    def _price_in(self, job: Job, settings: Settings) -> ExitCode:
        from makespan.cli.outputs import planned_outputs
        from makespan.number_text import count_text
        from makespan.output import unpriced_rows

        outputs = planned_outputs(
            self.book,
            self.output,
            {
                "the record": self.record,
                "the trace": self.trace,
                "the report": self.report,
            },
            self.journal,
        )
        if self.resume and self.journal is None:
            from makespan.errors import InputError

            raise InputError("--resume needs --journal; name the journal of the earlier run")
        priced = self._priced(outputs, settings, job.team)
        _write(priced, outputs)
        _say_warnings(priced.book.warnings)
        for problem in priced.problems():
            say(f"warning: {problem}")
        self._show(priced, outputs)
        unpriced = len(unpriced_rows(priced.book, priced.outcome))
        if unpriced:
            say(f"{count_text(unpriced, 'option')} without a finite price; see column 'error'")
            return ExitCode.RUNTIME_FAILURE
        return ExitCode.OK

    def _priced(self, outputs: Outputs, settings: Settings, team: Team | None) -> Priced:
        from makespan.api import price_everything
        from makespan.record import RunContext
        from makespan.report.progress import ProgressBar
        from makespan.run import JournalRequest

        journal = None if self.journal is None else JournalRequest(self.journal, self.resume)
        context = RunContext(
            command=("makespan", *sys.argv[1:]),
            source=str(self.book),
            output=str(outputs.prices),
            units=self.units,
        )
        with ProgressBar(enabled=sys.stderr.isatty() and not self.quiet) as bar:
            return price_everything(
                load_engine(),
                self.book,
                settings,
                journal=journal,
                skip_invalid=self.skip_invalid,
                progress=bar,
                context=context,
                team=team,
                warn=lambda text: say(f"warning: {text}"),
            )

    def _show(self, priced: Priced, outputs: Outputs) -> None:
        if self.json:
            from makespan.report.document import run_document

            sys.stdout.write(run_document(priced.table, priced.record))
            return
        if self.quiet:
            return
        from makespan.report.table import table_text, totals_text

        width = stdout_width(FALLBACK_WIDTH)
        color = sys.stdout.isatty()
        sys.stdout.write(table_text(priced.table, self.rows, color=color, width=width))
        files = [str(path) for path in outputs.files()]
        said = totals_text(priced.record, files, replaced=outputs.replaces)
        sys.stdout.write(f"\n{said}")

    def _how_to_resume(self, interrupt: PricingInterrupted) -> str:
        if not interrupt.in_journal:
            return f"{interrupt}; nothing was written (with --journal FILE a run can be resumed)"
        again = [argument for argument in sys.argv[1:] if argument != "--resume"]
        command = shlex.join(["makespan", *again, "--resume"])
        how = ", under the same launcher" if load_engine().images_launched() > 1 else ""
        return f"{interrupt}; they are in {self.journal}. To go on{how}:\n  {command}"


def _write(priced: Priced, outputs: Outputs) -> None:
    """Prices, record and what else was asked for: all or nothing."""
    from makespan.atomic import write_files
    from makespan.output import write_table
    from makespan.record import json_text

    text = json_text(priced.record)
    writers = {
        outputs.prices: lambda path: write_table(priced.table, path, outputs.suffix, text),
        outputs.record: lambda path: _write_text(path, text),
    }
    if outputs.trace is not None:
        writers[outputs.trace] = lambda path: _write_text(path, _trace_text(priced))
    if outputs.report is not None:
        writers[outputs.report] = lambda path: _write_text(path, _report_text(priced))
    write_files(writers)


def _trace_text(priced: Priced) -> str:
    from makespan.report.perfetto import perfetto_text

    asked = priced.record["settings"]
    settings = {name: asked[name] for name in ("policy", "dispatcher", "mode")}
    return perfetto_text(priced.timeline(), f"makespan {priced.record['book']}", settings)


def _report_text(priced: Priced) -> str:
    from makespan.report.schedule_page import schedule_html

    return schedule_html(priced.timeline(), priced.record)


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _say_warnings(warnings: Sequence[Problem]) -> None:
    for warning in warnings[:WARNINGS_SHOWN_MAX]:
        say(f"warning: {warning}")
    left = len(warnings) - WARNINGS_SHOWN_MAX
    if left > 0:
        say(f"warning: ... and {left} more like these")
