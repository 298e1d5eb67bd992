# SPDX-License-Identifier: Apache-2.0
"""The cost of a large book beyond its arithmetic: one whole run of the command, file to file.

Overhead a row = (wall time of the process - time of the bare kernel for the same path-steps) /
rows. The run has one thread on one core, so that nothing hides behind another core, and the bare
kernel runs beside it in the same round. What the engine itself books as time of the rows (its
column `seconds`) is reported as well: it contains each row's set-up, the bare kernel does not.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from bench.case import Contestant, Scale
from bench.price.contestants import Places, WorkerPool
from bench.process import Usage, measured
from bench.ratio import spread
from bench.result import Outcome, Row
from bench.worker import WorkerError


@dataclass(frozen=True)
class BookRun:
    """One round: the command's usage, the bare kernel's time, and what the engine booked [s]."""

    usage: Usage
    kernel_s: float
    engine_s: float


def read_settings(path: Path, scale: Scale) -> dict[str, Any]:
    """Read the case file, with the values of a quick run over the others."""
    settings = tomllib.loads(path.read_text(encoding="utf-8"))
    quick = settings.pop("smoke", {})
    return {**settings, **(quick if scale is Scale.SMOKE else {})}


def random_book(settings: dict[str, Any]) -> pl.DataFrame:
    """Return a book of different ordinary options, each with its own target error."""
    generator = np.random.default_rng(settings["seed"])
    rows = settings["rows"]
    spot = generator.uniform(20.0, 500.0, rows)
    return pl.DataFrame(
        {
            "id": [f"option-{index:06d}" for index in range(rows)],
            "option_type": generator.choice(["call", "put"], rows),
            "spot": spot,
            "strike": spot * generator.uniform(0.8, 1.2, rows),
            "rate": generator.uniform(0.0, 0.06, rows),
            "volatility": generator.uniform(0.1, 0.4, rows),
            "expiry": generator.uniform(0.25, 2.0, rows),
            "fixings": np.full(rows, settings["fixings"]),
            "fixing_grid": ["exclude_start"] * rows,
            "std_error": spot * settings["std_error_of_spot"],
        }
    )


@dataclass(frozen=True)
class Stratum:
    """Rows of the book with much the same growth polynomial, by one contract in their middle."""

    paths: int
    volatility: float
    expiry: float


def strata(book: pl.DataFrame, paths_used: pl.Series, count: int) -> list[Stratum]:
    """Cut the book into `count` parts of equal size by volatility x sqrt(expiry).

    The kernel's polynomial is as long as that product asks for, so what is subtracted must be
    measured where the rows are.
    """
    frame = book.select("volatility", "expiry").with_columns(paths_used.alias("paths"))
    spread_of_log = pl.col("volatility") * pl.col("expiry").sqrt()
    ordered = frame.sort(spread_of_log)
    parts = []
    for index in range(count):
        begin, end = len(ordered) * index // count, len(ordered) * (index + 1) // count
        part = ordered.slice(begin, end - begin)
        expiry = float(part["expiry"].median())  # type: ignore[arg-type]
        middle = float(part.select(spread_of_log.median()).item())
        parts.append(Stratum(int(part["paths"].sum()), middle / expiry**0.5, expiry))
    return parts


def kernel_contestant(settings: dict[str, Any], isa: str, stratum: Stratum) -> Contestant:
    """Return the bare kernel with as many paths as the rows of a stratum used."""
    sizes = {"fixings": settings["fixings"], "paths": stratum.paths}
    request = settings["kernel_request"].replace("{isa}", isa)
    request += f" {stratum.volatility} {stratum.expiry}"
    return Contestant(f"kernel_n12_{isa}", "kernel", request, sizes)


def kernel_seconds(settings: dict[str, Any], parts: list[Stratum], pool: WorkerPool) -> float:
    """Return the bare kernel's time for all strata on the best instruction set here [s]."""
    refused: list[str] = []
    for isa in settings["kernel_isas"]:
        try:
            return sum(
                pool.ask(kernel_contestant(settings, isa, part))["seconds"] for part in parts
            )
        except WorkerError as error:
            refused.append(str(error))
    raise WorkerError(refused[0])


def run_once(settings: dict[str, Any], folder: Path, places: Places, pool: WorkerPool) -> BookRun:
    """Price the book file once with the command, then the same path-steps with the kernel."""
    prices_path = folder / "prices.parquet"
    prices_path.unlink(missing_ok=True)
    files = [str(folder / "book.parquet"), "-o", str(prices_path)]
    options = ["--threads", "1", "--method", settings["method"]]
    usage = measured([places.makespan, "price", *files, *options], {places.core})
    prices = pl.read_parquet(prices_path, columns=["paths_used", "seconds", "status"])
    wrong = prices.filter(pl.col("status") != "ok")
    if len(prices) != settings["rows"] or len(wrong):
        msg = f"the book was not priced as asked ({len(prices)} rows, {len(wrong)} not ok)"
        raise RuntimeError(msg)
    parts = strata(
        pl.read_parquet(folder / "book.parquet"), prices["paths_used"], settings["strata"]
    )
    kernel_s = kernel_seconds(settings, parts, pool)
    return BookRun(usage, kernel_s, float(prices["seconds"].sum()))


def empty_rows(settings: dict[str, Any]) -> list[Row]:
    """Return the rows of this case without figures."""
    overhead, memory = settings["overhead_target"], settings["memory_target"]
    return [
        Row("book_overhead_per_row", None, "us", "bare kernel", target=overhead),
        Row("book_peak_memory", None, "GiB", target=memory),
        Row("book_overhead_beyond_engine", None, "us", "engine's own seconds"),
        Row("book_wall_time", None, "s", "bare kernel"),
    ]


def add_rows(settings: dict[str, Any], runs: list[BookRun], outcome: Outcome) -> None:
    """Append the rows of this case from its rounds."""
    us_per_row = 1e6 / settings["rows"]
    figures = [
        spread([(run.usage.wall_s - run.kernel_s) * us_per_row for run in runs]),
        spread([run.usage.peak_bytes / 2**30 for run in runs]),
        spread([(run.usage.wall_s - run.engine_s) * us_per_row for run in runs]),
        spread([run.usage.wall_s for run in runs]),
    ]
    ratios = [None, None, None, spread([run.usage.wall_s / run.kernel_s for run in runs])]
    for row, value, ratio in zip(empty_rows(settings), figures, ratios, strict=True):
        filled = Row(
            row.name,
            value.median,
            row.unit,
            row.compared_to,
            ratio.median if ratio else None,
            row.target,
        )
        outcome.add(filled, value, ratio)
    outcome.series["book"] = [
        {"wall_s": run.usage.wall_s, "kernel_s": run.kernel_s, "engine_s": run.engine_s}
        for run in runs
    ]


def run_book(path: Path, scale: Scale, places: Places, pool: WorkerPool, outcome: Outcome) -> None:
    """Run the case and append its rows; without the command or kernel they stay empty."""
    settings = read_settings(path, scale)
    folder = places.output / "book"
    folder.mkdir(parents=True, exist_ok=True)
    random_book(settings).write_parquet(folder / "book.parquet")
    try:
        runs = [run_once(settings, folder, places, pool) for _ in range(settings["rounds"] + 1)]
    except (RuntimeError, OSError, pl.exceptions.PolarsError) as error:
        for row in empty_rows(settings):
            outcome.leave_out(row, str(error))
        return
    add_rows(settings, runs[1:], outcome)
