# SPDX-License-Identifier: Apache-2.0
"""Driving the engine: rows land where they belong, progress is honest, failures stop the engine."""

from __future__ import annotations

import signal
from types import SimpleNamespace
from typing import Any

import fake_core
import numpy as np
import polars as pl
import pytest
from makespan.base.errors import InputError
from makespan.job.progress import Progress
from makespan.pricing.input import Settings
from makespan.pricing.pricing import Wishes, price_everything
from makespan.pricing.run import run_book
from small_books import checked, plain_book, plain_row


def test_rows_come_back_in_the_books_order() -> None:
    """The fake engine finishes the last row first."""
    table = plain_book(5)

    out = price_everything(fake_core, table, Settings()).table

    alone = [price_everything(fake_core, table[i], Settings()).table["price"][0] for i in range(5)]
    assert out["id"].to_list() == table["id"].to_list()
    assert out["price"].to_list() == alone


def test_progress_ends_complete() -> None:
    seen: list[Progress] = []

    run_book(fake_core, checked(plain_book(7)), Settings(), progress=seen.append)

    assert seen[-1].done == seen[-1].total == 7
    assert seen[-1].share == 1.0
    assert [p.done for p in seen] == sorted(p.done for p in seen)


def engine_with(run_class: type) -> Any:
    """The fake engine with another kind of run."""
    return SimpleNamespace(**{**vars(fake_core), "PricingRun": run_class})


def test_the_engines_refusal_is_bad_input() -> None:
    class Refusing(fake_core.PricingRun):
        def __init__(self, *_: object) -> None:
            raise ValueError("rows 1: too long")

    with pytest.raises(InputError, match="rows 1: too long"):
        run_book(engine_with(Refusing), checked(plain_book(1)), Settings())


def test_the_engines_failure_comes_through() -> None:
    class Failing(fake_core.PricingRun):
        def summary(self) -> dict[str, Any]:
            raise RuntimeError("worker 3 failed")

    with pytest.raises(RuntimeError, match="worker 3 failed"):
        run_book(engine_with(Failing), checked(plain_book(1)), Settings())


def test_an_exception_in_the_callback_stops_the_engine() -> None:
    stopped = []

    class Watched(fake_core.PricingRun):
        def cancel(self) -> None:
            stopped.append(True)
            super().cancel()

    def fail(_: Progress) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_book(engine_with(Watched), checked(plain_book(3)), Settings(), progress=fail)
    assert stopped == [True]


def test_the_handler_of_ctrl_c_is_put_back() -> None:
    before = signal.getsignal(signal.SIGINT)

    run_book(fake_core, checked(plain_book(2)), Settings())

    assert signal.getsignal(signal.SIGINT) is before


def test_a_book_of_bad_rows_only_still_has_every_column() -> None:
    table = plain_book(2).with_columns(spot=-1.0)

    out = price_everything(fake_core, table, Settings(greeks=True), Wishes(skip_invalid=True))

    whole = price_everything(fake_core, plain_book(2), Settings(greeks=True))
    assert out.table.schema == whole.table.schema
    assert out.table["status"].to_list() == ["error", "error"]
    assert out.table["price"].to_list() == [None, None]
    assert out.record["options"]["error"] == 2


def test_the_engine_gets_only_valid_rows_and_keys_of_their_ids() -> None:
    given: list[dict[str, np.ndarray]] = []

    class Watched(fake_core.PricingRun):
        def __init__(
            self, book: dict[str, np.ndarray], settings: dict[str, Any], team: object
        ) -> None:
            given.append(book)
            super().__init__(book, settings, team)

    rows = [plain_row(id="A"), plain_row(id="B", spot=-1.0), plain_row(id="C")]
    book = checked(pl.DataFrame(rows), skip_invalid=True)
    run_book(engine_with(Watched), book, Settings())

    text, offsets = np.frombuffer(b"AC", dtype=np.uint8), np.array([0, 1, 2])
    assert given[0]["option_key"].tolist() == fake_core.option_keys(text, offsets).tolist()
    assert len(given[0]["spot"]) == 2
