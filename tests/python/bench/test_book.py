# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import polars as pl
import pytest

from bench.case import Scale
from bench.price.book import BookRun, add_rows, random_book, read_settings, strata
from bench.process import Usage
from bench.result import Outcome

CASE = Path(__file__).resolve().parents[3] / "bench" / "cases" / "price" / "book.toml"


def test_book_has_the_rows_and_errors_that_the_goal_names():
    settings = read_settings(CASE, Scale.FULL)

    book = random_book(settings)

    assert len(book) == 100_000
    assert book["id"].n_unique() == 100_000
    assert set(book["fixings"]) == {12}
    assert (book["std_error"] / book["spot"]).to_list() == pytest.approx([1e-4] * 100_000)


def test_book_is_the_same_every_time():
    settings = read_settings(CASE, Scale.SMOKE)

    assert random_book(settings).equals(random_book(settings))


def test_overhead_is_what_the_process_took_beyond_the_kernel():
    settings = read_settings(CASE, Scale.FULL)
    runs = [BookRun(Usage(wall, wall, 2**29), kernel_s=0.5, engine_s=0.75) for wall in (1, 1.5, 9)]
    outcome = Outcome()

    add_rows(settings, runs, outcome)

    rows = {row.name: row for row in outcome.rows}
    assert rows["book_overhead_per_row"].value == pytest.approx(10.0)
    assert rows["book_overhead_per_row"].reached is False  # the goal is below 10 us, not at it
    assert rows["book_overhead_beyond_engine"].value == pytest.approx(7.5)
    assert rows["book_peak_memory"].value == 0.5
    assert rows["book_peak_memory"].reached is True
    assert rows["book_wall_time"].ratio == 3.0


def test_strata_hold_all_paths_and_lie_where_their_rows_are():
    book = pl.DataFrame({"volatility": [0.4, 0.1, 0.2, 0.3], "expiry": [1.0, 1.0, 4.0, 0.25]})

    low, high = strata(book, pl.Series([40, 10, 20, 30]), 2)

    # By volatility x sqrt(expiry): rows 1 (0.1) and 3 (0.15), then rows 0 and 2 (both 0.4).
    assert (low.paths, high.paths) == (40, 60)
    assert low.volatility * low.expiry**0.5 == pytest.approx(0.125)
    assert high.volatility * high.expiry**0.5 == pytest.approx(0.4)
