# SPDX-License-Identifier: Apache-2.0
"""Runs the contestants of a case in turn and turns their replies into rows.

Every round asks each contestant once; every other round goes backwards, so that a drift of the
machine favours no contestant. A warm-up round comes first and is not counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from bench.case import Asked, Case, Contestant
from bench.ratio import Spread, paired_ratio, spread
from bench.result import Outcome, Row
from bench.worker import Reply, WorkerError

# A wrong contract differs by more than this; an honest estimate does once in 1.7 million runs.
STANDARD_ERRORS_ALLOWED = 5.0

# Clocks move in steps of 100 MHz, 3 % (Emerald Rapids, 3 GHz); the chain repeats within 0.1 %.
CLOCK_TOLERANCE = 0.01

# A waiting time during which the process was without its core for longer is measured again.
WAITING_TOLERANCE = 0.02
REPEATS_PER_ROUND = 3

Ask = Callable[[Contestant], Reply]
Notice = Callable[[str], None]
Entry = TypeVar("Entry")


def in_turn(entries: Sequence[Entry], rounds: int) -> Iterator[tuple[int, Entry]]:
    """Yield the number of the round and who runs; round 0 is the warm-up.

    >>> list(in_turn("ab", 1))
    [(0, 'a'), (0, 'b'), (1, 'b'), (1, 'a')]
    """
    for number in range(rounds + 1):
        for entry in entries if number % 2 == 0 else entries[::-1]:
            yield number, entry


@dataclass
class Series:
    """The replies of each contestant, one a round, and why contestants are missing."""

    replies: dict[str, list[Reply]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)


def clock_hz(reply: Reply) -> float:
    """Return the clock during a run [Hz]: the faster of the two chains around it.

    An interruption can only slow a chain down, and the faster clock gives more cycles a value: the
    share of the bound is never flattered.
    """
    return max(reply["clock_before_hz"], reply["clock_after_hz"])


def core_seconds(reply: Reply) -> float:
    """Return for how long a loop on one core had that core [s]: what its rate is reckoned with."""
    return reply["seconds"] - reply.get("waited_seconds", 0.0)


def kept_its_clock(reply: Reply) -> bool:
    """Say whether the clock was the same on both sides of the run, so that cycles can be told."""
    difference = abs(reply["clock_before_hz"] - reply["clock_after_hz"])
    return difference <= CLOCK_TOLERANCE * clock_hz(reply)


def cycles_per_value(contestant: Contestant, replies: list[Reply]) -> list[float]:
    """Return clock cycles per normal consumed, of the runs during which the clock did not move.

    Where it moved in every run, all of them count, at the faster clock.
    """
    steady = [reply for reply in replies if kept_its_clock(reply)]
    return [
        core_seconds(reply) * clock_hz(reply) / contestant.values for reply in (steady or replies)
    ]


def figure(case: Case, contestant: Contestant, reply: Reply) -> float:
    """Return what the case measures of one run, in the case's unit before scaling."""
    if case.measure == "values_per_second":
        return contestant.values / core_seconds(reply)
    if case.measure in ("seconds", "processor_seconds"):
        return reply[case.measure]
    # Extrapolated by error ~ 1/sqrt(samples). A run that did better than asked earns nothing.
    excess = reply["std_error"] / (case.std_error or reply["std_error"])
    return reply["seconds"] * max(1.0, excess**2)


def check_price(case: Case, contestant: Contestant, reply: Reply) -> None:
    """Raise WorkerError unless the price is that of the case's contract."""
    if case.check is None:
        return
    std_error = reply.get("std_error") or case.check.payoff_std / math.sqrt(
        contestant.sizes["paths"]
    )
    distance = abs(reply["price"] - case.check.price)
    if not distance <= STANDARD_ERRORS_ALLOWED * std_error:
        msg = (
            f"{contestant.name} prices another contract: {reply['price']:.6f} is not"
            f" {case.check.price:.6f} (standard error {std_error:.2g})"
        )
        raise WorkerError(msg)


def was_disturbed(reply: Reply) -> bool:
    """Say whether other processes held the contestant's core during a noticeable part of a run."""
    return reply.get("waited_seconds", 0.0) > WAITING_TOLERANCE * reply["seconds"]


def ask_undisturbed(case: Case, ask: Ask, contestant: Contestant) -> Reply:
    """Ask until a run had its core to itself, a few times at most; return the last reply.

    Only for times that a user waits: others are reckoned with the time on the core anyway.
    """
    reply = ask(contestant)
    if case.measure in ("values_per_second", "processor_seconds"):
        return reply
    for _ in range(REPEATS_PER_ROUND):
        if not was_disturbed(reply):
            break
        reply = ask(contestant)
    return reply


def run_rounds(case: Case, ask: Ask, notice: Notice) -> Series:
    """Run warm-up and rounds. A contestant that fails is left out from then on, with its reason."""
    series = Series()
    present = list(case.contestants)
    for round_index in range(case.rounds + 1):
        ordered = present if round_index % 2 == 0 else present[::-1]
        for contestant in ordered:
            try:
                reply = ask_undisturbed(case, ask, contestant)
                check_price(case, contestant, reply)
            except WorkerError as error:
                series.missing[contestant.name] = str(error)
                series.replies.pop(contestant.name, None)
                notice(f"left out: {contestant.name} ({error})")
                continue
            if round_index > 0:
                series.replies.setdefault(contestant.name, []).append(reply)
        present = [entry for entry in present if entry.name not in series.missing]
    return series


def ratio_of(case: Case, row: Asked, series: Series) -> Spread | None:
    """Return the ratio that a row asks for, pair by pair."""
    if row.compared_to is None:
        return None
    ours_by = case.contestant(row.of)
    ours = [figure(case, ours_by, reply) for reply in series.replies[row.of]]
    if row.compared_to == "bound":
        cycles = cycles_per_value(ours_by, series.replies[row.of])
        return spread([(ours_by.bound_cycles or 0.0) / cycle for cycle in cycles])
    theirs_by = case.contestant(row.compared_to)
    theirs = [figure(case, theirs_by, reply) for reply in series.replies[row.compared_to]]
    return (
        paired_ratio(ours, theirs) if row.ratio == "ours / theirs" else paired_ratio(theirs, ours)
    )


def scaled(case: Case, width: Spread) -> Spread:
    """Return a spread in the case's unit (rates are told in thousands of millions)."""
    factor = 1e-9 if case.unit == "Gvalues/s" else 1.0
    return Spread(
        width.median * factor,
        width.lower_quartile * factor,
        width.upper_quartile * factor,
        width.count,
    )


def add_rows(case: Case, series: Series, outcome: Outcome) -> None:
    """Append the case's rows to the outcome, those of missing contestants without figures."""
    for asked in case.asked:
        needed = [name for name in (asked.of, asked.compared_to) if name]
        gaps = [series.missing[name] for name in needed if name in series.missing]
        empty = Row(asked.name, None, case.unit, asked.compared_to, target=asked.target)
        if gaps:
            outcome.leave_out(empty, gaps[0])
            continue
        ours_by = case.contestant(asked.of)
        value = scaled(
            case, spread([figure(case, ours_by, reply) for reply in series.replies[asked.of]])
        )
        ratio = ratio_of(case, asked, series)
        row = Row(
            asked.name,
            value.median,
            case.unit,
            asked.compared_to,
            ratio.median if ratio else None,
            asked.target,
        )
        outcome.add(row, value, ratio)
    outcome.series.update(series.replies)
