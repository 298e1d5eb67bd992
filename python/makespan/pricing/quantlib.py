# SPDX-License-Identifier: Apache-2.0
"""Options and processes of QuantLib as rows of a book and their curves."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from makespan.base.errors import InputError, NotConfiguredError
from makespan.base.extras import EXTRAS, require
from makespan.settings.float_array import float_array

DAYS_OF_YEAR = 365.0
_NAME_DIGITS = 10


class BookRow(NamedTuple):
    """A row of a book, and the curves that it names."""

    row: dict[str, Any]
    """By the columns of docs/reference/book-format.md."""
    curves: dict[str, dict[str, Any]]
    """`{name: {"kind": ..., "time": [...], "value": [...]}}`; equal curves have equal names."""


def from_quantlib(
    option: Any,
    process: Any,
    *,
    fixing_dates: Sequence[Any],
    average_type: str = "arithmetic",
    past_fixings: Sequence[float] = (),
) -> BookRow:
    """A `QuantLib.DiscreteAveragingAsianOption` under a process, for `makespan.price`.

    `process`: a `GeneralizedBlackScholesProcess` or one of its kind, or a `HestonModel` (a
    `HestonProcess` does not tell its parameters to Python); its curves are read at the fixing dates
    and at the exercise date, its volatility at the option's strike. `fixing_dates`: those of the
    option that are not past, shape (fixings); `past_fixings`: the prices that are known. QuantLib's
    option does not tell these three. Times are counted in days of 1/365 year from the reference
    date of the process.

    A book of several: `rows, curves = [], {}`; for each `rows.append(it.row)` and
    `curves.update(it.curves)`; then `makespan.price(polars.DataFrame(rows), curves=curves)`.

    An option that expires today has no curves, but plain numbers in its row.

    Needs the extra `quantlib`. Raises `NotConfiguredError` without it, `InputError` for an option
    that makespan cannot price, and for what QuantLib itself refuses (a curve that ends too early).
    """
    require("quantlib", for_="makespan.from_quantlib")
    try:
        return _book_row(option, process, fixing_dates, average_type, past_fixings)
    except RuntimeError as error:  # QuantLib has no other class
        raise InputError(f"from_quantlib: QuantLib says: {error}") from error


def _book_row(
    option: Any,
    process: Any,
    fixing_dates: Sequence[Any],
    average_type: str,
    past_fixings: Sequence[float],
) -> BookRow:
    import QuantLib as ql  # noqa: N813 - as all of its users write it

    payoff, exercise = _terms(option)
    if average_type not in ("arithmetic", "geometric"):
        raise InputError("from_quantlib: average_type must be 'arithmetic' or 'geometric'")
    market = _Market(process, payoff.strike())
    dates = _dates(fixing_dates)
    if dates and dates[0] < market.today:
        raise InputError(
            f"from_quantlib: fixing date {dates[0].ISO()} is before {market.today.ISO()}, the "
            "reference date of the process; give its price in past_fixings"
        )
    if exercise.lastDate() < market.today:
        raise InputError(
            f"from_quantlib: exercise date {exercise.lastDate().ISO()} is before "
            f"{market.today.ISO()}, the reference date of the process; give an option that has not "
            "expired"
        )
    past = "past_fixings_sum" if average_type == "arithmetic" else "past_fixings_log_sum"
    known = _known(past_fixings, average_type)
    curves = market.curves([*dates, exercise.lastDate()])
    named = {column: _name(curve) for column, curve in curves.items()}
    row = {
        "option_type": "call" if payoff.optionType() == ql.Option.Call else "put",
        "average_type": average_type,
        "spot": market.spot(),
        "strike": payoff.strike(),
        **(named or market.now()),
        **market.parameters(),
        "expiry": market.time(exercise.lastDate()),
        "fixing_times": [market.time(date) for date in dates],
        "past_fixings_count": len(known),
        past: math.fsum(known),
    }
    return BookRow(row, {named[column]: curve for column, curve in curves.items()})


def _terms(option: Any) -> tuple[Any, Any]:
    """Its payoff and its exercise. Raises `InputError` for options of other kinds."""
    import QuantLib as ql  # noqa: N813

    if not isinstance(option, ql.DiscreteAveragingAsianOption):
        raise InputError(
            f"from_quantlib: a {type(option).__name__} is no DiscreteAveragingAsianOption; give one"
        )
    payoff = ql.as_plain_vanilla_payoff(option.payoff())
    if payoff is None:
        raise InputError(
            "from_quantlib: the payoff is no PlainVanillaPayoff; give an option of one"
        )
    exercise = option.exercise()
    if exercise.type() != ql.Exercise.European:
        raise InputError("from_quantlib: the exercise is not European; makespan prices no other")
    return payoff, exercise


def _dates(fixing_dates: Sequence[Any]) -> list[Any]:
    """In their order. Raises `InputError`."""
    import QuantLib as ql  # noqa: N813

    try:
        dates = list(fixing_dates)
    except TypeError:
        dates = [fixing_dates]
    for one in dates:
        if not isinstance(one, ql.Date):
            raise InputError(
                f"from_quantlib: fixing date {one!r} is no QuantLib.Date; list dates of that kind"
            )
    dates.sort()
    for one, next_one in itertools.pairwise(dates):
        if one == next_one:
            raise InputError(f"from_quantlib: fixing date {one.ISO()} is there twice; give it once")
    return dates


def _known(past_fixings: Sequence[float], average_type: str) -> list[float]:
    """What is averaged: prices, or their logarithms. Raises `InputError`."""
    try:
        prices = float_array(past_fixings)
    except ValueError as error:
        raise InputError(
            f"from_quantlib: past_fixings are no numbers ({error}); list the prices that are known"
        ) from error
    found: list[float] = prices.tolist()
    if prices.ndim != 1 or not all(0.0 < price < math.inf for price in found):
        raise InputError("from_quantlib: past_fixings must be a list of finite prices above 0")
    return found if average_type == "arithmetic" else [math.log(price) for price in found]


class _Market:
    """What a process says of some dates, as points of curves."""

    def __init__(self, process: Any, strike: float) -> None:
        import QuantLib as ql  # noqa: N813

        self.is_heston = type(process) is ql.HestonModel  # others that are one have jumps
        if self.is_heston and not hasattr(process, "process"):
            raise NotConfiguredError(
                f"from_quantlib: a HestonModel of QuantLib {ql.__version__} does not tell its "
                f"curves, that of 1.38 does: {EXTRAS['quantlib'].command}"
            )
        self.model = process
        self.process = process.process() if self.is_heston else process
        if not self.is_heston and not hasattr(self.process, "blackVolatility"):
            raise InputError(
                f"from_quantlib: a {type(process).__name__} is of no model that makespan has; give "
                "a GeneralizedBlackScholesProcess or a HestonModel"
            )
        self.rates = self.process.riskFreeRate()
        self.yields = self.process.dividendYield()
        self.strike = strike
        self.today = self.rates.referenceDate()

    def time(self, date: Any) -> float:
        """Years from today."""
        return float(date - self.today) / DAYS_OF_YEAR

    def spot(self) -> float:
        """The price today."""
        return float(self.process.s0().value() if self.is_heston else self.process.x0())

    def parameters(self) -> dict[str, float]:
        """Of a random variance; none for a volatility that is known."""
        names = ("v0", "kappa", "theta", "sigma", "rho") if self.is_heston else ()
        return {f"heston_{name}": getattr(self.model, name)() for name in names}

    def curves(self, dates: Sequence[Any]) -> dict[str, dict[str, Any]]:
        """By the column of a book that names each; points at the dates after today.

        None where no date is: a curve has a point at least.
        """
        later = sorted({date for date in dates if date > self.today})
        if not later:
            return {}
        time = [self.time(date) for date in later]

        def curve(kind: str, value: Any) -> dict[str, Any]:
            points = [value(date, at) for date, at in zip(later, time, strict=True)]
            return {"kind": kind, "time": time, "value": points}

        def zero_rate(curve: Any) -> Any:
            return lambda date, at: -math.log(curve.discount(date)) / at

        def implied(date: Any, at: float) -> float:
            surface = self.process.blackVolatility()
            return math.sqrt(surface.blackVariance(date, self.strike) / at)

        found = {
            "rate_curve": curve("zero_rate", zero_rate(self.rates)),
            "dividend_yield_curve": curve("zero_rate", zero_rate(self.yields)),
        }
        return (
            found if self.is_heston else {**found, "volatility_curve": curve("volatility", implied)}
        )

    def now(self) -> dict[str, float]:
        """By the column of a book: what curves would begin with."""
        import QuantLib as ql  # noqa: N813

        def rate(curve: Any) -> float:
            return float(curve.zeroRate(0.0, ql.Continuous).rate())

        found = {"rate": rate(self.rates), "dividend_yield": rate(self.yields)}
        if self.is_heston:
            return found
        volatility = self.process.blackVolatility().blackVol(0.0, self.strike)
        return {**found, "volatility": float(volatility)}


def _name(curve: Mapping[str, Any]) -> str:
    """Of the curve's content, so that equal curves of several options are one."""
    digest = hashlib.sha256(repr((curve["kind"], curve["time"], curve["value"])).encode())
    return f"{curve['kind']}-{digest.hexdigest()[:_NAME_DIGITS]}"
