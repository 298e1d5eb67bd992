# SPDX-License-Identifier: Apache-2.0
"""Release channels that open and close by chance: rates, draws, and what is held open."""

from __future__ import annotations

import numpy as np
import pytest
from makespan.grids.calcium.ryr_gating import CLOSING, RyrGating, draws, opening_rate

SR = 1000.0


def test_rates_are_those_of_the_paper() -> None:
    # 1.107e-4 c^2.1, where the SR is full; less by (1000/1500)^4 where it is empty.
    full = opening_rate(np.array([0.1, 10.0, 100.0]), SR)
    empty = opening_rate(np.array([100.0]), 0.0)

    assert full == pytest.approx([8.793e-7, 1.3936e-2, 1.7545], rel=1e-4)
    assert empty[0] / full[2] == pytest.approx(1 - (2 / 3) ** 4)


def test_draws_are_a_function_of_seed_and_step() -> None:
    first = draws(7, 33, 49)

    assert np.array_equal(draws(7, 33, 49), first)
    assert not np.array_equal(draws(8, 33, 49), first)
    assert not np.array_equal(draws(7, 66, 49), first)
    assert np.array_equal(draws(7, 33, 10), first[:10])
    many = np.concatenate([draws(1, step, 49) for step in range(2000)])
    assert ((many >= 0) & (many < 1)).all()
    assert many.mean() == pytest.approx(0.5, abs=0.003)


def test_channels_are_open_as_long_as_rates_say() -> None:
    """In calcium at which both rates are the same, half of them are open in the end."""
    cleft = np.full(400, (CLOSING / 1.107e-4) ** (1 / 2.1))
    gating = RyrGating(400, seed=3, interval_ms=0.05)
    counts = []
    for step in range(1500):
        gating.advance(step, cleft, SR, held=[])
        counts.append(len(gating.open_channels))

    # From none open: after t the share is (1 - exp(-2 k t)) / 2.
    assert counts[19] / 400 == pytest.approx((1 - np.exp(-1.0)) / 2, abs=0.06)
    assert np.mean(counts[500:]) / 400 == pytest.approx(0.5, abs=0.01)


def test_channels_are_held_and_close_by_chance_afterwards() -> None:
    gating = RyrGating(4, seed=0, interval_ms=0.1)
    rest = np.full(4, 0.1)

    assert gating.advance(0, rest, SR, held=[2])
    assert gating.open_channels == [2]
    for step in range(1, 200):
        assert not gating.advance(step, rest, SR, held=[2])
    for step in range(200, 1000):
        gating.advance(step, rest, SR, held=[])
    assert gating.open_channels == []


def test_the_same_step_is_drawn_once() -> None:
    """A run that goes on from a checkpoint asks again at its first step."""
    cleft = np.full(49, 300.0)
    gating = RyrGating(49, seed=5, interval_ms=0.5)
    assert gating.advance(10, cleft, SR, held=[])
    after = gating.open_channels

    assert not gating.advance(10, cleft, SR, held=[])
    assert gating.open_channels == after
