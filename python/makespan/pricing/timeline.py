# SPDX-License-Identifier: Apache-2.0
"""Who did what, when, in one run: spans of time by thread, as the engine recorded them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from makespan.base.engine import Run


@dataclass(frozen=True, slots=True)
class Device:
    """Threads `first` .. `first + count - 1` of the run."""

    name: str
    isa: str
    first: int
    count: int
    failed: bool
    image: int = 0
    mode: str = "auto"
    remembered: bool = False
    """Whether its speed was known when the run began."""


@dataclass(frozen=True, slots=True)
class Round:
    """A bag that was run, from `begin` to `end`, in seconds since the run's start.

    Columns of equal length, the dearest first: rows of the book, items, and the predicted cost of
    an item in path-steps.
    """

    begin: float
    end: float
    row: NDArray[np.int64]
    items: NDArray[np.int64]
    cost: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Timeline:
    """Columns of equal length, one entry for each span; times in seconds since the run's start.

    `kind` counts in `kinds`; `row` is a row of the book (of spans of kind `run`).
    """

    thread: NDArray[np.int32]
    kind: NDArray[np.uint8]
    begin: NDArray[np.float64]
    end: NDArray[np.float64]
    row: NDArray[np.int64]
    items: NDArray[np.int64]
    kinds: Sequence[str]
    devices: Sequence[Device]
    ids: Sequence[str]
    rounds: Sequence[Round] = ()

    def of_kind(self, name: str) -> NDArray[np.bool_]:
        """Which spans are of this kind."""
        chosen: NDArray[np.bool_] = self.kind == self.kinds.index(name)
        return chosen

    def thread_names(self) -> list[str]:
        """Names of all threads, unique: the device, its image and its number where needed."""
        several_images = len({device.image for device in self.devices}) > 1
        return [
            f"{number}: {device.name}"
            + (f", image {device.image}" if several_images else "")
            + (f" #{thread}" if device.count > 1 else "")
            for number, device in enumerate(self.devices)
            for thread in range(device.count)
        ]


def empty_timeline() -> Timeline:
    """Of a run in which there was nothing to do."""
    return Timeline(
        thread=np.zeros(0, dtype=np.int32),
        kind=np.zeros(0, dtype=np.uint8),
        begin=np.zeros(0),
        end=np.zeros(0),
        row=np.zeros(0, dtype=np.int64),
        items=np.zeros(0, dtype=np.int64),
        kinds=("run",),
        devices=(),
        ids=(),
    )


def timeline_of(
    run: Run,
    kinds: Sequence[str],
    rows: NDArray[np.int64],
    ids: Sequence[str],
) -> Timeline:
    """Of a run that is done, whose rows are those of `rows`; `ids` are of the whole book."""
    columns = run.timeline()
    return Timeline(
        thread=columns["thread"],
        kind=columns["kind"],
        begin=columns["begin_s"],
        end=columns["end_s"],
        row=rows[columns["row"]] if len(rows) else columns["row"],
        items=columns["items"],
        kinds=kinds,
        devices=[
            Device(
                device["name"],
                device["isa"],
                device["first_thread"],
                device["threads"],
                device["failed"],
                device["image"],
                device["mode"],
                device["remembered"],
            )
            for device in run.summary()["devices"]
        ],
        ids=ids,
        rounds=[
            Round(
                one["begin_s"],
                one["end_s"],
                rows[one["row"]] if len(rows) else one["row"],
                one["items"],
                one["cost"],
            )
            for one in run.rounds()
        ],
    )
