# SPDX-License-Identifier: Apache-2.0
"""Start-up time: whole processes of the command, from start to exit."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from bench.case import Scale
from bench.price.contestants import Places
from bench.process import Usage, measured
from bench.ratio import spread
from bench.result import Outcome, Row

ONE_ROW = """\
id,option_type,spot,strike,rate,volatility,expiry,fixings,fixing_grid
at_the_money,call,100,100,0.05,0.2,1,365,exclude_start
"""


def run_command(command: dict[str, Any], rounds: int, places: Places) -> list[Usage]:
    """Run one command `rounds` times after a warm-up, on every core that this process may use."""
    folder = places.output / "start"
    folder.mkdir(parents=True, exist_ok=True)
    book, prices = folder / "one_row.csv", folder / "prices.csv"
    book.write_text(ONE_ROW, encoding="utf-8")
    words = [word.format(book=book, prices=prices) for word in command["words"]]
    usages = [measured([places.makespan, *words], places.cores) for _ in range(rounds + 1)]
    return usages[1:]


def run_start(path: Path, scale: Scale, places: Places, outcome: Outcome) -> None:
    """Run every command of the case and append a row for each."""
    settings = tomllib.loads(path.read_text(encoding="utf-8"))
    rounds = settings["smoke"]["rounds"] if scale is Scale.SMOKE else settings["rounds"]
    for command in settings["command"]:
        row = Row(command["name"], None, "s", target=command["target"])
        try:
            usages = run_command(command, rounds, places)
        except (RuntimeError, OSError) as error:
            outcome.leave_out(row, str(error))
            continue
        value = spread([usage.wall_s for usage in usages])
        outcome.add(Row(row.name, value.median, row.unit, target=row.target), value)
        outcome.series[row.name] = [{"wall_s": usage.wall_s} for usage in usages]
