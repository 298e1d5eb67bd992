# SPDX-License-Identifier: Apache-2.0
"""Runs of steps as what can be simulated: turns in which each device has a part of its own.

A device's speed is the work of its parts over the time that it computed, in the sum over all
turns; a turn takes as long as the device that takes longest. What is not in it: waiting for halos
and messages that computing does not hide, looks at loads, and what moves between turns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from makespan.sim.machine import Machine, calm_settings, device_of, network_of
from makespan.sim.tasks import Tasks
from makespan.sim.trace_check import kind_of

Rounds = Sequence[Mapping[str, Any]]


def turns_machine(source: str, devices: Sequence[Mapping[str, Any]], rounds: Rounds) -> Machine:
    """The devices, as their turns show them."""
    images: dict[int, dict[str, Any]] = {}
    for device, speed in zip(devices, _speeds(rounds), strict=True):
        image = images.setdefault(device["image"], {"node": device["image"], "devices": []})
        image["devices"].append(device_of(kind_of(device), 1, speed))
    numbers = sorted(images)
    return Machine(
        source,
        tuple(images[number] for number in numbers),
        calm_settings(network_of()),
        knows_speeds=True,
    )


def turns_tasks(source: str, rounds: Rounds) -> Tasks:
    """Each turn as a bag of its pieces."""
    first, *later = (
        Tasks(
            source,
            tuple(map(float, one["cost"])),
            items=tuple(map(int, one["items"])),
            times=int(one["turns"]["times"]),
            kept=tuple(map(float, one["turns"]["kept"])),
        )
        for one in rounds
    )
    return replace(first, later=tuple(later))


def turns_s(rounds: Rounds) -> float:
    """How long they took."""
    return math.fsum(one["turns"]["took_s"] for one in rounds)


def _speeds(rounds: Rounds) -> list[float]:
    """Of each device; one that computed nothing is as fast as the slowest that did."""
    all_turns = [one["turns"] for one in rounds]
    work = np.sum([np.array(one["kept"]) * one["times"] for one in all_turns], axis=0)
    busy = np.sum([np.array(one["busy_s"], dtype=float) for one in all_turns], axis=0)
    did = (work > 0.0) & (busy > 0.0)
    speeds = np.divide(work, busy, out=np.zeros(len(busy)), where=did)
    speeds[~did] = speeds[did].min()
    found: list[float] = speeds.tolist()
    return found
