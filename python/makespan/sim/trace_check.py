# SPDX-License-Identifier: Apache-2.0
"""What a trace must hold to be replayed: all that `replay` computes with is looked at before."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from makespan.sim.input import MODES
from makespan.sim.tasks import TASKS_MAX

THREADS_MAX = 1 << 20
TURNS_MAX = 1 << 20
NUMBER_MAX = 1e15
"""[us], items, costs in path-steps: far above what was ever measured, far below what overflows."""
_NAME = re.compile(r"[^\s\"'\[\]]+(\[[^\"\n]*\])?")

Check = Callable[[Any], bool]


class TraceError(Exception):
    """What is wrong, and where in the document."""


def check_trace(document: dict[str, Any]) -> None:
    """Raises `TraceError`, or what Python says of a document that has another shape.

    Takes out of the document the runs of no items, which some traces of simulations have: of
    devices that failed in their first one.
    """
    other = document["otherData"]
    _check("otherData.settings", other["settings"], {"policy": _is_word, "dispatcher": _is_word})
    threads = 0
    for at, device in enumerate(_list("otherData.devices", other["devices"])):
        _check(f"otherData.devices[{at}]", device, _DEVICE)
        threads += device["count"]
    for at, one in enumerate(_list("otherData.rounds", other["rounds"])):
        _check_round(f"otherData.rounds[{at}]", one)
    tasks = sum(sum(one["items"]) for one in other["rounds"] if one.get("one_each", False))
    if tasks > TASKS_MAX:
        raise TraceError(f"otherData.rounds: {tasks} tasks")
    has_tasks = any(one["row"] for one in other["rounds"])  # a map of no items has no threads
    if threads > THREADS_MAX or (has_tasks and not threads):
        raise TraceError(f"otherData.devices: {threads} threads")
    if is_of_steps(other):  # their events are to be looked at; the rounds have all that is used
        _check_turns(other)
        return
    for at, event in enumerate(_list("traceEvents", document["traceEvents"])):
        if event["ph"] == "X":
            _check_event(f"traceEvents[{at}]", event, threads)
    document["traceEvents"] = [one for one in document["traceEvents"] if not _is_empty_run(one)]


def is_of_steps(other: Mapping[str, Any]) -> bool:
    """Whether its rounds are of turns, in which devices have parts of their own."""
    return any("turns" in one for one in other["rounds"])


def _check_round(where: str, one: Any) -> None:
    _check(where, one, {"begin_s": _is_number, "end_s": _is_number})
    begin_s, end_s = one["begin_s"], one["end_s"]
    if "turns" not in one and one["row"] and not end_s > begin_s:
        raise TraceError(f"{where}: it begins at {begin_s!r} s and ends at {end_s!r} s")
    lists = {"row": _is_whole, "items": _is_count, "cost": _is_cost}
    sizes = set()
    for name, fits in lists.items():
        values = _list(f"{where}.{name}", one[name])
        sizes.add(len(values))
        for at, value in enumerate(values):
            if not fits(value):
                raise TraceError(f"{where}.{name}[{at}] = {value!r}")
    if len(sizes) > 1 or len(set(one["row"])) != len(one["row"]):
        raise TraceError(f"{where}: its lists differ in length, or name a row twice")
    one_each = one.get("one_each", False)
    if not isinstance(one_each, bool):
        raise TraceError(f"{where}.one_each = {one_each!r}")


def _check_turns(other: Mapping[str, Any]) -> None:
    devices = other["devices"]
    images = [device["image"] for device in devices]
    if images != sorted(images) or any(device["count"] != 1 for device in devices):
        raise TraceError("otherData.devices: those of steps are single, in the order of images")
    turns_in_all = 0
    for at, one in enumerate(other["rounds"]):
        where, turns = f"otherData.rounds[{at}].turns", one["turns"]
        _check(where, turns, {"times": _is_count, "took_s": _is_time})
        for name in ("kept", "busy_s"):
            values = _list(f"{where}.{name}", turns[name])
            if len(values) != len(devices) or not all(map(_is_time, values)):
                raise TraceError(f"{where}.{name}: a number, 0 or above, for each device")
        if not (one["row"] and sum(turns["kept"]) > 0):
            raise TraceError(f"{where}: no work")
        turns_in_all += turns["times"]
    run = [one["turns"] for one in other["rounds"] if sum(one["turns"]["busy_s"]) > 0.0]
    if run and not sum(turns["took_s"] for turns in run) > 0.0:
        raise TraceError("otherData.rounds: took_s is 0 in all turns")
    if turns_in_all > TURNS_MAX:
        raise TraceError(f"otherData.rounds: {turns_in_all} turns")


def kind_of(device: Mapping[str, Any]) -> str:
    """A name that a machine's description can have: a GPU calls itself NVIDIA H100 80GB HBM3."""
    name = f"{device['name'].split('[')[0]}-{device['isa']}"
    return re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-") or "device"


def _check_event(where: str, event: Mapping[str, Any], threads: int) -> None:
    _check(where, event, {"tid": _is_whole, "ts": _is_number, "dur": _is_time, "cat": _is_word})
    if event["tid"] >= threads:
        raise TraceError(f"{where}.tid = {event['tid']} of {threads} threads")
    if event["cat"] == "run":
        _check(f"{where}.args", event["args"], {"items": _is_whole, "row": _is_whole})


def _is_empty_run(event: Mapping[str, Any]) -> bool:
    return bool(event["ph"] == "X" and event["cat"] == "run" and event["args"]["items"] == 0)


def _check(where: str, given: Any, right: Mapping[str, Check]) -> None:
    for name, fits in right.items():
        if not fits(given[name]):
            raise TraceError(f"{where}.{name} = {given[name]!r}")


def _list(where: str, given: Any) -> Sequence[Any]:
    if not isinstance(given, list):
        raise TraceError(f"{where} is no list")
    return given


def _is_number(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and math.isfinite(value) and abs(value) <= NUMBER_MAX


def _is_time(value: Any) -> bool:
    return _is_number(value) and value >= 0


def _is_cost(value: Any) -> bool:
    return _is_number(value) and value > 0


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= NUMBER_MAX


def _is_count(value: Any) -> bool:
    return _is_whole(value) and value > 0


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


_DEVICE: Mapping[str, Check] = {
    "name": _is_name,
    "isa": lambda value: isinstance(value, str),
    "count": lambda value: _is_count(value) and value <= THREADS_MAX,
    "image": lambda value: _is_whole(value) and value <= THREADS_MAX,
    "mode": lambda value: value in MODES,
    "remembered": lambda value: isinstance(value, bool),
}
