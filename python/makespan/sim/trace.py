# SPDX-License-Identifier: Apache-2.0
"""The schedule of a simulation in the Trace Event Format; with one cost it can be replayed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from makespan.report.replay_data import NO_REPLAY, replay_head, trace_text
from makespan.report.trace_events import MICROSECONDS, named, spent
from makespan.sim.trace_check import NUMBER_MAX

if TYPE_CHECKING:
    from makespan.sim.comparison import Candidate, Case

DRAWN = ("run", "claim", "steal")
"""Kinds of spans that pages draw, and that traces have."""


def simulation_trace(case: Case, one: Candidate) -> str:
    """The whole document: a thread for each worker."""
    return trace_text(_events(case, one), _other_data(case, one))


def _events(case: Case, one: Candidate) -> Iterator[dict[str, Any]]:
    yield named("process_name", (0, 0), f"makespan simulate {case.machine.source}, {one.way.text}")
    workers = [worker["device"] for worker in one.result["workers"]]
    images = [at for at, image in enumerate(case.machine.images) for _ in image["devices"]]
    kinds = case.machine.kinds
    first, counts = _first_places(workers), Counter(workers)
    for worker, device in enumerate(workers):
        text = f"{device}: {kinds[device]}, image {images[device]}"
        number = worker - first[device]
        has_others = counts[device] > 1
        yield named("thread_name", (0, worker), f"{text} #{number}" if has_others else text)
    for worker, kind, begin, end, items in one.result["spans"]:
        if kind not in DRAWN or (kind == "run" and not items):  # its device failed in the first one
            continue
        more = {"items": items, "row": 0} if kind == "run" else {"items": items}
        yield spent(kind, (0, worker), begin, end, more)


def _other_data(case: Case, one: Candidate) -> dict[str, Any]:
    """What `--replay` needs: spans say items, and not of which task, so all must cost the same.

    Tasks of one item are one row, which `one_each` says: a boss gives tasks away.
    """
    tasks = case.tasks
    head = replay_head(one.policy, one.dispatcher)
    why_not = _why_no_replay(case, one)
    if why_not is not None:
        return {**head, NO_REPLAY: f"{why_not}: give the machine and the tasks themselves"}
    return {
        **head,
        "devices": _devices(case, one),
        "rounds": [
            {
                "begin_s": 0.0,
                "end_s": one.result["makespan_s"],
                "row": [0],
                "items": [sum(tasks.counts)],
                "cost": [tasks.costs[0]],
                "one_each": all(count == 1 for count in tasks.counts),
            }
        ],
    }


def _why_no_replay(case: Case, one: Candidate) -> str | None:
    tasks = case.tasks
    if len(tasks.bags) > 1 or len({*tasks.costs}) > 1 or len({1.0, *tasks.factors}) > 1:
        return "a simulation of tasks of several costs"
    gives_tasks = one.dispatcher == "boss" or any(
        device["mode"] == "mo" for image in case.machine.images for device in image["devices"]
    )
    if gives_tasks and len(tasks.costs) > 1 and any(count > 1 for count in tasks.counts):
        return "a simulation in which tasks of several items go as a whole"
    last_us = one.result["makespan_s"] * MICROSECONDS
    if max(tasks.costs[0], sum(tasks.counts), last_us) > NUMBER_MAX:
        return f"a simulation of costs, items or microseconds above {NUMBER_MAX:g}"
    return None


def _first_places(workers: Sequence[int]) -> dict[int, int]:
    """Of each device its first worker, of devices by worker."""
    found: dict[int, int] = {}
    for worker, device in enumerate(workers):
        found.setdefault(device, worker)
    return found


def _devices(case: Case, one: Candidate) -> list[dict[str, Any]]:
    workers = [worker["device"] for worker in one.result["workers"]]
    first, counts = _first_places(workers), Counter(workers)
    devices = [
        (at, device) for at, image in enumerate(case.machine.images) for device in image["devices"]
    ]
    failed = {int(device) for device, _, factor in case.machine.settings["changes"] if not factor}
    return [
        {
            "name": re.sub(r"[\s\"'\[\]]+", "-", device["kind"]) or "device",
            "isa": "",
            "first": first[number],
            "count": counts[number],
            "failed": number in failed,
            "image": image,
            "mode": device["mode"],
            "remembered": case.machine.knows_speeds,
        }
        for number, (image, device) in enumerate(devices)
    ]
