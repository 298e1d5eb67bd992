# SPDX-License-Identifier: Apache-2.0
"""The columns of a book, as data.

Reading, checking, the error messages, the help text and `docs/reference/book-format.md` all come
from this list, so that they cannot disagree. Order here is the order of messages and docs.
"""

from __future__ import annotations

from makespan.pricing.columns.column import NOT_NEGATIVE, POSITIVE, Bound, Column, Kind, name_of

FIXINGS_MAX = 1_000_000
PATHS_MAX = 1 << 32
"""More paths than this is a typing error: at 1e9 path-steps a second it is at least 18 minutes a
fixing, and it keeps every path counter inside an exactly representable double."""
TIME_MIN = 1e-9
"""Shortest time but 0 [years], 32 milliseconds: squares of volatility x sqrt(time) stay normal."""
PRICE_MIN = 1e-100
VOLATILITY_MIN = 1e-9
GROWTH_MAX = 300.0
"""Largest |rate x expiry| and |drift x expiry|: exp(300) is 1e130."""
LOG_DEVIATION_MAX = 34.0
"""Largest volatility x sqrt(expiry): the variance of the average is a double up to there."""
PAST_MAX = 1_000_000_000
MAX_PATHS_DEFAULT = 1 << 28
SEED_DEFAULT = 0
ACCURACY_DEFAULT = 1e-4
"""Target standard error as a share of spot where neither paths nor std_error is given: 1 bp."""

INPUT_COLUMNS: tuple[Column, ...] = (
    Column(
        "id",
        Kind.IDENTIFIER,
        "row number",
        "Names the option. It also selects the option's random numbers, so an option keeps its "
        "price when the book around it changes.",
        rule="unique",
    ),
    Column(
        "option_type",
        Kind.CHOICE,
        "required",
        "Call or put.",
        rule="`c`, `p`, `C`, `P` are understood too",
        choices={"call": 1, "put": -1, "c": 1, "p": -1},
    ),
    Column(
        "average_type",
        Kind.CHOICE,
        "arithmetic",
        "Which mean of the fixings is taken.",
        choices={"arithmetic": 0, "geometric": 1},
    ),
    Column(
        "averaging",
        Kind.CHOICE,
        "price",
        "What the average stands for: `price` pays on A - strike, `strike` pays on "
        "S(expiry) - strike_multiplier x A.",
        choices={"price": 0, "strike": 1},
    ),
    Column(
        "spot",
        Kind.NUMBER,
        "required unless forward_curve or basket",
        "Price of the asset today.",
        unit="price",
        aliases=("S",),
        bound=POSITIVE,
        smallest=PRICE_MIN,
    ),
    Column(
        "strike",
        Kind.NUMBER,
        "required for averaging='price'",
        "Strike; empty for averaging='strike'.",
        unit="price",
        aliases=("K",),
        bound=NOT_NEGATIVE,
        smallest=PRICE_MIN,
    ),
    Column(
        "strike_multiplier",
        Kind.NUMBER,
        "1",
        "The k of (S - k A)+; only with averaging='strike'.",
        bound=POSITIVE,
        smallest=PRICE_MIN,
    ),
    Column(
        "rate",
        Kind.NUMBER,
        "required unless rate_curve",
        "Discount rate, continuously compounded.",
        unit="1/year",
        aliases=("r",),
        percent_above=1.0,
    ),
    Column(
        "dividend_yield",
        Kind.NUMBER,
        "0",
        "Dividend yield (or foreign rate), continuously compounded.",
        unit="1/year",
        aliases=("q",),
        percent_above=1.0,
    ),
    Column(
        "drift",
        Kind.NUMBER,
        "rate - dividend_yield",
        "Growth rate of the asset. Given, it sets `measure` to `user_drift` in the prices: unless "
        "it equals rate - dividend_yield they are discounted expectations, not arbitrage-free "
        "prices.",
        rule="with dividend_yield it must equal rate - dividend_yield",
        unit="1/year",
        aliases=("mu",),
        percent_above=1.0,
    ),
    Column(
        "volatility",
        Kind.NUMBER,
        "required unless volatility_curve, volatility_surface, heston_v0 or basket",
        "Volatility of the log price.",
        unit="1/sqrt(year)",
        aliases=("sigma",),
        bound=NOT_NEGATIVE,
        percent_above=5.0,
        smallest=VOLATILITY_MIN,
    ),
    Column(
        "expiry",
        Kind.NUMBER,
        "required",
        "Time of payment, but for payment_lag; with averaging='strike' the time of S(expiry). 0 is "
        "allowed when every fixing is past, or the only one left is now (fixing_times 0).",
        unit="years",
        aliases=("T",),
        bound=NOT_NEGATIVE,
        smallest=TIME_MIN,
    ),
    Column(
        "payment_lag",
        Kind.NUMBER,
        "0",
        "Time from expiry to the payment: the amount is discounted over both.",
        unit="years",
        bound=NOT_NEGATIVE,
        smallest=TIME_MIN,
    ),
    name_of(
        "rate_curve",
        "The discount rate by time, in place of rate.",
        rule="zero_rate or forward_rate",
    ),
    name_of(
        "dividend_yield_curve",
        "The dividend yield (or foreign rate, or convenience yield) by time, in place of "
        "dividend_yield.",
        rule="zero_rate or forward_rate",
    ),
    name_of(
        "forward_curve",
        "Forward prices of the asset, in place of dividend_yield, drift and dividends.",
        rule="forward_price",
    ),
    name_of(
        "volatility_curve",
        "The volatility by time, in place of volatility.",
        rule="volatility or forward_volatility",
    ),
    name_of(
        "volatility_surface",
        "The volatility by time and price (local volatility), in place of volatility.",
        rule="average_type='arithmetic'",
    ),
    name_of(
        "dividends",
        "Dividends that are paid at times of their own, besides a yield.",
        rule="cash_dividend, proportional_dividend, or both; cash not with "
        "average_type='geometric' or volatility_surface",
    ),
    name_of(
        "basket",
        "The basket whose value is averaged, in place of spot, yields, volatility and all curves "
        "but rate_curve; spot is then its gross value.",
        rule="average_type='arithmetic'",
    ),
    Column(
        "heston_v0",
        Kind.NUMBER,
        "empty",
        "Heston's variance now, in place of volatility: with the next four, all or none.",
        unit="1/year",
        bound=NOT_NEGATIVE,
        largest=1e3,
    ),
    Column(
        "heston_kappa",
        Kind.NUMBER,
        "empty",
        "Speed at which the variance returns to its mean.",
        unit="1/year",
        bound=POSITIVE,
        smallest=1e-9,
        largest=1e3,
    ),
    Column(
        "heston_theta",
        Kind.NUMBER,
        "empty",
        "Mean of the variance in the long run.",
        unit="1/year",
        bound=POSITIVE,
        smallest=1e-12,
        largest=1e3,
    ),
    Column(
        "heston_sigma",
        Kind.NUMBER,
        "empty",
        "Volatility of the variance.",
        unit="1/year",
        bound=POSITIVE,
        smallest=1e-3,
        largest=1e3,
    ),
    Column(
        "heston_rho",
        Kind.NUMBER,
        "empty",
        "Correlation of price and variance.",
        rule="-1..1",
        bound=Bound(low=-1, high=1),
    ),
    Column(
        "steps_per_year",
        Kind.WHOLE,
        "64",
        "Steps of the paths in a year between fixings, where the volatility is local or random.",
        bound=Bound(low=1, high=100_000),
    ),
    Column(
        "fixings",
        Kind.WHOLE,
        "required unless fixing_times",
        "Number of future fixings, one at t=0 included; 0 when every fixing is past.",
        rule="1..1 000 000; at least 2 with include_start",
        aliases=("N",),
    ),
    Column(
        "fixing_grid",
        Kind.CHOICE,
        "the run's --fixing-grid; never guessed",
        "Where the future fixings lie: `include_start` t_i = T i/(N-1), i = 0..N-1, S(0) averaged "
        "too; `exclude_start` t_i = T i/N, i = 1..N; `explicit` as listed in fixing_times. "
        "T is last_fixing. Not needed beside fixing_times or first_fixing.",
        choices={"exclude_start": 0, "include_start": 1, "explicit": 2},
    ),
    Column(
        "first_fixing",
        Kind.NUMBER,
        "0 (include_start) or last_fixing/fixings (exclude_start)",
        "Time of the first future fixing; fixings are equally spaced from it to last_fixing.",
        rule="0 <= first_fixing <= last_fixing",
        unit="years",
        bound=NOT_NEGATIVE,
        smallest=TIME_MIN,
    ),
    Column(
        "last_fixing",
        Kind.NUMBER,
        "expiry",
        "Time of the last fixing; payment may come later.",
        rule="<= expiry",
        unit="years",
        bound=NOT_NEGATIVE,
        smallest=TIME_MIN,
    ),
    Column(
        "fixing_times",
        Kind.TIMES,
        "empty",
        "The future fixing times one by one.",
        rule="strictly increasing, in [0, expiry]; excludes fixings, first_fixing, last_fixing",
        unit="years",
    ),
    Column(
        "past_fixings_count",
        Kind.WHOLE,
        "0",
        "How many fixings are already known.",
        bound=Bound(low=0, high=PAST_MAX),
    ),
    Column(
        "past_fixings_sum",
        Kind.NUMBER,
        "0",
        "Sum of the known prices (average_type='arithmetic').",
        rule="required when past_fixings_count > 0 and average_type='arithmetic', and > 0 then "
        "unless basket",
        unit="price",
        bound=NOT_NEGATIVE,
    ),
    Column(
        "past_fixings_log_sum",
        Kind.NUMBER,
        "0",
        "Sum of the natural logarithms of the known prices (average_type='geometric').",
        rule="required when past_fixings_count > 0 and average_type='geometric'",
    ),
    Column(
        "notional",
        Kind.NUMBER,
        "1",
        "Scales price, standard errors and Greeks; negative for a short position.",
    ),
    Column(
        "paths",
        Kind.WHOLE,
        "the run's --paths",
        "Simulate this many paths (rounded up: mc to pairs, rqmc to whole sets).",
        rule="> 0; not together with std_error",
        bound=Bound(low=1, high=PATHS_MAX),
    ),
    Column(
        "std_error",
        Kind.NUMBER,
        "the run's --std-error; else 1e-4 x spot",
        "Simulate until the price of one unit (notional 1) has this standard error.",
        rule="> 0; not together with paths",
        unit="price",
        aliases=("tolerance",),
        bound=POSITIVE,
    ),
    Column(
        "max_paths",
        Kind.WHOLE,
        "268435456 (2^28)",
        "Where the search for std_error stops; the row's status is then max_paths_reached.",
        bound=Bound(low=1, high=PATHS_MAX),
    ),
    Column(
        "seed",
        Kind.NATURAL,
        "the run's --seed",
        "Selects the random numbers of this row.",
    ),
)

COLUMNS_BY_NAME = {column.name: column for column in INPUT_COLUMNS}
NAME_OF_ALIAS = {alias: column.name for column in INPUT_COLUMNS for alias in column.aliases}

FIXING_GRIDS = ("exclude_start", "include_start")
"""What a run may set as its default grid."""
