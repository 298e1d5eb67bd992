# SPDX-License-Identifier: Apache-2.0
"""What runs of grids print: a table as they go, and a summary below it."""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from makespan.base.number_text import count_text, prefixed_text
from makespan.grids.engine_keys import TUNE, TUNE_SHARE
from makespan.grids.tuner import FIRST_STEPS
from makespan.report.result_hash import shown_hash
from makespan.settings.setting import toml_text

if TYPE_CHECKING:
    import polars as pl

    from makespan.grids.outcome import GridOutcome


LISTED_MAX = 4
"""Files of one folder that are named one by one."""


@dataclass(frozen=True, slots=True)
class Column:
    """One of a table: its head, its key, and how numbers are written."""

    head: str
    key: str
    form: str
    width: int = 12

    def text(self, value: float | None) -> str:
        """A cell; a dash where there is no number."""
        text = "-" if value is None else format(value, self.form)
        return f"{text:>{self.width}}"


@dataclass(frozen=True, slots=True)
class GridTable:
    """Its columns."""

    columns: tuple[Column, ...]

    def begin(self, line: Mapping[str, Any]) -> str:
        """The head, and the first line."""
        head = " ".join(f"{column.head:>{column.width}}" for column in self.columns)
        return f"{head}\n{self.line_text(line)}\n"

    def line_text(self, line: Mapping[str, Any]) -> str:
        """A line."""
        return " ".join(column.text(line[column.key]) for column in self.columns)


DIFFUSE_TABLE = GridTable(
    (
        Column("step", "step", "d", 10),
        Column("time", "time", ".6g"),
        Column("least", "least", ".8g", 15),
        Column("most", "most", ".8g", 15),
        Column("mean", "mean", ".8g", 15),
    )
)
CALCIUM_TABLE = GridTable(
    (
        Column("step", "step", "d", 10),
        Column("time ms", "time_ms", ".4f", 9),
        Column("open RyR", "open_ryr", "d", 8),
        Column("cleft uM", "cleft_ca", ".5g", 10),
        Column("SR uM", "sr_ca", ".5g", 9),
        Column("F/F0", "brightness", ".4f", 8),
    )
)


def summary_text(outcome: GridOutcome) -> str:
    """What the run did, in a few lines."""
    return "".join(f"{line}\n" for line in summary_lines(outcome))


def written_text(outcome: GridOutcome) -> str:
    """The files that came of it; of pictures that lie together only how many."""
    folders = Counter(path.parent for path in outcome.written)
    lines = [f"wrote {path}" for path in outcome.written if folders[path.parent] <= LISTED_MAX]
    lines += [
        f"wrote {folder}: {count_text(count, 'file')}"
        for folder, count in folders.items()
        if count > LISTED_MAX
    ]
    return "".join(f"{line}\n" for line in lines)


def summary_lines(outcome: GridOutcome) -> list[str]:
    """Work and speed, how even devices were, what it measured, and the result."""
    done = outcome.last_step - outcome.first_step
    x, y, z = outcome.points
    places = count_text(outcome.threads, "thread")
    if outcome.images > 1:
        places += f" on each of {outcome.images} processes"
    lines = [
        f"{count_text(done, 'step')} of {x} x {y} x {z} points in {outcome.seconds:.4g} s, {places}"
    ]
    if outcome.points_per_s is not None:
        lines.append(f"{prefixed_text(outcome.points_per_s)} points/s")
    lines += _tuning_lines(outcome)
    lines += _device_lines(outcome)
    lines += [f"{name}: {text}" for name, text in outcome.measures.items()]
    before = f", {outcome.first_step} before it" if outcome.first_step else ""
    if outcome.hash is None:
        lines.append(f"stopped after step {outcome.last_step}: no result{before}")
    else:
        lines.append(f"result {shown_hash(outcome.hash)} after step {outcome.last_step}{before}")
    return lines


def _tuning_lines(outcome: GridOutcome) -> list[str]:
    tuning = outcome.tuning
    if tuning is None:
        return []
    if tuning.source == "short":
        return _untuned_lines(outcome)
    won = ", ".join(f"{name} = {toml_text(value)}" for name, value in tuning.won.items())
    won = won or "as the input has it"
    if tuning.source == "kept":
        return [f"tuned by an earlier run: {won}"]
    text = f"tuned in {tuning.spent_s:.3g} s by {count_text(len(tuning.tried), 'trial')}: {won}"
    first, best = tuning.tried[0].step_s, tuning.best.step_s
    if first and best and tuning.won:
        text += f"; a step takes {best / first:.2f} of what it took"
    return [text]


def _untuned_lines(outcome: GridOutcome) -> list[str]:
    share = outcome.given[TUNE_SHARE.name]
    if outcome.given[TUNE.name] != "now":
        return []
    least = f": from {math.ceil(FIRST_STEPS / share)} on" if share else ""
    steps = 0 if outcome.tuning is None else outcome.tuning.steps
    said = f"within {TUNE_SHARE.name} = {share:g} of {count_text(steps, 'step')} to come"
    return [f"not tuned: no trials are possible {said}{least}"]


def _device_lines(outcome: GridOutcome) -> list[str]:
    devices = outcome.report.get("devices", [])
    busy = [one["busy_s"] for one in devices]
    if len(busy) < 2 or not any(busy):
        return []
    waits = max(one["wait_s"] for one in devices)
    planes = " + ".join(str(one["planes"]) for one in devices)
    text = f"longest device/mean {max(busy) * len(busy) / sum(busy):.3f}, planes {planes}"
    moved = outcome.report["planes_moved"]
    if moved:
        text += f", {count_text(moved, 'plane')} moved"
    return [text, f"longest wait for halos {waits:.4g} s"]


def table_frame(lines: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """The lines as rows."""
    import polars as pl

    return pl.DataFrame([dict(line) for line in lines], infer_schema_length=None)


def result_html(
    table: pl.DataFrame,
    result_hash: str | None,
    steps: int,
    seconds: float,
    measures: Mapping[str, str] | None = None,
) -> str:
    """A result as notebooks show it: the table, and what came of it."""
    result = "interrupted" if result_hash is None else f"result {shown_hash(result_hash)}"
    lines = [f"{count_text(steps, 'step')}, {seconds:.4g} s, {result}"]
    lines += [f"{name}: {text}" for name, text in (measures or {}).items()]
    return f"<p>{'<br>'.join(map(html.escape, lines))}</p>{table._repr_html_()}"
