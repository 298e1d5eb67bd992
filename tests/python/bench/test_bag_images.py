# SPDX-License-Identifier: Apache-2.0
"""The bench of images: its cases, and how it judges what Coarray Fortran printed."""

from __future__ import annotations

import pytest

from bench.bag import coarrays, images
from bench.bag.__main__ import CASES
from bench.case import Scale
from bench.result import Outcome
from bench.runtime.program import ProgramError

QUICK = images.read_case(CASES / "images.toml", Scale.SMOKE)
PRINTED = '{"price": 2.5}\n{"price": 3.5}\n{"seconds": 1.0}\n'


def failing(printed: str) -> str:
    raise ProgramError("exit code 9", printed)


def test_every_row_speaks_of_contestants() -> None:
    names = {contestant.name for contestant in QUICK.contestants}

    assert {row["of"] for row in QUICK.rows} <= names
    assert {row["compared_to"] for row in QUICK.rows if "compared_to" in row} <= names
    assert images.ONE_PROCESS in names


def test_a_run_counts_if_all_was_printed() -> None:
    run = coarrays.CoarrayRun(1.0, [2.5, 3.5])

    assert coarrays.run_of(lambda: PRINTED) == run
    assert coarrays.run_of(lambda: failing(PRINTED)) == run


def test_a_run_that_failed_before_its_end_is_an_error() -> None:
    with pytest.raises(ProgramError, match="exit code 9"):
        coarrays.run_of(lambda: failing('{"price": 2.5}\n'))


def test_prices_agree_up_to_the_order_of_sums() -> None:
    coarrays.check_prices("peer", [1.0, 2.0], [1.0 + 4e-16, 2.0])

    with pytest.raises(RuntimeError, match="row 2"):
        coarrays.check_prices("peer", [1.0, 2.0], [1.0, 2.0 + 1e-9])
    with pytest.raises(RuntimeError, match="row 1"):
        coarrays.check_prices("peer", [float("nan")], [1.0])
    with pytest.raises(RuntimeError, match="1 prices"):
        coarrays.check_prices("peer", [1.0], [1.0, 2.0])


def test_chunks_that_fail_are_passed_over() -> None:
    def seconds_with(chunk: int) -> float:
        if chunk == 1:
            raise ProgramError("took too long")
        return float(chunk)

    assert coarrays.fastest_chunk([1, 64, 8], seconds_with) == 8
    with pytest.raises(ProgramError, match="took too long"):
        coarrays.fastest_chunk([1], seconds_with)


def test_a_peer_that_is_missing_leaves_its_rows_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def price(_: images.Pricer, contestant: images.Contestant) -> images.Run:
        if contestant.peer:
            raise ProgramError("coarray_book is not built")
        return images.Run(2.0, [1.0], 1.0, "hash")

    monkeypatch.setattr(images.Pricer, "price", price)
    outcome = Outcome()

    images.run_case(QUICK, images.Places(CASES, CASES), outcome, lambda _: None)

    asked = {row["name"] for row in QUICK.rows if "OpenCoarrays" in row["name"]}
    assert set(outcome.left_out) == asked
    assert len(outcome.rows) == len(QUICK.rows)
