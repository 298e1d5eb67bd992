# SPDX-License-Identifier: Apache-2.0
r"""Draws the prices of a book by strike and volatility: docs/index.md's picture of pricing.

python tools/price_picture.py OUT.png BOOK.csv PRICES.csv

    makespan price examples/book.csv -q -o prices.csv
    python tools/price_picture.py docs/pictures/prices.png examples/book.csv prices.csv
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

PRICE_MIN = 0.01  # of options whose paths are drawn: below, errors are about as large as prices
COLOURS = ("#22303c", "#3b6ea5", "#5f9e6e", "#e0a030", "#c03050")


@dataclass(frozen=True)
class Priced:
    """One option of the book, and what came of it."""

    strike: float
    volatility: float
    price: float
    paths: int
    plain_paths: float  # that plain Monte Carlo would need for the same error


def read_options(book: Path, prices: Path) -> list[Priced]:
    """The options of both files, by id."""
    with book.open(encoding="utf-8", newline="") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    with prices.open(encoding="utf-8", newline="") as file:
        return [
            Priced(
                float(rows[row["id"]]["strike"]),
                float(rows[row["id"]]["volatility"]),
                float(row["price"]),
                int(row["paths_used"]),
                int(row["paths_used"]) * float(row["variance_reduction"]),
            )
            for row in csv.DictReader(file)
        ]


def lines_of(options: list[Priced]) -> dict[float, list[Priced]]:
    """By volatility, spread over as many lines as there are colours; each by strike."""
    found: dict[float, list[Priced]] = defaultdict(list)
    for option in options:
        found[option.volatility].append(option)
    kinds = sorted(found)
    last = len(COLOURS) - 1
    chosen = {kinds[round(i * (len(kinds) - 1) / last)] for i in range(len(COLOURS))}
    return {kind: sorted(found[kind], key=lambda one: one.strike) for kind in sorted(chosen)}


def draw(options: list[Priced]) -> Figure:
    """Prices on the left, paths on the right."""
    mpl.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    figure = Figure(figsize=(8, 3.1), layout="constrained")
    prices, paths = figure.subplots(1, 2)
    for (volatility, line), colour in zip(lines_of(options).items(), COLOURS, strict=True):
        name = f"volatility {100 * volatility:.0f} %"
        strikes = [one.strike for one in line]
        prices.plot(strikes, [one.price for one in line], color=colour, label=name)
        worth = [one for one in line if one.price >= PRICE_MIN]
        strikes = [one.strike for one in worth]
        paths.plot(strikes, [one.plain_paths for one in worth], "o", ms=4, color=colour)
        paths.plot(strikes, [one.paths for one in worth], "_", ms=12, color="#8a949e")
    _finish(prices, "price", "prices")
    prices.legend(frameon=False, fontsize=8)
    paths.set_yscale("log")
    _finish(paths, "paths", "paths: used (-), plain Monte Carlo (●)")
    return figure


def _finish(axes: Axes, unit: str, title: str) -> None:
    axes.set(xlabel="strike", ylabel=unit)
    axes.set_title(title, loc="left", fontsize=10)


def main() -> int:
    """Reads the files, writes the picture."""
    out, book, prices = (Path(word) for word in sys.argv[1:])
    draw(read_options(book, prices)).savefig(out, dpi=150)
    print(f"written: {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
