# SPDX-License-Identifier: Apache-2.0
"""`makespan.grid`: equations of one's own on a regular grid."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine
from makespan.base.errors import InputError
from makespan.equations.input import RUN_KEYS, run_values
from makespan.equations.outcome import GridResult
from makespan.equations.problem import Problem, Statement, problem_of
from makespan.equations.run import Equations
from makespan.equations.trace import Update
from makespan.grids.boundary import NO_FLUX
from makespan.grids.field_run import FieldRun
from makespan.grids.input import order_of
from makespan.grids.joined_run import python_run
from makespan.grids.outcome import Callbacks, GridOutcome, Line
from makespan.grids.table import table_frame
from makespan.job.progress import OnProgress, ignored
from makespan.settings.from_python import plain
from makespan.settings.keywords import takes
from makespan.settings.kinds import STEPS_OR_NONE

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def grid(
    update: Update,
    fields: Mapping[str, ArrayLike],
    *,
    parameters: Mapping[str, float] | None = None,
    boundary: Any = NO_FLUX,
    spacing: float | Sequence[float] = 1.0,
    time_step: float = 1.0,
    check_stability: bool = True,
) -> Grid:
    """States a problem: what one explicit step makes of every point of a grid.

        def gray_scott(u, v, feed, kill):
            reaction = u * v * v
            return {"u": u + 0.16 * u.laplacian() - reaction + feed * (1 - u),
                    "v": v + 0.08 * v.laplacian() + reaction - (feed + kill) * v}

        spots = makespan.grid(gray_scott, {"u": u, "v": v}, boundary="periodic",
                              parameters={"feed": 0.035, "kill": 0.065}).run(10_000)

    `update` is called before the run, with its arguments by name: fields, whose value at the point
    they are (`u[0, 1]` is the neighbour one on along x, in the order of arrays; `u.laplacian()` and
    `u.derivative("x")` know the spacing), parameters, coordinates `x`, `y`, `z` of the middle of
    the point's cell, and `step`, its number from 0. All are of before the step. It returns a dict
    of the fields that change; others are known, such as a coefficient at each point. Of numpy
    `abs`, `clip`, `cos`, `exp`, `floor`, `log`, `maximum`, `minimum`, `power`, `sign`, `sin`,
    `sqrt`, `square`, `tanh` and `where` can be called; `if` cannot be used. Or it is a dict of
    SymPy's expressions, with neighbours as `IndexedBase("u")[0, 1]`. It reads at most 4 points away
    along each axis.

    `fields` are first values: arrays of one to three axes, of the same shape; they are copied.
    `boundary` is "no-flux" (points before the end, mirrored), "periodic", a number (the value
    beyond the end, of all fields) or a dict of each field's number or array (of the face's shape;
    copied), for all ends, or by axis as {"x": "periodic", "y": (0.0, "no-flux")}: both ends, or the
    low one and the high one. `spacing` is from point to point, one number or one for each axis;
    `time_step` is for tables and files alone. With `check_stability` an update that makes waves
    grow is refused where that follows from it (J. von Neumann's condition).

    Raises `InputError`, which names the line of the update. Not collective; does not block.
    """
    return Grid(
        problem_of(
            Statement(
                update,
                fields,
                parameters or {},
                boundary,
                spacing,
                time_step,
                check_stability=check_stability,
            )
        )
    )


class Grid:
    """A problem that can be run; see `makespan.grid`."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem

    @takes(RUN_KEYS)
    def run(
        self,
        steps: int,
        *,
        on_line: Callable[[Line], None] | None = None,
        on_progress: OnProgress | None = None,
        **given: Any,
    ) -> GridResult | None:
        """Makes steps from the first values on, or goes on from a checkpoint up to `steps` in all.

        The update is compiled by the machine's C++ compiler (`MAKESPAN_CXX` names another one), and
        for GPUs by nvcc (`MAKESPAN_NVCC`); what they made is kept in the user's cache. Without a
        C++ compiler it is interpreted. The result has the same bits either way, and with any number
        of threads, CPU devices, images and GPUs, of which an H200 has run it. `on_line` is called
        with each line of the table, `on_progress` some times a second. Files are written where they
        are named; a folder of `output` gets the table, pictures of fields that change, where
        these have two or three axes, and with `state_steps` files for ParaView.

        Blocks. In a program that mpiexec started: collective, by all its processes, which all take
        part and give the same problem; values are those of the first. It gets the result, the
        others None; with `gather="all"` all get it.

        Raises `InputError`, also with the compiler's message where it fails, and with the `result`
        where only a file cannot be written at the end; `NotConfiguredError`; `EngineError` where
        values are no numbers any more, or an image is lost; `Interrupted` within a second of
        Ctrl-C, with what was done as its `result`, and a checkpoint in `restart_from` if the run
        keeps some.
        """
        steps = plain(steps)
        right = STEPS_OR_NONE.problem(steps)
        if right is not None:
            raise InputError(f"steps={steps!r} cannot be used: {right}")
        order = replace(order_of(given, None), keeps_fields=True)
        values = run_values(given, steps)
        application = Equations(self._problem, values, order)

        def work(_: Engine, team: Any) -> GridOutcome:
            callbacks = Callbacks(on_line or ignored, on_progress or ignored)
            return FieldRun(team, application, order, callbacks).go()

        def result_of(outcome: GridOutcome) -> GridResult:
            return GridResult(
                fields={
                    name: self._problem.users_array(one) for name, one in outcome.fields.items()
                },
                frames=tuple(application.frames),
                table=table_frame(outcome.lines),
                hash=outcome.hash,
                steps=outcome.last_step,
                seconds=outcome.seconds,
                kernel=application.kernel,
                record=outcome.record,
            )

        return python_run(given, order, work, result_of)
