# SPDX-License-Identifier: Apache-2.0
"""What a melt prints: LAMMPS's table, and a summary below it."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from makespan.base.number_text import (
    count_text,
    duration_text,
    prefixed_text,
    time_text,
    traffic_text,
)
from makespan.report.result_hash import shown_hash

if TYPE_CHECKING:
    from makespan.melting.outcome import Line, MeltOutcome, MeltResult

COLUMNS = (
    ("Temp", "temperature"),
    ("E_pair", "pair_energy"),
    ("TotEng", "total_energy"),
    ("Press", "pressure"),
)
HEAD = f"{'Step':>8}" + "".join(f" {name:>12}" for name, _ in COLUMNS)


def line_text(line: Line) -> str:
    """A line in LAMMPS's formats for numbers: eight digits."""
    return f"{line['step']:8d}" + "".join(f" {line[key]:12.8g}" for _, key in COLUMNS)


def summary_text(outcome: MeltOutcome) -> str:
    """What the run did, in a few lines."""
    return "".join(f"{line}\n" for line in summary_lines(outcome))


def summary_lines(outcome: MeltOutcome) -> list[str]:
    """Its first line is as LAMMPS's."""
    report = outcome.report
    atoms, steps, seconds = outcome.system["atoms"], outcome.steps_done, report["seconds"]
    lines = [
        f"Loop time of {seconds:.6g} s on {count_text(report['places'], 'place')} for "
        f"{count_text(steps, 'step')} with {count_text(atoms, 'atom')}"
    ]
    if steps and seconds:
        rate = steps / seconds
        lines.append(f"{rate:.4g} steps/s, {prefixed_text(rate * atoms)} atom-steps/s")
    if outcome.virtual is not None:
        machine, costs = outcome.virtual["machine"], outcome.virtual["costs"]
        lines.append(f"in virtual time on {machine}; messages: {costs}")
    lines += _machine_lines(report["machine"])
    lines += _balance_lines(outcome)
    before = f", {report['first_step']} before it" if report["first_step"] else ""
    if outcome.hash is None:
        lines.append(f"stopped after step {report['steps']}: no result{before}")
    else:
        lines.append(f"result {shown_hash(outcome.hash)} after step {report['steps']}{before}")
    return lines


def result_html(result: MeltResult) -> str:
    """A result as notebooks show it: the table, and what the run did."""
    ended = "stopped: no result" if result.hash is None else f"result {shown_hash(result.hash)}"
    said = (
        f"{count_text(result.atoms, 'atom')}, {count_text(result.steps, 'step')} on "
        f"{count_text(result.places, 'place')} in {duration_text(result.seconds)}; {ended}"
    )
    return f"{result.thermo._repr_html_()}<p>{html.escape(said)}</p>"


def _machine_lines(machine: Mapping[str, Any]) -> list[str]:
    """What messages cost, by how near places are: what balancers weigh."""
    return [
        f"messages between {one['between']}: {time_text(one['latency_s'], digits=3)}, "
        f"{time_text(one['receive_s'], digits=3)} of the receiver, "
        f"{prefixed_text(one['bytes_per_s'])}B/s ({one['source']})"
        for one in machine["messages"]
    ]


def _balance_lines(outcome: MeltOutcome) -> list[str]:
    phases = outcome.report["phases"]
    first, last = (outcome.imbalance(at) for at in (0, -1))
    if first is None or last is None or outcome.report["places"] == 1:
        return []
    count = len(phases["time_s"])
    moved = int(phases["moved"].sum())
    imbalance = f"{first:.3f} at first"
    if count > 1:
        imbalance += f", {last:.3f} in the last of {count_text(count, 'phase')}"
    moves = f"{count_text(moved, 'object')} moved"
    if moved:
        moves += f", {traffic_text(float(phases['moved_bytes'].sum()))}"
    decisions_s = float(phases["decision_s"].sum())
    if decisions_s:
        moves += f"; decisions {time_text(decisions_s, digits=3)}"
    return [f"longest place/mean {imbalance}", moves]
