# SPDX-License-Identifier: Apache-2.0
"""Which files a run reads and writes: tried before it starts, locked while it runs, and written."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from makespan.base.errors import InputError
from makespan.base.extras import require
from makespan.base.setting_names import called
from makespan.command.reports import check_report
from makespan.files.atomic import Writer, check_outputs, text_writer, write_files
from makespan.files.folder_lock import locked_folder
from makespan.files.resolved_path import resolved
from makespan.grids.checkpoints import CHECKPOINTS
from makespan.grids.input import GridFiles

if TYPE_CHECKING:
    from makespan.base.engine import Engine
    from makespan.grids.outcome import GridOutcome

TABLE = "table.csv"
"""In the folder of results."""
_OWN_FILES = (TABLE, "line-scan.csv", "line-scan.png", "spark.png")
_OWN_FOLDERS = ("slices", "paraview")
"""What there may be in it, whatever the application."""


def check_out(files: GridFiles) -> None:
    """Raises `InputError` if results would lie among those of another run."""
    out = files.output
    if out is None:
        return
    if resolved(out).exists() and not out.is_dir():
        raise InputError(f"{called('output')} {out}: it is a file; name a folder")
    if not out.parent.is_dir():
        raise InputError(f"{called('output')} {out}: folder {out.parent} does not exist; create it")
    for name in _OWN_FOLDERS:
        if resolved(out / name).exists() and not (out / name).is_dir():
            raise InputError(
                f"{called('output')} {out}: {name} in it is a file (a folder of the run will be "
                "there); name another folder, or remove it"
            )
    if resolved(out / TABLE).exists() and files.restart_from is None:
        raise InputError(
            f"{called('output')} {out}: it holds the results of an earlier run; "
            f"{_way_on(files.checkpoint)}"
        )


def _way_on(checkpoints: Path | None) -> str:
    """The advice for a run that would overwrite results, with or without checkpoints."""
    if checkpoints is None:
        return (
            f"name another folder, or delete this one; a run with {called('checkpoint')} can be "
            f"gone on with, by {called('restart_from')} and its last checkpoint"
        )
    there = CHECKPOINTS.all_in(checkpoints)
    if not there:
        return (
            f"there is no checkpoint in {checkpoints} to go on from: name another folder, or "
            "delete this one"
        )
    return f"give {called('restart_from')} {there[-1]}, or name another folder"


def check_folders(files: GridFiles) -> None:
    """Raises `InputError` if anything would lie among what is of another run."""
    check_out(files)
    if files.checkpoint is not None:
        CHECKPOINTS.check(files.checkpoint, files.restart_from, files.output)


def lock_folders(files: GridFiles, locks: ExitStack) -> None:
    """Makes them, and keeps other runs out. Raises `InputError` where one is in them."""
    flags = {called("output"): files.output, called("checkpoint"): files.checkpoint}
    locked = set()
    for flag, folder in flags.items():
        if folder is not None and folder.resolve() not in locked:
            locks.enter_context(locked_folder(flag, folder))
            locked.add(folder.resolve())
    check_folders(files)  # a run may have ended there since they were looked at


def check_libraries(files: GridFiles) -> None:
    """Raises `NotConfiguredError` where a file is asked for that needs a library we lack."""
    asked = {
        called("output"): files.output,
        called("checkpoint"): files.checkpoint,
        called("restart_from"): files.restart_from,
    }
    for flag, path in asked.items():
        if path is not None:
            require("grids", for_=flag)


def check_files(files: GridFiles, start: Path | None = None) -> None:
    """Raises `InputError` and `NotConfiguredError` for what cannot be written or read.

    `start` is a file of first values.
    """
    check_libraries(files)
    check_folders(files)
    check_report(files.report)
    read = (files.source, files.restart_from, start)
    named = (files.record, files.trace, files.report)
    check_outputs(named, read)
    for path in named:
        if path is not None and _is_of_the_run(path, files):
            raise InputError(f"{path} would be written over what the run writes: name another file")


def _is_of_the_run(path: Path, files: GridFiles) -> bool:
    """Whether the run itself writes a file there, or may."""
    place = resolved(path.parent) / path.name
    if files.output is not None:
        out = resolved(files.output)
        if place.parent == out and place.name in _OWN_FILES:
            return True
        if any(out / name in place.parents for name in _OWN_FOLDERS):
            return True
    folder = files.checkpoint
    return (
        folder is not None
        and place.parent == resolved(folder)
        and CHECKPOINTS.number(place) is not None
    )


def make_record(engine: Engine, outcome: GridOutcome) -> None:
    """What the record of a run that is over says, whether it is written or not."""
    from makespan.grids.record import grid_record
    from makespan.report.run_record import plain

    outcome.record = plain(grid_record(engine, outcome))


def write_outputs(outcome: GridOutcome) -> None:
    """Record, trace and page of a run that is over: all that are asked for, or none."""
    from makespan.report.run_record import json_text

    files = outcome.order.files
    writers: dict[Path, Writer] = {}
    if files.record is not None:
        writers[files.record] = text_writer(json_text(outcome.record))
    if files.trace is not None:
        writers[files.trace] = text_writer(_trace_text(outcome))
    if files.report is not None:
        writers[files.report] = text_writer(_page_text(outcome))
    write_files(writers)
    for path in writers:
        outcome.add_written(path)


def _trace_text(outcome: GridOutcome) -> str:
    from makespan.grids.trace import grid_trace

    return grid_trace(outcome.report, outcome.points)


def _page_text(outcome: GridOutcome) -> str:
    from makespan.grids.page import grid_html

    return grid_html(outcome)
