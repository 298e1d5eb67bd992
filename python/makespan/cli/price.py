# SPDX-License-Identifier: Apache-2.0
"""`makespan price`: reads a book, prices it on every core, writes prices and run record.

Example: `makespan price book.csv`.
"""

from __future__ import annotations

from dataclasses import fields

import typer

from makespan.cli import flags
from makespan.cli.price_command import PriceCommand
from makespan.schema import SEED_DEFAULT
from makespan.settings import DEVICE_TIMEOUT_S, Settings

EXAMPLES = (
    "makespan price book.csv --fixing-grid exclude_start",
    "makespan price book.parquet -o prices.parquet --std-error 1e-4 --greeks",
)
EPILOG = "\n\n".join(("Examples:", *EXAMPLES))
HELP = (
    "Price a book of Asian options (CSV, Parquet, Arrow). Without --paths or --std-error each "
    "option is priced to a standard error of 1e-4 of its spot. Prints a table; writes "
    "prices.<ext> and prices.record.json beside the book, or where -o says. Exit codes: "
    "0 done, 2 bad input, 3 not configured, 4 failure, 130 interrupted."
)


def price(
    book: flags.Book,
    *,
    output: flags.Output = None,
    std_error: flags.StdError = None,
    paths: flags.Paths = None,
    method: flags.Method = "mc",
    greeks: flags.Greeks = False,
    fixing_grid: flags.FixingGrid = None,
    seed: flags.Seed = SEED_DEFAULT,
    devices: flags.Devices = None,
    threads: flags.Threads = None,
    isa: flags.Isa = "auto",
    journal: flags.Journal = None,
    resume: flags.Resume = False,
    skip_invalid: flags.SkipInvalid = False,
    json: flags.Json = False,
    quiet: flags.Quiet = False,
    rows: flags.Rows = 20,
    units: flags.Units = "standard",
    record: flags.Record = None,
    trace: flags.Trace = None,
    report: flags.Report = None,
    policy: flags.Policy = "equal_time",
    mode: flags.Mode = "auto",
    dispatcher: flags.Dispatcher = "steal",
    device_timeout: flags.DeviceTimeout = DEVICE_TIMEOUT_S,
    inject: flags.Inject = None,
    no_memory: flags.NoMemory = False,
    precision: flags.Precision = "auto",
    rounds: flags.Rounds = 10,
    replicates: flags.Replicates = 32,
    confidence: flags.Confidence = 0.95,
) -> None:
    """Sorts the flags: those of the run's settings, and those of this command."""
    given = dict(locals())
    given["timeline"] = trace is not None or report is not None
    given["memory"] = not given.pop("no_memory")
    settings = {field.name: given.pop(field.name) for field in fields(Settings)}
    raise typer.Exit(PriceCommand(settings=settings, **given).run())
