# SPDX-License-Identifier: Apache-2.0
"""The published workload: what is scaled, and what is compared with quoted figures."""

from pathlib import Path

import pytest

from bench.case import Scale
from bench.interleave import Series
from bench.result import Outcome
from bench.rivals.workload import add_ours, random_trades, read_workload, with_book

CASE = Path(__file__).resolve().parents[3] / "bench" / "cases" / "rivals" / "workload.toml"


def reply(price: float) -> dict[str, float]:
    times = {"seconds": 2.0, "processor_seconds": 3.0, "repeats": 1.0}
    return {**times, "price_0": price, "own_error": 0.01, "rows": 40.0}


def test_book_has_the_size_that_was_published(tmp_path: Path) -> None:
    workload = read_workload(CASE, Scale.FULL, whole=True)
    contestant = workload.case.contestant("plain_single")

    asked = with_book(contestant, tmp_path, workload.seed)

    assert contestant.sizes["trades"] == 1000
    assert "paths=500000 threads=2 book=" in asked.full_request
    assert len((tmp_path / "trades_1000.csv").read_text().splitlines()) == 1001
    assert random_trades(40, 252, 1).equals(random_trades(40, 252, 1))


def test_row_scales_to_the_whole_and_counts_thread_seconds() -> None:
    workload = read_workload(CASE, Scale.FULL, whole=False)
    contestant = workload.case.contestant("plain_single")
    outcome = Outcome()

    add_ours(workload, contestant, Series({"plain_single": [reply(300.0)] * 2}), outcome)

    row = outcome.rows[0]
    assert row.value == pytest.approx(75.0)  # 1000 of 40 trades
    assert row.compared_to == "quoted_aadc"
    assert row.ratio == pytest.approx(136.0 * 8 / 75.0)
    assert row.own_error == pytest.approx(0.01)


def test_contestant_that_prices_another_book_is_left_out() -> None:
    workload = read_workload(CASE, Scale.FULL, whole=False)
    series = Series({"plain_single": [reply(300.0)], "plain_double": [reply(310.0)]})
    outcome = Outcome()

    add_ours(workload, workload.case.contestant("plain_double"), series, outcome)

    assert "another book is priced" in outcome.left_out["workload_plain_double"]
