# SPDX-License-Identifier: Apache-2.0
"""Writes the two example books beside this file: `python examples/make_books.py`.

`book.csv` is the workload of "Heterogeneous Clustering with Homogeneous Code" (Colfax, 2013):
100 options on one asset, priced by one million paths of 365 fixings each. `mixed_book.csv` has one
of everything that a book may hold. No random numbers: running this again changes nothing.
"""

from __future__ import annotations

import csv
import math
from pathlib import Path

HERE = Path(__file__).resolve().parent
Row = dict[str, object]

BOOK_COLUMNS = [
    *("id", "option_type", "spot", "strike", "rate", "drift", "volatility", "expiry"),
    *("fixings", "fixing_grid"),
]
MIXED_COLUMNS = [
    *("id", "option_type", "average_type", "averaging", "spot", "strike", "strike_multiplier"),
    *("rate", "dividend_yield", "volatility", "expiry", "fixings", "fixing_grid"),
    *("first_fixing", "last_fixing", "fixing_times"),
    *("past_fixings_count", "past_fixings_sum", "past_fixings_log_sum"),
    *("notional", "paths", "std_error", "seed"),
]


def book() -> list[Row]:
    """Volatilities in (0.05, 0.5) by strikes in (10, 20), the middles of ten equal steps each."""
    fixed: Row = {
        "option_type": "call",
        "spot": 15.3,
        "rate": 0.08,
        "drift": 0.08,
        "expiry": 1.0,
        "fixings": 365,
        "fixing_grid": "include_start",
    }
    return [
        {"id": f"V{i}K{j}", "strike": 10.5 + j, "volatility": round(0.0725 + 0.045 * i, 4), **fixed}
        for i in range(10)
        for j in range(10)
    ]


def mixed_book() -> list[Row]:
    """About sixty rows; what each group is for stands in examples/README.md."""
    groups = [_kinds(), _ragged(), _seasoned(), _times(), _exact(), _accuracies()]
    return [row for group in groups for row in group]


def _row(name: str, **changes: object) -> Row:
    plain: Row = {
        "id": name,
        "option_type": "call",
        "average_type": "arithmetic",
        "averaging": "price",
        "spot": 100.0,
        "strike": 100.0,
        "rate": 0.05,
        "dividend_yield": 0.02,
        "volatility": 0.25,
        "expiry": 1.0,
        "fixings": 12,
        "fixing_grid": "exclude_start",
    }
    return {**plain, **changes}


def _kinds() -> list[Row]:
    """Call and put, arithmetic and geometric, average price and average strike, both grids."""
    rows = []
    for option_type in ("call", "put"):
        for average_type in ("arithmetic", "geometric"):
            for averaging in ("price", "strike"):
                for grid in ("exclude_start", "include_start"):
                    name = "-".join((option_type, average_type[:3], averaging[:2], grid[:2]))
                    changes: Row = {"average_type": average_type, "averaging": averaging}
                    if averaging == "strike":
                        changes |= {"strike": None, "strike_multiplier": 1.05}
                    changes |= {"option_type": option_type, "fixing_grid": grid}
                    rows.append(_row(name, **changes))
    return rows


def _ragged() -> list[Row]:
    """From 1 to 1000 fixings."""
    counts = (1, 2, 3, 5, 8, 13, 21, 34, 52, 89, 126, 252, 377, 610, 1000)
    return [_row(f"N{n}", fixings=n, option_type="put" if n % 2 else "call") for n in counts]


def _seasoned() -> list[Row]:
    """Some fixings are known; in the last two the strike cannot be missed any more."""
    rows = []
    for count, price in ((1, 97.5), (6, 103.0), (11, 99.25)):
        left, expiry = 12 - count, 1 - count / 12
        known: Row = {"fixings": left, "past_fixings_count": count, "expiry": expiry}
        known["first_fixing"] = expiry / left  # just after a fixing: a whole month
        rows.append(_row(f"past{count}-arith", **known, past_fixings_sum=count * price))
        logs = count * math.log(price)
        geometric: Row = {"average_type": "geometric", "past_fixings_log_sum": logs}
        rows.append(_row(f"past{count}-geo", **known, **geometric))
    deep: Row = {"fixings": 2, "past_fixings_count": 10, "expiry": 0.2, "first_fixing": 0.1}
    deep["past_fixings_sum"] = 1500.0
    rows.append(_row("past-deep-call", **deep))
    rows.append(_row("past-deep-put", option_type="put", **deep))
    return rows


def _times() -> list[Row]:
    """Uneven fixing times, a start in the future, and payment after the last fixing."""
    own: Row = {"fixings": None, "fixing_grid": "explicit"}
    return [
        _row("times-quarters", fixing_times="0.25;0.5;0.75;1", **own),
        _row("times-bunched", fixing_times="0.01;0.02;0.05;0.9;0.95;1", **own),
        _row("times-from-now", fixing_times="0;0.1;0.4", **own, option_type="put"),
        _row("forward-start", fixing_grid=None, first_fixing=0.5, last_fixing=1.0, fixings=26),
        _row("payment-lag", last_fixing=0.75, fixings=39),
        _row("payment-lag-put", last_fixing=0.5, expiry=2.0, option_type="put", fixings=26),
    ]


def _exact() -> list[Row]:
    """Rows that need no simulation: status `deterministic`."""
    past: Row = {"fixings": 0, "fixing_grid": None, "past_fixings_count": 12}
    return [
        _row("zero-vol", volatility=0.0),
        _row("zero-vol-put", volatility=0.0, option_type="put", strike=110.0),
        _row("one-fixing", fixings=1),
        _row("all-past", **past, past_fixings_sum=1236.0, expiry=0.1),
        _row("paid-today", **past, past_fixings_sum=1236.0, expiry=0.0),
    ]


def _accuracies() -> list[Row]:
    """Rows with their own accuracy, size and seed: costs a thousand to one."""
    return [
        _row("paths-4096", paths=4096, fixings=52),
        _row("paths-65536", paths=65536, fixings=252),
        _row("paths-1048576", paths=1 << 20, fixings=52),
        _row("coarse", std_error=0.1, fixings=252),
        _row("fine", std_error=0.001, fixings=252),
        _row("high-vol", volatility=1.2, expiry=3.0, fixings=36),
        _row("short-position", notional=-2500.0),
        _row("own-seed", seed=12345),
        _row("negative-rate", rate=-0.01, dividend_yield=0.0),
        _row("low-strike", strike=1.0),
    ]


def write_book(name: str, columns: list[str], rows: list[Row]) -> None:
    """One file beside this one; empty cells for what a row does not say."""
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    write_book("book.csv", BOOK_COLUMNS, book())
    write_book("mixed_book.csv", MIXED_COLUMNS, mixed_book())
