# SPDX-License-Identifier: Apache-2.0
"""Goal: an update that asks a field for what is not known before the run hears why."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from makespan.equations.api import grid

import makespan


@pytest.mark.parametrize(
    ("asks", "says"),
    [
        (sum, "no array to iterate over: name neighbours one by one"),
        (list, "no array to iterate over"),
        (lambda u: max(*u), "no array to iterate over"),
        (lambda u: 3 in u, "no array to iterate over"),
        (lambda u: sum(u * u), "no array to iterate over"),
        (lambda u: sum(u > 0), "no array to iterate over"),
        (len, "and has no length"),
        (int, "write numpy.floor(x), and not int(x)"),
        (round, "write numpy.floor(x + 0.5), and not round(x)"),
        (lambda u: round(u, 3), "write numpy.floor(x + 0.5), and not round(x)"),
        (float, "call numpy's functions, not those of math"),
        (math.floor, "call numpy's functions, not those of math"),
        (range, "whole numbers that are known"),
        (operator.index, "whole numbers that are known"),
        (lambda u: u[u], "whole numbers that are known"),
        (lambda u: [1.0, 2.0][u], "whole numbers that are known"),
        (lambda u: u.laplacian(order=[2]), "order [2] is unknown (known: 2, 4, 6, 8)"),
        (lambda u: u.derivative("x", times=[2]), "derivative(times=[2]): the first (1)"),
    ],
)
def test_what_is_not_known_is_explained(asks: Callable[[Any], Any], says: str) -> None:
    with pytest.raises(makespan.InputError) as refused:
        grid(lambda u: {"u": asks(u)}, {"u": np.ones(20)})

    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_can_be_computed_is_no_array_for_numpy() -> None:
    """Goal: numpy's numbers on the left leave operations to fields, which have a length."""
    found = grid(lambda u: {"u": np.float64(2.0) * u + np.int64(1)}, {"u": np.ones(20)}).run(
        1, kernel="interpreted", threads=1
    )

    assert found is not None
    assert np.array_equal(found.fields["u"], np.full(20, 3.0))
