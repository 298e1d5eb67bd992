# SPDX-License-Identifier: Apache-2.0
"""Arithmetic Asian option with QuantLib's Monte Carlo engine, as a worker of the bench protocol.

Request: ``run plain|antithetic|control FIXINGS SAMPLES``. The reply carries QuantLib's own error
estimate, from which the harness extrapolates to the accuracy that it asks for. The clock of the
core is not measured here: no figure of QuantLib is held against a bound in cycles.

QuantLib knows days, not year fractions. With 365 fixings and a flat 365-day year each fixing falls
on one day of the year, so the contract is exactly that of the other contestants.
"""

from __future__ import annotations

import time

import QuantLib as ql  # noqa: N813 - its users' own name

from bench.line_worker import Reply, serve

SPOT = 100.0
STRIKE = 100.0
RATE = 0.05
VOLATILITY = 0.2
DAYS_A_YEAR = 365

ENGINE_OPTIONS = {
    "plain": {"antitheticVariate": False, "controlVariate": False},
    "antithetic": {"antitheticVariate": True, "controlVariate": False},
    "control": {"antitheticVariate": False, "controlVariate": True},
}


def market_process(today: ql.Date) -> ql.BlackScholesMertonProcess:
    """Return the lognormal process with flat rate and volatility."""
    day_count = ql.Actual365Fixed()
    no_dividend = ql.YieldTermStructureHandle(ql.FlatForward(today, 0.0, day_count))
    rate = ql.YieldTermStructureHandle(ql.FlatForward(today, RATE, day_count))
    flat_volatility = ql.BlackConstantVol(today, ql.NullCalendar(), VOLATILITY, day_count)
    return ql.BlackScholesMertonProcess(
        ql.QuoteHandle(ql.SimpleQuote(SPOT)),
        no_dividend,
        rate,
        ql.BlackVolTermStructureHandle(flat_volatility),
    )


def asian_call(today: ql.Date, fixings: int) -> ql.DiscreteAveragingAsianOption:
    """Return the option averaged over `fixings` equally spaced days, today excluded.

    A count that does not divide the year is refused: rounded to days it is another contract.
    """
    days_between, remainder = divmod(DAYS_A_YEAR, fixings)
    if remainder:
        msg = f"{fixings} fixings do not fall on whole days of a year of {DAYS_A_YEAR} days"
        raise ValueError(msg)
    dates = [today + days_between * (index + 1) for index in range(fixings)]
    return ql.DiscreteAveragingAsianOption(
        ql.Average.Arithmetic,
        0.0,
        0,
        dates,
        ql.PlainVanillaPayoff(ql.Option.Call, STRIKE),
        ql.EuropeanExercise(dates[-1]),
    )


def run(words: list[str], seed: int) -> Reply:
    """Price once; the time is that of NPV(), since the objects are built beforehand."""
    variant, fixings, samples = words[0], int(words[1]), int(words[2])
    today = ql.Date(20, ql.November, 2026)
    ql.Settings.instance().evaluationDate = today
    option = asian_call(today, fixings)
    engine = ql.MCDiscreteArithmeticAPEngine(
        market_process(today),
        "pseudorandom",
        brownianBridge=False,
        requiredSamples=samples,
        seed=seed,
        **ENGINE_OPTIONS[variant],
    )
    option.setPricingEngine(engine)
    start_s = time.perf_counter()
    price = option.NPV()
    seconds = time.perf_counter() - start_s
    return {"seconds": seconds, "price": price, "std_error": option.errorEstimate()}


if __name__ == "__main__":
    serve(run)
