# SPDX-License-Identifier: Apache-2.0
"""Rows of programs that print JSON: medians, ratios, and contestants that did not run."""

from __future__ import annotations

import pytest

from bench.json_rows import add_rows, replies_in
from bench.result import Outcome

PRINTED = """
a line for people
{"contestant": "ours", "ms": 2.0}
{"contestant": "theirs", "ms": 6.0}
{"contestant": "ours", "ms": 4.0}
{"contestant": "ours", "ms": 3.0}
"""


def row(**more: object) -> dict[str, object]:
    return {"name": "time", "of": "ours", "figure": "ms", "unit": "ms", **more}


def test_replies_are_by_contestant_in_their_order() -> None:
    found = replies_in(PRINTED)

    assert found == {"ours": [{"ms": 2.0}, {"ms": 4.0}, {"ms": 3.0}], "theirs": [{"ms": 6.0}]}


@pytest.mark.parametrize(
    ("more", "ratio"),
    [
        ({}, None),
        ({"compared_to": "theirs"}, 0.5),
        ({"compared_to": "theirs", "inverted": True}, 2.0),
    ],
)
def test_rows_are_medians_and_their_ratios(more: dict[str, object], ratio: float | None) -> None:
    outcome = Outcome()

    add_rows([row(**more)], replies_in(PRINTED), outcome)

    assert [(made.value, made.ratio) for made in outcome.rows] == [(3.0, ratio)]


def test_a_row_may_stand_for_several() -> None:
    outcome = Outcome()

    add_rows(
        [row(name="{each}'s", of="{each}", each=["theirs", "ours"])], replies_in(PRINTED), outcome
    )

    assert [(made.name, made.value) for made in outcome.rows] == [
        ("theirs's", 6.0),
        ("ours's", 3.0),
    ]


def test_rows_of_who_did_not_run_are_left_out() -> None:
    outcome = Outcome()

    add_rows([row(of="other"), row(compared_to="other")], replies_in(PRINTED), outcome)

    assert outcome.rows == []
