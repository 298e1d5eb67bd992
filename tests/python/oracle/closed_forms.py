# SPDX-License-Identifier: Apache-2.0
"""Geometric means of lognormal prices are lognormal: prices in closed form.

Source: average price, Clewlow and Strickland, Implementing Derivatives Models (1998), 118-123;
average strike is Margrabe's exchange option, J. Finance 33 (1978), 177, on S(expiry) and G.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from oracle.contract import Contract


@dataclass(frozen=True)
class LogMean:
    """Law of ln G, and its covariance with ln S(expiry)."""

    mean: float
    variance: float
    covariance: float


def law_of_log_mean(contract: Contract) -> LogMean:
    """Return the normal law of the logarithm of the geometric mean of all fixings."""
    times = np.array(contract.times, dtype=np.float64)
    growth = contract.drift - 0.5 * contract.volatility**2
    known = contract.past_log_sum * contract.weight
    logs = np.log(contract.spot) + growth * times
    pairs = np.minimum.outer(times, times)
    return LogMean(
        mean=known + contract.weight * float(logs.sum()),
        variance=contract.volatility**2 * contract.weight**2 * float(pairs.sum()),
        covariance=contract.volatility**2 * contract.weight * float(times.sum()),
    )


def exchange(first: float, second: float, variance: float) -> float:
    """E[(X - Y)^+] of two lognormals of means `first`, `second`; `variance` is that of ln(X/Y).

    Either may be a constant. Below a variance of 1e-300 both are.
    """
    if variance <= 1e-300 or second <= 0.0 or first <= 0.0:
        return max(first - second, 0.0)
    deviation = float(np.sqrt(variance))
    upper = float(np.log(first / second)) / deviation + 0.5 * deviation
    return float(first * ndtr(upper) - second * ndtr(upper - deviation))


def geometric_price(contract: Contract) -> float:
    """Value of a contract on the geometric mean, average price or average strike."""
    law = law_of_log_mean(contract)
    forward = float(np.exp(law.mean + 0.5 * law.variance))
    if contract.averaging == "price":
        long, short, variance = forward, contract.strike, law.variance
    else:
        long = contract.spot * float(np.exp(contract.drift * contract.expiry))
        short = contract.multiplier * forward
        terminal = contract.volatility**2 * contract.expiry
        variance = max(terminal + law.variance - 2.0 * law.covariance, 0.0)
    if contract.option_type == "put":
        long, short = short, long
    return contract.discount * exchange(long, short, variance)
