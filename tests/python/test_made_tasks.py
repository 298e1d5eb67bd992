# SPDX-License-Identifier: Apache-2.0
"""Goal: made-up tasks have the costs that were asked for, the same every time.

Method: moments of large bags, and invalid texts.
"""

from __future__ import annotations

import statistics

import pytest
from makespan.base.errors import InputError
from makespan.sim.tasks import made_tasks


@pytest.mark.parametrize(
    ("text", "mean", "spread"),
    [
        ("50000", 1.0, 0.0),
        ("50000:constant:0:0.25", 0.25, 0.0),
        ("50000:uniform:0.4", 1.0, 0.4),
        ("50000:normal:0.2:3", 3.0, 0.2),
        ("50000:normal:0.5", 1.0, 0.5),
        ("50000:exponential", 1.0, 1.0),
        ("50000:exponential:1:2", 2.0, 1.0),
        ("50000:lognormal:0.5:2", 2.0, 0.5),
    ],
)
def test_costs_are_distributed_as_asked(text: str, mean: float, spread: float) -> None:
    costs = made_tasks(text).costs

    assert len(costs) == 50000
    assert min(costs) > 0
    assert statistics.fmean(costs) == pytest.approx(mean, rel=0.02)
    assert statistics.pstdev(costs) / mean == pytest.approx(spread, abs=0.02)


def test_the_seed_decides() -> None:
    assert made_tasks("100:lognormal") == made_tasks("100:lognormal")
    assert made_tasks("100:lognormal") != made_tasks("100:lognormal", seed=2)


def test_predictions_may_be_wrong() -> None:
    tasks = made_tasks("50000:constant", error=0.1)

    assert set(tasks.costs) == {1.0}
    assert statistics.fmean(tasks.factors) == pytest.approx(1.0, rel=0.01)
    assert statistics.pstdev(tasks.factors) == pytest.approx(0.1, rel=0.05)
    assert made_tasks("5").factors == ()


@pytest.mark.parametrize(
    "text",
    ["", "0", "-5", "many", "99999999999", "10:cauchy", "10:normal:x", "10:normal:-1",
     "10:normal:nan", "10:normal:0.1:0", "10:constant:0:1e308", "10:constant:0:1e-31",
     "10:lognormal:1e200", "10:lognormal:inf", "10:uniform:0.9", "10:normal:0.1:1:1",
     "10:normal:0.6", "10:exponential:0.5", "10:constant:0.9", "9" * 5000],
)  # fmt: skip
def test_invalid_text_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="tasks "):
        made_tasks(text)
