# SPDX-License-Identifier: Apache-2.0
"""The columns of a book's prices, as data: the table, its files, and the reference page.

Order here is the order of tables and docs.
"""

from __future__ import annotations

from dataclasses import dataclass

GREEKS = ("delta", "gamma", "vega", "rho", "dividend_rho", "theta")
STATUSES = ("ok", "max_paths_reached", "deterministic", "resolution_reached", "error")


@dataclass(frozen=True, slots=True)
class OutputColumn:
    """One column of the prices; `greek` columns are there only when Greeks were asked for."""

    name: str
    type: str
    doc: str
    greek: bool = False


_GREEK_DOCS = {
    "delta": "dV/dS.",
    "gamma": "d2V/dS2.",
    "vega": "dV/dvolatility, per 1.00 of volatility (desk: vega_per_1pct).",
    "rho": "dV/drate, per 1.00 (desk: rho_per_1pct). With drift given: at fixed drift.",
    "dividend_rho": "dV/ddividend_yield, per 1.00 (desk: dividend_rho_per_1pct).",
    "theta": "dV/dt as time passes, per year (desk: theta_per_day, 1/365 of it).",
}


def _greek_columns() -> tuple[OutputColumn, ...]:
    pairs = []
    for name, doc in _GREEK_DOCS.items():
        pairs.append(OutputColumn(name, "float64", doc, greek=True))
        error = f"Standard error of {name}."
        pairs.append(OutputColumn(f"{name}_std_error", "float64", error, greek=True))
        bound = f"Bound of the error of {name}."
        pairs.append(OutputColumn(f"{name}_error_bound", "float64", bound, greek=True))
    return tuple(pairs)


OUTPUT_COLUMNS: tuple[OutputColumn, ...] = (
    OutputColumn("id", "as in the book", "The option; the row number where the book has no id."),
    OutputColumn(
        "status",
        "string",
        "`ok`; `max_paths_reached` (price is right, its std_error is larger than asked); "
        "`deterministic` (a closed form); `resolution_reached` (without noise, and its "
        "error_bound is larger than asked); `error` (see the next column).",
    ),
    OutputColumn(
        "error",
        "string",
        "What is wrong with the row (with --skip-invalid), or why it has no price.",
    ),
    OutputColumn("price", "float64", "Price times notional."),
    OutputColumn(
        "std_error", "float64", "Its standard error, times |notional|; 0 where there is no noise."
    ),
    OutputColumn(
        "error_bound",
        "float64",
        "How far the price may be off, times |notional|; empty where it has noise.",
    ),
    OutputColumn(
        "ci_low",
        "float64",
        "Lower end of the confidence interval of the price; without noise price - error_bound.",
    ),
    OutputColumn("ci_high", "float64", "Upper end."),
    *_greek_columns(),
    OutputColumn("paths_used", "int64", "Paths simulated."),
    OutputColumn("replicates", "int64", "Independent scramblings (rqmc, rqmc_smooth; else 0)."),
    OutputColumn(
        "method",
        "string",
        "What priced the row: `exact` (a closed form, or the backward recursion) or the estimator.",
    ),
    OutputColumn("control_beta", "float64", "Fitted factor of the geometric control."),
    OutputColumn("variance_reduction", "float64", "Variance of plain Monte Carlo over ours."),
    OutputColumn(
        "method_price",
        "float64",
        "Closed form or lower bound, to hold price against; of rows with a basket, a surface or "
        "heston_v0 the price of the control.",
    ),
    OutputColumn("seconds", "float64", "Thread time spent on the row; not in the result hash."),
    OutputColumn("measure", "string", "`risk_neutral`, or `user_drift` where drift was given."),
)

SENSITIVITY_COLUMNS: tuple[OutputColumn, ...] = (
    OutputColumn("id", "as in the book", "The option."),
    OutputColumn(
        "to",
        "string",
        "What the derivative is to: a kind of curve or of surface at a point; `spot`, "
        "`volatility`, `dividend_yield` of an underlying of a basket; `correlation` of two; "
        "`heston_v0` and the other four.",
    ),
    OutputColumn("name", "string", "Of the curve, the surface or the underlying."),
    OutputColumn("other", "string", "The second underlying of a correlation."),
    OutputColumn("time", "float64", "Of the point [years]."),
    OutputColumn("log_moneyness", "float64", "Of the point; empty where all of a time moved."),
    OutputColumn(
        "per",
        "float64",
        "The change that `value` is for: 1; with --units desk 0.01 for rates, yields, volatilities "
        "and correlations of underlyings.",
    ),
    OutputColumn("value", "float64", "The derivative times `per`, times notional."),
    OutputColumn("std_error", "float64", "Its standard error; 0 where there is no noise."),
    OutputColumn(
        "error_bound",
        "float64",
        "What the bounds of its prices make of it; empty where it has noise. What a difference is "
        "off by itself is not in it.",
    ),
    OutputColumn("error", "string", "Why there is no value."),
)
"""Of the table of sensitivities."""
