# SPDX-License-Identifier: Apache-2.0
"""The rows of a case of rivals: the time of each, its error, and what it says of its error."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bench.interleave import Series
from bench.ratio import paired_ratio, spread
from bench.result import Outcome, Row
from bench.rivals.case import RivalCase, distance
from bench.worker import Reply


def root_mean_square(figures: Sequence[float]) -> float:
    """Return the root mean square."""
    return math.sqrt(sum(figure * figure for figure in figures) / len(figures))


def milliseconds(reply: Reply) -> float:
    """Return the time on the core of one pricing of all strikes [ms]."""
    return 1e3 * reply["processor_seconds"] / reply["repeats"]


def own_error(replies: Sequence[Reply]) -> float | None:
    """Return the root mean square of the errors that a contestant states; None if it does not."""
    errors = [reply["own_error"] for reply in replies if "own_error" in reply]
    return root_mean_square(errors) if errors else None


def basis_of(rivals: RivalCase, series: Series) -> str | None:
    """Return the contestant with which times are compared: the first of the basis that ran."""
    return next((name for name in rivals.basis if name in series.replies), None)


def add_rival(rivals: RivalCase, name: str, series: Series, outcome: Outcome) -> None:
    """Append the row of one contestant; its ratio says how many times as long as the basis."""
    row_name, basis = f"{rivals.prefix}_{name}", basis_of(rivals, series)
    if name in series.missing:
        outcome.leave_out(Row(row_name, None, "ms", basis), series.missing[name])
        return
    replies = series.replies[name]
    times = [milliseconds(reply) for reply in replies]
    ratio = None
    if basis is not None and basis != name:
        ratio = paired_ratio(times, [milliseconds(reply) for reply in series.replies[basis]])
    value = spread(times)
    row = Row(
        row_name,
        value.median,
        "ms",
        basis if ratio else None,
        ratio.median if ratio else None,
        error=root_mean_square([distance(rivals, reply) for reply in replies]),
        own_error=own_error(replies),
    )
    outcome.add(row, value, ratio)
    outcome.series[row_name] = replies


def add_rivals(rivals: RivalCase, series: Series, outcome: Outcome) -> None:
    """Append a row for each contestant, in the order of the case."""
    for contestant in rivals.case.contestants:
        add_rival(rivals, contestant.name, series, outcome)
