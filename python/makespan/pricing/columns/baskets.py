# SPDX-License-Identifier: Apache-2.0
"""The columns of a table of baskets, and of one of correlations, as data.

Reading, checks, messages and `docs/reference/baskets.md` come from these lists.
"""

from __future__ import annotations

from makespan.pricing.columns.book import PRICE_MIN, VOLATILITY_MIN
from makespan.pricing.columns.column import NOT_NEGATIVE, POSITIVE, Bound, Column, Kind, name_of

UNDERLYINGS_MAX = 64
VOLATILITY_MAX = 10.0
YIELD_MAX = 1.0

BASKET_COLUMNS: tuple[Column, ...] = (
    Column("basket", Kind.NAME, "required", "Name of the basket that the underlying belongs to."),
    Column(
        "underlying",
        Kind.NAME,
        "required",
        "Name of the underlying, which correlations refer to.",
        rule="once in a basket",
    ),
    Column(
        "weight",
        Kind.NUMBER,
        "required",
        "Units of it in the basket; negative: short, as in a spread.",
        rule="not 0; at least one in a basket is above 0",
    ),
    Column(
        "spot",
        Kind.NUMBER,
        "required; with forward_curve its first value",
        "Its price today.",
        unit="price",
        bound=POSITIVE,
        smallest=PRICE_MIN,
    ),
    Column(
        "volatility",
        Kind.NUMBER,
        "required unless volatility_curve or volatility_surface",
        "Volatility of its logarithm.",
        unit="1/sqrt(year)",
        bound=NOT_NEGATIVE,
        percent_above=5.0,
        smallest=VOLATILITY_MIN,
        largest=VOLATILITY_MAX,
    ),
    Column(
        "dividend_yield",
        Kind.NUMBER,
        "0",
        "Its dividend yield, continuously compounded.",
        unit="1/year",
        percent_above=1.0,
        largest=YIELD_MAX,
    ),
    name_of(
        "dividend_yield_curve",
        "The same by time.",
        rule="zero_rate or forward_rate",
    ),
    name_of(
        "forward_curve",
        "Its forward prices, in place of yields and dividends; for all underlyings of a basket or "
        "for none.",
        rule="forward_price",
    ),
    name_of(
        "volatility_curve",
        "Its volatility by time, in place of volatility.",
        rule="volatility or forward_volatility",
    ),
    name_of(
        "volatility_surface",
        "Its volatility by time and price, in place of volatility.",
    ),
    name_of(
        "dividends",
        "Its dividends at times of their own, as shares of its price.",
        rule="proportional_dividend",
    ),
)

CORRELATION_COLUMNS: tuple[Column, ...] = (
    Column("underlying_1", Kind.NAME, "required", "Name of an underlying."),
    Column("underlying_2", Kind.NAME, "required", "Name of another; the order does not count."),
    Column(
        "correlation",
        Kind.NUMBER,
        "required",
        "Of the two prices' Brownian motions.",
        bound=Bound(low=-1, high=1),
    ),
)
