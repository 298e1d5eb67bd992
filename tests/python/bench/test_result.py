# SPDX-License-Identifier: Apache-2.0
import json

import pytest

from bench.ratio import Spread
from bench.result import Outcome, Row, is_reached, judged, read_rows, run_path, write_outcome

FIELDS = ["name", "value", "unit", "compared_to", "ratio", "target", "reached"]


@pytest.mark.parametrize(
    ("target", "value", "ratio", "reached"),
    [
        ("ratio >= 3.1", 2.0, 3.1, True),
        ("ratio >= 3.1", 9.0, 3.0999, False),
        ("value <= 0.04", 0.04, 1.0, True),
        ("value < 0.04", 0.04, 1.0, False),
        ("value <= 1e-4", 2e-4, None, False),
        ("ratio >= 10000", 1.0, None, None),
        ("value < 1", None, None, None),
    ],
)
def test_target_is_judged_by_the_figure_that_it_names(target, value, ratio, reached):
    assert is_reached(target, value, ratio) is reached


@pytest.mark.parametrize("target", ["> 3", "ratio > 3", "ratio >= fast", "speed >= 3"])
def test_target_that_is_not_understood_is_an_error(target):
    with pytest.raises(ValueError, match="not understood"):
        is_reached(target, 1.0, 1.0)


def test_row_without_target_is_not_judged():
    assert judged(Row("numpy", 1.0, "s")).reached is None


def test_result_file_is_a_list_of_rows_with_exactly_the_agreed_fields(tmp_path):
    outcome = Outcome()
    row = Row("kernel", 1.9, "Gvalues/s", "mkl", 3.2, "ratio >= 3.1")
    outcome.add(row, ratio=Spread(3.2, 3.1, 3.3, 9))
    outcome.leave_out(Row("book", None, "us", target="value < 10"), "not built")
    path = tmp_path / "deep" / "price.json"

    write_outcome(path, outcome, {"machine": {"cpu": "x"}, "smoke": False})

    entries = json.loads(path.read_text())
    assert [list(entry) for entry in entries] == [FIELDS, FIELDS]
    assert entries[0]["reached"] is True
    assert entries[1]["value"] is None
    assert entries[1]["reached"] is None
    assert read_rows(path) == outcome.rows


def test_file_beside_the_rows_tells_machine_spread_and_gaps(tmp_path):
    outcome = Outcome()
    outcome.add(Row("kernel", 1.9, "s", "mkl", 3.2), ratio=Spread(3.2, 3.1, 3.3, 9))
    outcome.leave_out(Row("book", None, "us"), "not built")
    path = tmp_path / "price.json"

    write_outcome(path, outcome, {"machine": {"cpu": "x"}})

    run = json.loads(run_path(path).read_text())
    assert run["machine"] == {"cpu": "x"}
    assert run["spreads"]["kernel"]["ratio"]["upper_quartile"] == 3.3
    assert run["left_out"] == {"book": "not built"}
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["price.json", "price.run.json"]
