# SPDX-License-Identifier: Apache-2.0
"""A book whose run is interrupted: the prices that there are come out, as a whole run has them."""

from __future__ import annotations

import pickle
import signal
from typing import Any

import fake_core
import numpy as np
import pytest
from makespan.pricing.priced_part import NOT_PRICED
from small_books import plain_book

import makespan

pytestmark = pytest.mark.usefixtures("fake_engine")
ROWS = 400


def interrupted(monkeypatch: pytest.MonkeyPatch, book: Any, least: int, **given: Any) -> Any:
    """What is raised when so many options are done; 12 s of them, for machines that are busy."""

    def press(progress: makespan.Progress) -> None:
        if progress.done >= least:
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as slow:
        slow.setattr(fake_core, "DELAY_S", 0.03)
        with pytest.raises(makespan.Interrupted) as caught:
            makespan.price(book, on_progress=press, **given)
    return caught.value


def test_the_result_has_the_prices_that_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fake engine finishes the last row first."""
    book = plain_book(ROWS)

    stop = interrupted(monkeypatch, book, 5)

    whole = makespan.price(book)
    assert whole is not None
    table = stop.result.table
    assert 5 <= stop.done < ROWS
    left = ROWS - stop.done
    assert table["id"].to_list() == book["id"].to_list()
    assert table["price"].tail(stop.done).equals(whole.table["price"].tail(stop.done))
    assert table["status"].tail(stop.done).to_list() == ["ok"] * stop.done
    assert table["price"].head(left).null_count() == left
    assert table["status"].head(left).to_list() == ["error"] * left
    assert table["error"].head(left).to_list() == [NOT_PRICED] * left
    assert stop.result.record["options"]["ok"] == stop.done
    assert stop.result.hash != whole.hash
    again = pickle.loads(pickle.dumps(stop))  # noqa: S301 - our own, for other images
    assert again.result.table.equals(table)


def test_it_is_a_table_of_the_books_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    book = plain_book(ROWS).to_pandas()

    stop = interrupted(monkeypatch, book, 1, units="desk", greeks=True)

    assert np.count_nonzero(stop.result.table["price"].notna()) == stop.done
    assert "vega_per_1pct" in stop.result.table


def test_without_a_price_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fake_core.PricingRun, "take_finished", lambda _: np.zeros(0, np.int64))

    stop = interrupted(monkeypatch, plain_book(ROWS), 0)

    assert (stop.done, stop.result) == (0, None)
