# SPDX-License-Identifier: Apache-2.0
"""What a melt reads and writes besides its input: tried before the run, written after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from makespan.base.errors import InputError
from makespan.command.reports import check_report
from makespan.files.atomic import check_outputs, text_writer, write_files
from makespan.machines.network_file import files_of
from makespan.melting.outcome import MeltOutcome
from makespan.melting.trajectory import check_trajectory
from makespan.settings.input_file import InputValues


@dataclass(frozen=True, slots=True)
class MeltFiles:
    """Where they are; None: there is none. The output grows during the run, as a trajectory."""

    output: Path | None = None
    record: Path | None = None
    trace: Path | None = None
    report: Path | None = None
    checkpoint: Path | None = None
    restart_from: Path | None = None

    def written_after(self) -> list[Path]:
        """By `write_outputs`."""
        return [one for one in (self.record, self.trace, self.report) if one is not None]


def checked_files(
    source: str | PathLike[str] | None, values: InputValues, given: Mapping[str, Any]
) -> MeltFiles:
    """Of flags or keywords; `values` are the input's. Raises `InputError`, `NotConfiguredError`."""
    names = ("output", "record", "trace", "report", "checkpoint", "restart_from")
    files = MeltFiles(**{name: _path(given[name]) for name in names})
    check_report(files.report)
    machine = str(values["machine"])
    read = () if machine in ("auto", "none") else files_of(Path(machine))
    read_too = (_path(source), files.restart_from, *read)
    check_outputs((files.output, *files.written_after()), read_too)
    _expect_there(files.restart_from)
    if files.output is not None:
        check_trajectory(files.output)
        _expect_not_cut(files.output, files.restart_from)
    return files


def _expect_there(restart_from: Path | None) -> None:
    """Raises `InputError` where the engine, which tells more, could not: it writes UTF-8 alone."""
    if restart_from is None or restart_from.is_dir():
        return
    try:
        str(restart_from).encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"checkpoint {str(restart_from)!r} (there is none): name the folder of a complete "
            "checkpoint"
        ) from error


def _expect_not_cut(output: Path, restart_from: Path | None) -> None:
    """Raises `InputError` where frames of a run's beginning would be replaced by its rest."""
    if restart_from is not None and output.exists():
        raise InputError(
            f"{output} is there already, and this run has only frames after {restart_from}: name "
            "another output, or remove it"
        )


def write_outputs(outcome: MeltOutcome, record: Mapping[str, Any], files: MeltFiles) -> None:
    """Record, trace and page: all that were asked for or none. Raises `InputError`."""
    texts: dict[Path, str] = {}
    if files.record is not None:
        from makespan.report.run_record import json_text

        texts[files.record] = json_text(record)
    if files.trace is not None:
        from makespan.melting.trace import melt_trace

        texts[files.trace] = melt_trace(outcome)
    if files.report is not None:
        from makespan.melting.page import melt_html

        texts[files.report] = melt_html(outcome)
    write_files({path: text_writer(text) for path, text in texts.items()})


def _path(given: str | PathLike[str] | None) -> Path | None:
    return None if given is None else Path(given)
