# SPDX-License-Identifier: Apache-2.0
"""The oracle against published values, closed forms, brute force and its own invariants."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from oracle import Contract, equal_steps, true_greeks, true_price
from oracle.bounds import lower_bound, moment_matching
from oracle.cases import Case, new_cases
from oracle.recursion import LADDER, LognormalSum, black, call_on_sum
from oracle.reference import (
    ContinuousPrice,
    ReferenceGreeks,
    ReferencePrice,
    continuous_prices,
    reference_greeks,
    reference_prices,
    trapezoid,
)
from oracle.truth import price_of
from scipy.integrate import quad

PRICES = reference_prices()
GREEKS = reference_greeks()
# Ten printed digits and more: the only continuous values good enough to judge the recursion.
CONTINUOUS = continuous_prices("Linetsky") + continuous_prices("Nieuwveldt")
SHORT_CASES = [case for case in new_cases(60) if len(case.contract.times) <= 25]
SHORT_SUMS = [case for case in SHORT_CASES if case.contract.average_type == "arithmetic"]
MONTHLY = Contract(rate=0.06, drift=0.03, times=equal_steps(1 / 12, 1.0, 12))


def case_id(case: Case | ReferencePrice | ContinuousPrice) -> str:
    return case.id


@pytest.mark.parametrize("row", PRICES, ids=case_id)
def test_reference_price_is_reproduced(row: ReferencePrice) -> None:
    truth = true_price(row.contract)

    assert abs(truth.value - row.exact) <= max(row.exact_error, 1e-7 * abs(row.exact), 1e-12)
    agrees = abs(truth.value - row.expected) <= row.tolerance
    assert agrees != row.suspect


def test_reference_has_every_kind_of_row() -> None:
    assert len(PRICES) == 59
    assert {row.contract.averaging for row in PRICES} == {"price", "strike"}
    assert {row.contract.average_type for row in PRICES} == {"arithmetic", "geometric"}
    assert [row.id for row in PRICES if row.suspect] == ["R004"]


@pytest.mark.parametrize("row", CONTINUOUS, ids=case_id)
def test_limit_of_many_fixings_is_the_published_continuous_price(row: ContinuousPrice) -> None:
    """Trapezoid weights have an error in even powers of the step: Romberg's table removes it."""
    contract = row.contract
    scale = contract.discount * contract.spot
    column = []
    for steps in (32, 64, 128):
        weights, times = trapezoid(steps), np.linspace(0.0, contract.expiry, steps + 1)
        strike = np.array([contract.strike / contract.spot - weights[0]])
        law = LognormalSum(weights[1:], times[1:], contract.drift, contract.volatility)
        column.append(scale * call_on_sum(strike, law, LADDER[0])[0])

    first = [(4 * fine - coarse) / 3 for coarse, fine in pairwise(column)]
    limit = (16 * first[1] - first[0]) / 15

    assert abs(limit - row.exact) <= row.tolerance


def values_at(row: ReferenceGreeks, name: str, steps: tuple[float, ...]) -> list[float]:
    start = getattr(row.contract, name)
    return [price_of(row.contract.with_(**{name: start + step}), LADDER[1]) for step in steps]


def first_difference(row: ReferenceGreeks, name: str, step: float) -> float:
    down, up = values_at(row, name, (-step, step))
    return (up - down) / (2 * step)


def second_difference(row: ReferenceGreeks, name: str, step: float) -> float:
    down, here, up = values_at(row, name, (-step, 0.0, step))
    return (up - 2 * here + down) / step**2


@pytest.mark.parametrize("row", GREEKS, ids=lambda row: row.label)
def test_reference_greeks_are_reproduced_with_their_own_bumps(row: ReferenceGreeks) -> None:
    """The table's Greeks are Richardson differences with wide bumps: the same bumps, all digits."""
    spot_step = row.contract.spot / 100
    delta = (
        4 * first_difference(row, "spot", spot_step) - first_difference(row, "spot", 2 * spot_step)
    ) / 3
    gamma = (
        4 * second_difference(row, "spot", 2 * spot_step)
        - second_difference(row, "spot", 4 * spot_step)
    ) / 3
    vega = (
        4 * first_difference(row, "volatility", 0.01) - first_difference(row, "volatility", 0.02)
    ) / 3

    assert price_of(row.contract) == pytest.approx(row.price, abs=1.1e-8)
    assert delta == pytest.approx(row.greeks["delta"], abs=1.1e-8)
    assert gamma == pytest.approx(row.greeks["gamma"], abs=1.1e-8)
    assert vega == pytest.approx(row.greeks["vega"], abs=1.1e-8)


@pytest.mark.parametrize("row", GREEKS, ids=lambda row: row.label)
def test_reference_greeks_are_close_to_the_converged_ones(row: ReferenceGreeks) -> None:
    """The table's gamma carries up to 1e-4 of truncation (its 4 % bump), and theta with it."""
    truth = true_greeks(row.contract)

    allowed = {"gamma": 1.2e-4, "theta": 1.2e-4}
    for name, value in row.greeks.items():
        assert getattr(truth, name) == pytest.approx(value, rel=allowed.get(name, 3e-6)), name


@pytest.mark.parametrize("averaging", ["price", "strike"])
@pytest.mark.parametrize("option_type", ["call", "put"])
def test_one_fixing_has_the_closed_form_of_a_geometric_mean(
    option_type: str, averaging: str
) -> None:
    contract = Contract(volatility=0.4, drift=-0.02, expiry=1.5, strike=95.0, times=(0.9,))
    contract = contract.with_(option_type=option_type, averaging=averaging, multiplier=0.93)
    geometric = contract.with_(average_type="geometric")

    arithmetic_greeks, geometric_greeks = true_greeks(contract), true_greeks(geometric)

    assert true_price(contract).value == pytest.approx(true_price(geometric).value, abs=1e-12)
    for name in ("delta", "gamma", "vega", "rho", "dividend_rho", "theta"):
        value = getattr(geometric_greeks, name)
        assert getattr(arithmetic_greeks, name) == pytest.approx(value, rel=1e-7, abs=1e-8), name


def test_one_fixing_has_the_greeks_of_black_and_scholes() -> None:
    contract = Contract(rate=0.06, drift=0.03, volatility=0.3, strike=110.0, times=(1.0,))
    forward = 100.0 * math.exp(0.03)
    upper = (math.log(forward / 110.0) + 0.045) / 0.3
    density = math.exp(-0.5 * upper**2) / math.sqrt(2 * math.pi)
    carry = math.exp(0.03 - 0.06)

    greeks = true_greeks(contract)

    assert greeks.gamma == pytest.approx(carry * density / (100.0 * 0.3), rel=1e-8)
    assert greeks.vega == pytest.approx(100.0 * carry * density, rel=1e-8)


def brute_force(
    contract: Contract, value_given_first: Callable[[float], float], first: float
) -> float:
    """Integrate a conditional value over the log of the first fixing, adaptively."""
    deviation = contract.volatility * math.sqrt(first)
    mean = (contract.drift - 0.5 * contract.volatility**2) * first

    def integrand(z: float) -> float:
        price = contract.spot * math.exp(mean + deviation * z)
        return float(value_given_first(price) * math.exp(-0.5 * z * z))

    value, _ = quad(integrand, -9.0, 9.0, points=[-1.0, 0.0, 1.0], epsabs=1e-12, limit=400)
    return contract.discount * float(value) / math.sqrt(2 * math.pi)


def test_two_fixings_agree_with_brute_force() -> None:
    contract = Contract(
        option_type="put", volatility=0.6, drift=0.02, expiry=1.2, strike=90.0,
        times=(0.3, 1.0), past_count=2, past_sum=170.0,
    )  # fmt: skip
    growth, deviation = math.exp(0.02 * 0.7), 0.6 * math.sqrt(0.7)

    def put_given(first: float) -> float:
        strike = 90.0 - (170.0 + first) / 4.0
        call = black(0.25 * first * growth, deviation, np.array([strike]))[0]
        return float(call - (0.25 * first * growth - strike))

    assert true_price(contract).value == pytest.approx(
        brute_force(contract, put_given, 0.3), abs=1e-9
    )


def test_seasoned_average_strike_agrees_with_brute_force() -> None:
    """One fixing, past ones, payment later than the fixing: all of the reversal at once."""
    contract = Contract(
        averaging="strike", volatility=0.6, drift=-0.04, expiry=1.2, multiplier=1.1,
        times=(0.3,), past_count=3, past_sum=260.0,
    )  # fmt: skip
    growth, deviation = math.exp(-0.04 * 0.9), 0.6 * math.sqrt(0.9)

    def call_given(first: float) -> float:
        strike = 1.1 * (260.0 + first) / 4.0
        return float(black(first * growth, deviation, np.array([strike]))[0])

    assert true_price(contract).value == pytest.approx(
        brute_force(contract, call_given, 0.3), abs=1e-9
    )


def test_average_strike_with_a_fixing_today_and_at_expiry_agrees_with_brute_force() -> None:
    contract = Contract(
        averaging="strike", option_type="put", volatility=0.5, drift=0.07, expiry=1.0,
        multiplier=0.9, times=(0.0, 0.4, 1.0), past_count=1, past_sum=120.0,
    )  # fmt: skip
    growth, deviation = math.exp(0.07 * 0.6), 0.5 * math.sqrt(0.6)
    kept = 1.0 - 0.9 / 4.0

    def put_given(first: float) -> float:
        strike = 0.9 * (220.0 + first) / 4.0
        forward = kept * first * growth
        return float(black(forward, deviation, np.array([strike]))[0] - (forward - strike))

    assert true_price(contract).value == pytest.approx(
        brute_force(contract, put_given, 0.4), abs=1e-9
    )


@pytest.mark.parametrize("case", SHORT_CASES, ids=case_id)
def test_oracle_knows_its_error(case: Case) -> None:
    finest = price_of(case.contract, LADDER[3])

    truth = true_price(case.contract)

    assert truth.error <= 1e-7 * case.contract.spot
    assert abs(truth.value - finest) <= 10 * truth.error


@pytest.mark.parametrize("case", SHORT_SUMS, ids=case_id)
def test_calls_and_puts_differ_by_the_forward(case: Case) -> None:
    contract = case.contract
    growth = np.exp(contract.drift * np.array(contract.times)).sum()
    mean = contract.past_part + contract.weight * contract.spot * float(growth)
    gain = mean - contract.strike
    if contract.averaging == "strike":
        terminal = contract.spot * math.exp(contract.drift * contract.expiry)
        gain = terminal - contract.multiplier * mean

    call = true_price(contract.with_(option_type="call"))
    put = true_price(contract.with_(option_type="put"))

    allowed = call.error + put.error
    assert call.value - put.value == pytest.approx(contract.discount * gain, abs=allowed)
    assert min(call.value, put.value) >= -allowed


@pytest.mark.parametrize(("volatility", "gap"), [(0.1, 5.3e-5), (0.2, 4.3e-4), (0.5, 6.7e-3)])
def test_lower_bound_is_close_at_the_money(volatility: float, gap: float) -> None:
    contract = MONTHLY.with_(volatility=volatility)

    assert true_price(contract).value - lower_bound(contract) == pytest.approx(gap, rel=0.03)


@pytest.mark.parametrize("case", SHORT_SUMS, ids=case_id)
def test_lower_bound_is_below_and_moment_matching_is_near(case: Case) -> None:
    contract = case.contract
    truth = true_price(contract)

    assert lower_bound(contract) <= truth.value + truth.error
    assert moment_matching(contract) == pytest.approx(truth.value, abs=0.05 * contract.spot)


def later_by(contract: Contract, wait: float) -> Contract:
    """Return the contract after `wait` years in which the spot has not moved."""
    moved = contract.after_first_fixing()
    times = tuple(time - wait for time in moved.times)
    return moved.with_(times=times, expiry=moved.expiry - wait)


@pytest.mark.parametrize("start", [0.0, 1 / 12])
@pytest.mark.parametrize("averaging", ["price", "strike"])
def test_theta_is_what_a_day_takes(averaging: str, start: float) -> None:
    contract = MONTHLY.with_(averaging=averaging, times=equal_steps(start, 0.9, 12))
    contract = contract.with_(past_count=2, past_sum=190.0, multiplier=1.02)
    wait = 1e-3

    theta = true_greeks(contract).theta

    earlier, later = (price_of(later_by(contract, shift)) for shift in (-wait, wait))
    assert theta == pytest.approx((later - earlier) / (2 * wait), rel=1e-5)


def test_fresh_average_strike_has_no_gamma() -> None:
    """Its price is proportional to the spot."""
    contract = MONTHLY.with_(averaging="strike", multiplier=0.97)

    greeks = true_greeks(contract)

    assert greeks.delta == pytest.approx(true_price(contract).value / 100.0, rel=1e-10)
    assert abs(greeks.gamma) < 1e-9


def test_rho_of_a_given_drift_only_discounts() -> None:
    contract = MONTHLY.with_(drift=0.12, drift_given=True)

    greeks = true_greeks(contract)

    assert greeks.rho == pytest.approx(-true_price(contract).value, rel=1e-12)
    assert greeks.dividend_rho < 0.0


def test_new_cases_do_not_depend_on_how_many_are_drawn() -> None:
    assert repr(new_cases(20)) == repr(new_cases(60)[:20])
    assert len({case.id for case in new_cases(60)}) == 60
