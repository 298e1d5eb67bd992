# SPDX-License-Identifier: Apache-2.0
"""What can be said of an arithmetic contract without solving it: a lower bound and a guess.

Both take the option on a sum of reduction.py, so they hold for average price and average strike.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from oracle.contract import Contract, FloatArray
from oracle.recursion import black
from oracle.reduction import SumOption, reduce_contract


def from_call(option: SumOption, call: float) -> float:
    """Scale an expectation of (sum - strike)^+; for a put go through parity."""
    value = call if option.is_call else call - (option.forward - option.strike)
    return option.scale * value


def conditional_slopes(option: SumOption) -> FloatArray:
    """Covariance of each ln S(t_i) with Z, the standardised logarithm of the geometric mean."""
    law = option.law
    mean_weights = law.weights / law.weights.sum()
    covariances = np.minimum.outer(law.times, law.times) @ mean_weights
    deviation = np.sqrt(mean_weights @ covariances)
    slopes: FloatArray = law.volatility * covariances / deviation
    return slopes


def lower_bound(contract: Contract) -> float:
    """Bound the price from below by conditioning on the geometric mean.

    E[(sum - strike)^+] >= E[(E[sum | Z] - strike)^+]: Jensen, so it holds without any error.
    Source: Rogers and Shi, J. Appl. Prob. 32 (1995), 1077; Curran, Management Sci. 40 (1994), 1705.
    """
    option = reduce_contract(contract)
    if option.is_certain:
        return option.certain_value
    forwards = option.law.forwards
    slopes = conditional_slopes(option)

    def excess(z: float) -> float:
        return float(np.sum(forwards * np.exp(slopes * z - 0.5 * slopes**2)) - option.strike)

    edge = 1.0
    while excess(edge) < 0.0 or excess(-edge) > 0.0:
        edge *= 2.0
    root = float(brentq(excess, -edge, edge, xtol=1e-14))
    call = float(forwards @ ndtr(slopes - root) - option.strike * ndtr(-root))
    return from_call(option, call)


def moment_matching(contract: Contract) -> float:
    """Price as if the sum were lognormal with its own first two moments; an approximation.

    Source: Levy, J. Int. Money Finance 11 (1992), 474; Turnbull and Wakeman, JFQA 26 (1991), 377.
    """
    option = reduce_contract(contract)
    if option.is_certain:
        return option.certain_value
    law, forwards = option.law, option.law.forwards
    pairs = np.exp(law.volatility**2 * np.minimum.outer(law.times, law.times))
    log_variance = np.log(forwards @ pairs @ forwards / option.forward**2)
    strike = np.array([option.strike])
    call = black(option.forward, float(np.sqrt(log_variance)), strike)[0]
    return from_call(option, float(call))
