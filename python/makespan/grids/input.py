# SPDX-License-Identifier: Apache-2.0
"""Settings that runs of grids have in common: how they are run, what is read and written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from makespan.grids.engine_keys import engine_options
from makespan.settings.input_file import InputValues
from makespan.settings.kinds import FOLDER, Checked, FilePath, ListOf, Switch, Text
from makespan.settings.setting import Setting, toml_text
from makespan.settings.shared import (
    CHECKPOINT,
    DEVICES,
    GATHER,
    OUTPUT,
    RECORD,
    REPORT,
    RESTART_FROM,
    THREADS_OF_RUN,
    TRACE,
)

CPU, GPU = "cpu", "cuda"
INPUT = Setting(
    "input",
    FilePath(),
    help="The input file; --example shows one.",
    is_argument=True,
    only_flag=True,
)
TRACED_PHASES = 5000
"""Of each device, the last ones: some thousand steps."""

FILE_SETTINGS = (
    OUTPUT.but(kind=FOLDER, help="Folder for the table, pictures, and files for ParaView."),
    RECORD,
    TRACE.but(help="Write the last phases of each device; ui.perfetto.dev opens it."),
    REPORT.but(help="Write a page: where devices' time went, their planes, the table as curves."),
    CHECKPOINT,
    RESTART_FROM.but(help="Go on from this checkpoint, such as saved/step-2000.vtkhdf."),
)
GRID_SETTINGS = (
    THREADS_OF_RUN,
    DEVICES.but(
        kind=Text(
            "cpu and cuda with blanks between, as 'cpu cpu cuda', and nothing in brackets: a grid "
            "divides its threads evenly",
            "DEVICES",
            takes=lambda words: bool(words.split()) and set(words.split()) <= {CPU, GPU},
        ),
        help="What computes, of each process: each cpu has an equal share of its threads, each "
        "cuda is the next GPU, driven by one thread; one cpu by default.",
    ),
    *FILE_SETTINGS,
)
"""Of all commands and functions; keys of input files, `ENGINE_KEYS` among them, come besides."""

FIELDS = Setting(
    "fields", Switch(), default=False, help="Keep all fields as they are at the end in the result."
)
PYTHON_SETTINGS = (*GRID_SETTINGS, GATHER)


def flags_of(keys: Sequence[Setting]) -> tuple[str, ...]:
    """Keys of an input file that are flags as well.

    But rows, for which a command line is no place, and switches that are on by default: a flag that
    says nothing leaves what the file says, so it could not turn them on.
    """

    def is_flag(one: Setting) -> bool:
        is_rows = isinstance(one.kind, ListOf) and isinstance(one.kind.kind, Checked)
        return not is_rows and not one.is_negated

    return tuple(one.name for one in keys if is_flag(one))


def not_given(settings: Sequence[Setting]) -> tuple[Setting, ...]:
    """Keys of an input file as flags and keywords: what they do not say, the file does."""
    return tuple(
        one.but(
            default=None,
            help=f"{one.help[:1].upper()}{one.help[1:]} (default {toml_text(one.default)}).",
        )
        for one in settings
    )


@dataclass(frozen=True, slots=True)
class GridFiles:
    """What a run reads and writes; None: nothing."""

    source: Path | None = None
    """The input file."""
    output: Path | None = None
    """A folder for pictures, scans and files for ParaView."""
    checkpoint: Path | None = None
    restart_from: Path | None = None
    record: Path | None = None
    trace: Path | None = None
    report: Path | None = None


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Where a grid is run; the result does not depend on it."""

    threads: int | None = None
    devices: str | None = None
    phases_kept: int = 0
    """Of each device, for a trace."""

    def of_team(self, given: InputValues) -> dict[str, Any]:
        """As the engine's team takes them, with what the input says of `ENGINE_KEYS`.

        Devices of the CPU come first, then the first so many GPUs. Raises `InputError`.
        """
        words = (self.devices or CPU).split()
        return {
            "devices": words.count(CPU),
            "gpus": words.count(GPU),
            **engine_options(given),
            "phases_kept": self.phases_kept,
        }


@dataclass(frozen=True, slots=True)
class GridOrder:
    """What a run is given besides its input."""

    files: GridFiles = GridFiles()
    options: RunOptions = RunOptions()
    keeps_fields: bool = False
    """Whether the outcome has the fields as they are at the end."""
    command: tuple[str, ...] = ()
    """The command line, for the record."""


def order_of(given: Mapping[str, Any], source: Path | None) -> GridOrder:
    """What flags or keywords say; `source` is the input file."""
    paths = {one.name: given[one.name] for one in FILE_SETTINGS}
    files = {name: None if path is None else Path(path) for name, path in paths.items()}
    options = RunOptions(
        threads=given["threads"],
        devices=given["devices"],
        phases_kept=0 if files["trace"] is None else TRACED_PHASES,
    )
    return GridOrder(GridFiles(source, **files), options)
