# SPDX-License-Identifier: Apache-2.0
"""Undiscounted call on a weighted sum of lognormal prices, by recursion in one dimension.

Let S start at 1 and A = sum_i w_i S(t_i). Because the price is homogeneous in (S, strike), all that
a path has done up to fixing k is in one number x_k = (strike - sum_{i<=k} w_i S(t_i)) / S(t_k), and
u_k(x), the value of what is left per unit of S(t_k), obeys

    u_k(x) = e^{b dt} E[u_{k+1}(x e^{-X} - w_{k+1})],   X ~ N((b + sigma^2/2) dt, sigma^2 dt).

u_{n-1} is Black's formula, and for x <= 0 u_k is the straight line F_k - x, F_k the forward of what
is left. Going backwards, each u_k is kept as a quintic spline in ln x over the part of the axis
where it is neither that line nor zero.
Source: the homogeneity is that of Rogers and Shi, J. Appl. Prob. 32 (1995), 1077, section 2, here
with discrete fixings. Tested by: test_oracle.py (closed forms, published values).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.interpolate import make_interp_spline
from scipy.special import ndtr

from oracle.contract import FloatArray

Function = Callable[[FloatArray], FloatArray]
SQRT_2PI = float(np.sqrt(2.0 * np.pi))


@dataclass(frozen=True)
class Accuracy:
    """How finely the recursion is resolved; its error is the change between two of these."""

    knots_per_deviation: float
    legendre_points: int
    hermite_points: int
    deviations: float = 8.5  # where a normal tail (1e-17) is cut


# From cheap to dear. The first two agree to 1e-11 of the spot on regular grids; very uneven ones
# (a day after five years) and a volatility of 2 over five years need the later ones.
LADDER = (
    Accuracy(knots_per_deviation=24.0, legendre_points=40, hermite_points=12),
    Accuracy(knots_per_deviation=32.0, legendre_points=56, hermite_points=18),
    Accuracy(knots_per_deviation=45.0, legendre_points=110, hermite_points=26),
    Accuracy(knots_per_deviation=80.0, legendre_points=170, hermite_points=44),
)

# A step whose normal is this much narrower than the value function needs no care at its corners:
# Gauss-Hermite sees a smooth function. Found by comparing both rules over the cases of cases.py.
NARROW_STEP = 0.25


@cache
def legendre(points: int) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of Gauss-Legendre on [0, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(points)
    return 0.5 * (nodes + 1.0), 0.5 * weights


@cache
def hermite(points: int) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of Gauss-Hermite for a standard normal."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(points)
    return nodes, weights / SQRT_2PI


@dataclass(frozen=True, eq=False)
class LognormalSum:
    """The sum of w_i S(t_i), S lognormal and 1 at time 0; at least one fixing."""

    weights: FloatArray  # positive, shape (n)
    times: FloatArray  # [years], strictly increasing from above 0, shape (n)
    drift: float  # [1/year]
    volatility: float  # [1/sqrt(year)], positive

    @property
    def forwards(self) -> FloatArray:
        """Mean of each term, shape (n)."""
        return self.weights * np.exp(self.drift * self.times)


@dataclass(frozen=True)
class Step:
    """One fixing: the time since the one before, its weight, and what is left at either end."""

    drift: float  # b dt
    deviation: float  # sigma sqrt(dt)
    weight: float
    forward_after: float  # F just after this fixing
    log_variance_after: float  # ln(E[A^2] / E[A]^2) of what is left just after it
    forward_before: float
    log_variance_before: float


def steps_of(law: LognormalSum) -> list[Step]:
    """Return the steps in order of time, with the two moments of what is left (backward sums)."""
    gaps = np.diff(law.times, prepend=0.0)
    forward, second = 0.0, 0.0
    steps: list[Step] = []
    for gap, weight in zip(gaps[::-1], law.weights[::-1], strict=True):
        after = forward, second
        drift, variance = law.drift * gap, law.volatility**2 * gap
        second = np.exp(2.0 * drift + variance) * (weight**2 + 2 * weight * forward + second)
        forward = np.exp(drift) * (weight + forward)
        steps.append(
            Step(
                drift=float(drift),
                deviation=float(np.sqrt(variance)),
                weight=float(weight),
                forward_after=after[0],
                log_variance_after=float(np.log(after[1] / after[0] ** 2)) if after[0] else 0.0,
                forward_before=float(forward),
                log_variance_before=float(np.log(second / forward**2)),
            )
        )
    return steps[::-1]


def black(forward: float, deviation: float, strike: FloatArray) -> FloatArray:
    """Undiscounted call on a lognormal of mean `forward` and log-deviation `deviation`."""
    value = np.maximum(forward - strike, 0.0)
    random = strike > 0.0
    log_ratio = np.log(forward / strike[random])
    upper = log_ratio / deviation + 0.5 * deviation
    value[random] = forward * ndtr(upper) - strike[random] * ndtr(upper - deviation)
    return value


def active_range(forward: float, log_variance: float, accuracy: Accuracy) -> tuple[float, float]:
    """Logarithms of the strikes between which a call differs from forward - strike and from 0."""
    reach = accuracy.deviations * np.sqrt(log_variance) + 0.5 * log_variance
    centre = np.log(forward)
    return float(centre - reach), float(centre + reach)


def wide_expectation(x: FloatArray, step: Step, later: Function, accuracy: Accuracy) -> FloatArray:
    """E[later(x e^{-X} - w)] for x > 0: exact on the straight part, Gauss-Legendre between."""
    low, high = np.exp(active_range(step.forward_after, step.log_variance_after, accuracy))
    mean = step.drift + 0.5 * step.deviation**2
    cut = accuracy.deviations
    start = (np.log(x / (high + step.weight)) - mean) / step.deviation
    stop = (np.log(x / (low + step.weight)) - mean) / step.deviation
    line = (step.forward_after + step.weight) * ndtr(-stop)
    line -= x * np.exp(-step.drift) * ndtr(-(stop + step.deviation))
    start, stop = np.clip(start, -cut, cut), np.clip(stop, -cut, cut)
    nodes, weights = legendre(accuracy.legendre_points)
    normal = start[:, None] + (stop - start)[:, None] * nodes
    density = np.exp(-0.5 * normal**2) / SQRT_2PI
    later_x = x[:, None] * np.exp(-mean - step.deviation * normal) - step.weight
    values = later(later_x.ravel()).reshape(later_x.shape)
    random: FloatArray = (stop - start) * ((density * values) @ weights)
    value: FloatArray = line + random
    return value


def narrow_expectation(
    x: FloatArray, step: Step, later: Function, accuracy: Accuracy
) -> FloatArray:
    """The same where the step is much narrower than `later`: Gauss-Hermite."""
    nodes, weights = hermite(accuracy.hermite_points)
    mean = step.drift + 0.5 * step.deviation**2
    later_x = x[:, None] * np.exp(-mean - step.deviation * nodes) - step.weight
    value: FloatArray = later(later_x.ravel()).reshape(later_x.shape) @ weights
    return value


def backward(step: Step, later: Function, accuracy: Accuracy) -> Function:
    """Return u before the fixing of `step` from u after it, defined for every x."""
    stretch = (step.forward_after + step.weight) / step.forward_after
    narrow = stretch * step.deviation < NARROW_STEP * np.sqrt(step.log_variance_after)
    expectation = narrow_expectation if narrow else wide_expectation

    def earlier(x: FloatArray) -> FloatArray:
        value = step.forward_before - x
        random = x > 0.0
        growth = np.exp(step.drift)
        value[random] = growth * expectation(x[random], step, later, accuracy)
        return value

    return earlier


def as_spline(step: Step, function: Function, accuracy: Accuracy) -> Function:
    """Tabulate u before `step` in ln x; outside the table it is the line or zero."""
    low, high = active_range(step.forward_before, step.log_variance_before, accuracy)
    deviations = (high - low) / np.sqrt(step.log_variance_before)
    knots = np.linspace(low, high, int(deviations * accuracy.knots_per_deviation))
    spline = make_interp_spline(knots, function(np.exp(knots)), k=5)
    x_low, x_high = np.exp(low), np.exp(high)

    def tabulated(x: FloatArray) -> FloatArray:
        value = np.where(x <= x_low, step.forward_before - x, 0.0)
        inside = (x > x_low) & (x < x_high)
        value[inside] = spline(np.log(x[inside]))
        return value

    return tabulated


def call_on_sum(strikes: FloatArray, law: LognormalSum, accuracy: Accuracy) -> FloatArray:
    """E[(sum_i w_i S(t_i) - strike)^+] for each strike, in units of S(0)."""
    steps = steps_of(law)
    last = steps[-1]

    def value(x: FloatArray) -> FloatArray:
        return black(last.forward_before, last.deviation, x)

    earlier: Function = value
    for position in range(len(steps) - 2, -1, -1):
        earlier = backward(steps[position], earlier, accuracy)
        if position > 0:
            earlier = as_spline(steps[position], earlier, accuracy)
    return earlier(np.array(strikes, dtype=np.float64))
