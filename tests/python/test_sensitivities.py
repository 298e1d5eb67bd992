# SPDX-License-Identifier: Apache-2.0
"""Derivatives to what rows refer to: against Greeks that the engine has, sums of them, and their
own errors over many seeds; what is refused or left empty; files.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from makespan.base.errors import BookWarning
from makespan.cli import main
from makespan.pricing.outcome import PriceResult
from makespan.pricing.output_schema import SENSITIVITY_COLUMNS
from makespan.pricing.sensitivity import sensitivities
from small_books import plain_row

import makespan

Row = dict[str, Any]

CURVES = {
    "usd": {"kind": "zero_rate", "time": [0.25, 0.5, 1.0, 2.0], "value": [0.03, 0.035, 0.04, 0.04]},
    "vol": {"kind": "forward_volatility", "time": [0.5, 1.0], "value": [0.2, 0.25]},
    "steep": {"kind": "volatility", "time": [0.5, 1.0], "value": [0.3, 0.21214]},
}
X = np.linspace(-0.5, 0.5, 5)
SURFACES = {
    "local": {
        "kind": "local_volatility",
        "time": [0.25, 0.5, 1.0],
        "log_moneyness": X,
        "volatility": [0.22 - 0.1 * X, 0.21 - 0.08 * X, 0.2 - 0.06 * X],
    },
    "implied": {
        "kind": "implied_volatility",
        "time": [0.5, 1.0],
        "log_moneyness": X,
        "volatility": [0.2 - 0.05 * X, 0.21 - 0.04 * X],
    },
}
BASKETS = {
    "pair": {
        "underlying": ["a", "b"],
        "weight": [0.6, 0.4],
        "spot": [100.0, 150.0],
        "volatility": [0.2, 0.3],
        "dividend_yield": [0.01, 0.02],
    }
}
PAIRS = {("a", "b"): 0.5}
HESTON = {
    "heston_v0": 0.04,
    "heston_kappa": 2.0,
    "heston_theta": 0.05,
    "heston_sigma": 0.3,
    "heston_rho": -0.7,
}
TABLES: dict[str, Any] = {
    "curves": CURVES,
    "surfaces": SURFACES,
    "baskets": BASKETS,
    "correlations": PAIRS,
}


def curved(**changes: Any) -> Row:
    row = {"rate": None, "volatility": None, "rate_curve": "usd", "volatility_curve": "vol"}
    return plain_row(**{**row, **changes})


def on_surface(name: str, **changes: Any) -> Row:
    return plain_row(**{"volatility": None, "volatility_surface": name, **changes})


def on_basket(**changes: Any) -> Row:
    nothing = dict.fromkeys(("spot", "volatility"))
    return plain_row(**{**nothing, "basket": "pair", "strike": 120.0, **changes})


def under_heston(**changes: Any) -> Row:
    return plain_row(**{"volatility": None, **HESTON, **changes})


def result_of(*rows: Row, by: str = "times", **keywords: Any) -> PriceResult:
    names = dict.fromkeys(name for row in rows for name in row)
    book = pl.DataFrame([{name: row.get(name) for name in names} for row in rows])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BookWarning)
        result = makespan.price(
            book, **{**TABLES, "sensitivities": by, "greeks": True, "memory": False, **keywords}
        )
    assert result is not None
    return result


def values_of(result: PriceResult, **asked: Any) -> pl.DataFrame:
    table = result.sensitivities
    assert isinstance(table, pl.DataFrame)
    return table.filter(*(pl.col(name) == value for name, value in asked.items()))


def near(result: PriceResult, total: float, error: float, greek: str, *, row: int = 0) -> None:
    """Within the errors of both."""
    own = result.table[f"{greek}_std_error"][row] or 0.0
    slack = 4.5 * np.hypot(error, own) + 1e-4 * abs(total)
    assert total == pytest.approx(result.table[greek][row], abs=slack)


def total_of(table: pl.DataFrame, weights: Any = 1.0) -> tuple[float, float]:
    """A sum of derivatives, and its error as if all were off together."""
    value = float((table["value"] * weights).sum())
    return value, float((table["std_error"] * weights).abs().sum())


def test_curves_of_exact_rows_add_up_to_the_greeks() -> None:
    result = result_of(curved(), curved(id="B", expiry=0.6, fixings=3, option_type="put"))

    for row, name in enumerate(("A1", "B")):
        for kind, greek in (("zero_rate", "rho"), ("forward_volatility", "vega")):
            table = values_of(result, id=name, to=kind)
            assert table["std_error"].to_list() == [0.0] * len(table)
            assert (table["error_bound"] > 0).all()
            near(result, *total_of(table), greek, row=row)
    beyond = values_of(result, id="B", to="zero_rate", time=2.0)["value"].to_list()
    assert beyond == [0.0]


def test_times_of_a_local_surface_add_up_to_vega() -> None:
    result = result_of(on_surface("local"))

    near(result, *total_of(values_of(result, to="local_volatility")), "vega")


def test_points_of_a_surface_add_up_to_its_times() -> None:
    rows = (on_surface("implied"), on_surface("local", id="B"))
    times, points = result_of(*rows), result_of(*rows, by="points")

    for name in ("A1", "B"):
        for time in (0.5, 1.0):
            of_time = values_of(times, id=name, time=time)
            of_points = values_of(points, id=name, time=time)
            assert len(of_time) == 1
            assert sorted(of_points["log_moneyness"]) == pytest.approx(X)
            total, error = total_of(of_points)
            assert total == pytest.approx(of_time["value"][0], abs=4.5 * error + 0.02)


def test_underlyings_add_up_to_the_greeks_of_the_basket() -> None:
    result = result_of(on_basket())
    spots, gross = BASKETS["pair"]["spot"], 0.6 * 100 + 0.4 * 150
    table = values_of(result, to="spot")

    total, error = total_of(table, pl.Series(spots))
    near(result, total / gross, error / gross, "delta")
    near(result, *total_of(values_of(result, to="volatility")), "vega")
    near(result, *total_of(values_of(result, to="dividend_yield")), "dividend_rho")
    assert table["name"].to_list() == ["a", "b"]


def test_an_underlying_with_a_curve_has_it_moved() -> None:
    baskets = {"pair": {**BASKETS["pair"], "volatility": [None, 0.3]}}
    baskets["pair"]["volatility_curve"] = ["vol", None]
    result = result_of(on_basket(), baskets=baskets)
    curve = values_of(result, to="forward_volatility", name="vol")
    own = values_of(result, to="volatility")

    assert curve["time"].to_list() == [0.5, 1.0]
    assert own["name"].to_list() == ["b"]
    near(result, *total_of(pl.concat([curve, own])), "vega")


def test_a_correlation_is_told_by_its_pair() -> None:
    result = result_of(on_basket(), by="points")
    table = values_of(result, to="correlation")
    up, down = (
        result_of(on_basket(paths=1 << 20), by="points", correlations={("a", "b"): 0.5 + x})
        for x in (0.05, -0.05)
    )
    difference = (up.table["price"][0] - down.table["price"][0]) / 0.1

    assert (table["name"][0], table["other"][0]) == ("a", "b")
    assert table["value"][0] == pytest.approx(difference, abs=4.5 * table["std_error"][0] + 0.02)


def test_parameters_of_heston_add_up_to_vega() -> None:
    result = result_of(under_heston())
    table = values_of(result, id="A1")
    slopes = dict(zip(table["to"], table["value"], strict=True))
    v0, theta = 2 * np.sqrt(HESTON["heston_v0"]), 2 * np.sqrt(HESTON["heston_theta"])

    assert list(slopes) == list(HESTON)
    total = v0 * slopes["heston_v0"] + theta * slopes["heston_theta"]
    near(result, total, float(table["std_error"][0] + table["std_error"][2]), "vega")


def test_parameters_at_their_ends_move_inwards() -> None:
    table = result_of(under_heston(heston_v0=0.0, heston_rho=-1.0)).sensitivities

    assert table["value"].is_not_null().all()
    assert table.filter(pl.col("to") == "heston_v0")["value"][0] > 0


@pytest.mark.parametrize(
    "row", [on_surface("implied"), on_basket(), under_heston()], ids=["surface", "basket", "heston"]
)
def test_errors_are_what_seeds_show(row: Row) -> None:
    rows = [{**row, "id": f"r{i}", "paths": 16384} for i in range(60)]
    table = result_of(*rows, greeks=False).sensitivities
    for of_one in table.partition_by("to", "name", "time"):
        value, error = of_one["value"].to_numpy(), of_one["std_error"].to_numpy()
        if np.ptp(value) == 0:
            continue
        # 60 values with 15 degrees of freedom each: their spread is known to a tenth.
        assert value.std(ddof=1) == pytest.approx(np.sqrt(np.mean(error**2)), rel=0.4)


def test_prices_stay_as_they_are() -> None:
    rows = (curved(), on_surface("local", id="B"), plain_row(id="C"))
    with_them, without = result_of(*rows), result_of(*rows, sensitivities=None)

    assert with_them.hash == without.hash
    assert without.sensitivities is None
    assert "sensitivities" not in without.record
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


def test_a_point_that_cannot_move_either_way_says_why() -> None:
    # Nearly all of its variance comes before half a year: either point can move one way alone.
    table = result_of(curved(volatility_curve="steep")).sensitivities
    moved = table.filter(pl.col("to") == "volatility")

    assert moved["value"].is_not_null().all()
    row = on_basket(id="C")
    pairs = {("a", "b"): 0.5, ("a", "c"): 0.5, ("b", "c"): -0.5}
    third = {
        "pair": {
            "underlying": ["a", "b", "c"],
            "weight": [1.0, 1.0, 1.0],
            "spot": [50.0, 50.0, 50.0],
            "volatility": [0.2, 0.3, 0.2],
        }
    }
    table = result_of(row, by="points", baskets=third, correlations=pairs).sensitivities
    assert table.filter(pl.col("to") == "correlation")["value"].is_not_null().all()


def test_rows_that_are_skipped_have_none() -> None:
    result = result_of(curved(), curved(id="B", strike=-1.0), skip_invalid=True)

    assert result.sensitivities["id"].unique().to_list() == ["A1"]


def test_too_many_prices_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sensitivities, "PRICES_MAX", 100)
    asked: list[Any] = []

    with pytest.raises(
        makespan.InputError,
        match="need 480 prices, above 100; ask for those by",
    ):
        result_of(on_surface("local"), by="points", on_progress=asked.append)
    with pytest.raises(makespan.InputError, match="need 192 prices, above 100; ask for fewer"):
        result_of(on_surface("local"), on_surface("local", id="B"), on_progress=asked.append)
    assert asked == []  # nothing was priced


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
