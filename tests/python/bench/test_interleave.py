# SPDX-License-Identifier: Apache-2.0
import copy

import pytest

from bench.case import PriceCheck, Scale, parse_case
from bench.interleave import (
    Series,
    add_rows,
    ask_undisturbed,
    check_price,
    cycles_per_value,
    figure,
    in_turn,
    run_rounds,
)
from bench.result import Outcome
from bench.worker import WorkerError

STEADY = {"clock_before_hz": 3e9, "clock_after_hz": 3e9}
TABLE = {
    "title": "two",
    "measure": "values_per_second",
    "unit": "Gvalues/s",
    "rounds": 4,
    "sizes": {"fixings": 10, "paths": 100},
    "contestant": [
        {"name": "ours", "worker": "kernel", "request": "a", "bound_cycles": 1.2},
        {"name": "theirs", "worker": "mkl", "request": "b"},
    ],
    "row": [
        {"name": "against", "of": "ours", "compared_to": "theirs", "target": "ratio >= 2"},
        {"name": "bound", "of": "ours", "compared_to": "bound", "target": "ratio >= 0.8"},
        {"name": "alone", "of": "theirs"},
    ],
}


def test_every_other_round_goes_backwards():
    order = list(in_turn("ab", 2))

    assert order == [(0, "a"), (0, "b"), (1, "b"), (1, "a"), (2, "a"), (2, "b")]


def case_with(**changes):
    return parse_case({**copy.deepcopy(TABLE), **changes}, Scale.FULL)


def silent(text):
    assert text


def test_rounds_alternate_in_order_and_the_warm_up_is_not_counted():
    case = case_with()
    asked = []

    def ask(contestant):
        asked.append(contestant.name)
        return {"seconds": float(len(asked)), "price": 1.0}

    series = run_rounds(case, ask, silent)

    assert asked == ["ours", "theirs", "theirs", "ours"] * 2 + ["ours", "theirs"]
    assert [reply["seconds"] for reply in series.replies["ours"]] == [4.0, 5.0, 8.0, 9.0]


def test_time_of_a_run_that_lost_its_core_is_taken_again_at_once():
    case = case_with(measure="seconds", unit="s")
    waits = iter([0.5, 0.5, 0.01])

    reply = ask_undisturbed(
        case, lambda _: {"seconds": 1.0, "waited_seconds": next(waits)}, case.contestants[0]
    )

    assert reply["waited_seconds"] == 0.01


@pytest.mark.parametrize(("measure", "times"), [("seconds", 4), ("values_per_second", 1)])
def test_core_that_is_never_free_does_not_hold_up_the_comparison(measure, times):
    case = case_with(measure=measure)
    asked = []

    def ask(contestant):
        asked.append(contestant.name)
        return {"seconds": 1.0, "waited_seconds": 0.5}

    reply = ask_undisturbed(case, ask, case.contestants[0])

    assert reply["waited_seconds"] == 0.5
    assert len(asked) == times


def test_rates_and_cycles_count_the_time_on_the_core():
    case = case_with()
    reply = {"seconds": 1.5e-6, "waited_seconds": 1e-6, **STEADY}

    assert figure(case, case.contestants[0], reply) == pytest.approx(2e9)
    assert cycles_per_value(case.contestants[0], [reply]) == pytest.approx([1.5])


def test_contestant_that_fails_once_is_left_out_and_the_others_go_on():
    case = case_with()
    times_asked = {"ours": 0, "theirs": 0}

    def ask(contestant):
        times_asked[contestant.name] += 1
        if contestant.name == "theirs" and times_asked["theirs"] == 3:
            message = "it ended"
            raise WorkerError(message)
        return {"seconds": 1e-6, "price": 1.0, **STEADY}

    series = run_rounds(case, ask, silent)
    outcome = Outcome()
    add_rows(case, series, outcome)

    assert times_asked == {"ours": 5, "theirs": 3}
    assert outcome.left_out == {"against": "it ended", "alone": "it ended"}
    rows = {row.name: row for row in outcome.rows}
    assert rows["against"].value is None
    assert rows["against"].reached is None
    assert rows["against"].target == "ratio >= 2"
    assert rows["bound"].value == pytest.approx(1.0)


def test_rows_hold_rate_ratio_and_share_of_bound():
    # 1000 values: ours in 0.5 us (1.5 cycles a value at 3 GHz), theirs in 1.25 us.
    case = case_with()
    series = Series(
        replies={
            "ours": [{"seconds": 0.5e-6, **STEADY}] * 4,
            "theirs": [{"seconds": 1.25e-6}] * 4,
        }
    )
    outcome = Outcome()

    add_rows(case, series, outcome)

    rows = {row.name: row for row in outcome.rows}
    assert rows["against"].value == pytest.approx(2.0)
    assert rows["against"].ratio == pytest.approx(2.5)
    assert rows["against"].reached is True
    assert rows["bound"].ratio == pytest.approx(1.2 / 1.5)
    assert rows["alone"].ratio is None
    assert rows["alone"].value == pytest.approx(0.8)


def test_time_to_an_error_is_extrapolated_only_upwards():
    case = case_with(measure="seconds_to_std_error", unit="s", std_error=1e-3)
    ours = case.contestants[0]

    assert figure(case, ours, {"seconds": 2.0, "std_error": 1e-2}) == pytest.approx(200.0)
    assert figure(case, ours, {"seconds": 2.0, "std_error": 5e-4}) == 2.0


def test_ratio_of_times_can_be_asked_as_times_less():
    row = {"name": "less", "of": "ours", "compared_to": "theirs", "ratio": "theirs / ours"}
    case = case_with(measure="seconds", unit="s", row=[row])
    outcome = Outcome()

    series = Series({"ours": [{"seconds": 2.0}], "theirs": [{"seconds": 9.0}]})
    add_rows(case, series, outcome)

    assert outcome.rows[0].ratio == 4.5


def test_cycles_count_only_runs_during_which_the_clock_stood():
    contestant = case_with().contestants[0]
    moved = {"seconds": 0.5e-6, "clock_before_hz": 3.0e9, "clock_after_hz": 3.1e9}

    assert cycles_per_value(contestant, [{"seconds": 0.5e-6, **STEADY}, moved]) == [1.5]
    assert cycles_per_value(contestant, [moved]) == [1.55]


@pytest.mark.parametrize(
    ("reply", "agrees"),
    [
        ({"price": 5.9}, True),  # one standard error of 0.1 for 100 paths
        ({"price": 6.5}, False),
        ({"price": float("nan")}, False),
        ({"price": 5.9, "std_error": 0.01}, False),
    ],
)
def test_price_of_another_contract_is_noticed(reply, agrees):
    case = case_with()
    checked = parse_case({**TABLE, "check": {"price": 5.8, "payoff_std": 1.0}}, Scale.FULL)
    assert checked.check == PriceCheck(5.8, 1.0)

    check_price(case, case.contestants[0], reply)  # without a check every price will do
    if agrees:
        check_price(checked, checked.contestants[0], reply)
    else:
        with pytest.raises(WorkerError, match="another contract"):
            check_price(checked, checked.contestants[0], reply)
