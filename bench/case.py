# SPDX-License-Identifier: Apache-2.0
"""An interleaved comparison as data: contestants, sizes, rounds, and the rows that it answers.

Read from ``bench/cases/<room>/<name>.toml``; the key ``smoke`` holds what a quick run changes.
"""

from __future__ import annotations

import enum
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# What a reply of a contestant becomes: a rate (more is better) or a time (less is better).
MEASURES = ("values_per_second", "seconds", "seconds_to_std_error", "processor_seconds")
RATIO_FORMS = ("ours / theirs", "theirs / ours")


class Scale(enum.Enum):
    """How much to measure: for figures, or only to see that everything runs."""

    FULL = enum.auto()
    SMOKE = enum.auto()


@dataclass(frozen=True)
class Contestant:
    """One program with one request. `sizes` fill the placeholders of the request."""

    name: str
    worker: str
    request: str
    sizes: dict[str, int]
    bound_cycles: float | None = None

    @property
    def full_request(self) -> str:
        """The request with its sizes filled in."""
        return self.request.format(**self.sizes)

    @property
    def values(self) -> int:
        """Normals consumed by one run: one per path and fixing."""
        return self.sizes["fixings"] * self.sizes["paths"]


@dataclass(frozen=True)
class Asked:
    """One row of the result: whose figure, compared with whom, and what it should reach.

    `compared_to` is a contestant, or ``bound``: the cycles a value that the ports allow.
    """

    name: str
    of: str
    compared_to: str | None = None
    ratio: str = "ours / theirs"
    target: str | None = None


@dataclass(frozen=True)
class PriceCheck:
    """What each contestant's price must agree with: a proof that all price one contract.

    `price` [currency], `payoff_std` [currency per path, discounted] for replies without an error.
    """

    price: float
    payoff_std: float


@dataclass(frozen=True)
class Case:
    """One comparison whose contestants run in turn, round after round."""

    title: str
    measure: str
    unit: str
    cores: int
    rounds: int
    contestants: list[Contestant]
    asked: list[Asked]
    check: PriceCheck | None = None
    std_error: float | None = None

    def contestant(self, name: str) -> Contestant:
        """Return the contestant of that name."""
        for contestant in self.contestants:
            if contestant.name == name:
                return contestant
        msg = f"case '{self.title}' has no contestant '{name}'"
        raise ValueError(msg)


def parse_contestant(table: dict[str, Any], sizes: dict[str, int], scale: Scale) -> Contestant:
    """Build a contestant; its own sizes go before the case's, and smoke before both."""
    own = {
        **table.get("sizes", {}),
        **(table.get("smoke_sizes", {}) if scale is Scale.SMOKE else {}),
    }
    return Contestant(
        name=table["name"],
        worker=table["worker"],
        request=table["request"],
        sizes={**sizes, **own},
        bound_cycles=table.get("bound_cycles"),
    )


def parse_case(table: dict[str, Any], scale: Scale) -> Case:
    """Build a case from its TOML table; an unknown measure, ratio or contestant is an error."""
    quick = table.get("smoke", {}) if scale is Scale.SMOKE else {}
    sizes = {**table.get("sizes", {}), **quick.get("sizes", {})}
    case = Case(
        title=table["title"],
        measure=table["measure"],
        unit=table["unit"],
        cores=table.get("cores", 1),
        rounds=quick.get("rounds", table["rounds"]),
        contestants=[parse_contestant(entry, sizes, scale) for entry in table["contestant"]],
        asked=[Asked(**entry) for entry in table["row"]],
        check=PriceCheck(**table["check"]) if "check" in table else None,
        std_error=table.get("std_error"),
    )
    check_consistency(case)
    return case


def check_consistency(case: Case) -> None:
    """Refuse a case that speaks of what does not exist."""
    if case.measure not in MEASURES:
        msg = f"measure '{case.measure}' is unknown; one of {', '.join(MEASURES)}"
        raise ValueError(msg)
    if case.measure == "seconds_to_std_error" and case.std_error is None:
        msg = f"case '{case.title}' measures the time to an error; give std_error"
        raise ValueError(msg)
    for row in case.asked:
        case.contestant(row.of)
        if row.compared_to not in (None, "bound"):
            case.contestant(str(row.compared_to))
        if row.compared_to == "bound" and case.contestant(row.of).bound_cycles is None:
            msg = f"row '{row.name}' asks for a bound that '{row.of}' has not (give bound_cycles)"
            raise ValueError(msg)
        if row.ratio not in RATIO_FORMS:
            msg = f"row '{row.name}': ratio '{row.ratio}' is unknown; one of {RATIO_FORMS}"
            raise ValueError(msg)


def read_table(path: Path, scale: Scale) -> dict[str, Any]:
    """Read a case file whose table ``smoke`` holds what a quick run has instead."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    quick = table.pop("smoke")
    return table | quick if scale is Scale.SMOKE else table


def read_case(path: Path, scale: Scale) -> Case:
    """Read one case file."""
    return parse_case(tomllib.loads(path.read_text(encoding="utf-8")), scale)
