# SPDX-License-Identifier: Apache-2.0
"""`makespan price`: plan the files, price, write, show.

Libraries are imported where they are first needed, so that `--help` does not wait for them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from makespan.base.engine import load_engine
from makespan.base.errors import ExitCode, InputError, Interrupted
from makespan.command.exit import say, stdout_width
from makespan.command.spec import CommandSpec
from makespan.pricing.input import BOOK, MARKET_SETTINGS, MARKET_TABLES, PRICE_SETTINGS
from makespan.settings.kinds import Whole
from makespan.settings.setting import Setting
from makespan.settings.shared import EXAMPLE, JSON, LIST, PROGRESS, QUIET

if TYPE_CHECKING:
    from makespan.pricing.input import Settings
    from makespan.pricing.outcome import Priced
    from makespan.pricing.outputs import Outputs
    from makespan.pricing.session import Session

WARNINGS_SHOWN_MAX = 10
FALLBACK_WIDTH = 80
ROWS = Setting("rows", Whole(2), default=20, help="Rows of the table to show.", only_flag=True)


def _example() -> str:
    from makespan.pricing.example import BOOK_EXAMPLE

    return BOOK_EXAMPLE


def _price(given: Mapping[str, Any]) -> ExitCode:
    return PriceCommand(given).run()


COMMAND = CommandSpec(
    name="price",
    text=(
        "Price a book of Asian options (CSV, Parquet, Arrow), without noise where that can be. "
        "Without --paths or --std-error the others get a standard error of 1e-4 of their spot. "
        "Prints a table; writes "
        "prices.<ext> and prices.record.json beside the book, or where -o says."
    ),
    settings=(BOOK, *MARKET_SETTINGS, *PRICE_SETTINGS, JSON, PROGRESS, QUIET, ROWS, LIST, EXAMPLE),
    run=_price,
    examples=(
        "makespan price --example > book.csv",
        "makespan price book.csv --fixing-grid exclude_start",
        "makespan price book.parquet -o prices.parquet --std-error 1e-4 --greeks",
    ),
    example_input=_example,
)


@dataclass(frozen=True, slots=True)
class PriceCommand:
    """One call of `makespan price`, its flags read."""

    given: Mapping[str, Any]

    def run(self) -> ExitCode:
        """Prices; collective under a launcher. Raises `MakespanError`, `Interrupted`."""
        from makespan.pricing.input import Settings
        from makespan.pricing.session import joined_session

        given = self.given
        if given["book"] is None:
            raise InputError("no book (there is nothing to price): name one; --example prints one")
        settings = Settings.of(given)
        with joined_session(load_engine(), settings) as session:
            if session.is_serving:
                session.serve()
                return ExitCode.OK
            return self._price_in(session, settings)

    def _price_in(self, session: Session, settings: Settings) -> ExitCode:
        from makespan.pricing.outputs import planned_outputs, write_outputs, written_if_whole

        outputs = planned_outputs(self.given["book"], self.given)
        with written_if_whole(outputs, lambda priced: _say_of_part(priced, outputs)):
            priced = self._priced(outputs, settings, session)
        write_outputs(priced, outputs)
        try:
            return self._tell(priced, outputs)
        except KeyboardInterrupt:  # what is said of others is that nothing was written
            options = len(priced.book.valid_rows)
            raise Interrupted(options, options, "options") from None

    def _tell(self, priced: Priced, outputs: Outputs) -> ExitCode:
        _say_warnings(priced)
        stale = None if priced.sensitivities is not None else _stale(outputs)
        if stale is not None:
            say(f"warning: {stale}")
        self._show(priced, outputs)
        sys.stdout.flush()
        priced.expect_unasked()
        return ExitCode.RUNTIME_FAILURE if _say_unpriced(priced) else ExitCode.OK

    def _priced(self, outputs: Outputs, settings: Settings, session: Session) -> Priced:
        from makespan.pricing.book import MarketTables
        from makespan.pricing.pricing import Wishes, price_everything
        from makespan.pricing.record import RunContext
        from makespan.report.progress_bar import progress_bar

        context = RunContext(
            command=("makespan", *sys.argv[1:]),
            source=str(self.given["book"]),
            **{
                name: None if self.given[name] is None else str(self.given[name])
                for name in MARKET_TABLES
            },
            output=outputs.absolute_prices(),
            units=self.given["units"],
        )
        with progress_bar(self.given) as bar:
            wishes = Wishes(
                journal=outputs.journal,
                skip_invalid=self.given["skip_invalid"],
                market=MarketTables(**{name: self.given[name] for name in MARKET_TABLES}),
                on_progress=bar,
                warn=lambda text: say(f"warning: {text}"),
            )
            return price_everything(
                load_engine(),
                self.given["book"],
                settings,
                wishes,
                context=context,
                session=session,
            )

    def _show(self, priced: Priced, outputs: Outputs) -> None:
        if self.given["json"]:
            from makespan.pricing.document import run_document

            sys.stdout.write(run_document(priced.table, priced.record, priced.sensitivities))
            return
        if self.given["quiet"]:
            _say_skipped(priced)
            return
        from makespan.pricing.table import table_text, totals_text

        width = stdout_width(FALLBACK_WIDTH)
        color = sys.stdout.isatty()
        sys.stdout.write(table_text(priced.table, self.given["rows"], color=color, width=width))
        files = {str(path): path in outputs.older for path in outputs.files()}
        said = totals_text(priced.record, files)
        sys.stdout.write(f"\n{said}")


def _stale(outputs: Outputs) -> str | None:
    from makespan.pricing.outputs import stale_sensitivities

    return stale_sensitivities(outputs)


def _say_of_part(priced: Priced, outputs: Outputs) -> None:
    """Of a run that has written its prices without sensitivities."""
    _say_warnings(priced)
    _say_unpriced(priced)
    stale = _stale(outputs)
    also = "" if stale is None else f"; {stale}"
    say(f"wrote {outputs.prices}, without sensitivities{also}")


def _say_skipped(priced: Priced) -> None:
    """Of rows that --skip-invalid left out, which the totals tell otherwise."""
    from makespan.base.number_text import count_text

    skipped = priced.book.rows - len(priced.book.valid_rows)
    if skipped:
        say(f"warning: {count_text(skipped, 'row')} left out as invalid; see column 'error'")


def _say_unpriced(priced: Priced) -> bool:
    """Whether there are rows without a price."""
    from makespan.base.number_text import count_text
    from makespan.pricing.price_table import unpriced_rows

    unpriced = len(unpriced_rows(priced.book, priced.outcome))
    if unpriced:
        say(f"{count_text(unpriced, 'option')} without a finite price; see column 'error'")
    return unpriced > 0


def _say_warnings(priced: Priced) -> None:
    warnings = priced.book.warnings
    for warning in warnings[:WARNINGS_SHOWN_MAX]:
        say(f"warning: {warning}")
    left = len(warnings) - WARNINGS_SHOWN_MAX
    if left > 0:
        say(f"warning: ... and {left} more like these")
    for problem in priced.problems():
        say(f"warning: {problem}")
