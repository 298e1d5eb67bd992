# SPDX-License-Identifier: Apache-2.0
"""The table of prices: columns, order, units, files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import fake_core
import polars as pl
import pyarrow as pa
import pytest
from makespan.base.errors import InputError
from makespan.files.frame_file import METADATA_KEY, write_frame
from makespan.pricing.columns.outputs import GREEKS, OUTPUT_COLUMNS, STATUSES
from makespan.pricing.input import Settings
from makespan.pricing.outcome import Priced
from makespan.pricing.price_table import NO_PRICE
from makespan.pricing.pricing import Wishes, price_everything
from makespan.pricing.record import RunContext
from makespan.report.run_record import json_text
from small_books import plain_book, plain_row

import makespan


def priced(table: pl.DataFrame, *, units: str = "standard", **settings: Any) -> Priced:
    context = RunContext(units=units)
    return price_everything(
        fake_core, table, Settings(**settings), Wishes(skip_invalid=True), context=context
    )


MIXED = pl.DataFrame(
    [
        plain_row(id="ok"),
        plain_row(id="exact", volatility=0.0),
        plain_row(id="capped", std_error=1e-9, max_paths=10),
        plain_row(id="bad", spot=-1.0),
        plain_row(id="drift", drift=0.12, notional=-2.0),
    ],
    infer_schema_length=None,
)


def test_columns_are_those_of_the_schema_in_its_order() -> None:
    plain = [column.name for column in OUTPUT_COLUMNS if not column.greek]
    everything = [column.name for column in OUTPUT_COLUMNS]

    assert priced(MIXED).table.columns == plain
    assert priced(MIXED, greeks=True).table.columns == everything


def test_words_say_how_each_row_ended() -> None:
    table = priced(MIXED).table

    assert table["status"].to_list() == ["ok", STATUSES[2], STATUSES[1], "error", "ok"]
    assert table["error"].to_list() == [None, None, None, "spot must be > 0, got -1.0", None]
    assert table["method"].to_list() == ["mc", "exact", "mc", None, "mc"]
    assert table["measure"].to_list() == ["risk_neutral"] * 3 + [None, "user_drift"]


def test_a_number_that_does_not_exist_is_null_not_nan() -> None:
    table = priced(MIXED).table

    assert table["control_beta"].is_null().to_list() == [False, True, False, True, False]
    assert not any(table[name].is_nan().any() for name in ("price", "control_beta"))


@pytest.mark.usefixtures("overflow_at_spot_100")
def test_a_price_that_overflows_is_an_error_of_its_row() -> None:
    table = plain_book(2)

    run = priced(table)

    assert run.table["status"].to_list() == ["error", "ok"]
    assert run.table["price"].to_list()[0] is None
    assert run.table["error"].to_list() == [NO_PRICE, None]
    assert run.record["options"]["error"] == 1
    assert run.record["result_hash"] == priced(table[1:]).record["result_hash"]


@pytest.mark.parametrize("ids", [[5, 3, 9], [2**63 - 1, 0, -4], ["x", "y", "z"]])
def test_ids_come_back_as_they_were(ids: list[Any]) -> None:
    table = plain_book(3).with_columns(id=pl.Series(ids))

    assert priced(table).table["id"].to_list() == ids


def test_desk_units_change_names_together_with_numbers() -> None:
    standard = priced(MIXED, greeks=True).table
    desk = priced(MIXED, greeks=True, units="desk").table

    for old, new, divisor in (
        ("vega", "vega_per_1pct", 100),
        ("rho", "rho_per_1pct", 100),
        ("dividend_rho", "dividend_rho_per_1pct", 100),
        ("theta", "theta_per_day", 365),
    ):
        for end in ("", "_std_error"):
            assert old + end not in desk.columns
            assert desk[new + end].equals((standard[old + end] / divisor).alias(new + end))
    assert desk["delta"].equals(standard["delta"])


def test_unknown_units_are_refused() -> None:
    with pytest.raises(
        InputError, match=r"units='metric' cannot be used .*: give standard or desk"
    ):
        makespan.price(MIXED, units="metric")


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".arrow"])
def test_a_file_holds_every_bit(tmp_path: Path, suffix: str) -> None:
    run = priced(MIXED, greeks=True)
    path = tmp_path / f"prices{suffix}"

    write_frame(run.table, path, suffix, "{}")

    read = {".csv": pl.read_csv, ".parquet": pl.read_parquet, ".arrow": pl.read_ipc}[suffix]
    back = read(path)
    for name in ("price", "std_error", "control_beta", *GREEKS):
        assert back[name].to_list() == run.table[name].to_list()


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".arrow"])
def test_a_name_need_not_be_text(tmp_path: Path, suffix: str) -> None:
    run = priced(MIXED)
    path = tmp_path / os.fsdecode(b"prices-\xff" + suffix.encode())

    write_frame(run.table, path, suffix, "{}")

    with path.open("rb") as file:
        read = {".csv": pl.read_csv, ".parquet": pl.read_parquet, ".arrow": pl.read_ipc}[suffix]
        assert read(file.read())["price"].to_list() == run.table["price"].to_list()


def test_parquet_and_arrow_carry_the_record(tmp_path: Path) -> None:
    run = priced(MIXED)
    text = json_text(run.record)

    write_frame(run.table, tmp_path / "p.parquet", ".parquet", text)
    write_frame(run.table, tmp_path / "p.arrow", ".arrow", text)

    with pa.memory_map(str(tmp_path / "p.arrow")) as source:
        inside = pa.ipc.open_file(source).schema.metadata[METADATA_KEY.encode()]
    assert pl.read_parquet_metadata(tmp_path / "p.parquet")[METADATA_KEY] == text
    assert json.loads(inside) == json.loads(text)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_ids_are_written_letter_by_letter(tmp_path: Path, suffix: str) -> None:
    """Also where a spreadsheet takes them for formulas: docs/reference/files.md says why."""
    ids = ["=1+1", "@sum", "+3", "-4", "'x", '=HYPERLINK("a","b")']
    table = priced(pl.DataFrame([plain_row(id=one) for one in ids])).table
    path = tmp_path / f"prices{suffix}"

    write_frame(table, path, suffix, "{}")

    read = pl.read_csv(path) if suffix == ".csv" else pl.read_parquet(path)
    assert read["id"].to_list() == ids
