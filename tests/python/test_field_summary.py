# SPDX-License-Identifier: Apache-2.0
"""The least, the most and the mean of a grid's field: exact, and the same however it is cut."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from makespan.grids.field_summary import field_summary

import makespan

BEGIN = (1, 2, 3)


class Told:
    """A team that has a summary."""

    def __init__(self, *found: object) -> None:
        self.found = found

    def summary(
        self, field: int, begin: tuple[int, ...], end: tuple[int, ...]
    ) -> tuple[object, ...]:
        assert (field, begin) == (3, BEGIN)
        assert all(last > first for first, last in zip(begin, end, strict=True))
        return self.found


def test_limbs_are_added_in_their_units() -> None:
    # 5 2^-26 - 2^-53 + 3 2^-80, of values that were divided by 2^7.
    team = Told(-1.0, 100.0, -7, (5, -1, 3))
    total = (Fraction(5, 2**26) - Fraction(1, 2**53) + Fraction(3, 2**80)) * 2**7

    assert field_summary(team, 3, BEGIN, (3, 3, 8)) == (-1.0, 100.0, float(total / 10))


@pytest.mark.parametrize("scale", [-1024, -80, 0, 1074])
def test_a_mean_of_any_size_is_rounded_once(scale: int) -> None:
    team = Told(0.0, 1.0, scale, (2**26, 0, 1))
    exact = (1 + Fraction(1, 2**80)) / Fraction(2) ** scale / 3

    assert field_summary(team, 3, BEGIN, (2, 3, 6)).mean == float(exact)


def test_what_is_not_finite_has_no_mean() -> None:
    found = field_summary(Told(-math.inf, 1.0, 0, (0, 0, 0)), 3, BEGIN, (3, 3, 8))

    assert found[:2] == (-math.inf, 1.0)
    assert math.isnan(found.mean)


@pytest.mark.parametrize("devices", ["cpu", "cpu cpu"])
def test_a_run_tells_the_exact_mean(devices: str) -> None:
    values = np.random.default_rng(2).normal(size=(9, 8, 7)) * np.logspace(-20, 3, 7)
    after = makespan.diffuse(values, steps=1, time_step=1e-9, devices=devices, threads=2)

    assert after is not None
    assert after.table is not None
    exact = sum(map(Fraction, values.ravel().tolist())) / values.size
    assert after.table["mean"][0] == float(exact)
    assert after.table["least"][0] == values.min()
    assert after.table["most"][0] == values.max()
