# SPDX-License-Identifier: Apache-2.0
"""The columns of a table of curves, and what a curve's values can be, as data.

Reading, checks, messages and `docs/reference/curves.md` come from these lists.
"""

from __future__ import annotations

from dataclasses import dataclass

from makespan.pricing.columns.column import Column, Kind


@dataclass(frozen=True, slots=True)
class CurveKind:
    """What the values of a curve's points are; `code` is the engine's number of it."""

    code: int
    doc: str
    between: str
    """What holds between two points."""


KINDS: dict[str, CurveKind] = {
    "zero_rate": CurveKind(
        0,
        "Mean rate from now to the time, continuously compounded [1/year].",
        "the forward rate is constant (the logarithm of the discount factor is linear)",
    ),
    "forward_rate": CurveKind(
        1,
        "Rate from the point before, or now, to the time, continuously compounded [1/year].",
        "the rate is the later point's",
    ),
    "volatility": CurveKind(
        2,
        "Root mean square of the volatility from now to the time, as options of that expiry imply "
        "it [1/sqrt(year)].",
        "the total variance, volatility^2 x time, is linear",
    ),
    "forward_volatility": CurveKind(
        3,
        "Volatility from the point before, or now, to the time [1/sqrt(year)].",
        "the volatility is the later point's",
    ),
    "forward_price": CurveKind(
        4,
        "Forward price of the asset for the time; the first point is at 0, the spot [price].",
        "the logarithm of the forward is linear",
    ),
    "cash_dividend": CurveKind(
        5,
        "Amount paid at the time [price]. A fixing at that time is after it.",
        "nothing is paid",
    ),
    "proportional_dividend": CurveKind(
        6,
        "Share of the price paid at the time. A fixing at that time is after it.",
        "nothing is paid",
    ),
}

DIVIDENDS = ("cash_dividend", "proportional_dividend")
VOLATILITIES = ("volatility", "forward_volatility")
RATES = ("zero_rate", "forward_rate")
PERCENT_ABOVE = {**dict.fromkeys(RATES, 1.0), **dict.fromkeys(VOLATILITIES, 5.0)}
"""Of a kind of values: warn that one larger than this (in size) looks like percent, as in books."""

KINDS_OF_COLUMN: dict[str, tuple[str, ...]] = {
    "rate_curve": RATES,
    "dividend_yield_curve": RATES,
    "forward_curve": ("forward_price",),
    "volatility_curve": VOLATILITIES,
    "dividends": DIVIDENDS,
}
"""What each column of a book that names curves may name."""

CURVE_COLUMNS: tuple[Column, ...] = (
    Column("curve", Kind.NAME, "required", "Name of the curve that the point belongs to."),
    Column(
        "kind",
        Kind.CHOICE,
        "required",
        "What its values are; the same for all points of a curve, but dividends of both kinds may "
        "be in one.",
        choices={name: kind.code for name, kind in KINDS.items()},
    ),
    Column(
        "time",
        Kind.NUMBER,
        "required",
        "From now.",
        rule="> 0, increasing within a curve; the first of forward_price is 0",
        unit="years",
    ),
    Column(
        "value",
        Kind.NUMBER,
        "required",
        "By the kind of the curve.",
        rule="volatilities and forward prices > 0; cash >= 0; proportional from 0 to below 1",
    ),
)
