# SPDX-License-Identifier: Apache-2.0
"""Goal: steps that make waves grow are refused, at the limit that is known, and no others.

Method: schemes whose limits stand in textbooks, a little below and above them; what is let through
or refused is run, and grows or does not.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from makespan.equations.field import SECOND

import makespan
from makespan import grid

SHAPES = {1: (32,), 2: (16, 20), 3: (8, 10, 12)}
FEW: dict[str, Any] = {"kernel": "interpreted", "threads": 1}


def heat(u: Any, rate: Any) -> Any:
    return {"u": u + rate * u.laplacian()}


def wave(now: Any, before: Any, courant: Any) -> Any:
    return {"now": 2 * now - before + courant**2 * now.laplacian(order=8), "before": now}


def upwind(u: Any, share: Any) -> Any:
    return {"u": u - share * (u - u[-1])}


def downwind(u: Any, share: Any) -> Any:
    return {"u": u - share * (u[1] - u)}


def centred(u: Any, share: Any) -> Any:
    return {"u": u - share / 2 * (u[1] - u[-1])}


def friedrichs(u: Any, share: Any) -> Any:
    return {"u": (u[1] + u[-1]) / 2 - share / 2 * (u[1] - u[-1])}


def wendroff(u: Any, share: Any) -> Any:
    return {"u": u - share / 2 * (u[1] - u[-1]) + share**2 / 2 * (u[1] - 2 * u + u[-1])}


def growth(update: Any, names: str, shape: tuple[int, ...], **numbers: float) -> float:
    """Of noise in 600 steps."""
    noise = np.random.default_rng(1).normal(0, 1, shape)
    problem = grid(
        update,
        dict.fromkeys(names.split(), noise),
        parameters=numbers,
        boundary="periodic",
        check_stability=False,
    )
    after = problem.run(600, **FEW)
    assert after is not None
    return float(abs(after.fields[names.split(maxsplit=1)[0]]).max() / abs(noise).max())


def state(update: Any, names: str, shape: tuple[int, ...], **numbers: float) -> None:
    grid(update, dict.fromkeys(names.split(), np.zeros(shape)), parameters=numbers)


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_heat_up_to_one_over_twice_the_axes(dimensions: int) -> None:
    limit, shape = 1 / (2 * dimensions), SHAPES[dimensions]

    state(heat, "u", shape, rate=limit)
    with pytest.raises(makespan.InputError) as refused:
        state(heat, "u", shape, rate=1.01 * limit)

    waves = " and ".join(f"2 points along {name}" for name in "zyx"[-dimensions:])
    assert f"a wave of {waves} grows 1.02 times in a step" in str(refused.value)
    assert "heat (test_equations_stability.py, line 2" in str(refused.value)
    assert "take a shorter time step; or check_stability=False" in str(refused.value)
    assert growth(heat, "u", shape, rate=limit) <= 1
    assert growth(heat, "u", shape, rate=1.01 * limit) > 10


def test_a_wave_of_order_8_up_to_its_courant_number() -> None:
    """By its symbol at the shortest wave: courant² times it is 4."""
    first, *others = SECOND[8]
    symbol = -(first + 2 * sum(one * (-1) ** n for n, one in enumerate(others, 1)))
    limit = 2 / (2 * symbol) ** 0.5  # of two axes

    state(wave, "now before", SHAPES[2], courant=0.999 * limit)
    with pytest.raises(makespan.InputError, match=r"wave \(.*\) is not stable"):
        state(wave, "now before", SHAPES[2], courant=1.01 * limit)

    assert growth(wave, "now before", SHAPES[2], courant=0.999 * limit) < 300  # linearly
    assert growth(wave, "now before", SHAPES[2], courant=1.01 * limit) > 1e6


@pytest.mark.parametrize(
    ("update", "share", "is_stable"),
    [
        (upwind, 1.0, True),
        (upwind, 1.01, False),
        (upwind, -0.1, False),
        (downwind, 0.1, False),
        (centred, 0.1, False),
        (friedrichs, 1.0, True),
        (friedrichs, 1.01, False),
        (wendroff, 1.0, True),
        (wendroff, 1.01, False),
    ],
)
def test_schemes_of_advection(update: Any, share: float, is_stable: Any) -> None:
    if is_stable:
        state(update, "u", SHAPES[1], share=share)
        assert growth(update, "u", SHAPES[1], share=share) < 1.5
        return
    with pytest.raises(makespan.InputError, match="is not stable"):
        state(update, "u", SHAPES[1], share=share)
    assert growth(update, "u", SHAPES[1], share=share) > 2


def test_ends_with_given_values_hide_nothing() -> None:
    values = np.random.default_rng(1).normal(0, 1, SHAPES[2])
    ends = {"y": ({"u": np.ones(SHAPES[2][1])}, "no-flux")}

    grid(heat, {"u": values}, parameters={"rate": 0.25}, boundary=ends)
    with pytest.raises(makespan.InputError, match="is not stable"):
        grid(heat, {"u": values}, parameters={"rate": 0.26}, boundary=ends)


def test_what_no_step_mends_is_said() -> None:
    with pytest.raises(makespan.InputError, match="no time step mends that: look at signs"):
        state(downwind, "u", SHAPES[1], share=0.1)


def test_waves_that_grow_across_a_diagonal_are_seen() -> None:
    """Along the other diagonal they grow too, but as an equation without a solution has them."""

    def mixed(u: Any) -> Any:
        across = (u[1, 1] - u[1, -1] - u[-1, 1] + u[-1, -1]) / 4
        return {"u": u + 0.2 * u.laplacian() - 1.3 * across}

    with pytest.raises(
        makespan.InputError, match=r"grows 1[.]2\d* times.*take a shorter time step"
    ):
        state(mixed, "u", SHAPES[2])


def test_patterns_may_grow() -> None:
    """Swift and Hohenberg's equation grows around one wave length, with any time step."""

    def swift_hohenberg(u: Any, excess: Any, dt: Any) -> Any:
        fourth = u[2] - 4 * u[1] + 6 * u - 4 * u[-1] + u[-2]
        second = u.laplacian()
        return {"u": u + dt * (excess * u - (u + 2 * 4 * second + 16 * fourth) - u**3)}

    state(swift_hohenberg, "u", (64,), excess=0.2, dt=0.005)
    with pytest.raises(makespan.InputError, match="take a shorter time step"):
        state(swift_hohenberg, "u", (64,), excess=0.2, dt=0.02)
    noise = {"u": 0.01 * np.random.default_rng(1).normal(0, 1, 64)}
    numbers = {"excess": 0.2, "dt": 0.005}
    after = grid(swift_hohenberg, noise, boundary="periodic", parameters=numbers).run(20_000, **FEW)
    assert after is not None
    assert 0.2 < abs(after.fields["u"]).max() < 1.0


def test_growth_that_is_uniform_is_the_equations_own() -> None:
    state(lambda u: {"u": 1.1 * u + 0.1 * u.laplacian()}, "u", SHAPES[2])


def test_factors_that_are_no_numbers_are_not_judged() -> None:
    assert grid(lambda u: {"u": u[0, 1] / 1e-320}, {"u": np.ones((6, 5))}) is not None


def test_what_is_not_linear_is_not_judged() -> None:
    state(lambda u: {"u": u + 5 * u * u.laplacian()}, "u", SHAPES[2])
    state(lambda u: {"u": u + 5 * np.exp(u[0, 1])}, "u", SHAPES[2])
    state(lambda u, k: {"u": u + k * u.laplacian()}, "u k", SHAPES[2])


def test_a_reaction_at_the_point_is_left_out_of_it() -> None:
    state(lambda u: {"u": u + 0.2 * u.laplacian() - u**3}, "u", SHAPES[2])
    with pytest.raises(makespan.InputError, match="is not stable"):
        state(lambda u: {"u": u + 0.3 * u.laplacian() - u**3}, "u", SHAPES[2])


def grows_outside(u: Any, r: float, d: float) -> dict[str, Any]:
    return {"u": u + r * u * (1 - u) + d * u.laplacian()}


def grows_as_a_factor(u: Any, r: float, d: float) -> dict[str, Any]:
    return {"u": u * (1 + r * (1 - u)) + d * u.laplacian()}


def clipped(u: Any, r: float, d: float) -> dict[str, Any]:
    return {"u": np.clip(u, 0, 1 + r) + d * u.laplacian()}


def crowded(u: Any, r: float, d: float) -> dict[str, Any]:
    return {"u": u / (1 + r * u) + d * u.laplacian()}


@pytest.mark.parametrize("update", [grows_outside, grows_as_a_factor, clipped, crowded])
def test_updates_of_a_field_by_a_factor_of_itself_are_not_taken_for_growth(update: Any) -> None:
    """Method: each is stable, as a run from values between 0 and 1 shows."""
    values = np.random.default_rng(1).random(SHAPES[2])
    stable = grid(update, {"u": values}, parameters={"r": 0.01, "d": 0.2}, boundary="periodic")
    after = stable.run(600, **FEW)
    assert after is not None
    assert abs(after.fields["u"]).max() < 1.2

    with pytest.raises(makespan.InputError, match="is not stable"):
        state(update, "u", SHAPES[2], r=0.01, d=0.3)


@pytest.mark.parametrize(
    "update",
    [
        lambda u, m: {"u": u + 0.3 * u.laplacian(), "m": np.maximum(m, u)},
        lambda u, m: {"u": u + 0.3 * u.laplacian(), "m": np.where(u > 0.5, m + 1, 0 * m)},
        lambda u, v: {"u": 2 * u - v + 0.8 * u.laplacian() - 0.01 * np.sin(u), "v": u},
        lambda u, v: {"u": 2 * u - v + 0.6 * u.laplacian() - 0.01 * (u**3 - u), "v": u},
        lambda u: {"u": u + 0.6 * u - u**3 + 0.5 * u.laplacian()},
    ],
)
def test_what_is_left_out_hides_no_waves_of_the_rest(update: Any) -> None:
    names = " ".join(update.__code__.co_varnames)

    with pytest.raises(makespan.InputError, match="is not stable"):
        state(update, names, SHAPES[2])
