# SPDX-License-Identifier: Apache-2.0
import polars as pl
import pytest
from makespan.pricing.outcome import PriceResult

from bench.price import engine_worker


@pytest.fixture
def calls(monkeypatch):
    """The calls of makespan.price, which answers each row with its number and an error of 0.5."""
    made = []

    def price(book, **settings):
        made.append((book, settings))
        table = pl.DataFrame({"price": range(1, len(book) + 1), "std_error": [0.5] * len(book)})
        return PriceResult(table, {})

    monkeypatch.setattr(engine_worker.makespan, "price", price)
    return made


def test_words_become_settings_of_the_right_kind(calls):
    words = ["method=mc", "std_error=1e-4", "threads=1", "greeks=1", "fixings=365"]

    reply = engine_worker.run(words, seed=7)

    book, settings = calls[0]
    assert settings == {
        "method": "mc",
        "std_error": 1e-4,
        "threads": 1,
        "greeks": True,
        "seed": 7,
        "memory": False,
    }
    assert book["fixings"].to_list() == [365]
    assert reply["price"] == 1.0
    assert reply["std_error"] == 0.5
    assert reply["seconds"] > 0


def test_book_file_is_priced_whole(calls, tmp_path):
    path = tmp_path / "book.csv"
    path.write_text("id,spot\na,1\nb,2\n")

    reply = engine_worker.run([f"book={path}", "paths=1024", "threads=2"], seed=1)

    book, settings = calls[0]
    assert len(book) == 2
    assert settings == {"paths": 1024, "threads": 2, "seed": 1, "memory": False}
    assert reply["price"] == 3.0
    assert "std_error" not in reply
