# SPDX-License-Identifier: Apache-2.0
"""The true price and the true Greeks of a contract, with the oracle's own error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from oracle.bounds import from_call
from oracle.closed_forms import geometric_price, law_of_log_mean
from oracle.contract import Contract, FloatArray
from oracle.recursion import LADDER, Accuracy, call_on_sum, steps_of
from oracle.reduction import reduce_contract

# Sixth-order central differences over the offsets -3..3 [steps].
OFFSETS = np.arange(-3, 4)
FIRST = np.array([-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0]) / 60.0
SECOND = np.array([2.0, -27.0, 270.0, -490.0, 270.0, -27.0, 2.0]) / 180.0

# A bump in deviations of the payoff: the truncation is then 1e-9 of the Greek, and the recursion's
# own 1e-12 costs no more even in gamma.
BUMP_DEVIATIONS = 0.03

# The recursion is refined until it changes by less than this share of the spot.
SETTLED = 1e-9


@dataclass(frozen=True)
class Truth:
    """A price and a bound on the oracle's error, both in price units."""

    value: float
    error: float


@dataclass(frozen=True)
class Greeks:
    """Sensitivities per 1.00 of what is moved; theta per year. Gamma is per price squared."""

    delta: float
    gamma: float
    vega: float
    rho: float
    dividend_rho: float
    theta: float


def price_of(contract: Contract, accuracy: Accuracy = LADDER[1]) -> float:
    """Price a contract once, without the self-check."""
    if contract.average_type == "geometric":
        return geometric_price(contract)
    option = reduce_contract(contract)
    if option.is_certain:
        return option.certain_value
    strikes = np.array([option.strike])
    return from_call(option, float(call_on_sum(strikes, option.law, accuracy)[0]))


def settle(contract: Contract) -> tuple[Truth, Accuracy]:
    """Refine until the price has settled; its last change is the error."""
    rounding = 1e-13 * contract.spot
    value = price_of(contract, LADDER[0])
    for accuracy in LADDER[1:]:
        coarser, value = value, price_of(contract, accuracy)
        error = abs(value - coarser) + rounding
        if error < SETTLED * contract.spot:
            break
    return Truth(value, error), accuracy


def true_price(contract: Contract) -> Truth:
    """Price a contract, with the oracle's own error."""
    return settle(contract)[0]


def log_deviation(contract: Contract) -> float:
    """Standard deviation of the logarithm of what the payoff turns on; the scale of every bump."""
    if contract.average_type == "arithmetic":
        option = reduce_contract(contract)
        if option.is_certain:
            return 0.0
        first = steps_of(option.law)[0]
        return float(np.sqrt(first.log_variance_before))
    law = law_of_log_mean(contract)
    if contract.averaging == "price":
        return float(np.sqrt(law.variance))
    terminal = contract.volatility**2 * contract.expiry
    return float(np.sqrt(max(terminal + law.variance - 2.0 * law.covariance, 0.0)))


class Bumps:
    """Sixth-order differences of one contract's price, all at one accuracy."""

    def __init__(self, contract: Contract) -> None:
        """Settle the price first: bumping is only as good as it."""
        self.contract = contract
        self.truth, self._accuracy = settle(contract)
        self.deviations = BUMP_DEVIATIONS * min(log_deviation(contract) or 1e-2, 1.0)

    def around(self, move: Callable[[Contract, float], Contract]) -> FloatArray:
        """Prices of the contract moved by each of OFFSETS."""
        values = np.full(len(OFFSETS), self.truth.value)
        for position in np.flatnonzero(OFFSETS):
            moved = move(self.contract, float(OFFSETS[position]))
            values[position] = price_of(moved, self._accuracy)
        return values

    def spot(self) -> tuple[float, float]:
        """Delta and gamma; a fixing at time 0 moves with the spot, past ones do not."""
        step = self.contract.spot * self.deviations
        values = self.around(lambda contract, n: contract.with_(spot=contract.spot + n * step))
        return float(FIRST @ values / step), float(SECOND @ values / step**2)

    def volatility(self) -> float:
        """Change of price per 1.00 of volatility; 0 where there is none to change."""
        level = self.contract.volatility
        if level == 0.0:
            return 0.0
        step = BUMP_DEVIATIONS * level
        values = self.around(lambda contract, n: contract.with_(volatility=level + n * step))
        return float(FIRST @ values / step)

    def drift(self) -> float:
        """Change of price per 1.00 of drift, the rate of discounting kept."""
        step = self.deviations / max(self.contract.expiry, 1e-3)
        values = self.around(lambda contract, n: contract.with_(drift=contract.drift + n * step))
        return float(FIRST @ values / step)


def theta_of(bumps: Bumps, delta: float, gamma: float) -> float:
    """Change of price per year, from the equation that every price obeys between fixings.

    An instant from now a fixing at time 0 is a past one, so its part of delta and gamma is gone.
    """
    contract = bumps.contract
    later = contract.after_first_fixing()
    if later is not contract:
        delta, gamma = Bumps(later).spot()
    growth = contract.drift * contract.spot * delta
    diffusion = 0.5 * (contract.volatility * contract.spot) ** 2 * gamma
    return contract.rate * bumps.truth.value - growth - diffusion


def true_greeks(contract: Contract) -> Greeks:
    """Return the six Greeks by central differences of the oracle's price."""
    bumps = Bumps(contract)
    delta, gamma = bumps.spot()
    drift = bumps.drift()
    discounting = -contract.expiry * bumps.truth.value
    return Greeks(
        delta=delta,
        gamma=gamma,
        vega=bumps.volatility(),
        rho=discounting if contract.drift_given else drift + discounting,
        dividend_rho=-drift,
        theta=theta_of(bumps, delta, gamma),
    )
