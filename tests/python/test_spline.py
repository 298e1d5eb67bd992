# SPDX-License-Identifier: Apache-2.0
"""Splines through many rows: those of scipy, and in a time that grows with the points alone."""

from __future__ import annotations

import numpy as np
import pytest
from makespan.pricing.book import spline
from scipy.interpolate import CubicSpline


def points(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Uneven ones, and three rows of values."""
    draw = np.random.default_rng(count)
    return np.cumsum(draw.uniform(0.1, 1.0, count)), draw.uniform(1.0, 2.0, (3, count))


@pytest.mark.parametrize("count", [2, 3, 4, 5, 40])
def test_they_are_natural_cubic_splines(count: int) -> None:
    x, y = points(count)
    at = np.linspace(x[0], x[-1], 101)
    exact = CubicSpline(x, y, axis=1, bc_type="natural")

    first, second = spline.derivatives(x, y)

    np.testing.assert_allclose(first, exact(x, 1), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(second, exact(x, 2), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(spline.values(x, y, at), exact(at), rtol=1e-12)


def test_a_single_point_is_a_constant() -> None:
    y = np.array([[2.0], [3.0]])

    first, second = spline.derivatives(np.array([0.0]), y)

    assert first.tolist() == second.tolist() == [[0.0], [0.0]]
    assert spline.values(np.array([0.0]), y, np.zeros(2)).tolist() == [[2.0, 2.0], [3.0, 3.0]]


def test_many_points_need_no_matrix() -> None:
    """Method: a matrix of so many points would take 80 GB."""
    x, y = points(100_000)

    _, second = spline.derivatives(x, y)

    step, inner = np.diff(x), second[:, 1:-1]
    left = step[:-1] * second[:, :-2] + 2 * (step[:-1] + step[1:]) * inner
    left += step[1:] * second[:, 2:]
    np.testing.assert_allclose(left, 6 * np.diff(np.diff(y, axis=1) / step, axis=1), atol=1e-9)
