# SPDX-License-Identifier: Apache-2.0
"""The example books are what their README says, and the script beside them writes them."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from job_programs import MPIEXEC
from makespan.cli import main
from small_books import checked

import makespan

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def script(name: str, path: Path) -> Any:
    """One of the example scripts, loaded from `path`."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("images", [0, 2])
def test_the_primes_are_counted(images: int) -> None:
    if images and MPIEXEC is None:
        pytest.skip("no mpiexec of MPICH here")
    launcher = [str(MPIEXEC), "-n", str(images)] if images else []

    ended = subprocess.run(
        [*launcher, sys.executable, str(EXAMPLES / "count_primes.py")],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert ended.stdout == "17984 primes below 200000\n"


def test_the_stencil_is_what_its_script_writes_and_can_be_balanced(tmp_path: Path) -> None:
    there = EXAMPLES / "graph" / "stencil.json"
    made = tmp_path / "stencil.json"
    subprocess.run(
        [sys.executable, str(EXAMPLES / "graph" / "make_stencil.py"), str(made)], check=True
    )

    ended = subprocess.run(
        [sys.executable, "-m", "makespan", "balance", str(there), "--places", "8"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert made.read_bytes() == there.read_bytes()
    assert "64 objects, 224 edges" in ended.stdout
    now = next(line.split() for line in ended.stdout.splitlines() if line.startswith("now"))
    assert now[:5] == ["now", "32.13", "ms", "24", "ms"]


@pytest.mark.parametrize("name", ["book", "mixed_book"])
def test_the_script_writes_the_books_that_are_there(tmp_path: Path, name: str) -> None:
    copy = shutil.copy(EXAMPLES / "make_books.py", tmp_path)
    module = script("make_books", Path(copy))
    columns = {"book": module.BOOK_COLUMNS, "mixed_book": module.MIXED_COLUMNS}[name]

    module.write_book(f"{name}.csv", columns, getattr(module, name)())

    assert (tmp_path / f"{name}.csv").read_bytes() == (EXAMPLES / f"{name}.csv").read_bytes()


def test_the_book_is_the_papers_workload() -> None:
    book = checked(EXAMPLES / "book.csv")

    columns = book.columns
    assert book.rows == 100
    for name, value in (("spot", 15.3), ("expiry", 1.0), ("rate", 0.08), ("drift", 0.08)):
        assert set(columns[name].tolist()) == {value}
    assert set(columns["fixings"].tolist()) == {365}
    assert set(columns["first_fixing"].tolist()) == {0.0}
    assert 0.05 < columns["volatility"].min() < columns["volatility"].max() < 0.5
    assert 10 < columns["strike"].min() < columns["strike"].max() < 20
    assert (
        len({*zip(columns["volatility"].tolist(), columns["strike"].tolist(), strict=True)}) == 100
    )


def test_the_mixed_book_has_one_of_everything() -> None:
    columns = checked(EXAMPLES / "mixed_book.csv").columns

    assert set(columns["option_type"].tolist()) == {1, -1}
    assert set(columns["average_type"].tolist()) == {0, 1}
    assert set(columns["averaging"].tolist()) == {0, 1}
    assert (columns["fixings"].min(), columns["fixings"].max()) == (0, 1000)
    assert columns["past_count"].max() == 12
    assert columns["times"].size
    assert ((columns["last_fixing"] < columns["expiry"]) & (columns["last_fixing"] > 0)).any()
    assert 0.0 in columns["volatility"]


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    script("price_book", EXAMPLES / "price_book.py").main()

    printed = capsys.readouterr().out
    assert "60 options" in printed
    assert "(N5): spot must be > 0, got -1.0" in printed


def test_the_book_with_curves_is_priced_without_noise() -> None:
    book, curves = EXAMPLES / "curved_book.csv", EXAMPLES / "curves.csv"
    priced = makespan.price(book, curves=curves, greeks=True, memory=False)

    assert priced.table["status"].to_list() == ["ok"] * 6
    assert set(priced.table["method"].to_list()) == {"exact"}
    assert priced.table["error_bound"].max() < 1e-7


def test_the_book_with_baskets_is_priced() -> None:
    priced = makespan.price(
        EXAMPLES / "basket_book.csv",
        baskets=EXAMPLES / "baskets.csv",
        correlations=EXAMPLES / "correlations.csv",
        greeks=True,
        memory=False,
    )

    assert priced.table["status"].to_list() == ["ok"] * 7
    assert set(priced.table["method"].to_list()) == {"mc"}
    assert priced.table["std_error"].max() < 5e-3
    without_gamma = priced.table.filter(pl.col("gamma").is_null())
    assert without_gamma["id"].to_list() == ["shares-strike", "crack-quarter"]
    for name in ("delta", "vega", "rho", "dividend_rho", "theta"):
        assert priced.table[name].null_count() == 0, name


def test_the_book_with_surfaces_is_priced() -> None:
    book, surfaces = EXAMPLES / "surface_book.csv", EXAMPLES / "surfaces.csv"
    priced = makespan.price(book, surfaces=surfaces, greeks=True, memory=False)

    spot = pl.read_csv(book)["spot"]
    assert priced.table["status"].to_list() == ["ok"] * 5
    assert set(priced.table["method"].to_list()) == {"mc"}
    assert (priced.table["std_error"] / spot).max() < 1e-4
    assert priced.table["gamma"].null_count() == 5
    assert priced.table["delta"].null_count() == 0


@pytest.mark.usefixtures("fake_engine")
def test_the_mixed_book_is_priced_whole() -> None:
    prices = makespan.price(EXAMPLES / "mixed_book.csv").table

    assert prices.filter(pl.col("price").is_null()).is_empty()
    assert prices.height == 60


@pytest.mark.parametrize(
    ("book", "tables"),
    [
        ("curved_book", ("curves",)),
        ("basket_book", ("baskets", "correlations")),
        ("surface_book", ("surfaces",)),
    ],
)
def test_the_command_prices_a_book_as_the_function_does(
    book: str, tables: tuple[str, ...], tmp_path: Path
) -> None:
    files = {name: EXAMPLES / f"{name}.csv" for name in tables}
    path = EXAMPLES / f"{book}.csv"
    flags = [word for name, file in files.items() for word in (f"--{name}", str(file))]
    written = tmp_path / "prices.csv"

    assert main(["price", str(path), "--no-memory", "--quiet", "-o", str(written), *flags]) == 0

    prices = pl.read_csv(written)["price"]
    assert prices.to_list() == makespan.price(path, memory=False, **files).table["price"].to_list()
    record = json.loads((tmp_path / "prices.record.json").read_text())
    assert {name: record[name] for name in tables} == {n: str(f) for n, f in files.items()}
