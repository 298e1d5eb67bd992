# SPDX-License-Identifier: Apache-2.0
"""From the figures of contestants to rows: medians, ratios to others, ratios to predictions."""

from __future__ import annotations

from dataclasses import dataclass, field

from bench.ratio import Spread, paired_ratio, spread
from bench.result import Outcome, Row
from bench.runtime.case import UNITS, AskedRow, RuntimeCase
from bench.runtime.program import Replies


class MissingError(RuntimeError):
    """A contestant did not measure what a row asks for; the text says why."""


@dataclass
class Series:
    """What all programs of a case have measured, and why programs have not."""

    replies: Replies = field(default_factory=dict)
    program_of: dict[str, int] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def add(self, program: int, replies: Replies) -> None:
        """Append what one launch of the case's program with this index measured."""
        for name, figures in replies.items():
            self.replies.setdefault(name, []).extend(figures)
            self.program_of[name] = program

    def took_turns(self, one: str, other: str) -> bool:
        """Say whether two contestants alternated in one process, block by block."""
        return self.program_of[one] == self.program_of[other]

    def figures(self, contestant: str, figure: str) -> list[float]:
        """Return one figure of a contestant, block by block."""
        replies = self.replies.get(contestant, [])
        values = [reply[figure] for reply in replies if figure in reply]
        if not values:
            label, slash, _ = contestant.rpartition("/")
            own = [failure for failure in self.failures if failure.startswith(label + slash)]
            reasons = own or [f"no program of the case measures '{contestant}'"]
            raise MissingError("; ".join(dict.fromkeys(reasons)))
        return values


def ratio_of_medians(numerators: list[float], denominators: list[float]) -> Spread:
    """Return the ratio of two series of different processes, with the width of the numerators."""
    above, below = spread(numerators), spread(denominators).median
    quartiles = (above.lower_quartile / below, above.upper_quartile / below)
    return Spread(above.median / below, *quartiles, above.count)


@dataclass(frozen=True)
class Comparison:
    """What a row's figure is compared with: figures, and the contestant that they rest on."""

    whose: str
    figures: list[float]


def best_of(names: list[str], figure: str, series: Series) -> Comparison:
    """Return the best of the contestants that were measured; MissingError if none was."""
    measured = [name for name in names if name in series.replies]
    if not measured:
        return Comparison(names[0], series.figures(names[0], figure))
    best = min if figure == "seconds" else max
    name = best(measured, key=lambda each: spread(series.figures(each, figure)).median)
    return Comparison(name, series.figures(name, figure))


def comparison_of(case: RuntimeCase, row: AskedRow, series: Series) -> Comparison | None:
    """Return what a row's figure is compared with; None if with nothing."""
    figure = row.compared_figure or row.figure
    if row.best_of:
        return best_of(row.best_of, figure, series)
    if row.compared_to is not None:
        return Comparison(row.compared_to, series.figures(row.compared_to, figure))
    if row.predicted is None:
        return None
    prediction = case.prediction(row.predicted)
    if prediction.of is None:
        count = len(series.figures(row.of, row.figure))
        return Comparison(row.of, [prediction.value or 0.0] * count)
    measured = series.figures(prediction.of, figure)
    return Comparison(prediction.of, [prediction.times * value for value in measured])


def ratio_of(row: AskedRow, ours: list[float], theirs: Comparison, series: Series) -> Spread:
    """Return the ratio that a row asks for, block by block where that means something."""
    pair = (ours, theirs.figures) if row.ratio == "ours / theirs" else (theirs.figures, ours)
    return (
        paired_ratio(*pair) if series.took_turns(row.of, theirs.whose) else ratio_of_medians(*pair)
    )


def scaled(width: Spread, factor: float) -> Spread:
    """Return a spread in another unit."""
    return Spread(
        width.median * factor,
        width.lower_quartile * factor,
        width.upper_quartile * factor,
        width.count,
    )


def name_of_comparison(row: AskedRow, theirs: Comparison | None) -> str | None:
    """Return the text for the column of the contestant that is compared with."""
    if row.best_of:
        return f"best: {theirs.whose}" if theirs else f"best of {', '.join(row.best_of)}"
    return f"predicted: {row.predicted}" if row.predicted is not None else row.compared_to


def add_row(case: RuntimeCase, row: AskedRow, series: Series, outcome: Outcome) -> None:
    """Append one row; what was not measured leaves it without figures."""
    try:
        ours = series.figures(row.of, row.figure)
        theirs = comparison_of(case, row, series)
    except MissingError as reason:
        named = name_of_comparison(row, None)
        empty = Row(row.name, None, row.unit, named, target=row.target)
        outcome.leave_out(empty, str(reason))
        return
    value = scaled(spread(ours), UNITS[row.unit])
    ratio = ratio_of(row, ours, theirs, series) if theirs is not None else None
    ratio_median = ratio.median if ratio is not None else None
    named = name_of_comparison(row, theirs)
    filled = Row(row.name, value.median, row.unit, named, ratio_median, row.target)
    outcome.add(filled, value, ratio)


def add_rows(case: RuntimeCase, series: Series, outcome: Outcome) -> None:
    """Append all rows of a case."""
    for row in case.rows:
        add_row(case, row, series, outcome)
    outcome.series.update(series.replies)
