# SPDX-License-Identifier: Apache-2.0
"""A machine that need not exist, as the engine takes it, and what happens to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from makespan.base.errors import InputError
from makespan.settings.perturbation import Perturbation, perturbation
from makespan.sim.input import PERTURBATIONS

BOSS = "boss"
"""The dispatcher that serves threads one by one; bag/team_options.cpp."""
WORKERS_MAX = 1 << 20
"""More are a mistake of typing, that would fill the memory."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine as the engine takes it, and what its devices are called."""

    source: str
    images: tuple[Mapping[str, Any], ...]
    """`node`, `devices`; of a description also `is_each`: by its own word, and not for the engine,
    as a lone device does not show whether others would share its image."""
    settings: Mapping[str, Any]
    """Network, seed, changes and losses; `result_bytes` of an item."""
    knows_speeds: bool = False
    """Whether a bag begins with the speeds that its devices have."""
    notes: tuple[str, ...] = ()
    """What was assumed of it."""

    @property
    def kinds(self) -> list[str]:
        """By device, through all images."""
        return [device["kind"] for image in self.images for device in image["devices"]]

    @property
    def worker_speeds(self) -> list[float]:
        """Work per second of each worker: of a thread, or of a device that claims as one."""
        return self._worker_speeds(lambda device: device["mode"] not in ("mt", "mth"))

    def speeds_under(self, dispatcher: str) -> list[float]:
        """The same with a dispatcher: the boss serves each thread, whatever the mode."""
        if dispatcher != BOSS:
            return self.worker_speeds
        return self._worker_speeds(lambda _device: True)

    def _worker_speeds(self, claims_by_thread: Callable[[Mapping[str, Any]], bool]) -> list[float]:
        speeds: list[float] = []
        for image in self.images:
            for device in image["devices"]:
                if claims_by_thread(device):
                    speeds += [device["speed"] / device["threads"]] * device["threads"]
                else:
                    speeds.append(_speed_as_one(device))
        return speeds

    def check_workers(self) -> None:
        """Raises `InputError` for more of them than there is room for, before they are made."""
        threads = sum(device["threads"] for image in self.images for device in image["devices"])
        if threads > WORKERS_MAX:
            raise InputError(
                f"{self.source}: its devices have {threads} threads in all (there are "
                f"{WORKERS_MAX} at most): take fewer"
            )

    def job(self) -> dict[str, Any]:
        """The engine's part of a job."""
        images = [{"node": one["node"], "devices": one["devices"]} for one in self.images]
        return {"images": images, **self.settings}

    def seeded(self, seed: int | None) -> Machine:
        """The same with this seed, where one is given."""
        return self if seed is None else self._with({"seed": seed})

    def perturbed(self, texts: Sequence[str]) -> Machine:
        """The same, to which this happens and nothing else. Raises `InputError`."""
        return self._with(events_of(texts, len(self.kinds), len(self.images)))

    def _with(self, settings: Mapping[str, Any]) -> Machine:
        return replace(self, settings={**self.settings, **settings})


def _speed_as_one(device: Mapping[str, Any]) -> float:
    """Of a device that claims as one; in mode mth its threads have tasks of their own.

    As the engine has it: sim/model/worker_model.cpp.
    """
    together = float(device["together"] or device["speed"])
    return together if device["mode"] == "mt" else max(float(device["speed"]), together)


def has_image_each(images: Sequence[Mapping[str, Any]]) -> bool:
    """Whether each device of a node, whose images these are, has one of its own."""
    if any(image.get("is_each") for image in images):
        return True
    return len(images) > 1 and all(len(image["devices"]) == 1 for image in images)


def device_of(kind: str, threads: int, speed: float, **others: Any) -> dict[str, Any]:
    """As the engine takes it: one of which no more is known."""
    return {
        "kind": kind,
        "threads": threads,
        "speed": speed,
        "together": 0.0,
        "mode": "auto",
        "claim": 0.0,
        "launch": 0.0,
        "piece": 5e-4,
        "noise": 0.0,
        **others,
    }


def network_of(**others: Any) -> dict[str, Any]:
    """As the engine takes it: the usual one, but for what is given."""
    return {
        "platform": "",
        "latency": 1.5e-6,
        "bandwidth": 1e10,
        "node_latency": 2e-7,
        "atomic": 5e-8,
        "message": 1e-6,
        "progress": "helper",
        **others,
    }


def calm_settings(network: Mapping[str, Any]) -> dict[str, Any]:
    """Of a machine to which nothing happens."""
    return {
        "network": network,
        "seed": 1,
        "losses_noticed_after": 1.0,
        "result_bytes": 0.0,
        "changes": [],
        "losses": [],
    }


def events_of(texts: Sequence[str], devices: int, images: int) -> dict[str, list[list[float]]]:
    """`changes` and `losses` as the engine takes them. Raises `InputError`.

    A change is a device, when [s], and the factor of its speed from then on, 0 where it fails; a
    loss an image and when.
    """
    found: dict[str, list[list[float]]] = {"changes": [], "losses": []}
    for text in texts:
        one = perturbation(text, PERTURBATIONS)
        number, is_loss = int(one.where), one.kind == "kill"
        count = images if is_loss else devices
        if number >= count:
            what = "image" if is_loss else "device"
            raise InputError(f"{text}: {what} {number} (there are {count}): count them from 0")
        if is_loss and number == 0:
            raise InputError(f"{text}: image 0 (a job ends with it): name a later one")
        if is_loss:
            found["losses"].append([number, one.when])
        else:
            found["changes"].append([number, one.when, _factor(one)])
    return found


def _factor(one: Perturbation) -> float:
    return 0.0 if one.kind == "fail" else 1.0 / one.value


def event_texts(machine: Machine) -> list[str]:
    """What happens to it, as `--perturb` takes it."""
    changes = [
        f"slow:{int(device)}@{at_s!r}:{1.0 / factor!r}"
        if factor
        else f"fail:{int(device)}@{at_s!r}"
        for device, at_s, factor in machine.settings["changes"]
    ]
    losses = [f"kill:{int(image)}@{at_s!r}" for image, at_s in machine.settings["losses"]]
    return [*changes, *losses]
