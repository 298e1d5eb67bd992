# SPDX-License-Identifier: Apache-2.0
"""Comparisons in an update, and functions without all of their arguments: what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import makespan
from makespan import grid

U = np.ones((6, 5))
HERE = Path(__file__).name


def test_a_comparison_is_no_value() -> None:
    with pytest.raises(makespan.InputError, match="a comparison is no number"):
        grid(lambda u: {"u": u > 0}, {"u": U})


@pytest.mark.parametrize(
    "update",
    [
        lambda u: 0.1 * (u > 0.5),
        lambda u: (u > 0) * 0.1,
        lambda u: np.float64(0.1) * (u > 0.5),
        lambda u: u * (u > 0),
        lambda u: (u > 0) + (u < 1),
        lambda u: 1 - (u > 0),
        lambda u: (u > 0) / 2,
        lambda u: (u > 0) ** 2,
        lambda u: 2 ** (u > 0),
        lambda u: (u > 0) % 2,
        lambda u: 5 // (u > 0),
        lambda u: -(u > 0),
        lambda u: abs(u > 0),
        lambda u: np.where((u > 0) < 1, u, 0.0),
        lambda u: np.exp(u > 0),
    ],
)
def test_comparisons_are_not_computed_with(update: Callable[..., Any]) -> None:
    with pytest.raises(makespan.InputError) as refused:
        grid(update, {"u": U})

    assert str(refused.value).startswith(f"{HERE}, line ")
    assert ": a comparison is no number: numpy.where(condition, 1.0, 0.0)" in str(refused.value)


@pytest.mark.parametrize(
    ("update", "message"),
    [
        (lambda u: np.where(u > 0), "numpy.where takes condition, a, b in an update: give these"),
        pytest.param(
            lambda u: np.clip(u, 0),
            "numpy.clip takes x, low, high in an update: give these",
            marks=pytest.mark.skipif(
                np.lib.NumpyVersion(np.__version__) < "2.1.0", reason="numpy itself refuses it"
            ),
        ),
    ],
)
def test_a_function_gets_all_of_its_arguments(update: Callable[..., Any], message: str) -> None:
    with pytest.raises(makespan.InputError, match=rf"^{HERE}, line \d+: {re.escape(message)}"):
        grid(update, {"u": U})


@pytest.mark.parametrize(
    "update",
    [
        lambda u: np.where((u > 0) == True, u, 0.0),  # noqa: E712 - what is asked
        lambda u: np.where((u > 0) != u, u, 0.0),
        lambda u: np.where((u > 0) ^ 1, u, 0.0),
        lambda u: np.where(True & (u > 0), u, 0.0),
        lambda u: np.where(False | (u > 0), u, 0.0),
        lambda u: np.where(1 ^ (u > 0), u, 0.0),
    ],
)
def test_comparisons_are_compared_with_comparisons(update: Callable[..., Any]) -> None:
    with pytest.raises(makespan.InputError, match=re.escape("is no comparison: &, |, ^, ==")):
        grid(update, {"u": U})
