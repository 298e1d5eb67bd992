# SPDX-License-Identifier: Apache-2.0
"""A diffusion on unequal images, each a host beside another device, all of known speeds; tuned.

``mpiexec -n 2 python tuned_layers_worker.py SETTINGS``, where SETTINGS are the case's, as JSON: run
by bench.grid.devices. Image 0 prints a line of JSON for each contestant and round: `share`, points
per second of what all devices could do together; `hosts_share`, points that hosts had at the end.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from makespan.base.engine import load_engine
from makespan.grids.diffusion.input import DIFFUSE_FILE
from makespan.grids.diffusion.run import run_diffusion
from makespan.grids.input import GridFiles, GridOrder, RunOptions
from makespan.grids.joined_run import run_joined
from makespan.grids.outcome import Callbacks, GridOutcome
from makespan.job.hold_mpi import hold_mpi_in_job
from makespan.settings.from_python import values_given

DEVICES = "cpu cpu"
"""Of an image: its host, and the other one, which takes less for a plane."""
LAYERS = {"host": "front-back"}
CONTESTANTS: Mapping[str, Mapping[str, Any]] = {
    "layers and tuner": {**LAYERS, "tune": "now"},
    "tuner": {"tune": "now"},
    "layers": {**LAYERS, "tune": "off"},
    "neither": {"tune": "off"},
}
"""Without layers a host has a slab of its own, and a tuner may choose layers."""


class PacedTeam:
    """A team whose devices take given times for a point; they sleep for what is left of these."""

    def __init__(self, team: Any, point_times: Sequence[float]) -> None:
        """`point_times`: of the devices of all images [s]."""
        self._team = team
        self._point_times = list(point_times)

    def __getattr__(self, name: str) -> Any:
        """Return what the team has."""
        return getattr(self._team, name)

    def open_diffusion(self, settings: Any, options: Mapping[str, Any]) -> None:
        """Make the grid."""
        self._team.open_diffusion(settings, {**options, "point_times": self._point_times})


def point_times(case: Mapping[str, Any], images: int) -> list[float]:
    """Return what each device takes for a point; each image is half as fast as the one before."""
    other = case["plane_s"] / case["extent"] ** 2
    return [
        other * image_factor * factor
        for image_factor in (2**image for image in range(images))
        for factor in (case["factor"], 1)
    ]


def run(case: Mapping[str, Any], keys: Mapping[str, Any]) -> GridOutcome | None:
    """Run once; collective."""
    engine = load_engine()
    points = [case["extent"], case["extent"], case["planes"]]
    steps = case["steps"] if keys["tune"] == "now" else case["untuned_steps"]
    given = {"points": points, "steps": steps, "table_steps": 0, "slice_steps": 0, **keys}
    order = GridOrder(GridFiles(), RunOptions(threads=2, devices=DEVICES))

    def work(team: Any) -> GridOutcome:
        paced = PacedTeam(team, point_times(case, team.images))
        return run_diffusion(paced, values_given(DIFFUSE_FILE, None, given), order, Callbacks())

    return run_joined(engine, order, work)


def main() -> None:
    """Run all in turn."""
    case = json.loads(sys.argv[1])
    hold_mpi_in_job(load_engine())
    for _ in range(case["rounds"]):
        for contestant, keys in CONTESTANTS.items():
            outcome = run(case, keys)
            if outcome is None:
                continue
            sum_of_speeds = sum(1 / time for time in point_times(case, outcome.images))
            hosts = (one["points"] for one in outcome.report["devices"] if one["device"] == 0)
            reply: dict[str, Any] = {
                "contestant": contestant,
                "share": (outcome.points_per_s or 0.0) / sum_of_speeds,
                "hosts_share": sum(hosts) / math.prod(outcome.points),
            }
            if outcome.tuning is not None:
                reply["tuning_s"] = outcome.tuning.spent_s
            print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
