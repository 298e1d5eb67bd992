# SPDX-License-Identifier: Apache-2.0
"""Options and processes of QuantLib as rows and curves: their prices are QuantLib's own."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import polars as pl
import pytest

import makespan


@pytest.fixture(name="quantlib")
def loaded_quantlib() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of SWIG's types
        return pytest.importorskip("QuantLib")


def process_of(ql: Any, *, flat: bool) -> Any:
    today = ql.Date(25, 11, 2026)
    ql.Settings.instance().evaluationDate = today
    count = ql.Actual365Fixed()
    later = [today, today + 180, today + 400]
    rates = [0.04, 0.04, 0.04] if flat else [0.03, 0.03, 0.06]
    volatilities = [0.25, 0.25] if flat else [0.35, 0.25]
    vol = ql.BlackVarianceCurve(today, later[1:], volatilities, count)
    return ql.BlackScholesMertonProcess(
        ql.QuoteHandle(ql.SimpleQuote(100.0)),
        ql.YieldTermStructureHandle(ql.FlatForward(today, 0.01, count)),
        ql.YieldTermStructureHandle(ql.ZeroCurve(later, rates, count)),
        ql.BlackVolTermStructureHandle(vol),
    )


def option_of(ql: Any, average: Any, past: list[float], dates: list[Any], expiry: Any) -> Any:
    total = sum(past) if average == ql.Average.Arithmetic else float(np.prod(past or [1.0]))
    payoff = ql.PlainVanillaPayoff(ql.Option.Put, 101.0)
    return ql.DiscreteAveragingAsianOption(
        average, total, len(past), dates, payoff, ql.EuropeanExercise(expiry)
    )


def priced_from(ql: Any, *, flat: bool, average_type: str, past: list[float]) -> tuple[Any, Any]:
    process = process_of(ql, flat=flat)
    today = process.riskFreeRate().referenceDate()
    dates = [today + 30 * i for i in range(1, 12)]
    average = getattr(ql.Average, average_type.capitalize())
    option = option_of(ql, average, past, dates, today + 340)
    row, curves = makespan.from_quantlib(
        option, process, fixing_dates=dates, average_type=average_type, past_fixings=past
    )
    table = makespan.price(pl.DataFrame([row]), curves=curves, memory=False).table
    return option, (process, table)


def test_a_geometric_option_of_quantlib_has_its_price(quantlib: Any) -> None:
    option, (process, table) = priced_from(quantlib, flat=True, average_type="geometric", past=[])
    option.setPricingEngine(quantlib.AnalyticDiscreteGeometricAveragePriceAsianEngine(process))

    assert table["price"][0] == pytest.approx(option.NPV(), rel=1e-9)


@pytest.mark.parametrize("past", [[], [98.0, 103.0]])
def test_an_arithmetic_option_of_quantlib_has_its_price(quantlib: Any, past: list[float]) -> None:
    ql = quantlib
    option, (process, table) = priced_from(ql, flat=False, average_type="arithmetic", past=past)
    engine = ql.MCPRDiscreteArithmeticAPEngine(
        process, brownianBridge=False, antitheticVariate=True, controlVariate=False,
        requiredSamples=1 << 15, seed=7,
    )  # fmt: skip
    option.setPricingEngine(engine)

    assert table["price"][0] == pytest.approx(option.NPV(), abs=4 * option.errorEstimate())
    assert option.errorEstimate() < 0.05


def test_equal_curves_of_two_options_have_one_name(quantlib: Any) -> None:
    process = process_of(quantlib, flat=False)
    today = process.riskFreeRate().referenceDate()
    dates = [today + 100, today + 200]
    names = [
        set(
            makespan.from_quantlib(
                option_of(quantlib, quantlib.Average.Arithmetic, [], dates, dates[-1]),
                process,
                fixing_dates=dates,
            ).curves
        )
        for _ in range(2)
    ]

    assert names[0] == names[1]
    assert len(names[0]) == 3


@pytest.mark.parametrize(
    "past", [np.ma.masked_array([98.0, 9.0], [0, 1]), [1j], [10**400], [0.0], [-1.0], [np.nan], 9.0]
)
@pytest.mark.parametrize("average_type", ["arithmetic", "geometric"])
def test_past_fixings_are_prices(quantlib: Any, average_type: str, past: Any) -> None:
    process = process_of(quantlib, flat=True)
    later = process.riskFreeRate().referenceDate() + 9
    option = option_of(quantlib, quantlib.Average.Arithmetic, [], [later], later)

    with pytest.raises(makespan.InputError, match="from_quantlib: past_fixings "):
        makespan.from_quantlib(
            option, process, fixing_dates=[later], average_type=average_type, past_fixings=past
        )


def test_what_quantlib_has_and_we_have_not_is_refused(quantlib: Any) -> None:
    ql = quantlib
    process = process_of(ql, flat=True)
    today = process.riskFreeRate().referenceDate()
    option = option_of(ql, ql.Average.Arithmetic, [], [today + 9], today + 9)

    with pytest.raises(makespan.InputError, match=r"is before 2026-11-25.*give its price in past"):
        makespan.from_quantlib(option, process, fixing_dates=[today - 9, today + 9])
    with pytest.raises(makespan.InputError, match=r"average_type must be 'arithmetic'"):
        makespan.from_quantlib(option, process, fixing_dates=[today + 9], average_type="mean")
    with pytest.raises(makespan.InputError, match="2026-12-04 is there twice; give it once"):
        makespan.from_quantlib(option, process, fixing_dates=[today + 9, today + 9])
    for odd in (["2026-12-04"], [None], None):
        with pytest.raises(makespan.InputError, match=r"fixing date .* is no QuantLib.Date"):
            makespan.from_quantlib(option, process, fixing_dates=odd)  # type: ignore[arg-type]
    american = ql.AmericanExercise(today, today + 9)
    payoff = ql.PlainVanillaPayoff(ql.Option.Put, 101.0)
    early = ql.DiscreteAveragingAsianOption(
        ql.Average.Arithmetic, 0.0, 0, [today + 9], payoff, american
    )
    with pytest.raises(makespan.InputError, match="not European"):
        makespan.from_quantlib(early, process, fixing_dates=[today + 9])


@pytest.mark.parametrize("is_heston", [False, True])
def test_an_option_that_expires_today_is_worth_its_payoff(quantlib: Any, is_heston: bool) -> None:  # noqa: FBT001
    ql = quantlib
    process: Any = process_of(ql, flat=True)
    today = process.riskFreeRate().referenceDate()
    option = option_of(ql, ql.Average.Arithmetic, [98.0], [today], today)
    if is_heston:
        of = (process.riskFreeRate(), process.dividendYield(), process.stateVariable())
        process = ql.HestonModel(ql.HestonProcess(*of, 0.04, 2.0, 0.04, 0.3, -0.5))

    row, curves = makespan.from_quantlib(option, process, fixing_dates=[today], past_fixings=[98.0])
    table = makespan.price(pl.DataFrame([row]), memory=False).table

    assert curves == {}
    assert (row["rate"], row["dividend_yield"]) == pytest.approx((0.04, 0.01))
    assert row.get("volatility") == (None if is_heston else pytest.approx(0.25))
    assert table["price"][0] == pytest.approx(101.0 - (98.0 + 100.0) / 2)


def test_a_heston_model_that_does_not_tell_its_curves_is_refused(
    quantlib: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ql = quantlib
    process: Any = process_of(ql, flat=True)
    today = process.riskFreeRate().referenceDate()
    of = (process.riskFreeRate(), process.dividendYield(), process.stateVariable())
    model = ql.HestonModel(ql.HestonProcess(*of, 0.04, 2.0, 0.04, 0.3, -0.5))
    monkeypatch.delattr(ql.HestonModel, "process")

    with pytest.raises(makespan.NotConfiguredError, match=r"that of 1\.38 does: pip install"):
        makespan.from_quantlib(
            option_of(ql, ql.Average.Arithmetic, [], [today + 9], today + 9),
            model,
            fixing_dates=[today + 9],
        )


def test_an_option_that_has_expired_is_refused(quantlib: Any) -> None:
    ql = quantlib
    process = process_of(ql, flat=True)
    gone = process.riskFreeRate().referenceDate() - 9
    option = option_of(ql, ql.Average.Arithmetic, [98.0], [], gone)

    with pytest.raises(makespan.InputError, match="exercise date 2026-11-16 is before 2026-11-25"):
        makespan.from_quantlib(option, process, fixing_dates=[], past_fixings=[98.0])


def test_what_quantlib_refuses_is_said_in_its_words(quantlib: Any) -> None:
    ql = quantlib
    process = process_of(ql, flat=True)
    late = process.riskFreeRate().referenceDate() + 4000
    option = option_of(ql, ql.Average.Arithmetic, [], [late], late)

    with pytest.raises(makespan.InputError, match=r"^from_quantlib: QuantLib says: .*past max"):
        makespan.from_quantlib(option, process, fixing_dates=[late])


def test_what_is_priced_by_other_rules_is_refused(quantlib: Any) -> None:
    """Others have a payoff and an exercise, too, and jumps are no part of Heston's model."""
    ql = quantlib
    process = process_of(ql, flat=True)
    today = process.riskFreeRate().referenceDate()
    payoff = ql.PlainVanillaPayoff(ql.Option.Put, 101.0)
    exercise = ql.EuropeanExercise(today + 9)
    others = [
        ql.EuropeanOption(payoff, exercise),
        ql.BarrierOption(ql.Barrier.UpOut, 120.0, 0.0, payoff, exercise),
        ql.ContinuousAveragingAsianOption(ql.Average.Arithmetic, payoff, exercise),
        object(),
    ]
    for other in others:
        with pytest.raises(makespan.InputError, match=r"is no DiscreteAveragingAsianOption"):
            makespan.from_quantlib(other, process, fixing_dates=[today + 9])

    option = option_of(ql, ql.Average.Arithmetic, [], [today + 9], today + 9)
    heston = (0.04, 2.0, 0.04, 0.3, -0.5)
    of = (process.riskFreeRate(), process.dividendYield(), process.stateVariable(), *heston)
    jumps = ql.BatesModel(ql.BatesProcess(*of, 2.0, -0.2, 0.3))
    for model in (jumps, ql.HestonProcess(*of)):
        with pytest.raises(makespan.InputError, match="is of no model that makespan has"):
            makespan.from_quantlib(option, model, fixing_dates=[today + 9])
