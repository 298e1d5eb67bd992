# SPDX-License-Identifier: Apache-2.0
"""Goal: what NumPy computes for grids does not depend on the processor's instruction set.

Method: against 40 decimal digits. A vector library's error of half of a last place and more would
show in one of twenty numbers; rounding twice shows in one of two thousand.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, getcontext
from typing import Any

import numpy as np
import pytest

from makespan.base import portable_math

DIGITS = 40


def exactly(function: Callable[[Decimal], Decimal], numbers: Any) -> Any:
    getcontext().prec = DIGITS
    return np.array([float(function(Decimal(float(number)))) for number in numbers])


def cosine(x: Decimal) -> Decimal:
    """Its series."""
    term, total, number = Decimal(1), Decimal(1), 0
    while abs(term) > Decimal(10) ** -DIGITS:
        number += 2
        term *= -x * x / (number * (number - 1))
        total += term
    return total


@pytest.mark.parametrize(
    ("found", "exact", "least", "most"),
    [
        (portable_math.exp, Decimal.exp, -40.0, 1.0),
        (portable_math.expm1, lambda x: x.exp() - 1, -2.0, 0.5),
        (portable_math.cos, cosine, 0.0, 7.0),
        (
            lambda x: portable_math.power(x, 2.1),
            lambda x: (x.ln() * Decimal.from_float(2.1)).exp(),
            0.01,
            99.0,
        ),
    ],
    ids=["exp", "expm1", "cos", "power"],
)
def test_they_are_rounded_rightly(found: Any, exact: Any, least: float, most: float) -> None:
    numbers = np.random.default_rng(7).uniform(least, most, 2000)

    ours, right = found(numbers), exactly(exact, numbers)

    assert ours.dtype == np.float64
    assert np.count_nonzero(ours != right) <= 8
    np.testing.assert_allclose(ours, right, rtol=3e-16)
