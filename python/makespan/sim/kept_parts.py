# SPDX-License-Identifier: Apache-2.0
"""Bags of which each worker keeps the part that it had in a traced run, as in a step of a grid.

Nothing is claimed then: the bag is one task for each worker, all of the same predicted cost, so
that the dispatcher `static` gives each its own, and in one image, where that takes no time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from makespan.sim.machine import Machine
from makespan.sim.tasks import Tasks

_LEAST = 1e-12
"""Of a part, over the mean: a worker without one has a task that takes no time, but costs are
above 0."""


def can_keep(tasks: Tasks, machine: Machine) -> bool:
    """Whether all bags have a part for each worker of the machine, and no other."""
    workers = len(machine.worker_speeds)
    return all(len(bag.kept) == workers for bag in tasks.bags)


def kept_bag(tasks: Tasks) -> dict[str, Any]:
    """As the engine takes it."""
    mean = sum(tasks.kept) / len(tasks.kept)
    return {
        "items": [1] * len(tasks.kept),
        "costs": [mean] * len(tasks.kept),
        "cost_factors": [max(part / mean, _LEAST) for part in tasks.kept],
    }


def one_image(machine: Mapping[str, Any]) -> dict[str, Any]:
    """A machine's job with all devices in one image, which is lost by parts."""
    devices = [device for image in machine["images"] for device in image["devices"]]
    image_of = [at for at, image in enumerate(machine["images"]) for _ in image["devices"]]
    lost = [
        [device, at, 0.0]
        for image, at in machine["losses"]
        for device, own in enumerate(image_of)
        if own == image
    ]
    return {
        **machine,
        "images": [{"node": 0, "devices": devices}],
        "changes": [*machine["changes"], *lost],
        "losses": [],
    }
