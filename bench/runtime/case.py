# SPDX-License-Identifier: Apache-2.0
"""A case of the runtime bench as data: predictions, programs to start, rows to answer.

Read from ``bench/cases/runtime/<name>.toml``; the key ``smoke`` holds what a quick run changes.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.case import RATIO_FORMS, Scale
from bench.json_rows import each_row

# What a figure is multiplied by to be told in a unit.
UNITS = {
    "ns": 1e9,
    "us": 1e6,
    "ms": 1e3,
    "s": 1.0,
    "1/s": 1.0,
    "M/s": 1e-6,
    "GB/s": 1e-9,
    "GFLOPS": 1e-9,
    "times": 1.0,
}


@dataclass(frozen=True)
class Prediction:
    """What a figure should be, said before it is measured.

    Either a `value` (of the figure, in its base unit), or `times` what the contestant `of` shows in
    the same run.
    """

    name: str
    why: str
    value: float | None = None
    of: str | None = None
    times: float = 1.0


@dataclass(frozen=True)
class Program:
    """One program to start, with one rank on each host or all on this one.

    `launcher` is ``mpiexec``, that of the build's MPI; another's, by its name; or ``none`` for a
    program that starts its processes itself.
    `label` goes before the names of its contestants (``t2/ucx.put``), where a case starts a program
    several times with different arguments. `shape` slows down what each host sends, in the words of
    `tc qdisc`.
    """

    name: str
    arguments: list[str]
    hosts: int = 1
    ranks: int = 2
    limit_s: float = 120.0
    shape: str = ""
    label: str = ""
    launcher: str = "mpiexec"
    environment: dict[str, str] = field(default_factory=dict)

    def full_name(self, contestant: str) -> str:
        """Return the name under which the case knows a contestant of this program."""
        return f"{self.label}/{contestant}" if self.label else contestant


@dataclass(frozen=True)
class AskedRow:
    """One row of the result: whose figure, compared with whose or with which prediction.

    `compared_figure` is that of the other contestant, where it is not the same. `best_of` are
    contestants of which the best that were measured is compared with: with the least median of
    seconds, or the greatest of another figure.
    """

    name: str
    of: str
    unit: str
    figure: str = "seconds"
    compared_to: str | None = None
    compared_figure: str | None = None
    best_of: list[str] = field(default_factory=list)
    predicted: str | None = None
    ratio: str = "ours / theirs"
    target: str | None = None


@dataclass(frozen=True)
class RuntimeCase:
    """One case: programs that are started in turn, `launches` times each."""

    title: str
    launches: int
    predictions: list[Prediction]
    programs: list[Program]
    rows: list[AskedRow]

    def prediction(self, name: str) -> Prediction:
        """Return the prediction of that name."""
        for prediction in self.predictions:
            if prediction.name == name:
                return prediction
        msg = f"case '{self.title}' predicts no '{name}'"
        raise ValueError(msg)


def parse_program(table: dict[str, Any], sizes: dict[str, Any]) -> Program:
    """Build a program; its own `sizes` go before the case's."""
    own = {**sizes, **table.get("sizes", {})}
    words = [str(word).format(**own) for word in table["arguments"]]
    rest = {key: value for key, value in table.items() if key not in ("arguments", "sizes")}
    return Program(arguments=words, **rest)


def parse_case(table: dict[str, Any], scale: Scale) -> RuntimeCase:
    """Build a case from its TOML table; what speaks of what does not exist is an error."""
    quick = table.get("smoke", {}) if scale is Scale.SMOKE else {}
    sizes = {**table.get("sizes", {}), **quick.get("sizes", {})}
    case = RuntimeCase(
        title=table["title"],
        launches=quick.get("launches", table.get("launches", 1)),
        predictions=[Prediction(**entry) for entry in table["prediction"]],
        programs=[parse_program(entry, sizes) for entry in table["program"]],
        rows=[asked_row(entry) for entry in each_row(table["row"])],
    )
    check_consistency(case)
    return case


def asked_row(entry: dict[str, Any]) -> AskedRow:
    """Build a row; for whom it was repeated is in its texts by now."""
    return AskedRow(**{key: value for key, value in entry.items() if key != "each"})


def check_consistency(case: RuntimeCase) -> None:
    """Refuse an invalid or inconsistent case."""
    for prediction in case.predictions:
        if (prediction.value is None) == (prediction.of is None):
            msg = f"prediction '{prediction.name}' is a value, or a multiple of a contestant's"
            raise ValueError(msg)
    for row in case.rows:
        if row.predicted is not None:
            case.prediction(row.predicted)
        if sum([row.predicted is not None, row.compared_to is not None, bool(row.best_of)]) > 1:
            msg = f"row '{row.name}' is compared twice: make two rows of it"
            raise ValueError(msg)
        if row.unit not in UNITS:
            msg = f"row '{row.name}': unit '{row.unit}' is unknown; one of {', '.join(UNITS)}"
            raise ValueError(msg)
        if row.ratio not in RATIO_FORMS:
            msg = f"row '{row.name}': ratio '{row.ratio}' is unknown; one of {RATIO_FORMS}"
            raise ValueError(msg)


def read_case(path: Path, scale: Scale) -> RuntimeCase:
    """Read one case file."""
    return parse_case(tomllib.loads(path.read_text(encoding="utf-8")), scale)
