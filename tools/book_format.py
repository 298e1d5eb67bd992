# SPDX-License-Identifier: Apache-2.0
"""Write docs/reference/book-format.md, curves.md, baskets.md and surfaces.md from the schemas.

Run: `python tools/book_format.py` writes the pages, `--check` only says whether they are current.
"""

from __future__ import annotations

import sys
from pathlib import Path

from makespan.pricing.book.engine_limits import HESTON_STEPS_MAX, LOCAL_STEPS_MAX
from makespan.pricing.columns.book import GROWTH_MAX, INPUT_COLUMNS, LOG_DEVIATION_MAX
from makespan.pricing.columns.outputs import (
    OUTPUT_COLUMNS,
    SENSITIVITY_COLUMNS,
    OutputColumn,
)
from side_pages import baskets_page, columns_table, curves_page, surfaces_page

REFERENCE = Path(__file__).resolve().parent.parent / "docs" / "reference"

HEAD = """# Book format

This page is written by `tools/book_format.py` from `python/makespan/pricing/columns/book.py`;
change it there.

A book is a table with one row for each option: a CSV, Parquet (`.parquet`, `.pq`) or Arrow IPC
(`.arrow`, `.feather`, `.ipc`) file, or in Python a polars or pandas DataFrame, a pyarrow Table, or
a dict of arrays. Times are year fractions from now; `makespan.year_fraction` makes them from dates.
Columns may come in any order; those that are not needed may be left out. What rows refer to is in
tables of its own: rates, volatilities, forwards and dividends by time in one of
[curves](curves.md), several underlyings and their correlations in two of [baskets](baskets.md),
volatilities by time and price in one of [surfaces](surfaces.md).

## Columns

"""

RULES = """
## Rules

- Aliases: ALIASES.
- A cell is empty when it is null, or blank text. In pandas and numpy tables, which have no other
  way to leave a number out but a mask, NaN and what a mask hides are empty too; everywhere else NaN
  and infinities are errors.
- Future fixings lie at `fixing_times`; or, equally spaced, at t_i = first + (last - first) i/(N-1)
  for i = 0..N-1, where last is `last_fixing` and first is `first_fixing` if it is given, 0 for
  `include_start`, last/N for `exclude_start`. A row without `fixing_times` and `first_fixing` needs
  `fixing_grid`, its own or the run's: averaging S(0) or not moves a price by 8 % for 12 fixings,
  so makespan does not guess. A row under way with `exclude_start` and no `first_fixing` has a
  warning, since its next fixing is a whole interval away only just after a fixing.
- The average is over past and future fixings alike: (past_fixings_sum + sum of future ones) /
  (past_fixings_count + number of future ones); for geometric averages the same with logarithms.
- The price of a row with cash dividends is a lognormal one, which begins at the spot less the
  present value of the dividends up to the last price that the payoff looks at, plus the value of
  those still to come (the escrowed model; the volatility is that of the lognormal part).
- `heston_v0` and its four companions (names as QuantLib's) make the variance random: dV = kappa
  (theta - V) dt + sigma sqrt(V) dB, dB correlated with the price's by rho. Their vega is to the
  same shift of sqrt(heston_v0) and sqrt(heston_theta); gamma is there for simulated average prices.
  Methods: auto, mc, mc_plain; geometric averages are closed forms, but with `mc_plain`.
- `basket` makes the row one on a weighted sum of prices, `volatility_surface` gives it a local
  volatility. Such rows are priced by `mc` or by the other methods that simulate; method `exact` is
  for rows with nothing random or with certain exercise. The average has to be arithmetic.
- `steps_per_year` is for local and random volatilities: a gap between fixings is cut into equal
  steps, so that a year has at least so many. More of them take more time and are nearer to the
  model. It may stand in rows with a basket of which an underlying has a surface, too.
- Greeks of rows with curves are to parallel shifts: vega of all forward volatilities, rho of all
  discount rates (and with them of the growth, but for drift and forward_curve), dividend_rho of all
  yields; dividends stay as they are.
- Greeks of rows with a basket are to all of its underlyings at once: delta and gamma with the gross
  value as spot, when all prices rise by the same share, vega to a shift of all volatilities
  ([baskets](baskets.md)). With a surface delta is the model's, vega is to a shift of all local
  volatilities, and gamma is empty ([surfaces](surfaces.md)).
- An id is its text: 7 in a Parquet column of whole numbers and `7` in CSV are the same option and
  get the same random numbers. Ids must differ within a book.
- A whole book is checked before anything is priced, and everything that is wrong with its cells is
  reported at once. The tables that it names are checked before it, one after the other, and lines
  with another number of fields before any cell. Rows are counted from 1, without the header: row 1
  is line 2 of a CSV file. Where blank lines or line ends inside quotes shift that, the message
  names the line as well.
- CSV: UTF-8 (a byte order mark is fine), commas, a header line, quotes as in RFC 4180. Blanks
  around cells do not count.
- Sizes: numbers that double precision cannot compute with are errors, not surprises: beyond 1e100
  in size; prices below 1e-100; a volatility below 1e-9 or a time below 1e-9 years that is not 0;
  |rate x expiry|, |drift x expiry| or |dividend_yield x expiry| above GROWTH; volatility x
  sqrt(expiry) above DEVIATION.
- Steps: paths of a random variance have at most STEPS_HESTON (time to the last fixing, or to expiry
  for average strikes, x steps_per_year + fixings), those of local volatilities STEPS_LOCAL, divided
  by the number of underlyings that have one.
- Known fixings whose mean is not within a factor of 4 of the spot, rates above 1, volatilities
  above 5 and `heston_v0` or `heston_theta` above 25 are priced with a warning: they look like a
  mean in place of a sum, or like percent.
- Unknown columns are errors, since a misspelled one would silently take its default.

## Prices

One row for each row of the book, in its order.

| column | type | meaning |
|---|---|---|
"""

TAIL = """
Greek columns are there with `--greeks` only. Prices, confidence intervals and Greeks are for the
whole position (times `notional`), standard errors times its size; but `std_error` in the *book*,
the target, is for notional 1, so that a large position does not cost more than a small one.
Numbers in CSV have all their digits: reading them back gives the same bits.
"""

SENSITIVITIES = """
## Sensitivities

With `--sensitivities times` or `points` a second table, `prices.sensitivities.csv` beside
`prices.csv` (in Python `result.sensitivities`): one row for each derivative of each option, in the
book's order ([how they are taken](../explanation/sensitivities.md)).

| column | type | meaning |
|---|---|---|
"""


def output_row(column: OutputColumn) -> str:
    """One line of the table of output columns."""
    return f"| `{column.name}` | {column.type} | {column.doc} |\n"


def page() -> str:
    """The whole page."""
    aliases = ", ".join(
        f"`{alias}` for `{column.name}`" for column in INPUT_COLUMNS for alias in column.aliases
    )
    inputs = columns_table(INPUT_COLUMNS)
    outputs = "".join(map(output_row, OUTPUT_COLUMNS))
    derivatives = "".join(map(output_row, SENSITIVITY_COLUMNS))
    sizes = {"GROWTH": f"{GROWTH_MAX:g}", "DEVIATION": f"{LOG_DEVIATION_MAX:g}"}
    sizes["STEPS_HESTON"] = f"{HESTON_STEPS_MAX:,.0f}".replace(",", " ")
    sizes["STEPS_LOCAL"] = f"{LOCAL_STEPS_MAX:,.0f}".replace(",", " ")
    rules = RULES
    for name, text in {"ALIASES": aliases, **sizes}.items():
        rules = rules.replace(name, text)
    return HEAD + inputs + rules + outputs + TAIL + SENSITIVITIES + derivatives


def main() -> int:
    """Write the pages, or check them; 1 when one is not current."""
    pages = {
        "book-format.md": page(),
        "curves.md": curves_page(),
        "baskets.md": baskets_page(),
        "surfaces.md": surfaces_page(),
    }
    for name, text in pages.items():
        path = REFERENCE / name
        if "--check" not in sys.argv[1:]:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"{path} is not current; run `python tools/book_format.py`", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
