# SPDX-License-Identifier: Apache-2.0
"""Which files a run reads and writes besides its graph: tried before it starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.command.reports import check_report
from makespan.files.atomic import Writer, check_outputs, text_writer, write_files
from makespan.graph.mapping_file import check_mapping_path, mapping_document, mapping_writer
from makespan.machines.network_file import files_of
from makespan.report.run_record import json_text

if TYPE_CHECKING:
    from makespan.graph.outcome import Balanced


def path_of(value: str | PathLike[str] | None) -> Path | None:
    """Of a file that was named; None: none was."""
    return None if value is None else Path(value)


def check_planned(given: Mapping[str, Any], graph: Sequence[Path]) -> None:
    """Raises `InputError`, `NotConfiguredError` for files that could not be written."""
    check_report(path_of(given["report"]))
    output = path_of(given["output"])
    if output is not None:
        check_mapping_path(output)
    written = (output, path_of(given["report"]), path_of(given["record"]))
    machine = path_of(given["machine"])
    check_outputs(written, (*graph, *(() if machine is None else files_of(machine))))


def write_outputs(
    balanced: Balanced, record: Mapping[str, Any], given: Mapping[str, Any]
) -> list[Path]:
    """Mapping, page and record, as asked for: all or nothing. What was written, in that order."""
    comparison = balanced.comparison
    writers: dict[Path, Writer] = {}
    output, report = path_of(given["output"]), path_of(given["report"])
    if output is not None:
        best = comparison.best
        document = mapping_document(
            comparison.graph, best.text, best.mapping, comparison.places.labels
        )
        writers[output] = mapping_writer(output, document)
    if report is not None:
        from makespan.graph.page import balance_html

        page = balance_html(balanced)
        writers[report] = text_writer(page)
    writers |= record_writers(record, given)
    if writers:
        write_files(writers)
    return list(writers)


def record_writers(record: Mapping[str, Any], given: Mapping[str, Any]) -> dict[Path, Writer]:
    """For `write_files`: the record, where it was asked for."""
    path = path_of(given["record"])
    return {} if path is None else {path: text_writer(json_text(record))}
