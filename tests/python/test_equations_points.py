# SPDX-License-Identifier: Apache-2.0
"""Goal: what is told and written of a run of equations is of the user's points alone, by the places
that they have. Method: arrays on a boundary, which are points of the engine's grid.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from makespan.equations.api import grid
from own_equations import same_bits

import makespan

FEW: dict[str, Any] = {"kernel": "interpreted", "threads": 1}


@pytest.mark.parametrize("shape", [(5,), (5, 6), (5, 6, 7)])
def test_pictures_are_of_the_users_points(
    shape: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(
        "makespan.equations.pictures.write_slice", lambda _path, one, _look: shown.append(one)
    )
    values = np.random.default_rng(2).random(shape)
    ends = {"x": ({"u": 2.0}, {"u": values[..., -1]})}
    problem = grid(
        lambda u: {"u": 0.5 * u + 0.1 * u[(*[0] * (len(shape) - 1), 3)]},
        {"u": values},
        boundary=ends,
        spacing=(1.0, 2.0, 3.0)[: len(shape)],
        time_step=0.5,
    )

    problem.run(1, output=tmp_path / "out", slice_steps=1, slice_axis="y", **FEW)

    if len(shape) == 1:
        assert shown == []
        return
    first, last = shown
    plane = values if len(shape) == 2 else values[:, 3]
    assert same_bits(first.values, np.ascontiguousarray(plane))
    assert (last.time, first.time) == (0.5, 0.0)
    assert first.plane == (("x", "y") if len(shape) == 2 else ("x", "z"))
    assert first.sides == ((2.0, 1.0) if len(shape) == 2 else (3.0, 1.0))
    assert (first.across, first.position) == (("", 0.0) if len(shape) == 2 else ("y", 7.0))


@pytest.mark.parametrize("shape", [(10,), (10, 9), (10, 9, 8)])
def test_tables_and_files_for_paraview_are_of_the_users_points(
    shape: tuple[int, ...], tmp_path: Path
) -> None:
    """And not of the points that stand beyond an end whose values are given point by point."""
    values = np.random.default_rng(3).random(shape)
    before, behind = np.full(shape[:-1], 100.0), np.full(shape[:-1], -7.0)
    heat = grid(
        lambda u: {"u": u + 0.01 * u.laplacian(order=4)},
        {"u": values},
        boundary={"x": ({"u": before}, {"u": behind})},
    )

    result = heat.run(2, output=tmp_path, table_steps=1, state_steps=2, frames_steps=1, **FEW)

    assert result is not None
    for row, frame in zip(result.table.to_dicts(), result.frames, strict=True):
        shown = frame.fields["u"]
        assert (row["u_least"], row["u_most"]) == (shown.min(), shown.max())
        assert row["u_mean"] == float(sum(map(Fraction, shown.ravel().tolist())) / shown.size)
    x, y, z = (*shape[::-1], 1, 1)[:3] if len(shape) != 2 else (shape[1], 1, shape[0])
    with h5py.File(tmp_path / "paraview" / "grid-00000002.vtkhdf") as file:
        assert file["VTKHDF"].attrs["WholeExtent"].tolist() == [0, x, 0, y, 0, z]
        expected = result.fields["u"].reshape(z, y, x).astype(np.float32)
        np.testing.assert_array_equal(file["VTKHDF/CellData/u"][:], expected)


@pytest.mark.parametrize("shape", [(6,), (6, 5), (6, 5, 4)])
def test_a_value_that_is_no_number_is_named_by_its_place_in_the_users_array(
    shape: tuple[int, ...],
) -> None:
    """Also where points of the boundary's own stand before it."""
    values = np.ones(shape)
    values[(4, 2, 1)[: len(shape)]] = 1e200
    says = rf"after step 1: u\[{'4, 2, 1'[: 3 * len(shape) - 2]}\] = inf; values"
    before = {"u": np.ones(shape[:-1])}

    for boundary in ("no-flux", {"x": (before, "no-flux")}):
        growing = grid(lambda u: {"u": u * u + 0 * u.laplacian()}, {"u": values}, boundary=boundary)
        with pytest.raises(makespan.EngineError, match=says):
            growing.run(1, **FEW)


@pytest.mark.parametrize("kernel", ["compiled", "interpreted"])
@pytest.mark.parametrize("shape", [(8,), (5, 6), (9, 10, 11), (7, 3, 17)])
def test_coordinates_beyond_periodic_ends_are_those_of_the_other_end(
    shape: tuple[int, ...], kernel: str
) -> None:
    """Method: several steps at once, which compute points beyond the ends, beside one at a time."""

    def turned(u: Any, *places: Any) -> dict[str, Any]:
        total = 0.75 * u
        for axis, place in enumerate(places):
            before = [0] * len(shape)
            before[axis] = -1
            total = total + place * (u[tuple(before)] - 0.25 * u)
        return {"u": total}

    updates: dict[int, Any] = {
        1: lambda u, x: turned(u, 1.0 * x),
        2: lambda u, y, x: turned(u, y, 1.0 * x),
        3: lambda u, z, y, x: turned(u, z, y, 1.0 * x),
    }
    problem = grid(
        updates[len(shape)],
        {"u": np.random.default_rng(4).random(shape)},
        boundary="periodic",
        spacing=0.1,
        check_stability=False,
    )
    runs = {"kernel": kernel, "threads": 2}

    hashes = {
        problem.run(6, **runs, steps_at_once=steps, devices=devices).hash
        for steps in (1, 2, 3)
        for devices in ("cpu", "cpu cpu")
    }

    assert len(hashes) == 1
