# SPDX-License-Identifier: Apache-2.0
"""The geometric average under Heston by numerical integration; none of the engine's formulas.

The transform E[exp(i u ln G)] = exp(A + B v0 + ...) from Riccati's equations, solved by an
integrator from fixing to fixing; the call from it by the formula of Gil-Pelaez, by quadrature.
Sources: S. Heston, Review of Financial Studies 6 (1993) 327-343, equations (A4) to (A7); J.
Gil-Pelaez, Biometrika 38 (1951) 481-482.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import quad, solve_ivp


@dataclass(frozen=True)
class HestonModel:
    """dV = kappa (theta - V) dt + sigma sqrt(V) dB, dB of correlation rho with the price's."""

    v0: float
    kappa: float
    theta: float
    sigma: float
    rho: float


def transform(model: HestonModel, times: np.ndarray, u: complex) -> complex:
    """E[exp(u sum_i ln(S_i / forward_i) / n)]."""
    weights = np.arange(len(times), 0, -1) / len(times)
    a_sum, b = 0.0 + 0.0j, 0.0 + 0.0j
    starts = np.concatenate(([0.0], times[:-1]))
    for start, end, weight in zip(starts[::-1], times[::-1], weights[::-1], strict=True):
        a = u * weight

        def slopes(_: float, y: np.ndarray, a: complex = a) -> list[complex]:
            linear = model.rho * model.sigma * a - model.kappa
            return [
                model.kappa * model.theta * y[1],
                0.5 * model.sigma**2 * y[1] ** 2 + linear * y[1] + 0.5 * (a * a - a),
            ]

        solved = solve_ivp(
            slopes, (0.0, end - start), [a_sum, b], method="DOP853", rtol=1e-10, atol=1e-13
        )
        a_sum, b = solved.y[:, -1]
    return complex(np.exp(a_sum + b * model.v0))


def geometric_call(
    model: HestonModel, times: np.ndarray, forwards: np.ndarray, strike: float
) -> float:
    """Undiscounted; `times` and `forwards` have shape (fixings)."""
    level = float(np.exp(np.mean(np.log(forwards))))
    mean = transform(model, times, 1.0 + 0.0j).real
    k = np.log(strike / level)

    def chance(measure: complex, norm: float) -> float:
        def integrand(u: float) -> float:
            return float(
                (
                    np.exp(-1j * u * k)
                    * transform(model, times, measure + 1j * u)
                    / norm
                    / (1j * u)
                ).real
            )

        return 0.5 + quad(integrand, 1e-8, 500.0, epsabs=1e-8, epsrel=1e-8, limit=400)[0] / np.pi

    return level * mean * chance(1.0 + 0.0j, mean) - strike * chance(0.0j, 1.0)
