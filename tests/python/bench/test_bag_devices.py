# SPDX-License-Identifier: Apache-2.0
"""The bench of unequal devices: its bound, its cases, and that a quick run fills every row."""

from __future__ import annotations

import pytest

from bench.bag import devices
from bench.bag.__main__ import CASES, two_devices
from bench.case import Scale
from bench.result import Outcome

FILES = ("devices.toml", "uneven.toml")
QUICK = devices.read_case(CASES / FILES[0], Scale.SMOKE)


@pytest.mark.parametrize(
    ("seconds", "slows_to", "share"),
    [
        # Alone 3 s and 6 s: together 2 s, of which 1 s to the half.
        (2.0, 1.0, 1.0),
        (4.0, 1.0, 0.5),
        # From the half on 1/3 + 1/12 a second: 1.2 s.
        (2.2, 0.5, 1.0),
        # From the half on the first alone: 1.5 s, and only they count.
        (2.5, 0.0, 1.0),
        (4.0, 0.0, 0.5),
    ],
)
def test_the_bound(seconds: float, slows_to: float, share: float) -> None:
    assert devices.share_of_bound(seconds, 3.0, 6.0, slows_to) == pytest.approx(share)


@pytest.mark.parametrize("file", FILES)
def test_every_row_speaks_of_a_contestant(file: str) -> None:
    case = devices.read_case(CASES / file, Scale.FULL)
    names = {contestant.name for contestant in case.contestants}

    assert {row["of"] for row in case.rows} <= names
    assert {devices.FIRST_ALONE, devices.SECOND_ALONE} <= names


def test_the_half_is_in_items_of_the_bag() -> None:
    full = devices.read_case(CASES / "devices.toml", Scale.FULL)

    assert full.half == full.options * full.paths // 2048 // 2


def test_costs_spread_as_far_as_the_case_says() -> None:
    case = devices.read_case(CASES / "uneven.toml", Scale.FULL)
    paths = devices.paths_by_option(case)

    assert len(paths) == 1000
    assert max(paths) == case.paths
    assert max(paths) / min(paths) == pytest.approx(1000.0, rel=1e-3)
    assert paths != sorted(paths)
    assert devices.paths_by_option(QUICK) == [QUICK.paths] * QUICK.options


@pytest.mark.parametrize("file", FILES)
def test_a_quick_run_fills_every_row(file: str) -> None:
    case = devices.read_case(CASES / file, Scale.SMOKE)
    outcome = Outcome()

    devices.run_case(case, two_devices(), outcome, lambda _: None)

    assert [row.name for row in outcome.rows] == [row["name"] for row in case.rows]
    assert all(row.value is not None and row.ratio is not None for row in outcome.rows)


def test_contestants_with_other_prices_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = iter(range(1000))
    monkeypatch.setattr(
        devices, "run_of", lambda *_: devices.Run(1.0, 1.0, str(next(seeds)), [2.0, 2.0])
    )

    with pytest.raises(RuntimeError, match="disagree"):
        devices.run_case(QUICK, devices.Places("a", "b"), Outcome(), lambda _: None)


def test_a_row_can_be_bounded_by_the_speeds_that_both_had_together() -> None:
    case = devices.read_case(CASES / "devices.toml", Scale.SMOKE)
    slowed = next(row["of"] for row in case.rows if row["name"] == "devices_slow_to_a_tenth")
    # Alone each takes 2 s; together, undisturbed, the second is half as fast.
    runs = {
        devices.FIRST_ALONE: [devices.Run(2.0, 2.0, "", [2.0])],
        devices.SECOND_ALONE: [devices.Run(2.0, 2.0, "", [2.0])],
        devices.UNDISTURBED: [devices.Run(1.4, 1.3, "", [2.0, 4.0])],
        slowed: [devices.Run(1.8, 1.7, "", [2.0, 30.0])],
    }
    outcome = Outcome()
    for compared in (None, devices.TOGETHER):
        row = {"name": "slow", "of": slowed} | ({"compared_to": compared} if compared else {})
        devices.add_row(case, row, runs, outcome)

    alone, together = (row.ratio for row in outcome.rows)
    assert alone == pytest.approx((0.5 + 0.5 / (0.5 + 0.05)) / 1.8)
    assert together == pytest.approx((0.5 / 0.75 + 0.5 / (0.5 + 0.025)) / 1.8)
