# SPDX-License-Identifier: Apache-2.0
"""`makespan.balance` and `makespan.simulate_phases`: objects that talk, from Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from makespan.base.engine import load_engine
from makespan.base.errors import InputError
from makespan.files.atomic import check_outputs
from makespan.files.kept_result import kept_result
from makespan.graph.input import BALANCE_KEYWORDS, PHASES, PHASES_KEYWORDS
from makespan.graph.outcome import BalanceResult, PhasesResult
from makespan.graph.outputs import path_of
from makespan.job.gather import gathered
from makespan.job.hold_mpi import hold_mpi_in_job
from makespan.job.launcher import is_later_image
from makespan.job.progress import OnProgress
from makespan.settings.from_python import plain
from makespan.settings.keywords import takes
from makespan.settings.setting import python_text
from makespan.settings.table_columns import columns_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from makespan.graph.objects_table import ObjectsTable

    AnyPath = str | PathLike[str]
    AnyGraph = AnyPath | Sequence[AnyPath] | Mapping[str, ArrayLike] | ObjectsTable
    """Or a DataFrame of polars or pandas, of which makespan does not import the class."""

T = TypeVar("T")


@takes(BALANCE_KEYWORDS)
def balance(
    graph: AnyGraph, *, on_progress: OnProgress | None = None, **given: Any
) -> BalanceResult | None:
    """What balancers would make of a graph on a machine, without running it.

    `graph`: the path of a graph file, a list of paths (vt's, of all ranks), or columns (a dict of
    arrays, or where all are of one length a DataFrame of polars or pandas): by object
    `work` (seconds at speed 1) and `place`, and if wanted `bytes` (to move it) and `fixed`; by edge
    `from`, `to` (objects), `messages` (1), `edge_bytes` (0); of memory by object `footprint`
    (`bytes`), `working` (0) and `block` (-1), by block `block_bytes`, by place `used_bytes` (0).
    Files are written where they are named.

    Blocks. In a program that mpiexec started: collective, by all its processes; the first decides
    and gets the result, the others None; with `gather="all"` all get it.

    Returns a `BalanceResult`. Raises `InputError`, which has the `result` where only a file cannot
    be written at the end; `NotConfiguredError`; `Interrupted` after
    Ctrl-C, when the balancer that is at it has ended, or at once after a second one, with what was
    found by then.
    """

    def work() -> BalanceResult:
        from makespan.graph.outputs import check_planned, write_outputs
        from makespan.graph.run import BalanceRun

        known = _known(graph)
        paths = _paths(known)
        check_planned(given, paths)
        run = BalanceRun(load_engine(), given, on_progress)
        balanced = run.run(lambda: _table(known, paths, given["phase"]))
        found = run.result(balanced)
        with kept_result(lambda: found):
            write_outputs(balanced, found.record, given)
        return found

    return _on_first_image(work, given["gather"])


@takes(PHASES_KEYWORDS)
def simulate_phases(
    graph: AnyGraph,
    places: Mapping[str, ArrayLike],
    *,
    phases: int,
    on_progress: OnProgress | None = None,
    **given: Any,
) -> PhasesResult | None:
    """Plays phases of objects on places that need not exist, balanced on the way.

    `graph` as in `makespan.balance`. `places` are columns: by place `speed` and `domain`, by domain
    `node`, and of shape (domains, domains), the sender's first, `latency_s` and
    `bandwidth_bytes_s`.

    A drawn share of the objects grows from phase to phase, as `growth` = (rate, share) says;
    `perturb` is a list, as in ["slow:3@20:4"]. With `when="never"` all stays as it is.

    The phase is that of docs/explanation/graph.md (Pilla et al., ICPADS 2012). Repeats to the last
    bit. Blocks; under mpiexec as `makespan.balance`. Returns a `PhasesResult`. Raises `InputError`,
    which has the `result` where only the record cannot be written at the end; `Interrupted` after
    Ctrl-C, when all phases have been played, with the result, or at once after a second one,
    without.
    """

    def work() -> PhasesResult:
        from makespan.graph.run import run_phases

        asked = {**given, "phases": plain(phases)}
        PHASES.but(is_required=True).check(asked["phases"])
        known, where = _known(graph), columns_of(places)
        if where is None:
            raise InputError(
                f"places={python_text(places)} cannot be used: give columns, a dict of arrays"
            )
        paths = _paths(known)
        check_outputs((path_of(given["record"]),), paths)
        return run_phases(load_engine(), _table(known, paths, None), where, asked, on_progress)

    return _on_first_image(work, given["gather"])


def _on_first_image(work: Callable[[], T], gather: str) -> T | None:
    """What it returns on image 0, which alone does it; collective."""
    engine = load_engine()
    hold_mpi_in_job(engine)
    return gathered(lambda: None if is_later_image() else work(), gather)


def _known(graph: Any) -> AnyGraph:
    """As it is, or the columns of a table. Raises `InputError` for what is no graph."""
    from makespan.graph.objects_table import ObjectsTable  # loads numpy

    columns = columns_of(graph)
    if columns is not None:
        return columns
    each = graph if isinstance(graph, list | tuple) else [graph]
    known: AnyGraph = graph
    if isinstance(graph, ObjectsTable) or all(isinstance(one, str | PathLike) for one in each):
        return known
    raise InputError(
        f"graph={python_text(graph)} cannot be used: give the path of a file, a list of paths, or "
        "columns, as a dict of arrays or a DataFrame"
    )


def _paths(graph: AnyGraph) -> list[Path]:
    """Of the files that the graph is read from."""
    if isinstance(graph, str | PathLike):
        return [Path(fspath(graph))]
    if isinstance(graph, list | tuple):
        if not graph:
            raise InputError("no file of a graph (the list is empty): name one")
        return [Path(fspath(one)) for one in graph]
    return []


def _table(graph: AnyGraph, paths: Sequence[Path], phase: int | None) -> ObjectsTable:
    from makespan.graph.graph_columns import graph_of_columns
    from makespan.graph.objects_table import ObjectsTable
    from makespan.graph.read_graph import read_graph

    if not isinstance(graph, ObjectsTable | Mapping):
        return read_graph(paths, phase)
    if phase is not None:
        raise InputError("phase is of dumps of vt (the graph is in columns): leave it out")
    return graph_of_columns(graph) if isinstance(graph, Mapping) else graph
