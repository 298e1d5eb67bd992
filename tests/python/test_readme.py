# SPDX-License-Identifier: Apache-2.0
"""What the README shows is what happens."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import makespan

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def code(language: str) -> str:
    """The README's one block of code in this language."""
    (block,) = re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
    return str(block)


def test_the_table_has_the_prices_of_the_book() -> None:
    shown = dict(re.findall(r"^    (V\dK\d) +(\d\.\d+) ", README, flags=re.MULTILINE))

    prices = makespan.price(ROOT / "examples" / "book.csv")

    found = dict(prices.select("id", pl.col("price").round(5)).iter_rows())
    assert len(shown) == 10
    assert {id_: float(text) for id_, text in shown.items()} == {id_: found[id_] for id_ in shown}


def test_the_python_example_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, Any] = {}
    monkeypatch.chdir(ROOT)

    exec(code("python"), names)  # noqa: S102 - our own README

    assert names["prices"].height == 100
    assert names["prices"]["delta_std_error"].is_not_null().all()


def test_the_cpp_example_is_part_of_the_program_that_is_built() -> None:
    program = (ROOT / "examples" / "price_one.cpp").read_text(encoding="utf-8")

    assert textwrap.indent(code("cpp"), "  ") in program
