# SPDX-License-Identifier: Apache-2.0
"""Rivals: requests, errors against the truth, and a method that the engine does not have yet."""

import itertools
import time
from pathlib import Path

import polars as pl
import pytest
from makespan.pricing.outcome import PriceResult

from bench.case import Scale
from bench.interleave import Series
from bench.result import Outcome
from bench.rivals import __main__ as program
from bench.rivals import ours
from bench.rivals.case import check_contract, parse_rivals, read_rivals
from bench.rivals.contract import SHORTEST_S, prices_in, read_words, take_call, timed
from bench.rivals.rows import add_rivals
from bench.worker import WorkerError

CASES = Path(__file__).resolve().parents[3] / "bench" / "cases" / "rivals"
TABLE = {
    "title": "two strikes",
    "prefix": "two",
    "contract": "fixings=12 strikes=10",
    "rounds": 2,
    "basis": ["exact", "ours"],
    "contestant": [
        {"name": "ours", "worker": "rivals", "request": "method=mc"},
        {"name": "exact", "worker": "rivals", "request": "method=exact"},
        {"name": "theirs", "worker": "fypy", "request": "width=8", "slow": True},
    ],
    "truth": {"prices": [5.0, 6.0], "tolerance": 0.5},
    "smoke": {"rounds": 1},
}


def reply(seconds: float, *prices: float, **more: float) -> dict[str, float]:
    by_strike = {f"price_{index}": price for index, price in enumerate(prices)}
    return {"processor_seconds": seconds, "repeats": 2.0, **by_strike, **more}


def test_words_of_the_contract_follow_each_request() -> None:
    rivals = parse_rivals(TABLE, Scale.FULL)

    requests = [entry.full_request for entry in rivals.case.contestants]
    assert requests[2] == "width=8 fixings=12 strikes=10"
    assert len(parse_rivals(TABLE, Scale.SMOKE).case.contestants) == 2


def test_contract_is_taken_out_of_the_words() -> None:
    named = read_words(["engine=choi", "fixings=12", "strikes=10"])

    call = take_call(named)

    assert named == {"engine": "choi"}
    assert (call.fixings, call.average, len(call.strikes)) == (12, "arithmetic", 10)
    with pytest.raises(ValueError, match="NAME=VALUE"):
        read_words(["choi"])
    with pytest.raises(ValueError, match="3 strikes are not known"):
        take_call({"fixings": "12", "strikes": "3"})


def test_short_pricings_are_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count()
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks) * SHORTEST_S / 20)
    found = timed(lambda: [1.0, 2.0])

    assert found["repeats"] == 20
    assert found["seconds"] == pytest.approx(SHORTEST_S)
    assert prices_in(found) == [1.0, 2.0]


def test_rows_have_time_error_and_ratio_to_the_basis_that_ran() -> None:
    rivals = parse_rivals(TABLE, Scale.FULL)
    series = Series(
        {
            "ours": [reply(0.02, 5.3, 6.0, own_error=0.1), reply(0.02, 5.0, 6.4, own_error=0.1)],
            "theirs": [reply(0.04, 5.001, 6.0)] * 2,
        },
        {"exact": "no such method yet"},
    )
    outcome = Outcome()

    add_rivals(rivals, series, outcome)

    rows = {row.name: row for row in outcome.rows}
    assert rows["two_ours"].value == pytest.approx(10.0)
    assert rows["two_ours"].error == pytest.approx((0.5 * (0.3**2 + 0.4**2)) ** 0.5)
    assert rows["two_ours"].own_error == pytest.approx(0.1)
    assert rows["two_ours"].ratio is None
    assert rows["two_theirs"].ratio == pytest.approx(2.0)
    assert rows["two_theirs"].error == pytest.approx(0.001)
    assert rows["two_theirs"].entry["error"] == pytest.approx(0.001)
    assert "own_error" not in rows["two_theirs"].entry
    assert outcome.left_out == {"two_exact": "no such method yet"}


def test_price_of_another_contract_is_refused() -> None:
    rivals = parse_rivals(TABLE, Scale.FULL)

    check_contract(rivals, reply(1.0, 5.1, 6.0))
    for prices in ((5.1, 7.0), (float("nan"), 6.0)):
        with pytest.raises(WorkerError, match="another contract"):
            check_contract(rivals, reply(1.0, *prices))


@pytest.fixture
def priced(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    """The settings of calls of makespan.price, which books 0.25 s for each row."""
    calls: list[dict[str, object]] = []

    def price(book: pl.DataFrame, **settings: object) -> PriceResult:
        calls.append(settings)
        count = len(book)
        figures = {"price": [1.0] * count, "std_error": [0.5] * count, "seconds": [0.25] * count}
        if settings["method"] == "exact":
            figures["error_bound"] = [1e-9] * count
        return PriceResult(pl.DataFrame(figures), {})

    monkeypatch.setattr(ours.makespan, "price", price)
    methods = [{"name": "mc"}, {"name": "exact"}]
    monkeypatch.setattr(ours, "_core", type("Core", (), {"methods": staticmethod(lambda: methods)}))
    return calls


def test_engine_clock_counts_what_the_engine_booked(priced: list[dict[str, object]]) -> None:
    words = ["method=mc", "std_error=1e-4", "clock=engine", "fixings=12", "strikes=10"]

    found = ours.run(words, seed=7)

    assert priced[0] == {"method": "mc", "std_error": 1e-4, "seed": 7, "memory": False}
    assert found["seconds"] / found["repeats"] == pytest.approx(2.5)
    assert found["own_error"] == 0.5


def test_bound_goes_before_standard_error(priced: list[dict[str, object]]) -> None:
    assert ours.run(["method=exact", "fixings=12", "strikes=1"], seed=1)["own_error"] == 1e-9
    assert len(priced) >= 1


def test_method_that_the_engine_lacks_is_a_sentence(priced: list[dict[str, object]]) -> None:
    with pytest.raises(ValueError, match="no method 'other' yet \\(it has mc, exact\\)"):
        ours.run(["method=other", "fixings=12", "strikes=1"], seed=1)
    assert priced == []


@pytest.mark.parametrize("name", program.RIVALS)
def test_each_case_can_be_read_and_asks_for_the_method_to_come(name: str) -> None:
    for scale in Scale:
        rivals = read_rivals(CASES / f"{name}.toml", scale)
        assert len(rivals.case.contestants) >= 2


def test_missing_peers_leave_rows_out_with_reasons(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = ["--output", str(tmp_path), "--peers", str(tmp_path)]

    program.main(["--smoke", "--only", "geometric", *folders])

    printed = capsys.readouterr().out
    assert "geometric_quantlib" in printed
    assert "peer 'quantlib_engines' is not installed" in " ".join(printed.split())
