# SPDX-License-Identifier: Apache-2.0
"""Case files of the runtime bench: read, filled in, and refused if invalid or inconsistent."""

import re

import pytest

from bench.case import Scale
from bench.result import TARGET_PATTERN
from bench.runtime.__main__ import CASE_NAMES, CASES
from bench.runtime.case import parse_case, read_case

TABLE = {
    "title": "sample",
    "launches": 3,
    "sizes": {"rounds": 9, "operations": 100},
    "smoke": {"launches": 1, "sizes": {"rounds": 1}},
    "prediction": [
        {"name": "a store", "why": "one a cycle", "value": 1e-9},
        {"name": "one trip", "why": "no less", "of": "t1/socket", "times": 2.0},
    ],
    "program": [
        {
            "name": "some_bench",
            "label": "t1",
            "arguments": ["--rounds", "{rounds}", "--operations", "{operations}"],
            "sizes": {"operations": 7},
        }
    ],
    "row": [{"name": "put", "of": "t1/ours", "unit": "ns", "predicted": "a store"}],
}


def with_row(**changes):
    return {**TABLE, "row": [{**TABLE["row"][0], **changes}]}


def test_sizes_fill_arguments_and_smoke_goes_first():
    full, smoke = parse_case(TABLE, Scale.FULL), parse_case(TABLE, Scale.SMOKE)

    assert full.programs[0].arguments == ["--rounds", "9", "--operations", "7"]
    assert smoke.programs[0].arguments == ["--rounds", "1", "--operations", "7"]
    assert (full.launches, smoke.launches) == (3, 1)


def test_contestants_are_known_by_the_label_of_their_program():
    program = parse_case(TABLE, Scale.FULL).programs[0]

    assert program.full_name("ours") == "t1/ours"


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"predicted": "nothing"}, "predicts no 'nothing'"),
        ({"compared_to": "other"}, "compared twice"),
        ({"unit": "furlong"}, "unit 'furlong' is unknown"),
        ({"ratio": "both"}, "ratio 'both' is unknown"),
    ],
)
def test_invalid_row_is_refused(changes, text):
    with pytest.raises(ValueError, match=text):
        parse_case(with_row(**changes), Scale.FULL)


@pytest.mark.parametrize("entry", [{}, {"value": 1.0, "of": "x"}])
def test_prediction_is_one_thing(entry):
    table = {**TABLE, "prediction": [{"name": "a store", "why": "", **entry}]}

    with pytest.raises(ValueError, match="a value, or a multiple"):
        parse_case(table, Scale.FULL)


@pytest.mark.parametrize("scale", list(Scale))
@pytest.mark.parametrize("name", CASE_NAMES)
def test_case_file_is_whole(name, scale):
    case = read_case(CASES / f"{name}.toml", scale)

    assert case.predictions
    for row in case.rows:
        assert row.target is None or TARGET_PATTERN.fullmatch(row.target)
    words = [word for program in case.programs for word in program.arguments]
    assert not [word for word in words if re.search(r"[{}]", word)]


def test_every_case_file_is_run_and_rows_have_names_of_their_own():
    cases = [read_case(CASES / f"{name}.toml", Scale.FULL) for name in CASE_NAMES]
    rows = [row.name for case in cases for row in case.rows]

    assert {path.stem for path in CASES.glob("*.toml")} == set(CASE_NAMES)
    assert len(set(rows)) == len(rows)
