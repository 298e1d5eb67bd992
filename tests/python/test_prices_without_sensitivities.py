# SPDX-License-Identifier: Apache-2.0
"""Prices that are there are not lost when what follows them, sensitivities above all, is left.

Method: Ctrl-C, or an error, comes from a function that runs at that moment.
"""

from __future__ import annotations

import json
import shutil
import signal
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fake_core
import numpy as np
import polars as pl
import pytest
from makespan.cli import main
from makespan.pricing import api, outputs, pricing, run, sensitivities
from moved_books import HESTON
from small_books import plain_book

import makespan

pytestmark = pytest.mark.usefixtures("fake_engine")
ROWS = 3
OF_HESTON: dict[str, Any] = {"volatility": None, **HESTON}


def before(monkeypatch: pytest.MonkeyPatch, where: Any, name: str, act: Callable[[], None]) -> None:
    """Acts at the first call of what has this name there, and then calls it."""
    inner = getattr(where, name)
    acts = [act]

    def call(*given: Any, **keywords: Any) -> Any:
        if acts:
            acts.pop()()
        return inner(*given, **keywords)

    monkeypatch.setattr(where, name, call)


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def whole_prices() -> list[float]:
    found = makespan.price(plain_book(ROWS, **OF_HESTON))
    assert found is not None
    prices: list[float] = found.table["price"].to_list()
    return prices


# While the moved rows are made, their engine begins, differences are taken, the table is put
# together.
@pytest.mark.parametrize("name", ["bumped_book", "_sums", "_ids"])
def test_ctrl_c_between_runs_keeps_the_prices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    before(monkeypatch, sensitivities, name, press)
    path, journal = tmp_path / "prices.csv", tmp_path / "run.db"

    with pytest.raises(makespan.Interrupted, match=r"0 of \d+ sensitivities") as caught:
        makespan.price(
            plain_book(ROWS, **OF_HESTON), sensitivities="times", output=path, checkpoint=journal
        )

    assert caught.value.result.table["price"].to_list() == whole_prices()
    assert pl.read_csv(path)["price"].null_count() == 0
    assert caught.value.restart_from == journal


# The table of prices, what the engine tells, the files, the table for the user.
@pytest.mark.parametrize(
    ("where", "name"),
    [
        (pricing, "price_table"),
        (pricing, "run_record"),
        (run, "_elsewhere"),
        (outputs, "write_files"),
        (api, "_result"),
    ],
)
def test_ctrl_c_after_the_prices_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: Any, name: str
) -> None:
    before(monkeypatch, where, name, press)
    path = tmp_path / "prices.csv"

    with pytest.raises(makespan.Interrupted, match="3 of 3 options") as caught:
        makespan.price(plain_book(ROWS, **OF_HESTON), output=path)

    assert caught.value.result.table["price"].to_list() == whole_prices()
    assert pl.read_csv(path)["price"].null_count() == 0


def test_ctrl_c_while_a_command_writes_waits_for_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    plain_book(ROWS).write_csv("book.csv")
    before(monkeypatch, outputs, "write_files", press)

    assert main(["price", "book.csv", "-q"]) == 130

    assert capsys.readouterr().err == "makespan: interrupted after 3 of 3 options\n"
    assert pl.read_csv("prices.csv")["price"].null_count() == 0


class Broken(fake_core.PricingRun):
    """Its second run ends by an error, as one whose devices all fail."""

    begun = 0

    def __init__(self, *given: Any) -> None:
        type(self).begun += 1
        self.is_second = type(self).begun == 2
        super().__init__(*given)

    def take_finished(self) -> np.ndarray:
        if self.is_second:
            raise RuntimeError("every device has failed")
        return super().take_finished()


def test_devices_that_fail_at_sensitivities_take_no_prices_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    book = plain_book(ROWS, **OF_HESTON)
    book.write_csv("book.csv")
    monkeypatch.setattr(fake_core, "PricingRun", Broken)
    monkeypatch.setattr(Broken, "begun", 0)

    with pytest.raises(makespan.EngineError, match="every device has failed") as caught:
        makespan.price(book, sensitivities="times")
    monkeypatch.setattr(Broken, "begun", 0)
    assert main(["price", "book.csv", "--sensitivities", "times", "-q"]) == 4

    assert caught.value.result.table["price"].null_count() == 0
    assert "wrote prices.csv, without sensitivities\n" in capsys.readouterr().err
    assert pl.read_csv("prices.csv")["price"].null_count() == 0


class StopError(RuntimeError):
    pass


def test_what_a_function_of_progress_raises_at_sensitivities_comes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "prices.csv"

    def hear(progress: makespan.Progress) -> None:
        if progress.total > ROWS:
            raise StopError("enough")

    with pytest.raises(StopError, match="enough"):
        makespan.price(
            plain_book(ROWS, **OF_HESTON), sensitivities="times", output=path, on_progress=hear
        )

    assert not path.exists()


def test_ctrl_c_comes_out_where_warnings_are_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "prices.csv"
    (tmp_path / "prices.sensitivities.csv").write_text("of earlier prices")
    before(monkeypatch, sensitivities, "bumped_book", press)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(makespan.Interrupted) as caught:
            makespan.price(plain_book(ROWS, **OF_HESTON), sensitivities="times", output=path)

    assert caught.value.result.table["price"].to_list() == whole_prices()


def test_a_file_that_cannot_be_written_then_leaves_the_prices_with_the_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()

    def end() -> None:
        shutil.rmtree(folder)
        press()

    before(monkeypatch, sensitivities, "bumped_book", end)
    with pytest.raises(makespan.InputError, match="cannot write") as caught:
        makespan.price(
            plain_book(ROWS, **OF_HESTON), sensitivities="times", output=folder / "prices.csv"
        )

    assert caught.value.result.table["price"].to_list() == whole_prices()


def test_sensitivities_of_earlier_prices_stay_and_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["price", "book.csv", "--sensitivities", "times", "-q"]
    plain_book(ROWS, **OF_HESTON).write_csv("book.csv")
    assert main(words) == 0
    old = Path("prices.sensitivities.csv").read_text()
    changed = plain_book(ROWS, **OF_HESTON, strike=90.0)
    changed.write_csv("book.csv")
    capsys.readouterr()

    before(monkeypatch, sensitivities, "bumped_book", press)
    assert main(words) == 130
    before(monkeypatch, sensitivities, "bumped_book", press)
    with (
        pytest.warns(RuntimeWarning, match=r"prices\.sensitivities\.csv is of earlier prices"),
        pytest.raises(makespan.Interrupted),
    ):
        makespan.price(changed, sensitivities="times", output="prices.csv")

    said = "without sensitivities; prices.sensitivities.csv is of earlier prices\n"
    assert said in capsys.readouterr().err
    assert Path("prices.sensitivities.csv").read_text() == old


def test_sensitivities_beside_prices_without_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    plain_book(ROWS).write_csv("book.csv")
    Path("prices.sensitivities.csv").write_text("old")
    assert main(["price", "book.csv", "-q"]) == 0
    said = "warning: prices.sensitivities.csv is of earlier prices\n"
    assert said in capsys.readouterr().err
    with pytest.warns(RuntimeWarning, match=r"prices\.sensitivities\.csv is of earlier prices"):
        makespan.price("book.csv", output="prices.csv")
    assert Path("prices.sensitivities.csv").read_text() == "old"


def test_ctrl_c_at_the_end_of_one_of_several_runs_begins_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Method: the engine refuses the first run of all moves, whose halves follow."""
    begun: list[int] = []

    class Refusing(fake_core.PricingRun):
        def __init__(self, *given: Any) -> None:
            begun.append(len(given[0]["spot"]))
            if len(begun) == 2:
                raise ValueError("a moved value cannot be used")
            super().__init__(*given)

        def wait(self, seconds: float) -> dict[str, Any]:
            state = super().wait(seconds)
            if len(begun) == 3 and state["done"]:
                press()
            return state

    monkeypatch.setattr(fake_core, "PricingRun", Refusing)
    with pytest.raises(makespan.Interrupted, match="sensitivities") as caught:
        makespan.price(plain_book(ROWS, **OF_HESTON), sensitivities="times")

    assert len(begun) == 3
    assert caught.value.result.table["price"].null_count() == 0


def test_warnings_are_said_of_a_run_that_is_interrupted_there(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Method: a book under way on an equal grid, and a spot without a finite price."""
    monkeypatch.chdir(tmp_path)
    past = {"past_fixings_count": 3, "past_fixings_sum": 300.0}
    book = plain_book(ROWS, **OF_HESTON, **past)
    book.write_csv("book.csv")
    sound = fake_core.PricingRun.columns

    def columns(self: fake_core.PricingRun, rows: Any) -> dict[str, Any]:
        found = sound(self, rows)
        found["price"] = np.where(self.book["spot"][rows] == 100.0, np.inf, found["price"])
        return found

    monkeypatch.setattr(fake_core.PricingRun, "columns", columns)
    before(monkeypatch, sensitivities, "bumped_book", press)
    assert main(["price", "book.csv", "--sensitivities", "times", "-q"]) == 130
    before(monkeypatch, sensitivities, "bumped_book", press)
    with pytest.warns(makespan.BookWarning) as warned, pytest.raises(makespan.Interrupted):
        makespan.price(book, sensitivities="times")

    said = capsys.readouterr().err
    assert "makespan: warning: 3 rows are under way" in said
    assert "1 option without a finite price" in said
    assert {one.filename for one in warned} == {__file__}
    assert json.loads(Path("prices.record.json").read_text())["options"]["error"] == 1
