# SPDX-License-Identifier: Apache-2.0
"""Goal: an update reads the neighbours that it names, and what the boundary says beyond the ends.

Method: weighted sums of neighbours of one to three axes, against NumPy's arrays made wider.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from makespan.equations.field import FIRST, SECOND
from own_equations import Array, Known, both_ways, result_of, same_bits

from makespan import grid

SHAPES = {1: (11,), 2: (9, 12), 3: (7, 8, 10)}
OFFSETS: dict[int, list[Any]] = {
    1: [0, 1, -1, 4, -3],
    2: [(0, 0), (0, 1), (-1, 0), (4, 0), (0, -4), (1, 1), (-2, 3)],
    3: [(0, 0, 0), (1, 0, 0), (0, -1, 0), (0, 0, 1), (-4, 0, 0), (0, 3, 0), (0, 0, -4), (1, -1, 2)],
}


def weighted(u: Any, offsets: list[Any]) -> Any:
    """A sum in the order of the offsets."""
    total = 0.125 * u[offsets[0]]
    for number, offset in enumerate(offsets[1:], 1):
        total = total + 1 / (3 + number) * u[offset]
    return total


def field(dimensions: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).random(SHAPES[dimensions])


def faces(dimensions: int, kind: str) -> dict[str, tuple[Any, Any]]:
    """By axis: the low end and the high one."""
    names, shape = "zyx"[-dimensions:], SHAPES[dimensions]
    found: dict[str, tuple[Any, Any]] = {}
    random = np.random.default_rng(3)
    for axis, name in enumerate(names):
        face = tuple(size for at, size in enumerate(shape) if at != axis)
        found[name] = {
            "no-flux": ("no-flux", "no-flux"),
            "periodic": ("periodic", "periodic"),
            "values": (0.5 + axis, -2.0 - axis),
            "mixed": ("no-flux", 0.25) if name == "x" else ("periodic", "periodic"),
            "given": (random.random(face), random.random(face)),
            "given low": (random.random(face), "no-flux"),
            "given high": ("no-flux", random.random(face)),
        }[kind]
    return found


def as_stated(ends: dict[str, tuple[Any, Any]]) -> dict[str, tuple[Any, Any]]:
    """Arrays are of a field."""
    return {
        name: (*({"u": end} if isinstance(end, np.ndarray | float) else end for end in pair),)
        for name, pair in ends.items()
    }


KINDS = ("no-flux", "periodic", "values", "mixed", "given")


@pytest.mark.parametrize(
    ("dimensions", "kind"),
    [
        *((count, kind) for count in (1, 2) for kind in KINDS),
        *(pytest.param(3, kind, marks=pytest.mark.slow) for kind in KINDS[:-2]),
        *((3, kind) for kind in KINDS[-2:]),
        (2, "given low"),
        (2, "given high"),
    ],
)
def test_neighbours_and_what_is_beyond_the_ends(dimensions: int, kind: str) -> None:
    values, ends, offsets = field(dimensions), faces(dimensions, kind), OFFSETS[dimensions]

    def update(u: Any) -> dict[str, Any]:
        return {"u": weighted(u, offsets)}

    found = both_ways(update, {"u": values}, 3, boundary=as_stated(ends))["u"]

    for _ in range(3):
        values = weighted(Known(values, ends), offsets)
    assert same_bits(found, np.ascontiguousarray(values))


def test_points_that_are_fewer_than_the_radius_are_mirrored_again_and_again() -> None:
    values = np.array([1.0, 2.0])

    def update(u: Any) -> dict[str, Any]:
        return {"u": u[-4] + 10 * u[4]}

    found = both_ways(update, {"u": values})["u"]

    assert same_bits(
        found, Known(values, {"x": ("no-flux", "no-flux")})[-4] + np.array([10.0, 20.0])
    )


@pytest.mark.parametrize("devices", [1, 2, 3])
@pytest.mark.parametrize("boundary", ["no-flux", "periodic"])
def test_cuts_that_are_thinner_than_the_halo_do_not_show(boundary: str, devices: int) -> None:
    values = np.random.default_rng(1).random((6, 5))

    def update(u: Any) -> dict[str, Any]:
        return {"u": 0.5 * u[-4, 0] + 0.25 * u[4, 1]}

    whole = result_of(update, {"u": values}, 7, boundary=boundary, threads=1)
    cut = result_of(
        update,
        {"u": values},
        7,
        boundary=boundary,
        threads=devices,
        devices=" ".join(["cpu"] * devices),
    )

    assert cut.hash == whole.hash
    assert same_bits(cut.fields["u"], whole.fields["u"])


def test_fields_are_coupled_and_one_that_has_no_update_stays() -> None:
    u, v, k = (field(2, seed) for seed in range(3))
    ends = faces(2, "mixed")

    def update(u: Any, v: Any, k: Any) -> dict[str, Any]:
        return {
            "u": u[0, 0] + k[0, 0] * (v[0, 1] - v[0, -1]),
            "v": v[0, 0] - 0.5 * u[1, 0] * k[1, 0],
        }

    found = both_ways(
        update, {"u": u, "v": v, "k": k}, 4, boundary={"x": ("no-flux", 0.25), "y": "periodic"}
    )

    kept = Known(k, ends)
    for _ in range(4):
        new = update(Known(u, ends), Known(v, ends), kept)
        u, v = new["u"], new["v"]
    assert same_bits(found["u"], np.ascontiguousarray(u))
    assert same_bits(found["v"], np.ascontiguousarray(v))
    assert same_bits(found["k"], k)


def test_parameters_coordinates_and_the_number_of_the_step() -> None:
    start = np.zeros((4, 5, 6))
    ends = {"z": ({"u": 1.0}, {"u": np.full((5, 6), 2.0)})}

    def update(u: Any, a: float, x: Any, y: Any, z: Any, step: Any) -> dict[str, Any]:
        return {"u": u + a * x + 100 * y + 10000 * z + 0.5 * step + 0 * u[1, 0, 0]}

    stated = {"parameters": {"a": 3.0}, "spacing": (0.5, 2.0, 0.25)}
    plain = both_ways(update, {"u": start}, 3, **stated)["u"]
    layered = both_ways(update, {"u": start}, 3, boundary=ends, **stated)["u"]

    z, y, x = (
        (np.arange(count) + 0.5) * side
        for count, side in zip(start.shape, (0.5, 2.0, 0.25), strict=True)
    )
    expected = start
    for step in range(3):
        expected = (
            expected
            + 3.0 * x
            + 100 * y[:, np.newaxis]
            + 10000 * z[:, np.newaxis, np.newaxis]
            + 0.5 * step
        )
    np.testing.assert_allclose(plain, expected, rtol=1e-15)
    assert same_bits(layered, plain)


def test_a_parameter_is_no_part_of_what_is_compiled() -> None:
    def update(u: Any, rate: float) -> dict[str, Any]:
        return {"u": u * rate}

    once, twice = (
        grid(update, {"u": [1.0, 2.0]}, parameters={"rate": rate}) for rate in (1.0, 2.0)
    )

    assert once._problem.traced.program == twice._problem.traced.program
    assert twice.run(3).fields["u"].tolist() == [8.0, 16.0]


@pytest.mark.parametrize("order", [2, 4, 6, 8])
def test_derivatives_are_exact_for_polynomials_of_their_order(order: int) -> None:
    spacing = (0.5, 0.25)
    y, x = (
        (np.arange(20) + 0.5)[:, np.newaxis] * spacing[0],
        (np.arange(20) + 0.5)[np.newaxis] * spacing[1],
    )
    u = x**order + 2 * y**order

    def update(u: Any) -> dict[str, Any]:
        return {
            "first": u.derivative("x", order=order),
            "second": u.derivative("y", times=2, order=order),
            "both": u.laplacian(order=order),
        }

    found = result_of(
        update, {"u": u, "first": 0 * u, "second": 0 * u, "both": 0 * u}, spacing=spacing
    ).fields

    inner = (slice(4, -4), slice(4, -4))
    first = order * x ** (order - 1) + 0 * y
    along_x = order * (order - 1) * x ** (order - 2) + 0 * y
    along_y = 2 * order * (order - 1) * y ** (order - 2) + 0 * x
    scale = u.max()
    assert abs(found["first"] - first)[inner].max() < 1e-12 * scale
    assert abs(found["second"] - along_y)[inner].max() < 1e-11 * scale
    assert abs(found["both"] - along_x - along_y)[inner].max() < 1e-11 * scale


def test_weights_of_derivatives_are_those_of_fornbergs_conditions() -> None:
    for order, weights in SECOND.items():
        assert weights[0] + 2 * sum(weights[1:]) == pytest.approx(0, abs=1e-15)
        for power in range(2, order + 1, 2):
            moment = 2 * sum(one * n**power for n, one in enumerate(weights))
            assert moment == pytest.approx(2.0 if power == 2 else 0.0, abs=1e-11), (order, power)
    for order, weights in FIRST.items():
        for power in range(1, order, 2):
            moment = 2 * sum(one * n**power for n, one in enumerate(weights, 1))
            assert moment == pytest.approx(1.0 if power == 1 else 0.0, abs=1e-11), (order, power)
