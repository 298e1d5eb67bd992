# SPDX-License-Identifier: Apache-2.0
"""What stands beside the events of a trace so that `makespan simulate --replay` can repeat it.

A bag of which any device takes any item is a round with the tasks that it had. A run of steps, in
which devices have parts of their own and wait for each other, is rounds of turns: in each turn all
devices do their parts, and a round stands for as many turns as had the same parts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

FORMAT = "makespan replay"
VERSION = 1
STATIC = "static"
"""The dispatcher by which devices keep their parts, and the policy that goes with it."""
NO_REPLAY = "no_replay"
"""Beside the events of a trace that cannot be replayed: why, and what would be right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """Turns with the same parts, one after the other. Times in seconds, sums over all of them."""

    times: int
    begin_s: float
    end_s: float
    took_s: float
    """Without what lies between turns, as files that are written."""
    kept: Sequence[float]
    """Work of each device in one turn."""
    busy_s: Sequence[float]
    """How long each device computed."""
    pieces: Sequence[tuple[int, float]]
    """Of one turn: so many pieces of such work; any device could have had any of them."""

    def as_round(self) -> dict[str, Any]:
        """As it is written."""
        return {
            "begin_s": self.begin_s,
            "end_s": self.end_s,
            "row": list(range(len(self.pieces))),
            "items": [items for items, _ in self.pieces],
            "cost": [cost for _, cost in self.pieces],
            "turns": {
                "times": self.times,
                "took_s": self.took_s,
                "kept": list(self.kept),
                "busy_s": list(self.busy_s),
            },
        }


def device_data(name: str, image: int, first: int, count: int = 1) -> dict[str, Any]:
    """A device whose threads are numbered from `first` on."""
    return {
        "name": name,
        "isa": "",
        "first": first,
        "count": count,
        "failed": False,
        "image": image,
        "mode": "auto",
        "remembered": False,
    }


def replay_head(policy: str, dispatcher: str) -> dict[str, Any]:
    """Which format it is, and how the bag was handed out."""
    settings = {"policy": policy, "dispatcher": dispatcher, "mode": "auto"}
    return {"format": FORMAT, "version": VERSION, "settings": settings}


def steps_data(devices: Sequence[Mapping[str, Any]], turns: Iterable[Turns]) -> dict[str, Any]:
    """Of a run of steps; nothing at all if no turn is known."""
    rounds = [one.as_round() for one in turns]
    if not rounds:
        return {}
    return {**replay_head(STATIC, STATIC), "devices": list(devices), "rounds": rounds}


def trace_text(events: Iterable[Mapping[str, Any]], other: Mapping[str, Any]) -> str:
    """The whole document: an event a line; `other` is what stands beside them, if anything."""
    lines = ",\n".join(json.dumps(event) for event in events)
    beside = f'"otherData": {json.dumps(other)}, ' if other else ""
    return f'{{"displayTimeUnit": "ms", {beside}"traceEvents": [\n{lines}\n]}}\n'
