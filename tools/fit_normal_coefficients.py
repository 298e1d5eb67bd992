#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fits the polynomials behind the single-precision normals.

Writes src/makespan/simd/detail/normal_coefficients.hpp. Minimax fits by Lawson's method
(iteratively re-weighted least squares on Chebyshev points, in double, rounded to single last). Run
it after a change of degree; it needs numpy and scipy and prints the error of each fit.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

Array = NDArray[np.float64]
HEADER = Path(__file__).parent.parent / "src/makespan/simd/detail/normal_coefficients.hpp"
OCTAVES = 32
ICDF_DEGREE = 6


def fit(values: Array, points: Array, weights: Array, degree: int) -> Array:
    """Coefficients, lowest power first, that minimise max(weights · |p(points) - values|)."""
    basis = np.vander(points, degree + 1, increasing=True)
    lawson = np.ones_like(points)
    coefficients: Array = np.zeros(degree + 1)
    for _ in range(200):
        scale = weights * np.sqrt(lawson)
        solution, *_ = np.linalg.lstsq(basis * scale[:, None], values * scale, rcond=None)
        coefficients = np.asarray(solution, dtype=np.float64)
        error = weights * np.abs(basis @ coefficients - values)
        lawson *= error / error.max() + 1e-12
        lawson /= lawson.max()
    return coefficients


def chebyshev(low: float, high: float, count: int = 4001) -> Array:
    """`count` Chebyshev points of [low, high]."""
    nodes = np.cos(np.pi * (np.arange(count) + 0.5) / count)
    return np.asarray(low + (high - low) * (nodes + 1) / 2)


def log_coefficients() -> Array:
    """-2 ln(1 + t) = t · q(t) on [-1/4, 1/2], with an even error of the radius sqrt(-2 ln u)."""
    t = chebyshev(-0.25, 0.5)
    return fit(-2 * np.log1p(t) / t, t, np.sqrt(np.abs(t)), 7)


def sine_coefficients() -> Array:
    """sin(pi u) = u · s(u²) for |u| <= 1/2."""
    u2 = chebyshev(0.0, 0.25)
    u = np.sqrt(u2)
    return fit(np.sin(np.pi * u) / u, u2, u, 4)


def cosine_coefficients() -> Array:
    """cos(pi u) = c(u²) for |u| <= 1/2."""
    u2 = chebyshev(0.0, 0.25)
    return fit(np.cos(np.pi * np.sqrt(u2)), u2, np.ones_like(u2), 4)


def inverse_normal_table() -> NDArray[np.float32]:
    """Row c, column index: coefficient of t^c for the octave with exponent index mod 32.

    Octave j holds magnitudes f in [2^j, 2^(j+1)), tail probability f / 2^32, t = mantissa - 1.5.
    The one that only f = 2^31 reaches (probability one half) stays zero.
    """
    table = np.zeros((ICDF_DEGREE + 1, OCTAVES), dtype=np.float32)
    t = chebyshev(-0.5, 0.5, 801)
    for octave in range(31):
        upper = -ndtri(np.ldexp(t + 1.5, octave - 32))
        table[:, (127 + octave) % OCTAVES] = fit(upper, t, np.ones_like(t), ICDF_DEGREE).astype(
            np.float32
        )
    return table


def c_floats(values: NDArray[np.float32], per_line: int = 6) -> str:
    """C literals, `per_line` to a line."""
    words = [f"{np.float32(v):.9e}F" for v in values]
    lines = [", ".join(words[i : i + per_line]) for i in range(0, len(words), per_line)]
    return ",\n    ".join(lines)


def report(
    name: str, approximation: Callable[[Array], Array], exact: Callable[[Array], Array], x: Array
) -> None:
    """Prints the largest error over x."""
    print(f"{name}: largest error {np.abs(approximation(x) - exact(x)).max():.2e}")


def polynomial(coefficients: Array, x: Array) -> Array:
    """Value at x; lowest power first."""
    return np.asarray(np.polynomial.polynomial.polyval(x, coefficients))


def main() -> None:
    """Fits everything and writes the header."""
    log_q, sine, cosine = (
        f().astype(np.float32) for f in (log_coefficients, sine_coefficients, cosine_coefficients)
    )
    table = inverse_normal_table()
    t = chebyshev(-0.25, 0.5)
    u = chebyshev(-0.5, 0.5)
    report("-2 ln", lambda x: x * polynomial(log_q.astype(float), x), lambda x: -2 * np.log1p(x), t)
    report(
        "sin pi",
        lambda x: x * polynomial(sine.astype(float), x * x),
        lambda x: np.sin(np.pi * x),
        u,
    )
    report(
        "cos pi", lambda x: polynomial(cosine.astype(float), x * x), lambda x: np.cos(np.pi * x), u
    )
    rows = ",\n".join(f"    {{{c_floats(row)}}}" for row in table)
    HEADER.write_text(
        "// SPDX-License-Identifier: Apache-2.0\n"
        "// Polynomials behind the single-precision normals: minimax fits, lowest power first.\n"
        "// Written by tools/fit_normal_coefficients.py, which says what they approximate; do not\n"
        "// edit.\n"
        '#pragma once\n\n#include "makespan/simd/detail/table.hpp"\n\n'
        "namespace makespan::simd {\n\n"
        "// clang-format off\n"
        f"MAKESPAN_TABLE float log_coefficients[8] = {{\n    {c_floats(log_q)}}};\n"
        f"MAKESPAN_TABLE float sine_coefficients[5] = {{\n    {c_floats(sine)}}};\n"
        f"MAKESPAN_TABLE float cosine_coefficients[5] = {{\n    {c_floats(cosine)}}};\n"
        f"inline constexpr int inverse_normal_degree = {ICDF_DEGREE};\n"
        "alignas(64) MAKESPAN_TABLE float "
        f"inverse_normal_table[{ICDF_DEGREE + 1}][{OCTAVES}] = {{\n{rows}}};\n"
        "// clang-format on\n\n"
        "}  // namespace makespan::simd\n"
    )


if __name__ == "__main__":
    main()
