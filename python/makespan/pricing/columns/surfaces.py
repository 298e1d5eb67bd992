# SPDX-License-Identifier: Apache-2.0
"""The columns of a table of volatility surfaces, as data.

Reading, checks, messages and `docs/reference/surfaces.md` come from this list.
"""

from __future__ import annotations

from makespan.pricing.columns.book import VOLATILITY_MIN
from makespan.pricing.columns.column import NOT_NEGATIVE, POSITIVE, Column, Kind

LOCAL = "local_volatility"
IMPLIED = "implied_volatility"
LOCAL_VOLATILITY_MAX = 10.0
SURFACE_KINDS = {LOCAL: 0, IMPLIED: 1}

SURFACE_COLUMNS: tuple[Column, ...] = (
    Column("surface", Kind.NAME, "required", "Name of the surface that the point belongs to."),
    Column(
        "kind",
        Kind.CHOICE,
        LOCAL,
        "What the volatilities are: local ones, or those that options of that expiry and strike "
        "imply, of which local ones are made (Dupire).",
        rule="the same for all points of a surface",
        choices=SURFACE_KINDS,
    ),
    Column(
        "time",
        Kind.NUMBER,
        "required",
        "From now.",
        rule=">= 0; > 0 for implied_volatility",
        unit="years",
        bound=NOT_NEGATIVE,
    ),
    Column(
        "log_moneyness",
        Kind.NUMBER,
        "required",
        "ln(price / forward) for local volatilities, ln(strike / forward) for implied ones, with "
        "the forward for that time.",
        rule="-20..20; each time has the same ones, the least of several is not above 0",
        largest=20.0,
    ),
    Column(
        "volatility",
        Kind.NUMBER,
        "required",
        "By the kind.",
        unit="1/sqrt(year)",
        bound=POSITIVE,
        percent_above=5.0,
        smallest=VOLATILITY_MIN,
        largest=LOCAL_VOLATILITY_MAX,
    ),
)
