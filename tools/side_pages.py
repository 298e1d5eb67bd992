# SPDX-License-Identifier: Apache-2.0
"""The pages of the tables beside a book: curves, baskets with correlations, surfaces.

tools/book_format.py writes them, from the schemas that the readers use.
"""

from __future__ import annotations

from collections.abc import Iterable

from makespan.pricing.columns.baskets import BASKET_COLUMNS, CORRELATION_COLUMNS
from makespan.pricing.columns.column import SIZE_MAX, Column
from makespan.pricing.columns.curves import CURVE_COLUMNS, KINDS, KINDS_OF_COLUMN, CurveKind
from makespan.pricing.columns.surfaces import SURFACE_COLUMNS

COLUMNS_HEAD = """| column | type | unit | when empty | meaning | rule |
|---|---|---|---|---|---|
"""

CURVES_HEAD = """# Curves

This page is written by `tools/book_format.py` from `python/makespan/pricing/columns/curves.py`;
change it there.

Rates, volatilities, forwards and dividends by time, which rows of a [book](book-format.md) and
underlyings of [baskets](baskets.md) name: `makespan price book.csv --curves curves.csv`, or
`makespan.price(book, curves=...)` with a path, a table, or a dict
`{name: {"kind": ..., "time": [...], "value": [...]}}`. One row for each point; the files are those
that a book may be.

    curve,kind,time,value
    usd,zero_rate,0.5,0.043
    usd,zero_rate,2,0.039
    wti,forward_price,0,71.2
    wti,forward_price,1,69.8
    wti-volatility,volatility,0.25,0.38
    wti-volatility,volatility,1,0.33

## Columns

"""

CURVES_KINDS = """
## Kinds

| kind | in the book's | value | between two points |
|---|---|---|---|
"""

CURVES_TAIL = """
## Rules

- A curve has to reach the payment (rates) or expiry (the others) of each row that names it; beyond
  its last point nothing is assumed. Dividends may end before.
- Total variance has to grow from point to point: a volatility so low that the variance between two
  points would be negative or 0 is an error, which says the least that could stand there.
- Values above 1 (rates) or 5 (volatilities) are used with a warning: they look like percent.
- Curves that no row names are checked and otherwise left alone. A row's price depends on the points
  of its curves, not on their names or on what else the table has.
- All methods price rows with curves. Those with a volatility curve are simulated in double
  precision.
"""

BASKETS_HEAD = """# Baskets

This page is written by `tools/book_format.py` from `python/makespan/pricing/columns/baskets.py`;
change it there.

Weighted sums of the prices of several underlyings, which rows of a [book](book-format.md) name in
column `basket`: `makespan price book.csv --baskets baskets.csv --correlations correlations.csv`, or
`makespan.price(book, baskets=..., correlations=...)`, each with a path, a table or a dict. One row
for each underlying of a basket, and one for each pair of underlyings; the files are those that a
book may be. Basket:

    basket,underlying,weight,spot,volatility,dividend_yield
    shares,bank,0.4,50,0.28,0.04
    shares,carmaker,0.25,80,0.32,0.035
    shares,utility,1.6,25,0.18,0.05
    brent-wti,brent,1,78,0.32,0.05
    brent-wti,wti,-1,74,0.34,0.06

Correlations:

    underlying_1,underlying_2,correlation
    bank,carmaker,0.6
    bank,utility,0.4
    carmaker,utility,0.35
    brent,wti,0.95

In Python a basket may be a dict of its columns, with one value for each underlying, and
correlations a dict by pairs:

    baskets = {
        "brent-wti": {
            "underlying": ["brent", "wti"],
            "weight": [1, -1],
            "spot": [78, 74],
            "volatility": [0.32, 0.34],
            "dividend_yield": [0.05, 0.06],
        }
    }
    correlations = {("brent", "wti"): 0.95}
    makespan.price(book, baskets=baskets, correlations=correlations)

## Columns of baskets

"""

CORRELATIONS_HEAD = """
## Columns of correlations

"""

BASKETS_TAIL = """
## Rules

- A basket has 1 to 64 underlyings. Its value is the sum of weight x price; the fixings of a row are
  those of the value. With `averaging='strike'` the value at expiry is paid against its average.
- A spread is a basket with a negative weight. Strikes are >= 0: a spread with a negative strike is
  the other option type on the basket with all weights turned around, so that a call on brent - wti
  with strike -2 is the put on wti - brent with strike 2. `past_fixings_sum` may be negative.
- The spot of a row with a basket is the gross value, the sum of |weight| x spot. The default of
  `std_error` is 1e-4 of it.
- Each pair of underlyings of a basket needs a correlation; a basket of one underlying needs none.
  Pairs that are in no basket are left alone. Baskets that have an underlying of the same name share
  its correlations, and nothing else.
- Correlations that are not positive semidefinite (least eigenvalue below -1e-9) are an error. The
  message offers the nearest ones that are, by the Frobenius norm (N. Higham, *IMA J. Numerical
  Analysis* 22 (2002) 329-343); they are never taken without being written into the table.
- A curve of an underlying has to reach the expiry of each row that names the basket, but for
  dividends. A [surface](surfaces.md) goes on as it ends. Cash dividends are not possible, averages
  have to be arithmetic.
- Baskets that no row names are checked and otherwise left alone. A row's price depends on what its
  basket holds, not on names or on what else the tables have.
- Methods: all but `exact`, which prices only rows with nothing random, such as those whose fixings
  are all past, and those that are certain to be exercised; `auto` takes `mc`, or `rqmc_smooth` for
  small errors. Rows are simulated in double precision.

## Greeks

- `delta` is the change of the price when all spots rise by the same share, divided by that share of
  the gross value; `gamma` likewise. Those to single underlyings are
  [sensitivities](../explanation/sensitivities.md).
- `vega` is to a parallel shift of all volatilities, `dividend_rho` of all yields. `rho` is to the
  discount rate, and with it to the growth of all prices, but where these have forward curves.
- `gamma` is empty where a price of the payoff's weighted sum falls in the direction in which the
  sum varies most, as with average strikes and some spreads, where the sum does not move to first
  order, and where an underlying has a surface.
"""

SURFACES_HEAD = """# Volatility surfaces

This page is written by `tools/book_format.py` from `python/makespan/pricing/columns/surfaces.py`;
change it there.

Volatilities by time and price, which rows of a [book](book-format.md) and underlyings of
[baskets](baskets.md) name in column `volatility_surface`: `makespan price book.csv --surfaces
surfaces.csv`, or `makespan.price(book, surfaces=...)` with a path, a table or a dict. One row for
each point, in any order; the files are those that a book may be.

    surface,kind,time,log_moneyness,volatility
    index,implied_volatility,0.5,-0.2,0.24
    index,implied_volatility,0.5,0,0.19
    index,implied_volatility,0.5,0.2,0.16
    index,implied_volatility,1,-0.2,0.225
    index,implied_volatility,1,0,0.19
    index,implied_volatility,1,0.2,0.165

In Python a surface may be a dict; volatilities have shape (times, log_moneyness):

    surfaces = {
        "index": {
            "kind": "implied_volatility",
            "time": [0.5, 1],
            "log_moneyness": [-0.2, 0, 0.2],
            "volatility": [[0.24, 0.19, 0.16], [0.225, 0.19, 0.165]],
        }
    }
    makespan.price(book, surfaces=surfaces)

## Columns

"""

SURFACES_TAIL = """
## Rules

- The price follows dS = b S dt + sigma(t, S) S dW (local volatility). A row may have a forward
  curve, a drift, yields and proportional dividends beside its surface; cash dividends are not
  possible. The average has to be arithmetic.
- Points form a grid: each time of a surface has the same values of `log_moneyness`. Between points
  the local volatility is bicubic, which paths read through 257 cubics over the grid or 12
  deviations, whichever is narrower; outside the grid it is that of the border. A row's expiry may
  come after the last time.
- Of implied volatilities local ones are made, at four times as many points each way (B. Dupire,
  *Risk* 7(1) (1994) 18-20; J. Gatheral, *The Volatility Surface* (2006), eq. 1.10), with parabolas
  in time, from 0 on, and natural cubic splines in moneyness, whose straight ends go on for half of
  the grid's width. How near the options of the surface come back depends on the grid: with the 5
  times and 11 values of moneyness of `examples/surfaces.csv` to within 0.0003 of their volatility,
  and 0.0013 where the moneyness is far for the expiry (-0.4 within half a year; measured).
- Implied volatilities with arbitrage are an error that names the point: the total variance,
  volatility^2 x time, has to grow with time at each moneyness (calendar), and the density that the
  strikes of one time imply has to be positive (butterfly).
- Paths are simulated in steps from fixing to fixing, or shorter: `steps_per_year` of the book, 64
  by default, by a scheme of weak order 2.
- Surfaces that no row names are checked and otherwise left alone. A row's price depends on the
  points of its surface, not on its name or on what else the table has.
- Methods: all but `exact`, which prices only rows with nothing random and those that are certain to
  be exercised; `auto` takes `mc`. Rows are simulated in double precision.

## Greeks

- `delta` is the model's: the volatility stays what it is as a function of time and price. `gamma`
  is empty.
- `vega` is to a parallel shift of all local volatilities.
- `rho`, `dividend_rho` and `theta` keep the volatility as a function of time and moneyness: it
  moves with the forwards. `theta` is from the paths.
"""


def _range(column: Column) -> str:
    """What the values of a column may be, its own limits of size included."""
    if column.largest == SIZE_MAX:  # which stands in the page's rules, for all columns
        return column.bound.text() if column.bound is not None else ""
    if column.bound is None:
        return f"{-column.largest:g}..{column.largest:g}"
    may_be_0 = column.bound.low == 0 and column.bound.low_allowed and column.smallest > 0
    return f"{'0, or ' if may_be_0 else ''}{column.smallest:g}..{column.largest:g}"


def column_row(column: Column) -> str:
    """One line of a table of columns."""
    words = [f"`{word}`" for word in column.choices if len(word) > 1]
    kind = " / ".join(words) or column.kind.value
    rule = column.rule or _range(column)
    cells = (f"`{column.name}`", kind, column.unit, column.default, column.doc, rule)
    return f"| {' | '.join(cells)} |\n"


def columns_table(columns: Iterable[Column]) -> str:
    """The whole table of columns."""
    return COLUMNS_HEAD + "".join(map(column_row, columns))


def kind_row(name: str, kind: CurveKind) -> str:
    """One line of the table of kinds of curves."""
    columns = [column for column, kinds in KINDS_OF_COLUMN.items() if name in kinds]
    named = ", ".join(f"`{column}`" for column in columns)
    return f"| `{name}` | {named} | {kind.doc} | {kind.between} |\n"


def curves_page() -> str:
    """The whole page of curves."""
    kinds = "".join(kind_row(name, kind) for name, kind in KINDS.items())
    return CURVES_HEAD + columns_table(CURVE_COLUMNS) + CURVES_KINDS + kinds + CURVES_TAIL


def baskets_page() -> str:
    """The whole page of baskets and correlations."""
    baskets, correlations = columns_table(BASKET_COLUMNS), columns_table(CORRELATION_COLUMNS)
    return BASKETS_HEAD + baskets + CORRELATIONS_HEAD + correlations + BASKETS_TAIL


def surfaces_page() -> str:
    """The whole page of surfaces."""
    return SURFACES_HEAD + columns_table(SURFACE_COLUMNS) + SURFACES_TAIL
