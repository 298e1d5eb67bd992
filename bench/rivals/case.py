# SPDX-License-Identifier: Apache-2.0
"""A case of rivals as data: one contract, its true prices, and who prices it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.case import Case, Scale, parse_case
from bench.rivals.contract import prices_in
from bench.worker import Reply, WorkerError


@dataclass(frozen=True)
class RivalCase:
    """One contract. Each contestant has a row of its own, named ``prefix_contestant``.

    Times are compared with the first contestant of `basis` that ran. A contestant whose price is
    further than `tolerance` [price] from the truth prices another contract, and is left out.
    """

    case: Case
    prefix: str
    basis: list[str]
    truths: list[float]  # [price], by strike
    tolerance: float


def parse_rivals(table: dict[str, Any], scale: Scale) -> RivalCase:
    """Build a case from its TOML table: the words of the contract follow each request.

    A contestant with ``slow = true`` is not asked by a quick run.
    """
    contestants = [
        {**entry, "request": f"{entry['request']} {table['contract']}"}
        for entry in table["contestant"]
        if scale is Scale.FULL or not entry.get("slow", False)
    ]
    settled = {
        **table,
        "measure": "processor_seconds",
        "unit": "ms",
        "row": [],
        "contestant": contestants,
    }
    case = parse_case(settled, scale)
    if scale is Scale.FULL:
        for name in table["basis"]:
            case.contestant(name)
    truth = table["truth"]
    return RivalCase(case, table["prefix"], table["basis"], truth["prices"], truth["tolerance"])


def read_rivals(path: Path, scale: Scale) -> RivalCase:
    """Read one case file."""
    return parse_rivals(tomllib.loads(path.read_text(encoding="utf-8")), scale)


def distance(rivals: RivalCase, reply: Reply) -> float:
    """Return how far a reply is from the truth, over the strikes the largest distance [price]."""
    prices = prices_in(reply)
    pairs = zip(prices, rivals.truths, strict=True)
    return max(abs(price - truth) for price, truth in pairs)


def check_contract(rivals: RivalCase, reply: Reply) -> None:
    """Raise WorkerError for prices that are too far from the truth to be of this contract."""
    found = distance(rivals, reply)
    if not found <= rivals.tolerance:
        msg = f"another contract is priced: {found:.3g} from the true price"
        raise WorkerError(msg)
