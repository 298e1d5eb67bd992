# SPDX-License-Identifier: Apache-2.0
"""A grid goes on only with the lengths and times that it was begun with."""

from __future__ import annotations

from pathlib import Path

import pytest

import makespan

BEGUN = {"points": (8, 6, 5), "spacing": 1.0, "diffusion": 1.0, "time_step": 0.1, "steps": 4}


@pytest.mark.parametrize(
    ("other", "message"),
    [
        # The same share of a neighbour in a step, so that values would go on alike.
        ({"spacing": 2.0, "diffusion": 4.0}, r"spacing = \[1.*\] there, and \[2.*\] here"),
        ({"diffusion": 0.5, "time_step": 0.2}, "step 8 is at 0.8 there, and at 1.6 here"),
    ],
)
def test_a_diffusion_of_other_terms_is_refused(
    tmp_path: Path, other: dict[str, float], message: str
) -> None:
    saved = tmp_path / "saved"
    begun = {**BEGUN, "checkpoint": saved, "checkpoint_steps": 4, "threads": 1}
    first = makespan.diffuse(**begun)
    assert first is not None
    checkpoint = saved / "step-4.vtkhdf"
    again = makespan.diffuse(**{**begun, "steps": 8, "restart_from": checkpoint})
    assert again is not None

    checkpoint = max(saved.glob("step-*.vtkhdf"), key=lambda path: path.stat().st_mtime)
    with pytest.raises(makespan.InputError, match=message):
        makespan.diffuse(**{**begun, **other, "steps": 12, "restart_from": checkpoint})
