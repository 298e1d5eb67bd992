# SPDX-License-Identifier: Apache-2.0
"""Rows of the runtime bench: medians in their unit, ratios to others and to predictions."""

import json

import pytest

from bench.result import Outcome
from bench.runtime import __main__ as program
from bench.runtime.case import AskedRow, Prediction, RuntimeCase
from bench.runtime.rows import Series, add_rows

PREDICTIONS = [
    Prediction("fixed", "", value=2e-6),
    Prediction("twice", "", of="raw", times=2.0),
    Prediction("peer's", "", of="peer"),
]


def seconds(*values):
    return [{"seconds": value} for value in values]


@pytest.fixture
def series():
    found = Series()
    found.add(0, {"ours": seconds(1e-6, 2e-6, 4e-6), "raw": seconds(1e-6, 4e-6, 4e-6)})
    found.add(1, {"peer": seconds(1e-6, 3e-6, 9e-6)})
    found.failures.append("other_bench: not built")
    return found


def row_of(series, **asked):
    case = RuntimeCase("sample", 1, PREDICTIONS, [], [AskedRow("row", unit="us", **asked)])
    outcome = Outcome()
    add_rows(case, series, outcome)
    return outcome.rows[0], outcome


def test_value_is_the_median_in_the_unit_of_the_row(series):
    row, _ = row_of(series, of="ours", target="value <= 3")

    assert row.value == pytest.approx(2.0)
    assert row.reached is True


def test_contestants_of_one_process_are_compared_block_by_block(series):
    row, _ = row_of(series, of="ours", compared_to="raw")

    assert row.ratio == pytest.approx(1.0)  # of 1, 1/2 and 1; medians would say 1/2


def test_contestants_of_two_processes_are_compared_by_medians(series):
    row, _ = row_of(series, of="ours", compared_to="peer", ratio="theirs / ours")

    assert row.ratio == pytest.approx(1.5)


def test_best_of_others_has_the_least_time_or_the_greatest_rate(series):
    series.add(2, {"fast": [{"seconds": 1e-6, "per_second": 1e6}], "slow": [{"per_second": 2e6}]})

    time, _ = row_of(series, of="ours", best_of=["fast", "peer", "absent"], ratio="theirs / ours")
    rate, _ = row_of(series, of="fast", figure="per_second", best_of=["slow", "fast"])
    gap, outcome = row_of(series, of="ours", best_of=["absent", "gone"])

    assert (time.compared_to, time.ratio) == ("best: fast", pytest.approx(0.5))
    assert (rate.compared_to, rate.ratio) == ("best: slow", pytest.approx(0.5))
    assert (gap.compared_to, gap.ratio) == ("best of absent, gone", None)
    assert outcome.left_out == {"row": "other_bench: not built"}


def test_gap_has_the_reason_of_its_own_program(series):
    series.failures = ["here/one: no luck", "there/two: no memory"]

    _, outcome = row_of(series, of="there/other")

    assert outcome.left_out == {"row": "there/two: no memory"}


def test_prediction_is_a_value_or_a_multiple(series):
    fixed, _ = row_of(series, of="ours", predicted="fixed")
    twice, _ = row_of(series, of="ours", predicted="twice")
    elsewhere, _ = row_of(series, of="ours", predicted="peer's")

    assert fixed.ratio == pytest.approx(1.0)
    assert twice.ratio == pytest.approx(0.5)
    assert twice.compared_to == "predicted: twice"
    assert elsewhere.ratio == pytest.approx(2 / 3)


def test_what_was_not_measured_is_left_out_with_the_reason(series):
    row, outcome = row_of(series, of="other", target="value < 1")

    assert (row.value, row.ratio, row.reached) == (None, None, None)
    assert outcome.left_out == {"row": "other_bench: not built"}


def test_program_shows_its_gaps_where_nothing_is_built(tmp_path, capsys):
    here = str(tmp_path)

    program.main(["--smoke", "--only", "node", "--output", here, "--peers", here, "--build", here])

    rows = json.loads((tmp_path / "runtime.json").read_text())
    run = json.loads((tmp_path / "runtime.run.json").read_text())
    assert {row["value"] for row in rows} == {None}
    assert run["smoke"] is True
    assert "node_bench is not built" in run["left_out"]["node_put"]
    assert "left out" in capsys.readouterr().out
