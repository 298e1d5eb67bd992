# SPDX-License-Identifier: Apache-2.0
"""Goal: a problem is the same however its parts are named and in whatever order, and only then
goes on from a checkpoint.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from makespan.equations.api import Grid, grid
from makespan.grids import field_run

import makespan

FEW: dict[str, Any] = {"kernel": "interpreted", "threads": 1}


def decay() -> Grid:
    return grid(lambda u: {"u": 0.5 * u}, {"u": np.ones((6, 5))})


def test_arguments_may_be_given_by_keyword_only() -> None:
    def named(u: Any, *, rate: Any) -> dict[str, Any]:
        return {"u": u - rate * u}

    def first(rate: Any, u: Any) -> dict[str, Any]:
        return {"u": u - rate * u}

    fields = {"u": np.random.default_rng(1).random((6, 5))}
    plain = grid(named, fields, parameters={"rate": 0.5}).run(3, **FEW)
    known = grid(partial(first, rate=0.5), fields).run(3, **FEW)

    assert plain is not None
    assert known is not None
    assert plain.hash == known.hash


def test_a_problem_stays_as_it_was_stated() -> None:
    """Goal: whatever becomes of the caller's arrays afterwards."""
    first, face = np.random.default_rng(1).random((6, 5)), np.linspace(0.0, 1.0, 5)

    def heat(u: Any) -> dict[str, Any]:
        return {"u": u + 0.1 * u.laplacian()}

    problem = grid(heat, {"u": first}, boundary={"y": ({"u": face}, "no-flux")})
    before = problem.run(3, **FEW)
    first[:] = 7.0
    face[:] = 7.0
    after = problem.run(3, **FEW)

    assert before is not None
    assert after is not None
    assert after.hash == before.hash


def test_ends_are_the_same_by_name_in_any_order(tmp_path: Path) -> None:
    """Of two fields whose arrays change places it is another boundary."""

    def exchange(u: Any, v: Any) -> dict[str, Any]:
        return {"u": u + 0.1 * v.laplacian(), "v": v + 0.1 * u.laplacian()}

    low, high = np.full(20, 1.0), np.linspace(0.0, 1.0, 20)

    def state(end: dict[str, Any], *, is_far: bool = False) -> Grid:
        fields = {"u": np.ones((24, 20)), "v": np.zeros((24, 20))}
        pair = ("no-flux", end) if is_far else (end, "no-flux")
        return grid(exchange, fields, boundary={"y": pair}, check_stability=False)

    state({"u": low, "v": high}).run(2, checkpoint=tmp_path, checkpoint_steps=2, **FEW)
    saved = tmp_path / "step-2.vtkhdf"

    for other in (state({"v": low, "u": high}), state({"u": low, "v": high}, is_far=True)):
        with pytest.raises(makespan.InputError, match=" = "):
            other.run(4, restart_from=saved, **FEW)
    assert state({"v": high, "u": low}).run(4, restart_from=saved, **FEW) is not None


@pytest.mark.parametrize("is_going_on", [False, True])
def test_ctrl_c_while_it_is_tuned_names_what_is_there_to_go_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_going_on: bool
) -> None:
    saved, begin = None, 0
    if is_going_on:
        decay().run(4, checkpoint=tmp_path / "saved", checkpoint_steps=4, **FEW)
        saved, begin = tmp_path / "saved" / "step-4.vtkhdf", 4

    def press(*_arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(field_run, "tune", press)
    with pytest.raises(makespan.Interrupted) as raised:
        decay().run(10, checkpoint=tmp_path / "saved", restart_from=saved, **FEW)

    assert raised.value.restart_from == saved
    assert (raised.value.done, raised.value.total) == (begin, 10)
