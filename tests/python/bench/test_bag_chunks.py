# SPDX-License-Identifier: Apache-2.0
"""The bench of items per claim: what counts as lost, its cases, a quick run and its page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from browser import shown
from makespan.pricing.timeline import Device, Timeline

from bench.bag import chunks
from bench.bag.__main__ import CASES, two_devices
from bench.bag.chunks import DEFAULT, Measured, Run, Sweep, fixed_name
from bench.bag.chunks_page import sweep_html
from bench.case import Scale
from bench.ratio import spread
from bench.result import Outcome

QUICK = chunks.read_case(CASES / "chunks.toml", Scale.SMOKE)
FULL = chunks.read_case(CASES / "chunks.toml", Scale.FULL)


@pytest.mark.parametrize(
    ("claim_s", "item_s", "idle", "claims"),
    [
        # 2 s of a device of speed 3 and one of speed 1: 8 in all.
        ([0.0, 0.0], [2.0, 2.0], 0.0, 0.0),
        ([0.0, 0.0], [2.0, 0.0], 0.25, 0.0),
        ([0.0, 0.0], [0.0, 2.0], 0.75, 0.0),
        ([0.2, 0.2], [1.8, 1.8], 0.0, 0.1),
        ([0.4, 0.0], [1.6, 1.0], 0.125, 0.15),
    ],
)
def test_seconds_that_are_lost_count_by_speed(
    claim_s: list[float], item_s: list[float], idle: float, claims: float
) -> None:
    found = chunks.loss(Run(2.0, 1, claim_s, item_s), [3.0, 1.0])

    assert (found.idle, found.claims) == pytest.approx((idle, claims))


def test_seconds_are_those_of_the_threads_of_a_device() -> None:
    timeline = Timeline(
        thread=np.array([0, 1, 2, 2], dtype=np.int32),
        kind=np.array([0, 0, 0, 1], dtype=np.uint8),
        begin=np.array([0.0, 1.0, 0.0, 4.0]),
        end=np.array([1.0, 3.0, 4.0, 4.5]),
        row=np.zeros(4, dtype=np.int64),
        items=np.ones(4, dtype=np.int64),
        kinds=("run", "claim", "steal", "idle"),
        devices=[
            Device("a", "avx2", 0, 2, failed=False),
            Device("b", "avx2", 2, 1, failed=False),
        ],
        ids=["x"],
    )

    assert chunks.seconds_by_device(timeline, "run") == [3.0, 4.0]
    assert chunks.seconds_by_device(timeline, "claim", "steal") == [0.0, 0.5]


def test_the_full_sweep_goes_from_one_item_to_half_of_all() -> None:
    items = FULL.device_case.half * 2

    assert FULL.chunk_items[0] == 1
    assert FULL.chunk_items[-1] == items // 2
    assert FULL.device_case.rounds >= 5


@pytest.mark.parametrize("case", [QUICK, FULL])
def test_every_row_speaks_of_a_contestant(case: chunks.ChunkCase) -> None:
    names = {contestant.name for contestant in case.contestants} | {chunks.BEST_FIXED}

    for row in case.device_case.rows:
        assert {row["of"], row.get("compared_to", DEFAULT)} <= names


def measured(seconds: float) -> Measured:
    share = spread([0.5])
    return Measured([seconds, 9.0, seconds], share, share, share, share)


def test_the_best_size_has_the_least_median() -> None:
    sweep: Sweep = {DEFAULT: measured(0.1)}
    sweep |= {fixed_name(items): measured(1.0 + items) for items in QUICK.chunk_items}

    assert chunks.best_fixed(QUICK, sweep) == "1 item"


@pytest.fixture(scope="module")
def quick() -> tuple[Outcome, Sweep]:
    outcome = Outcome()
    return outcome, chunks.run_case(QUICK, two_devices(), outcome, lambda _: None)


def test_a_quick_run_fills_every_row(quick: tuple[Outcome, Sweep]) -> None:
    outcome, sweep = quick

    assert [row.name for row in outcome.rows] == [row["name"] for row in QUICK.device_case.rows]
    assert all(row.value is not None and row.ratio is not None for row in outcome.rows)
    assert all(0.0 < one.claim_share.median < 1.0 for one in sweep.values())
    assert all(0.0 < one.idle_share.median < 1.0 for one in sweep.values())
    assert sweep["1 item"].claims.median == QUICK.device_case.half * 2


def test_the_page_is_drawn(quick: tuple[Outcome, Sweep], tmp_path: Path) -> None:
    _, sweep = quick
    page = tmp_path / "chunks.html"
    page.write_text(sweep_html(QUICK, sweep))

    seen = shown(page, tmp_path / "profile")

    assert seen.complaints == []
    assert seen.texts("text", "xtitle") == ["items per claim"] * 2
    assert seen.texts("text", "legendtext") == [
        *["idle", "idle, default", "claims", "claims, default"],
        *["fixed size", "default"],
    ]
    assert len([path for path in seen.paths("trace", "js-line") if path]) == 6
    assert seen.texts("td")[::6] == list(sweep)
