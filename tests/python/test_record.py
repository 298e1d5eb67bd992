# SPDX-License-Identifier: Apache-2.0
"""The run record: equal hashes mean equal contents, and nothing else."""

from __future__ import annotations

import hashlib
import json
import struct
from typing import Any

import fake_core
import polars as pl
import pytest
from makespan.pricing.input import Settings
from makespan.pricing.pricing import price_everything
from makespan.pricing.record import accuracy_text
from makespan.report.run_record import json_text
from small_books import plain_book


def record(table: pl.DataFrame, **settings: Any) -> dict[str, Any]:
    return price_everything(fake_core, table, Settings(**settings)).record


def test_the_result_hash_is_over_the_bits_of_the_prices_in_id_order() -> None:
    table = plain_book(12)
    prices = price_everything(fake_core, table, Settings()).table

    ordered = sorted(zip(prices["id"], prices["price"], strict=True))

    bits = b"".join(struct.pack("<d", price) for _, price in ordered)
    assert record(table)["result_hash"] == hashlib.sha256(bits).hexdigest()
    assert record(table.reverse())["result_hash"] == hashlib.sha256(bits).hexdigest()


def test_ids_as_numbers_or_text_are_the_same_run() -> None:
    numbers = plain_book(12).with_columns(id=pl.Series(range(12)))
    texts = numbers.with_columns(pl.col("id").cast(pl.String))

    for name in ("input_hash", "result_hash"):
        assert record(numbers)[name] == record(texts)[name]


def test_the_input_hash_is_of_the_book_not_of_the_run() -> None:
    table = plain_book(3)

    assert record(table, seed=1, paths=64)["input_hash"] == record(table)["input_hash"]
    assert record(table.with_columns(seed=1))["input_hash"] != record(table)["input_hash"]
    assert record(table.head(2))["input_hash"] != record(table)["input_hash"]


@pytest.mark.parametrize("name", ["spot", "strike", "rate", "volatility", "expiry"])
def test_the_last_bit_of_any_number_changes_the_input_hash(name: str) -> None:
    table = plain_book(1)
    nudged = table.with_columns(pl.col(name) * (1 + 2**-52))

    assert record(nudged)["input_hash"] != record(table)["input_hash"]


def test_the_record_says_what_is_needed_to_repeat_the_run() -> None:
    found = record(plain_book(3), seed=5, rounds=7, method="mc_plain", threads=2)

    assert found["makespan"] == "0.0.test"
    assert found["build"]["git"] == "0000000"
    assert found["seed"] == 5
    assert found["rng"]["name"] == "Philox4x32-7"
    assert found["settings"]["method"] == "mc_plain"
    assert found["settings"]["threads"] == 2
    assert found["options"] == {
        "total": 3,
        "ok": 3,
        "max_paths_reached": 0,
        "deterministic": 0,
        "resolution_reached": 0,
        "error": 0,
        "from_journal": 0,
    }
    assert found["machine"]["cores_available"] >= 1
    assert set(found["software"]) >= {"python", "numpy", "polars"}
    assert found["makespan_s"] >= 0 < found["path_steps_per_s"]


def test_the_record_is_strict_json() -> None:
    found = record(plain_book(2)) | {"odd": [float("nan"), float("inf")]}

    text = json_text(found)

    assert json.loads(text, parse_constant=pytest.fail)["odd"] == [None, None]


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({}, "std_error = 1e-4 x spot of the row (default)"),
        ({"paths": 64}, "paths = 64"),
        ({"std_error": 0.01}, "std_error = 0.01"),
    ],
)
def test_the_record_says_what_accuracy_was_asked_for(settings: dict[str, Any], text: str) -> None:
    assert accuracy_text(Settings(**settings)) == text
