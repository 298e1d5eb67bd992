# SPDX-License-Identifier: Apache-2.0
"""Asian calls with each of QuantLib's engines, as a worker of the bench protocol.

Own words of a request: ``engine=`` and what that engine takes: ``turnbull_wakeman``, ``choi``
(``lambda=``), ``finite_differences`` (``times= prices= averages=``, points of its grid),
``monte_carlo`` with its control variate (``samples=``), ``sobol``, the same with Sobol points and a
Brownian bridge, ``geometric``, the closed form, and with ``model=heston`` ``heston`` (``samples=``,
``control=``), with one step from fixing to fixing.

QuantLib knows days, not year fractions: the year has 365 days where these can be divided among the
fixings, else 360. Each request prices anew; the objects are built beforehand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import QuantLib as ql  # noqa: N813 - its users' own name

from bench.line_worker import Reply, serve
from bench.rivals.contract import (
    HESTON,
    RATE,
    SPOT,
    VOLATILITY,
    AsianCall,
    Words,
    read_words,
    take_call,
    timed,
)

DAY_COUNTS = {365: ql.Actual365Fixed, 360: ql.Actual360}
TODAY = ql.Date(20, ql.November, 2026)


def days_of_year(fixings: int) -> int:
    """Return a year of days that the fixings divide."""
    for days in DAY_COUNTS:
        if days % fixings == 0:
            return days
    msg = f"{fixings} fixings fall on whole days of no year of {' or '.join(map(str, DAY_COUNTS))}"
    raise ValueError(msg)


def market_process(days: int, model: str) -> Any:
    """Return the process of the model with a flat rate."""
    day_count = DAY_COUNTS[days]()
    no_dividend = ql.YieldTermStructureHandle(ql.FlatForward(TODAY, 0.0, day_count))
    rate = ql.YieldTermStructureHandle(ql.FlatForward(TODAY, RATE, day_count))
    spot = ql.QuoteHandle(ql.SimpleQuote(SPOT))
    if model == "heston":
        return ql.HestonProcess(rate, no_dividend, spot, *HESTON.values())
    flat = ql.BlackConstantVol(TODAY, ql.NullCalendar(), VOLATILITY, day_count)
    volatility = ql.BlackVolTermStructureHandle(flat)
    return ql.BlackScholesMertonProcess(spot, no_dividend, rate, volatility)


def options(call: AsianCall, days: int) -> list[Any]:
    """Return an option for each strike, today excluded from the mean."""
    step = days // call.fixings
    dates = [TODAY + step * (index + 1) for index in range(call.fixings)]
    is_geometric = call.average == "geometric"
    kind = ql.Average.Geometric if is_geometric else ql.Average.Arithmetic
    past = 1.0 if is_geometric else 0.0  # the empty product, the empty sum
    exercise = ql.EuropeanExercise(dates[-1])
    payoffs = [ql.PlainVanillaPayoff(ql.Option.Call, strike) for strike in call.strikes]
    return [
        ql.DiscreteAveragingAsianOption(kind, past, 0, dates, payoff, exercise)
        for payoff in payoffs
    ]


def monte_carlo(process: Any, words: Words, seed: int) -> Any:
    """Return the Monte Carlo engine with its control variate and pseudo-random numbers."""
    return ql.MCDiscreteArithmeticAPEngine(
        process,
        "pseudorandom",
        brownianBridge=False,
        controlVariate=True,
        requiredSamples=int(words["samples"]),
        seed=seed,
    )


def sobol(process: Any, words: Words, seed: int) -> Any:
    """Return the same engine with Sobol points; the seed draws their direction numbers."""
    return ql.MCDiscreteArithmeticAPEngine(
        process,
        "lowdiscrepancy",
        brownianBridge=True,
        controlVariate=True,
        requiredSamples=int(words["samples"]),
        seed=seed,
    )


def heston(process: Any, words: Words, seed: int) -> Any:
    """Return the Monte Carlo engine under a random variance, with its control or without."""
    return ql.MCPRDiscreteArithmeticAPHestonEngine(
        process,
        antitheticVariate=True,
        requiredSamples=int(words["samples"]),
        seed=seed,
        controlVariate=words["control"] == "1",
    )


def finite_differences(process: Any, words: Words, _seed: int) -> Any:
    """Return the engine that solves the equation in price and average on a grid."""
    grid = [int(words[name]) for name in ("times", "prices", "averages")]
    return ql.FdBlackScholesAsianEngine(process, *grid)


ENGINES: dict[str, Callable[[Any, Words, int], Any]] = {
    "turnbull_wakeman": lambda process, *_: ql.TurnbullWakemanAsianEngine(process),
    "choi": lambda process, words, _: ql.ChoiAsianEngine(process, float(words["lambda"])),
    "finite_differences": finite_differences,
    "monte_carlo": monte_carlo,
    "sobol": sobol,
    "heston": heston,
    "geometric": lambda process, *_: ql.AnalyticDiscreteGeometricAveragePriceAsianEngine(process),
}


def price_anew(option: Any) -> float:
    """Price an option though it knows its price already."""
    option.recalculate()
    return float(option.NPV())


def own_error(option: Any) -> float:
    """Return the standard error that an engine states [price], or 0 where it states none."""
    try:
        return float(option.errorEstimate())
    except RuntimeError:
        return 0.0


def run(words: list[str], seed: int) -> Reply:
    """Price once."""
    ql.Settings.instance().evaluationDate = TODAY
    named = read_words(words)
    call = take_call(named)
    days = days_of_year(call.fixings)
    priced = options(call, days)
    engine = ENGINES[named["engine"]](market_process(days, call.model), named, seed)
    for option in priced:
        option.setPricingEngine(engine)
    reply = timed(lambda: [price_anew(option) for option in priced])
    error = max(own_error(option) for option in priced)
    return {**reply, "own_error": error} if error else reply


if __name__ == "__main__":
    serve(run)
