# SPDX-License-Identifier: Apache-2.0
"""What the README shows is what happens."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import makespan

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def code(language: str) -> list[str]:
    """The README's blocks of code in this language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def test_the_table_has_the_prices_of_the_book() -> None:
    shown = dict(re.findall(r"^    (V\dK\d) +(\d\.\d+) ", README, flags=re.MULTILINE))

    prices = makespan.price(ROOT / "examples" / "book.csv").table

    found = dict(prices.select("id", pl.col("price").round(5)).iter_rows())
    assert len(shown) == 4
    assert {id_: float(text) for id_, text in shown.items()} == {id_: found[id_] for id_ in shown}


def test_the_python_example_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, Any] = {}
    monkeypatch.chdir(ROOT)

    (block,) = code("python")
    exec(block, names)  # noqa: S102 - our own README

    assert names["prices"].height == 100
    assert names["prices"]["delta_std_error"].is_not_null().all()


def test_the_cpp_examples_are_parts_of_programs_that_are_built() -> None:
    programs = ("examples/price_one.cpp", "examples/runtime/shared_counter.cpp")

    for block, name in zip(code("cpp"), programs, strict=True):
        lines = [line.strip() for line in (ROOT / name).read_text(encoding="utf-8").splitlines()]
        shown = [line.strip() for line in block.splitlines()]
        starts = range(len(lines) - len(shown) + 1)
        assert any(lines[start : start + len(shown)] == shown for start in starts), name
