# SPDX-License-Identifier: Apache-2.0
"""Derivatives to what rows refer to: against Greeks that the engine has, sums of them, and their
own errors over many seeds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from moved_books import (
    BASKETS,
    CURVES,
    HESTON,
    Row,
    X,
    curved,
    near,
    on_basket,
    on_surface,
    result_of,
    total_of,
    under_heston,
    values_of,
)


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


FORWARDS = {"oil": {"kind": "forward_price", "time": [0.0, 0.5, 1.0], "value": [70.0, 72.0, 71.0]}}


def test_forwards_of_exact_rows_add_up_to_delta() -> None:
    row = curved(spot=None, forward_curve="oil", strike=70.0, fixing_grid=None, first_fixing=0.05)
    few = {"id": "few", "expiry": 0.2, "fixings": 3}  # all of them before the first later point
    result = result_of({**row, **few}, row, curves={**CURVES, **FORWARDS}, method="exact")

    forwards = pl.Series(FORWARDS["oil"]["value"])
    for place, name in enumerate(("few", "A1")):
        table = values_of(result, id=name, to="forward_price")
        assert table["time"].to_list() == [0.0, 0.5, 1.0]
        assert table["value"][0] > 0
        bound = float((table["error_bound"] * forwards).sum())
        delta = 70.0 * result.table["delta"][place]
        assert float((table["value"] * forwards).sum()) == pytest.approx(delta, 1e-5, abs=bound)
    first, second, _ = values_of(result, id="few", to="forward_price")["value"] * forwards
    assert first > second  # ln F(t) is linear: the fixings lie nearer to now


def test_forwards_of_underlyings_and_of_surfaces_add_up_to_delta() -> None:
    gas = {"kind": "forward_price", "time": [0.0, 1.0], "value": [150.0, 151.0]}
    forwards: dict[str, Any] = {**FORWARDS, "gas": gas}
    kept = {k: v for k, v in BASKETS["pair"].items() if k not in ("spot", "dividend_yield")}
    # As a function of price or of moneyness: no matter, where it is the same everywhere.
    flat = {"kind": "local_volatility", "time": [0.5, 1.0], "log_moneyness": X}
    result = result_of(
        on_basket(strike=100.0),
        on_surface("flat", id="B", spot=None, forward_curve="oil", strike=70.0),
        curves={**CURVES, **forwards},
        baskets={"pair": {**kept, "forward_curve": ["oil", "gas"]}},
        surfaces={"flat": {**flat, "volatility": np.full((2, len(X)), 0.2)}},
    )

    for row, (name, spot) in enumerate({"A1": 0.6 * 70.0 + 0.4 * 150.0, "B": 70.0}.items()):
        table = values_of(result, id=name, to="forward_price")
        points = zip(table["name"], table["time"], strict=True)
        values = [forwards[n]["value"][forwards[n]["time"].index(t)] for n, t in points]
        near(result, *total_of(table, pl.Series(values) / spot), "delta", row=row)


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
    ends = {
        "A": {"heston_v0": 0.0, "heston_rho": -1.0},
        "B": {"heston_v0": 1e-4, "heston_theta": 1e-4, "heston_sigma": 0.001, "heston_rho": 1.0},
        "C": {"heston_kappa": 1e-9, "heston_sigma": 10.0, "fixings": 2},
    }
    rows = [under_heston(id=name, **changes) for name, changes in ends.items()]
    table = result_of(*rows).sensitivities

    assert table["to"].to_list() == 3 * list(HESTON)
    assert table["value"].is_not_null().all()
    assert table.filter(pl.col("id") == "A", pl.col("to") == "heston_v0")["value"][0] > 0


@pytest.mark.slow
def test_the_largest_volatility_of_variance_moves_inwards() -> None:
    """The integral of its control takes 0.1 s, for each of some eighty prices."""
    result = result_of(under_heston(heston_sigma=1000.0, fixings=2))

    assert values_of(result, to="heston_sigma")["value"].is_not_null().all()


@pytest.mark.parametrize(("name", "end", "inward"), [("v0", 0.0, 1e-5), ("rho", -1.0, 1e-5)])
def test_one_sided_moves_are_of_second_order(name: str, end: float, inward: float) -> None:
    def row(value: float) -> Row:
        return under_heston(average_type="geometric", fixings=4, **{f"heston_{name}": value})

    found = values_of(result_of(row(end)), to=f"heston_{name}")
    prices = [result_of(row(end + k * inward)).table["price"][0] for k in range(3)]
    truth = (-3 * prices[0] + 4 * prices[1] - prices[2]) / (2 * inward)

    assert found["value"][0] == pytest.approx(truth, rel=2e-4)


def test_what_two_prices_have_in_common_drops_out() -> None:
    # Were they of other random numbers, errors would be some hundred times as large.
    greek = result_of(on_surface("local")).table["vega_std_error"][0]
    assert total_of(values_of(result_of(on_surface("local"))))[1] < 4 * greek
    basket = result_of(on_basket())
    spots = total_of(values_of(basket, to="spot"), pl.Series(BASKETS["pair"]["spot"]))
    assert spots[1] / 120 < 4 * basket.table["delta_std_error"][0]
    heston = result_of(under_heston())
    first = values_of(heston, to="heston_v0")["std_error"][0]
    assert 2 * np.sqrt(0.04) * first < 5 * heston.table["vega_std_error"][0]


def test_correlations_that_are_alike_keep_their_paths() -> None:
    names = ["a", "b", "c", "d", "e"]
    alike = {
        "pair": {
            "underlying": names,
            "weight": [1.0] * 5,
            "spot": [20.0, 30.0, 15.0, 25.0, 10.0],
            "volatility": [0.2, 0.3, 0.25, 0.2, 0.4],
        }
    }
    pairs = {(x, y): 0.5 for i, x in enumerate(names) for y in names[:i]}
    row = on_basket(strike=100.0)
    table = result_of(row, by="points", baskets=alike, correlations=pairs).sensitivities
    found = table.filter(pl.col("to") == "correlation")

    assert len(found) == 10
    assert (found["std_error"] < 0.1 * found["value"]).all()


@pytest.mark.parametrize(
    ("row", "numbers"),
    [
        (on_surface("implied"), 2),
        (on_basket(), 6),
        pytest.param(under_heston(), 5, marks=pytest.mark.slow),
    ],
    ids=["surface", "basket", "heston"],
)
def test_errors_are_what_seeds_show(row: Row, numbers: int) -> None:
    rows = [{**row, "id": f"r{i}", "paths": 8192} for i in range(60)]
    table = result_of(*rows, greeks=False).sensitivities
    parts = table.partition_by("to", "name", "time")
    assert [len(of_one) for of_one in parts] == [60] * numbers
    for of_one in parts:
        value, error = of_one["value"].to_numpy(), of_one["std_error"].to_numpy()
        assert np.ptp(value) > 0
        # 60 values with 15 degrees of freedom each: their spread is known to a tenth.
        assert value.std(ddof=1) == pytest.approx(np.sqrt(np.mean(error**2)), rel=0.4)
