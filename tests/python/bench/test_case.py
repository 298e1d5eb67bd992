# SPDX-License-Identifier: Apache-2.0
import copy
from pathlib import Path

import pytest

from bench.case import Scale, parse_case, read_case

CASES = Path(__file__).resolve().parents[3] / "bench" / "cases" / "price"
TABLE = {
    "title": "two",
    "measure": "values_per_second",
    "unit": "Gvalues/s",
    "rounds": 9,
    "sizes": {"fixings": 12, "paths": 1000},
    "smoke": {"rounds": 1, "sizes": {"paths": 10}},
    "contestant": [
        {"name": "ours", "worker": "kernel", "request": "a {fixings} {paths}", "bound_cycles": 1.5},
        {
            "name": "theirs",
            "worker": "numpy",
            "request": "b {paths}",
            "sizes": {"paths": 100},
            "smoke_sizes": {"paths": 5},
        },
    ],
    "row": [{"name": "r", "of": "ours", "compared_to": "theirs", "target": "ratio >= 1"}],
}


def table_with(change):
    table = copy.deepcopy(TABLE)
    change(table)
    return table


def test_request_is_filled_with_sizes_of_case_and_contestant():
    case = parse_case(TABLE, Scale.FULL)

    assert [entry.full_request for entry in case.contestants] == ["a 12 1000", "b 100"]
    assert [entry.values for entry in case.contestants] == [12_000, 1200]


def test_smoke_replaces_sizes_and_rounds():
    case = parse_case(TABLE, Scale.SMOKE)

    assert case.rounds == 1
    assert [entry.full_request for entry in case.contestants] == ["a 12 10", "b 5"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda table: table.update(measure="speed"), "measure 'speed' is unknown"),
        (lambda table: table["row"][0].update(of="other"), "no contestant 'other'"),
        (lambda table: table["row"][0].update(compared_to="other"), "no contestant 'other'"),
        (lambda table: table["row"][0].update(ratio="upside down"), "'upside down' is unknown"),
        (lambda table: table["row"][0].update(of="theirs", compared_to="bound"), "bound_cycles"),
        (lambda table: table.update(measure="seconds_to_std_error"), "give std_error"),
    ],
)
def test_case_that_speaks_of_what_does_not_exist_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        parse_case(table_with(change), Scale.FULL)


@pytest.mark.parametrize("scale", Scale)
@pytest.mark.parametrize("name", ["kernel", "accuracy", "greeks", "threads"])
def test_case_files_are_consistent(name, scale):
    case = read_case(CASES / f"{name}.toml", scale)

    assert case.rounds >= 1
    assert all("{" not in entry.full_request for entry in case.contestants)


def test_every_performance_row_of_the_goals_has_its_target():
    targets = {
        row.name: row.target
        for name in ("kernel", "accuracy", "greeks", "threads")
        for row in read_case(CASES / f"{name}.toml", Scale.FULL).asked
    }

    wanted = {
        "kernel7_vs_mkl_faithful": "ratio >= 3.1",
        "kernel7_vs_mkl_best": "ratio >= 1.2",
        "kernel10_vs_mkl_faithful": "ratio >= 2.5",
        "kernel10_vs_mkl_best": "ratio >= 1.0",
        "kernel7_avx512_of_bound": "ratio >= 0.80",
        "kernel7_avx2_of_bound": "ratio >= 0.70",
        "two_threads_vs_one": "ratio >= 1.9",
        "time_to_1e-4": "value <= 0.04",
        "time_to_1e-4_vs_quantlib": "ratio >= 10000",
        "greeks_vs_price_only": "ratio <= 2",
    }
    assert {name: targets[name] for name in wanted} == wanted
