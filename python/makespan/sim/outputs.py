# SPDX-License-Identifier: Apache-2.0
"""Which files a simulation writes: decided and tried before it starts, written all or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.base.errors import Interrupted
from makespan.command.reports import check_report
from makespan.files.atomic import Writer, check_outputs, text_writer, write_files
from makespan.sim.files.result_file import check_result_file
from makespan.sim.outcome import SPANS_KEPT
from makespan.sim.runs import StoppedError

if TYPE_CHECKING:
    from makespan.sim.comparison import Candidate
    from makespan.sim.outcome import Simulation

_NAMES = ("output", "record", "trace", "report", "write_machine")


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where each goes; None: nowhere."""

    output: Path | None = None
    record: Path | None = None
    trace: Path | None = None
    report: Path | None = None
    write_machine: Path | None = None

    def files(self) -> list[Path]:
        """All that are written."""
        every = (getattr(self, name) for name in _NAMES)
        return [path for path in every if path is not None]


def planned_outputs(given: Mapping[str, Any], read: Sequence[Path]) -> Outputs:
    """Those that the settings name. Raises `InputError`, `NotConfiguredError`."""
    named = {name: None if given[name] is None else Path(given[name]) for name in _NAMES}
    outputs = Outputs(**named)
    check_result_file(outputs.output)
    check_report(outputs.report)
    check_outputs(outputs.files(), read)
    return outputs


def write_outputs(
    simulation: Simulation, outputs: Outputs, record: Mapping[str, Any], at_a_time: int | None
) -> None:
    """All or nothing. Runs those again whose schedules are shown: they are the same to the bit.

    `at_a_time`: so many simulations at once, or one for each core. Raises `Interrupted`.
    """
    from makespan.report.run_record import json_text
    from makespan.sim.document import simulation_document
    from makespan.sim.files.result_file import result_writer
    from makespan.sim.machine_writer import machine_toml

    writers: dict[Path, Writer] = {}
    if outputs.output is not None:
        writers[outputs.output] = result_writer(
            outputs.output, simulation.table, lambda: simulation_document(simulation)
        )
    if outputs.record is not None:
        writers[outputs.record] = text_writer(json_text(record))
    if outputs.trace is not None:
        writers[outputs.trace] = text_writer(_trace(simulation, at_a_time))
    if outputs.report is not None:
        writers[outputs.report] = text_writer(_page(simulation, at_a_time))
    if outputs.write_machine is not None:
        text = machine_toml(simulation.base.machine, outputs.write_machine.parent)
        writers[outputs.write_machine] = text_writer(text)
    write_files(writers)


def _trace(simulation: Simulation, at_a_time: int | None) -> str:
    from makespan.sim.trace import simulation_trace

    (first,) = _with_spans(simulation, [simulation.found[0][0]], at_a_time)
    return simulation_trace(simulation.cases[0], first)


def _page(simulation: Simulation, at_a_time: int | None) -> str:
    from makespan.sim.page import simulation_html
    from makespan.sim.sweep_page import sweep_html

    if simulation.sweep is not None:
        return sweep_html(simulation)
    (candidates,) = simulation.found
    done = [one for one in candidates if one.result["complete"]]
    asked = [one for one in done if one.way == simulation.ways[0]]
    drawn = {one.way.text: one for one in (*done[:1], *asked, *done[-1:])}
    return simulation_html(simulation, _with_spans(simulation, list(drawn.values()), at_a_time))


def _with_spans(
    simulation: Simulation, candidates: Sequence[Candidate], at_a_time: int | None
) -> list[Candidate]:
    from makespan.sim.comparison import compare_each

    if not candidates:
        return []
    asked = replace(simulation.cases[0], spans=SPANS_KEPT)
    ways = [one.way for one in candidates]
    try:
        (found,) = compare_each([asked], ways, at_a_time=at_a_time)
    except StoppedError:
        done = sum(map(len, simulation.found))
        raise Interrupted(done, done, "cases", result=simulation) from None
    return sorted(found, key=lambda one: ways.index(one.way))
