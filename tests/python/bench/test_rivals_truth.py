# SPDX-License-Identifier: Apache-2.0
"""The true prices of the rivals' cases are the oracle's."""

from pathlib import Path

import pytest
from oracle.contract import Contract, equal_steps
from oracle.truth import true_price

from bench.case import Scale
from bench.rivals.__main__ import RIVALS
from bench.rivals.case import read_rivals
from bench.rivals.contract import EXPIRY_Y, HESTON, RATE, SPOT, VOLATILITY, read_words, take_call

CASES = Path(__file__).resolve().parents[3] / "bench" / "cases" / "rivals"


@pytest.mark.parametrize("name", [name for name in RIVALS if name != "heston"])
def test_true_prices_are_the_oracles(name: str) -> None:
    rivals = read_rivals(CASES / f"{name}.toml", Scale.FULL)
    words = read_words(rivals.case.contestants[0].full_request.split())
    call = take_call(words)
    middle = len(call.strikes) // 2  # and the first: each takes the oracle a second

    for index in {0, middle}:
        contract = Contract(
            average_type=call.average,
            spot=SPOT,
            strike=call.strikes[index],
            rate=RATE,
            drift=RATE,
            volatility=VOLATILITY,
            expiry=EXPIRY_Y,
            times=equal_steps(EXPIRY_Y / call.fixings, EXPIRY_Y, call.fixings),
        )
        assert rivals.truths[index] == pytest.approx(true_price(contract).value, abs=2e-10)
    assert len(rivals.truths) == len(call.strikes)


def test_the_true_price_under_a_random_variance_is_within_quantlibs_error() -> None:
    ql = pytest.importorskip("QuantLib")
    rivals = read_rivals(CASES / "heston.toml", Scale.FULL)
    call = take_call(read_words(rivals.case.contestants[0].full_request.split()))
    today = ql.Date(20, 11, 2026)
    ql.Settings.instance().evaluationDate = today
    days = ql.Actual360()
    flat = [ql.YieldTermStructureHandle(ql.FlatForward(today, r, days)) for r in (RATE, 0.0)]
    spot = ql.QuoteHandle(ql.SimpleQuote(SPOT))
    process = ql.HestonProcess(*flat, spot, *HESTON.values())
    dates = [today + day for day in range(1, call.fixings + 1)]
    option = ql.DiscreteAveragingAsianOption(
        ql.Average.Arithmetic,
        0.0,
        0,
        dates,
        ql.PlainVanillaPayoff(ql.Option.Call, call.strikes[0]),
        ql.EuropeanExercise(dates[-1]),
    )
    option.setPricingEngine(
        ql.MCPRDiscreteArithmeticAPHestonEngine(
            process, antitheticVariate=True, controlVariate=True, requiredSamples=2048, seed=3
        )
    )
    error = option.errorEstimate() if option.NPV() else 0.0
    # QuantLib's steps and the mean of its control are off by some 1e-3.
    assert rivals.truths[0] == pytest.approx(option.NPV(), abs=4 * error + 5e-3)
