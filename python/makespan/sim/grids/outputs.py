# SPDX-License-Identifier: Apache-2.0
"""Which files a simulated grid writes: tried before it starts, written all or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine
from makespan.files.atomic import Writer, check_outputs, text_writer, write_files
from makespan.sim.files.result_file import check_result_file, result_writer

if TYPE_CHECKING:
    from makespan.sim.grids.outcome import GridSimulation

_NAMES = ("output", "record", "trace")


def planned_files(given: Mapping[str, Any], read: Sequence[Path]) -> dict[str, Path]:
    """Those that the settings name, by setting. Raises `InputError`."""
    files = {name: Path(given[name]) for name in _NAMES if given[name] is not None}
    check_result_file(files.get("output"))
    check_outputs(list(files.values()), read)
    return files


def write_grid_files(
    engine: Engine,
    simulation: GridSimulation,
    files: Mapping[str, Path],
    record: Mapping[str, Any],
) -> None:
    """All or nothing."""
    from makespan.report.run_record import json_text
    from makespan.sim.grids.document import grid_document
    from makespan.sim.grids.trace import simulated_grid_trace

    writers: dict[Path, Writer] = {}
    if "output" in files:
        writers[files["output"]] = result_writer(
            files["output"], simulation.table, lambda: grid_document(simulation)
        )
    if "record" in files:
        writers[files["record"]] = text_writer(json_text(record))
    if "trace" in files:
        first = simulation.candidates[0].case
        writers[files["trace"]] = text_writer(simulated_grid_trace(engine, first))
    write_files(writers)
