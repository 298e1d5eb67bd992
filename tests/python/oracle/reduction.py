# SPDX-License-Identifier: Apache-2.0
"""Arithmetic contracts written as one option on a weighted sum of lognormal prices.

Average price is one already, once the known part of the mean has moved into the strike. Average
strike becomes one with S(expiry) as numeraire and time run backwards: Y(tau) =
S(expiry - tau) / S(expiry) starts at 1 and is lognormal with drift -b, so

    (S(expiry) - k A)^+ = S(expiry) k (1/k - A / S(expiry))^+

is a put of strike 1/k on the mean of Y. The known part of the mean enters it as one more fixing at
time 0, of weight past_part / spot, since past_part / S(expiry) = (past_part / spot) Y(expiry).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from oracle.contract import Contract, FloatArray
from oracle.recursion import LognormalSum


@dataclass(frozen=True)
class SumOption:
    """Pays `scale` * (sum_i w_i S(t_i) - strike)^+, or (strike - ...)^+; S starts at 1.

    `scale` [price] holds spot, discounting and numeraire, so the expectation is undiscounted.
    """

    is_call: bool
    scale: float
    strike: float  # may be negative: then the call is always exercised
    law: LognormalSum  # of the random fixings; of none where nothing is random

    @property
    def forward(self) -> float:
        """Mean of the sum."""
        return float(self.law.forwards.sum())

    @property
    def is_certain(self) -> bool:
        """Whether no probability is left in the payoff."""
        return self.law.volatility == 0.0 or len(self.law.times) == 0 or self.strike <= 0.0

    @property
    def certain_value(self) -> float:
        """Value where `is_certain`."""
        gain = self.forward - self.strike
        return self.scale * max(gain if self.is_call else -gain, 0.0)


def random_part(
    weights: FloatArray, times: FloatArray, strike: float
) -> tuple[FloatArray, FloatArray, float]:
    """Move fixings at time 0 into the strike."""
    now = times <= 0.0
    return weights[~now], times[~now], strike - float(weights[now].sum())


def reduce_price(contract: Contract) -> SumOption:
    """Write an average-price contract as an option on the sum of S / spot."""
    times = np.array(contract.times, dtype=np.float64)
    weights = np.full(len(times), contract.weight)
    strike = (contract.strike - contract.past_part) / contract.spot
    weights, times, strike = random_part(weights, times, strike)
    return SumOption(
        is_call=contract.option_type == "call",
        scale=contract.discount * contract.spot,
        strike=strike,
        law=LognormalSum(weights, times, contract.drift, contract.volatility),
    )


def reduce_strike(contract: Contract) -> SumOption:
    """Write an average-strike contract as an option on the sum of Y (see above)."""
    times = np.array((0.0, *contract.times), dtype=np.float64)
    weights = np.full(len(times), contract.weight)
    weights[0] = contract.past_part / contract.spot
    if len(times) > 1 and times[1] == 0.0:
        weights[1] += weights[0]
        weights, times = weights[1:], times[1:]
    kept = weights > 0.0
    weights, times, strike = random_part(
        weights[kept][::-1], contract.expiry - times[kept][::-1], 1.0 / contract.multiplier
    )
    growth = np.exp((contract.drift - contract.rate) * contract.expiry)
    return SumOption(
        is_call=contract.option_type == "put",
        scale=float(contract.spot * growth * contract.multiplier),
        strike=strike,
        law=LognormalSum(weights, times, -contract.drift, contract.volatility),
    )


def reduce_contract(contract: Contract) -> SumOption:
    """Write an arithmetic contract as an option on a sum."""
    if contract.average_type != "arithmetic":
        raise ValueError("only an arithmetic mean is a sum; use closed_forms for a geometric one")
    if contract.averaging == "price":
        return reduce_price(contract)
    return reduce_strike(contract)
