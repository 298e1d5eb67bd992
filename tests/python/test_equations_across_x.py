# SPDX-License-Identifier: Apache-2.0
"""Goal: an update that reads several points away has the same bits however a grid is cut across x.

Method: slabs that end one point before the grid does, interpreted and compiled, against one slab.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from own_equations import same_bits

from makespan import grid

CUTS: list[dict[str, Any]] = [
    {"devices": "cpu cpu", "threads": 2, "host": "all", "host_thickness": 1},
    {"devices": "cpu cpu", "threads": 2, "host": "left-right", "host_thickness": [1, 0, 0]},
    {"devices": "cpu cpu", "threads": 2, "host": "left-right", "host_thickness": [2, 1, 0]},
]


def far(u: Any) -> Any:
    """Reads two points away along x, and across it, each with a weight of its own."""
    along = 0.2 * u[0, -2] + 0.3 * u[0, 2] + 0.05 * u[0, -1] + 0.15 * u[0, 1]
    return {"u": along + 0.1 * u[-1, 0] + 0.2 * u[2, 0]}


@pytest.mark.parametrize("kernel", ["compiled", "interpreted"])
@pytest.mark.parametrize(
    "boundary",
    ["no-flux", {"x": ({"u": 0.25}, {"u": -1.5}), "y": "no-flux"}],
    ids=["mirror", "value"],
)
@pytest.mark.parametrize("cut", CUTS, ids=str)
def test_slabs_may_end_beside_the_grids_end(
    kernel: str, boundary: Any, cut: dict[str, Any]
) -> None:
    first = np.random.default_rng(5).random((12, 21))
    problem = grid(far, {"u": first}, boundary=boundary, check_stability=False)
    whole = problem.run(9, threads=1, kernel=kernel)
    parts = problem.run(9, kernel=kernel, **cut)

    assert whole is not None
    assert parts is not None
    assert same_bits(parts.fields["u"], whole.fields["u"])
