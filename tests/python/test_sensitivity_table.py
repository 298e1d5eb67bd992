# SPDX-License-Identifier: Apache-2.0
"""The table of sensitivities: rows, ids, units, what has no value and why, files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from makespan.cli import main
from makespan.pricing import sensitivities
from makespan.pricing.book.dupire import refined_local_volatilities
from makespan.pricing.columns.outputs import SENSITIVITY_COLUMNS
from makespan.pricing.sensitivity import market_bumps
from moved_books import (
    BASKETS,
    CURVES,
    curved,
    on_basket,
    on_surface,
    result_of,
    under_heston,
    values_of,
)
from small_books import plain_row

import makespan


def test_prices_stay_as_they_are() -> None:
    rows = (curved(), on_surface("local", id="B"), plain_row(id="C"))
    with_them, without = result_of(*rows), result_of(*rows, sensitivities=None)

    assert with_them.hash == without.hash
    assert without.sensitivities is None
    assert without.record["sensitivities"] is None
    assert with_them.record["sensitivities"]["values"] == len(with_them.sensitivities)


def test_a_row_has_the_same_alone_and_on_any_threads() -> None:
    rows = (curved(), on_surface("implied", id="B"), on_basket(id="C"), under_heston(id="D"))
    whole = result_of(*rows, by="points", threads=2)
    for row in rows:
        alone = result_of(row, by="points", threads=1).sensitivities
        assert alone.equals(values_of(whole, id=row["id"]))


def test_nothing_to_move_is_an_empty_table() -> None:
    table = result_of(plain_row()).sensitivities

    assert table.columns == [column.name for column in SENSITIVITY_COLUMNS]
    assert len(table) == 0


def test_ids_and_units_are_those_of_the_prices() -> None:
    rows = (curved(id=7), on_basket(id=9))
    plain, desk = result_of(*rows), result_of(*rows, units="desk")
    both = plain.sensitivities.join(
        desk.sensitivities, on=["id", "to", "name", "time"], nulls_equal=True
    )

    assert plain.sensitivities["id"].dtype == pl.Int64
    assert len(both) == len(plain.sensitivities)
    spots = both.filter(pl.col("to") == "spot")
    assert spots["value"].to_list() == spots["value_right"].to_list()
    rest = both.filter(pl.col("to") != "spot")
    assert rest["per_right"].unique().to_list() == [0.01]
    assert (0.01 * rest["value"]).to_list() == pytest.approx(rest["value_right"].to_list())


def test_a_point_that_can_move_one_way_is_moved_so() -> None:
    # Nearly all of its variance comes before half a year: either point can move one way alone.
    table = result_of(curved(volatility_curve="steep")).sensitivities
    moved = table.filter(pl.col("to") == "volatility")
    steeper = dict(CURVES, steep={**CURVES["steep"], "value": [0.3, 0.21214 + 1e-6]})
    prices = [
        result_of(curved(volatility_curve="steep"), curves=curves).table["price"][0]
        for curves in (CURVES, steeper)
    ]

    assert moved["value"].is_not_null().all()
    assert moved["value"][1] == pytest.approx((prices[1] - prices[0]) / 1e-6, rel=1e-3)


def test_a_correlation_that_cannot_move_says_why() -> None:
    same = {
        "pair": {
            "underlying": ["a", "b", "c"],
            "weight": [1.0, 1.0, 1.0],
            "spot": [50.0, 50.0, 50.0],
            "volatility": [0.2, 0.3, 0.2],
        }
    }
    pairs = {("a", "b"): 1.0, ("a", "c"): 0.5, ("b", "c"): 0.5}
    rows = (on_basket(id="C"), on_basket(id="D"))
    table = result_of(*rows, by="points", baskets=same, correlations=pairs).sensitivities
    found = table.filter(pl.col("to") == "correlation")

    assert found["name"].to_list() == 2 * ["a", "a", "b"]
    assert found["value"].is_null().to_list() == 2 * [False, True, True]
    text = "a move of the correlation either way makes the matrix not positive semidefinite"
    assert found["error"].to_list() == 2 * [None, text, text]


def test_a_moved_value_that_is_refused_leaves_the_prices_and_the_others() -> None:
    curves = {
        "flat": {"kind": "zero_rate", "time": [2.0], "value": [0.0]},
        "cash": {"kind": "cash_dividend", "time": [0.5], "value": [99.99]},
    }
    row = plain_row(rate=None, rate_curve="flat", dividends="cash", strike=1e-3)
    result = result_of(row, curves=curves)
    table = result.sensitivities

    assert result.table["price"][0] > 0
    assert table["to"].to_list() == ["zero_rate", "cash_dividend"]
    assert table["value"].is_null().to_list() == [False, True]
    assert table["error"][1].startswith("a moved value: row ")


def test_a_move_out_of_the_exact_rows_has_noise() -> None:
    wide = {"wide": {"kind": "volatility", "time": [2.0, 4.0], "value": [1.0, 1.0]}}
    row = curved(volatility_curve="wide", expiry=4.0, fixings=4, max_paths=20_000)
    row |= {"rate_curve": None, "rate": 0.03}
    table = result_of(row, curves={**CURVES, **wide}).sensitivities

    assert (table["std_error"] > 0).any()
    assert table.filter(pl.col("std_error") > 0)["error_bound"].is_null().all()


def test_rows_that_are_skipped_have_none() -> None:
    result = result_of(curved(), curved(id="B", strike=-1.0), skip_invalid=True)

    assert result.sensitivities["id"].unique().to_list() == ["A1"]


def test_too_many_prices_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sensitivities, "PRICES_MAX", 100)
    asked: list[Any] = []

    with pytest.raises(
        makespan.InputError,
        match="need more than 100 prices; ask for those by",
    ):
        result_of(on_surface("local"), by="points", on_progress=asked.append)
    with pytest.raises(makespan.InputError, match="need more than 100 prices; ask for fewer"):
        result_of(on_surface("local"), on_surface("local", id="B"), on_progress=asked.append)
    assert asked == []  # nothing was priced


def test_no_more_is_moved_than_may_be_priced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: to move implied volatilities takes long, and is refused before."""
    refined: list[Any] = []

    def refine(*given: Any) -> Any:
        refined.append(given)
        return refined_local_volatilities(*given)

    monkeypatch.setattr(sensitivities, "PRICES_MAX", 1)
    monkeypatch.setattr(market_bumps, "refined_local_volatilities", refine)

    with pytest.raises(makespan.InputError, match="need more than 1 prices"):
        result_of(on_surface("implied"), by="points")

    assert 0 < len(refined) < 4  # of one point


TABLES = {
    "polars": (pl.DataFrame, pl.DataFrame),
    "pandas": (lambda rows: pd.DataFrame(rows, index=[7, 3]), pd.DataFrame),
    "pyarrow": (pa.Table.from_pylist, pa.Table),
    "dict": (lambda rows: pl.DataFrame(rows).to_dict(as_series=False), dict),
}


@pytest.mark.parametrize("kind", TABLES)
def test_it_is_of_the_kind_that_the_book_is(kind: str) -> None:
    make, expected = TABLES[kind]
    book = make([curved(volatility_curve="vol"), curved(volatility_curve="vol", id="B")])

    found = makespan.price(book, curves=CURVES, sensitivities="times").sensitivities

    assert type(found) is expected
    ids = found["id"].to_pylist() if kind == "pyarrow" else list(found["id"])
    assert len(ids) > 2
    assert set(ids) == {"A1", "B"}


def test_an_underlying_without_volatility_can_have_one() -> None:
    baskets = {"pair": {**BASKETS["pair"], "volatility": [0.2, 0.0]}}
    table = result_of(on_basket(), baskets=baskets).sensitivities
    moved = table.filter(pl.col("to") == "volatility")

    assert moved["name"].to_list() == ["a", "b"]
    assert moved["error"].to_list() == [None, None]
    size = 1e-3
    prices = [
        result_of(
            on_basket(paths=1 << 16),
            baskets={"pair": {**BASKETS["pair"], "volatility": [0.2, value]}},
            sensitivities=None,
        ).table["price"][0]
        for value in (0.0, size, 2 * size)
    ]
    slope = (-3 * prices[0] + 4 * prices[1] - prices[2]) / (2 * size)
    assert moved["value"][1] == pytest.approx(slope, rel=0.05)


@pytest.fixture
def curved_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a book and its curves."""
    monkeypatch.chdir(tmp_path)
    pl.DataFrame([curved()]).drop("rate", "volatility").write_csv("book.csv")
    points = [
        (name, one["kind"], time, value)
        for name, one in CURVES.items()
        for time, value in zip(one["time"], one["value"], strict=True)
    ]
    table = pl.DataFrame(points, schema=["curve", "kind", "time", "value"], orient="row")
    table.write_csv("curves.csv")
    return tmp_path


def test_the_command_writes_them_beside_the_prices(
    curved_files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["price", "book.csv", "--curves", "curves.csv", "--sensitivities", "times"]

    assert main(flags) == 0
    printed = capsys.readouterr().out
    assert "wrote prices.csv, prices.sensitivities.csv and prices.record.json" in printed
    assert "6 sensitivities from 12 more prices in " in printed
    assert pl.read_csv(curved_files / "prices.sensitivities.csv").height == 6
    assert main([*flags, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["sensitivities"]) == 6


def test_the_command_replaces_no_file_that_is_not_its_own(
    curved_files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = curved_files / "prices.sensitivities.csv"
    own.write_text("mine")

    assert main(["price", "book.csv", "--curves", "curves.csv", "--sensitivities", "times"]) == 2
    assert "prices.sensitivities.csv exists and no prices.record.json" in capsys.readouterr().err
    assert own.read_text() == "mine"


def test_an_interrupt_tells_the_journal_that_has_the_prices(
    curved_files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: Any, **__: Any) -> Any:
        raise makespan.Interrupted(3, 12, "options")

    monkeypatch.setattr(sensitivities.Plan, "taken", stopped)
    with pytest.raises(makespan.Interrupted, match="3 of 12 prices of sens") as found:
        makespan.price("book.csv", curves="curves.csv", sensitivities="times", checkpoint="run.db")
    assert found.value.restart_from == Path("run.db")
    assert found.value.result.table["status"].to_list() == ["ok"]
    assert found.value.result.sensitivities is None
    monkeypatch.undo()
    monkeypatch.chdir(curved_files)
    rest = makespan.price(
        "book.csv", curves="curves.csv", sensitivities="times", restart_from="run.db"
    )
    assert rest is not None
    assert rest.record["options"]["from_journal"] == 1
    assert len(rest.sensitivities) == 6


def test_the_command_keeps_its_files_apart(
    curved_files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = [
        "price",
        "book.csv",
        "--curves",
        "curves.csv",
        "--sensitivities",
        "times",
        "-o",
        "x.csv",
    ]

    assert main([*flags, "-o", "x.csv", "--record", "x.sensitivities.csv"]) == 2
    assert "would be the same file as the sensitivities" in capsys.readouterr().err
    assert not (curved_files / "x.csv").exists()
