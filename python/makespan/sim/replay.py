# SPDX-License-Identifier: Apache-2.0
"""Measured runs as what can be simulated: the bags of a trace, and the devices as it shows them.

A span of run says how long a thread took for items of a task of which the predicted cost is known.
Of all spans together come a speed for each device and, for each task, how far its prediction was
off: both are the weighted means that leave

    time of a span = items x cost x factor(task) / speed(thread)

right in the sum over each device and over each task, found by taking one and the other in turn.
What passes on a thread between two spans with a claim between them, the median, is what a chunk of
its device takes to begin. Traces of steps have sums instead of spans: `step_replay`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from makespan.base.errors import InputError
from makespan.files.text_file import file_text
from makespan.report.replay_data import FORMAT, NO_REPLAY, STATIC, VERSION
from makespan.report.trace_events import MICROSECONDS
from makespan.sim.machine import Machine, calm_settings, device_of, network_of
from makespan.sim.step_replay import turns_machine, turns_s, turns_tasks
from makespan.sim.tasks import Tasks
from makespan.sim.trace_check import TraceError, check_trace, is_of_steps, kind_of

BYTES_MAX = 1 << 30
FITS = 20
"""Turns of factors and speeds: each makes what is left smaller by about the share of the largest
task, and spans of fewer digits than six are not measured."""
WORDS_MAX = 200
_HINT = "give a trace of `makespan price --trace`, or of another run's --trace"

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Replay:
    """A run that was traced."""

    machine: Machine
    tasks: Tasks
    """Of its first bag; those that followed are `tasks.later`."""
    policy: str
    dispatcher: str
    measured_s: float
    """How long its bags took, one after the other."""


def read_replay(path: Path, forms: Mapping[str, str] | None = None) -> Replay:
    """Reads a trace. `forms` are those of policies, by name, where the engine is there to say.

    Raises `InputError` that names the file and what would be right.
    """
    document = _document(path, file_text(path, BYTES_MAX, _HINT))
    try:
        check_trace(document)
        return _replay(str(path), document, forms or {})
    except InputError:
        raise
    except TraceError as error:
        raise InputError(f"{path}: a damaged trace ({_short(str(error))}): {_HINT}") from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError(f"{path}: a damaged trace ({_short(repr(error))}): {_HINT}") from error


def _replay(source: str, document: Mapping[str, Any], forms: Mapping[str, str]) -> Replay:
    other = document["otherData"]
    if not is_of_steps(other):
        return _Fit(source, document).replay(forms)
    rounds = [one for one in other["rounds"] if sum(one["turns"]["busy_s"]) > 0.0]
    if not rounds:
        raise InputError(f"{source}: nothing was run in it: {_HINT}")
    return Replay(
        turns_machine(source, other["devices"], rounds),
        turns_tasks(source, rounds),
        str(other["settings"]["policy"]),
        str(other["settings"]["dispatcher"]),
        turns_s(rounds),
    )


def _document(path: Path, text: str) -> dict[str, Any]:
    """Of a trace that says that it can be replayed."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: no trace that can be replayed: {_HINT}") from error
    events = document.get("traceEvents") if isinstance(document, dict) else None
    if events is None:
        raise InputError(f"{path}: no trace that can be replayed: {_HINT}")
    other = document.get("otherData")
    other = other if isinstance(other, dict) else {}
    if isinstance(other.get(NO_REPLAY), str):
        raise InputError(f"{path}: no trace that can be replayed ({_short(other[NO_REPLAY])})")
    if other.get("format") != FORMAT:
        raise InputError(f"{path}: no trace that can be replayed: {_HINT}")
    if other.get("version") != VERSION:
        version = _short(repr(other.get("version")))
        raise InputError(
            f"{path}: a trace of version {version} (this makespan reads {VERSION}): {_HINT}"
        )
    return dict(document)


def _short(text: str) -> str:
    """A value may be anything, also a list of lists."""
    line = " ".join(text.split())
    return line if len(line) <= WORDS_MAX else f"{line[:WORDS_MAX]} ..."


class _Fit:
    def __init__(self, source: str, document: Mapping[str, Any]) -> None:
        other = document["otherData"]
        self._source = source
        self._settings = other["settings"]
        self._devices = other["devices"]
        self._rounds = [one for one in other["rounds"] if one["row"]]
        events = [event for event in document["traceEvents"] if event["ph"] == "X"]
        self._runs = [event for event in events if event["cat"] == "run"]
        self._claims = [event for event in events if event["cat"] in ("claim", "steal")]
        if not self._rounds or not self._runs:
            raise InputError(f"{source}: nothing was run in it: {_HINT}")
        self._device_of = np.repeat(
            np.arange(len(self._devices)), [device["count"] for device in self._devices]
        )

    def replay(self, forms: Mapping[str, str]) -> Replay:
        device, task, cost, time = self._columns()
        tasks = sum(len(one["row"]) for one in self._rounds)
        speeds, factors = _fitted((device, len(self._devices)), (task, tasks), cost, time)
        machine = Machine(
            self._source,
            tuple(self._images(speeds, self._claim_times())),
            calm_settings(self._network(forms)),
            knows_speeds=all(one["remembered"] for one in self._devices),
            notes=self._failures(),
        )
        return Replay(
            machine,
            self._tasks(factors),
            str(self._settings["policy"]),
            str(self._settings["dispatcher"]),
            math.fsum(one["end_s"] - one["begin_s"] for one in self._rounds),
        )

    def _failures(self) -> tuple[str, ...]:
        """Of each device that failed, as images number them: a note that here it does not."""
        # Of devices in the order of their images, as `_images` has them.
        order = sorted(range(len(self._devices)), key=lambda at: int(self._devices[at]["image"]))
        ends = np.zeros(len(self._devices))
        for event in self._runs:
            number = self._device_of[event["tid"]]
            ends[number] = max(ends[number], event["ts"] + event["dur"])
        return tuple(
            f"device {place} failed in the run, which this leaves out: "
            f"`--perturb fail:{place}@{ends[at] / MICROSECONDS:.6g}` has it fail"
            for place, at in enumerate(order)
            if self._devices[at]["failed"]
        )

    def _columns(self) -> tuple[Ints, Ints, Floats, Floats]:
        """Of each span of run: its device, its task, counted through all rounds, cost and time."""
        begins = np.array([one["begin_s"] for one in self._rounds])
        at = np.array([event["ts"] for event in self._runs]) / MICROSECONDS
        rounds = np.maximum(np.searchsorted(begins, at + 1e-6, side="right") - 1, 0)
        place: dict[tuple[int, int], int] = {}
        costs: list[float] = []
        for number, one in enumerate(self._rounds):
            for row, cost in zip(one["row"], one["cost"], strict=True):
                place[number, row] = len(costs)
                costs.append(cost)
        rows = [event["args"]["row"] for event in self._runs]
        task = np.array([place[key] for key in zip(rounds.tolist(), rows, strict=True)])
        items = np.array([event["args"]["items"] for event in self._runs], dtype=float)
        device = self._device_of[[event["tid"] for event in self._runs]]
        time = np.array([event["dur"] for event in self._runs]) / MICROSECONDS
        return device, task, items * np.array(costs)[task], time

    def _tasks(self, factors: Floats) -> Tasks:
        later: tuple[Tasks, ...] = ()
        end = len(factors)
        for one in reversed(self._rounds):
            begin = end - len(one["row"])
            later = (self._tasks_of(one, factors[begin:end]), *later)
            end = begin
        return replace(later[0], later=later[1:])

    def _tasks_of(self, one: Mapping[str, Any], factors: Floats) -> Tasks:
        items = np.array(one["items"], dtype=np.int64)
        costs = np.array(one["cost"], dtype=float)
        if one.get("one_each", False):
            costs, factors = np.repeat(costs, items), np.repeat(factors, items)
            return Tasks(self._source, tuple(costs.tolist()), tuple(factors.tolist()))
        return Tasks(
            self._source,
            tuple(costs.tolist()),
            tuple(factors.tolist()),
            items=tuple(items.tolist()),
        )

    def _claim_times(self) -> Floats:
        """By device: what passes between two chunks, the median; 0 where claims go by network."""
        between: list[list[float]] = [[] for _ in self._devices]
        events = [*((one, True) for one in self._runs), *((one, False) for one in self._claims)]
        events.sort(key=lambda pair: (pair[0]["tid"], pair[0]["ts"]))
        end: dict[int, float] = {}
        claimed: set[int] = set()
        for event, is_run in events:
            thread = event["tid"]
            if not is_run:
                claimed.add(thread)
                continue
            if thread in claimed and thread in end:
                between[self._device_of[thread]].append(event["ts"] - end[thread])
            claimed.discard(thread)
            end[thread] = event["ts"] + event["dur"]
        return np.array(
            [
                float(np.median(found)) / MICROSECONDS if found and device["image"] == 0 else 0.0
                for device, found in zip(self._devices, between, strict=True)
            ]
        )

    def _images(self, speeds: Floats, claims: Floats) -> list[dict[str, Any]]:
        images: dict[int, dict[str, Any]] = {}
        for device, speed, claim in zip(
            self._devices, speeds.tolist(), claims.tolist(), strict=True
        ):
            image = images.setdefault(device["image"], {"node": device["image"], "devices": []})
            together = device["mode"] in ("mt", "mth")
            image["devices"].append(
                device_of(
                    kind_of(device),
                    device["count"],
                    speed * device["count"],
                    together=speed * device["count"] if together else 0.0,
                    mode=device["mode"],
                    claim=claim,
                )
            )
        return [images[number] for number in sorted(images)]

    def _network(self, forms: Mapping[str, str]) -> dict[str, Any]:
        """From what claims of other images took at least: some were in each other's way.

        The median over images: some may be on the host of the first.
        """
        by_image: dict[int, list[float]] = {}
        for event in self._claims:
            image = int(self._devices[self._device_of[event["tid"]]]["image"])
            by_image.setdefault(image, []).append(event["dur"] / MICROSECONDS)
        by_image.pop(0, None)
        dispatcher = str(self._settings["dispatcher"])
        form = forms.get(str(self._settings["policy"]).partition(":")[0], "memoryless")
        has_pool = dispatcher == "hierarchical" and form != "history"
        found = [_usual_claim(np.array(claims), has_pool=has_pool) for claims in by_image.values()]
        claim = float(np.median(found)) if found else 0.0
        if claim == 0.0:
            return network_of(latency=1.5e-6, node_latency=2e-7)
        has_whole_tasks = any(device["mode"] == "mo" for device in self._devices)
        latency = claim / (2 * _round_trips(dispatcher, form, has_whole_tasks=has_whole_tasks))
        return network_of(latency=latency, node_latency=min(latency, 2e-7))


def _usual_claim(claims: Floats, *, has_pool: bool) -> float:
    """The lower quartile; where a node has a pool, of those that went further."""
    if has_pool:
        claims = claims[claims >= (claims.min() + claims.max()) / 2]
    return float(np.quantile(claims, 0.25))


def _round_trips(dispatcher: str, form: str, *, has_whole_tasks: bool) -> int:
    """Of a claim over the network, as `ImageDispatcher` makes it."""
    if dispatcher == STATIC:
        form = "closed"  # whatever the policy
    if dispatcher == "boss" or form == "history":
        return 3  # a question to the tracker, and what goes with it
    # The number of the claim says which items, or what is left is looked at before.
    by_number = form == "closed" and dispatcher != "hierarchical" and not has_whole_tasks
    return 1 if by_number else 2


def _fitted(
    devices: tuple[Ints, int], tasks: tuple[Ints, int], cost: Floats, time: Floats
) -> tuple[Floats, Floats]:
    """Speed of a thread of each device, and factor of each task; the factors keep all work.

    Devices and tasks are those of each span, and how many there are.
    """
    device, device_count = devices
    task, task_count = tasks
    factors = np.ones(task_count)
    speeds = np.ones(device_count)
    busy = np.bincount(device, time, device_count)
    of_task = np.bincount(task, cost, task_count)
    for _ in range(FITS):
        done = np.bincount(device, cost * factors[task], device_count)
        # A device that ran nothing is as fast as the slowest that did.
        measured = busy > 0.0
        speeds[measured] = done[measured] / busy[measured]
        speeds[~measured] = speeds[measured].min()
        shown = np.bincount(task, time * speeds[device], task_count)
        seen = of_task > 0.0
        factors[seen] = shown[seen] / of_task[seen]
        factors *= cost.sum() / (cost * factors[task]).sum()
    return speeds, factors
