# SPDX-License-Identifier: Apache-2.0
"""What is printed: 80 columns, readable numbers, a bar only for long runs on a terminal."""

from __future__ import annotations

import io
import sys
from typing import Any

import fake_core
import polars as pl
import pytest
from makespan.base.number_text import duration_text, rate_text, time_text, value_text
from makespan.job.progress import Progress
from makespan.pricing.input import Settings
from makespan.pricing.pricing import price_everything
from makespan.pricing.record import RunContext
from makespan.pricing.table import table_text, totals_text
from makespan.report.progress_bar import ProgressBar, progress_text
from makespan.report.result_hash import shown_hash
from small_books import plain_book


def prices(rows: int, *, units: str = "standard", **settings: Any) -> Any:
    table = plain_book(rows, notional=-987.5)
    return price_everything(fake_core, table, Settings(**settings), context=RunContext(units=units))


@pytest.mark.parametrize("units", ["standard", "desk"])
@pytest.mark.parametrize("greeks", [False, True])
def test_the_table_fits_80_columns(units: str, greeks: bool) -> None:  # noqa: FBT001
    run = prices(30, units=units, greeks=greeks)
    named = run.table.with_columns(pl.lit("a very long name of an option").alias("id"))

    text = table_text(named, 20, color=False, width=80)

    assert max(map(len, text.splitlines())) <= 80
    assert "…" in text.splitlines()[1].split()[3]


def test_numbers_in_the_table_are_whole() -> None:
    text = table_text(prices(5, greeks=True).table, 20, color=False, width=80)

    assert "…" not in text


def test_a_long_table_shows_its_two_ends() -> None:
    lines = table_text(prices(30).table, 6, color=False, width=80).splitlines()

    assert [line.split()[0] for line in lines] == [
        "id",
        "A1",
        "A2",
        "A3",
        "...",
        "A28",
        "A29",
        "A30",
    ]
    assert "... 24 more" in lines[4]


def test_a_short_table_shows_everything() -> None:
    assert len(table_text(prices(6).table, 6, color=False, width=80).splitlines()) == 7


def test_an_id_cannot_write_markup_or_control_codes() -> None:
    table = prices(2).table.with_columns(id=pl.Series(["[bold]x[/]", "a\x1b[2J\nb"]))

    lines = table_text(table, 6, color=False, width=80).splitlines()

    assert lines[1].startswith("[bold]x[/]")
    assert lines[2].startswith("a?[2J?b")


def test_totals_name_what_happened() -> None:
    run = prices(3)
    run.record["options"] |= {"ok": 2, "max_paths_reached": 1}

    text = totals_text(run.record, {"prices.csv": False, "prices.record.json": False})

    lines = text.splitlines()
    assert lines[0].startswith("3 options in ")
    assert "path-steps/s" in lines[0]
    assert "makespan/ideal 1.000" in lines[0]
    assert lines[1] == f"2 ok, 1 max_paths_reached, result {shown_hash(run.record['result_hash'])}"
    assert lines[2] == "wrote prices.csv and prices.record.json"
    assert lines[3].startswith("note: max_paths_reached")
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (1.314e9, "1.31 G"),
        (5e5, "500 k"),
        (12.0, "12"),
        (2e12, "2 T"),
        (3.2e7, "32 M"),
        (999.7e6, "1 G"),
    ],
)
def test_rates_have_prefixes(rate: float, text: str) -> None:
    assert rate_text(rate) == f"{text} path-steps/s"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.99996, "1 s"), (0.9994, "999 ms"), (9.999e-7, "1 us"), (1.234e-3, "1.23 ms"), (0.0, "0 s")],
)
def test_times_have_units(seconds: float, text: str) -> None:
    assert time_text(seconds, 3) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.01234, "0.0123 s"),
        (59.6, "60 s"),
        (130.0, "2 min 10 s"),
        (3900.0, "65 min 00 s"),
        (11100.0, "3 h 05 min"),
    ],
)
def test_durations_are_short(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (10.637261, "10.6373"),
        (-0.0012345, "-0.00123"),
        (0.0, "0.00000"),
        (123456.7, "123457"),
        (1.5e9, "1.5e+09"),
        (1.234e-7, "1.23e-07"),
        (None, "-"),
    ],
)
def test_values_are_short(value: float | None, text: str) -> None:
    assert value_text(value) == text


def progress(elapsed_s: float, left_s: float | None = 6.0) -> Progress:
    return Progress(5, 20, "options", elapsed_s, 0.25, left_s, "4 G path-steps/s")


def test_the_bar_says_rate_and_time_left() -> None:
    assert progress_text(progress(2.0)) == "5/20 options, 4 G path-steps/s, 6 s left"
    assert progress_text(progress(2.0, None)) == "5/20 options, 4 G path-steps/s"
    assert progress_text(Progress(3, None, "cases", 1.0, 0.0)) == "3 cases"


@pytest.mark.parametrize(
    ("how", "elapsed_s", "shown"),
    [
        ("bar", 0.9, False),
        ("none", 9.0, False),
        ("bar", 1.1, True),
        ("lines", 9.9, False),
        ("lines", 10.0, True),
    ],
)
def test_the_bar_is_for_long_runs(
    monkeypatch: pytest.MonkeyPatch,
    how: str,
    elapsed_s: float,
    shown: bool,  # noqa: FBT001
) -> None:
    sink = io.StringIO()
    monkeypatch.setattr(sys, "stderr", sink)

    with ProgressBar(how) as bar:
        bar(progress(elapsed_s))

    assert bool(sink.getvalue()) is shown


def test_lines_come_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    bar = ProgressBar("lines")

    for second in range(35):
        bar(progress(float(second)))

    lines = capsys.readouterr().err.splitlines()
    assert lines == ["makespan: 25%, 5/20 options, 4 G path-steps/s, 6 s left"] * 3
