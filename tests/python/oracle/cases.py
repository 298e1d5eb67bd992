# SPDX-License-Identifier: Apache-2.0
"""New contracts, drawn at random with a fixed seed over the whole range, for the oracle to settle.

Every kind of row that a book may hold has a maker of its own here. What limits the range is the
Monte Carlo under test, not the oracle: volatility * sqrt(expiry) stays below 2, because beyond it
the payoff is so skewed that no estimate of a standard error can be trusted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from oracle.contract import AverageType, Averaging, Contract, equal_steps
from oracle.truth import log_deviation

SPREAD_MAX = 1.9  # of volatility * sqrt(expiry)


@dataclass(frozen=True)
class Case:
    """A contract and the id of its row."""

    id: str
    contract: Contract


def log_uniform(random: np.random.Generator, low: float, high: float) -> float:
    """Draw a number whose logarithm is uniform."""
    return float(np.exp(random.uniform(np.log(low), np.log(high))))


def fixings_count(random: np.random.Generator) -> int:
    """Draw a number of fixings from 1 to 1000, small ones as often as large ones."""
    return round(log_uniform(random, 0.6, 1000.0) + 0.4)


def moneyed(contract: Contract, random: np.random.Generator) -> Contract:
    """Set strike or multiplier up to 3 deviations of the payoff away from the forward."""
    times = np.array(contract.times)
    growth = np.exp(contract.drift * times).sum()
    forward = contract.past_part + contract.spot * contract.weight * float(growth)
    terminal = contract.spot * float(np.exp(contract.drift * contract.expiry))
    fair = contract.with_(strike=forward, multiplier=terminal / forward)
    shift = float(np.exp(random.uniform(-3.0, 3.0) * min(log_deviation(fair), 0.7)))
    if contract.averaging == "strike":
        return fair.with_(strike=float("nan"), multiplier=fair.multiplier * shift)
    return fair.with_(strike=fair.strike * shift, multiplier=1.0)


def plain(random: np.random.Generator) -> Contract:
    """Average price on equal steps, the first one step from now; rates may be negative."""
    expiry = log_uniform(random, 0.05, 10.0)
    volatility = min(log_uniform(random, 0.01, 2.0), SPREAD_MAX / np.sqrt(expiry))
    count = fixings_count(random)
    rate, dividend_yield = random.uniform(-0.03, 0.12), random.uniform(-0.02, 0.08)
    contract = Contract(
        option_type="call" if random.random() < 0.5 else "put",
        spot=log_uniform(random, 0.5, 2000.0),
        rate=rate,
        drift=rate - dividend_yield,
        volatility=float(volatility),
        expiry=expiry,
        times=equal_steps(expiry / count, expiry, count),
    )
    return moneyed(contract, random)


def with_start(random: np.random.Generator) -> Contract:
    """The same with a fixing today."""
    contract = plain(random)
    count = max(len(contract.times), 2)
    return moneyed(contract.with_(times=equal_steps(0.0, contract.expiry, count)), random)


def uneven(random: np.random.Generator) -> Contract:
    """Fixings anywhere between now and expiry; now and then the first one is today."""
    contract = plain(random)
    times = np.unique(np.round(random.uniform(0.0, contract.expiry, len(contract.times)), 6))
    if random.random() < 0.3:
        times[0] = 0.0
    times[-1] = max(times[-1], contract.expiry / 2.0)
    return moneyed(contract.with_(times=tuple(times.tolist())), random)


def seasoned(random: np.random.Generator) -> Contract:
    """Some fixings are past, at prices about the spot."""
    contract = plain(random)
    past = int(random.integers(1, 2 * len(contract.times) + 1))
    prices = contract.spot * np.exp(random.normal(0.0, 0.2, past))
    contract = contract.with_(
        past_count=past,
        past_sum=float(prices.sum()),
        past_log_sum=float(np.log(prices).sum()),
    )
    return moneyed(contract, random)


def paid_later(random: np.random.Generator) -> Contract:
    """Fixings begin at any time and end well before the payment."""
    contract = plain(random)
    first, last = np.sort(random.uniform(0.02, 0.8, 2)) * contract.expiry
    return moneyed(contract.with_(times=equal_steps(first, last, len(contract.times))), random)


def flat_forward(random: np.random.Generator) -> Contract:
    """Rate equals dividend yield: the drift is exactly 0."""
    return moneyed(plain(random).with_(drift=0.0), random)


def own_drift(random: np.random.Generator) -> Contract:
    """The user's own drift instead of rate - dividend yield."""
    drift = float(random.uniform(-0.1, 0.2))
    return moneyed(plain(random).with_(drift=drift, drift_given=True), random)


def average_strike(random: np.random.Generator) -> Contract:
    """The mean is the strike, times a multiplier; the grid is of any of the kinds above."""
    maker = (plain, with_start, uneven, seasoned, paid_later)[int(random.integers(5))]
    averaging: Averaging = "strike"
    return moneyed(maker(random).with_(averaging=averaging), random)


def geometric(random: np.random.Generator) -> Contract:
    """The geometric mean, of any of the kinds above."""
    maker = (plain, with_start, uneven, seasoned, average_strike)[int(random.integers(5))]
    average_type: AverageType = "geometric"
    return moneyed(maker(random).with_(average_type=average_type), random)


def certain(random: np.random.Generator) -> Contract:
    """Nothing is left to chance: past fixings above the strike, all past, or no volatility."""
    kind = int(random.integers(3))
    contract = seasoned(random)
    if kind == 0:
        return contract.with_(strike=0.9 * contract.past_part)
    if kind == 1:
        return contract.with_(times=(), strike=contract.past_sum / contract.past_count * 0.98)
    return contract.with_(volatility=0.0)


MAKERS: tuple[Callable[[np.random.Generator], Contract], ...] = (
    plain,
    with_start,
    uneven,
    seasoned,
    paid_later,
    flat_forward,
    own_drift,
    average_strike,
    geometric,
    certain,
)


def new_cases(count: int, seed: int = 2026) -> list[Case]:
    """Draw `count` contracts, every kind in turn; the same for the same seed, whatever count."""
    cases = []
    for position in range(count):
        maker = MAKERS[position % len(MAKERS)]
        random = np.random.default_rng((seed, position))
        cases.append(Case(f"{maker.__name__}-{position}", maker(random)))
    return cases
