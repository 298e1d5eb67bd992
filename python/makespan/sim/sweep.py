# SPDX-License-Identifier: Apache-2.0
"""One bag on machines that differ in one number: how many devices or nodes, how slow a network.

`--sweep NAME=V1,V2,…`: NAME is `devices` (of a kind: `devices=gpu:0,1,2`), `nodes`, `tasks`,
`chunk` (items of a chunk), a number of [network], or an option of the policies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, TypeVar

from makespan.base.errors import InputError
from makespan.base.setting_names import called
from makespan.settings.algorithm import unknown
from makespan.sim.comparison import Case
from makespan.sim.files.tables_reader import DEVICES_MAX
from makespan.sim.input import NETWORK_UNITS
from makespan.sim.machine import Machine, has_image_each
from makespan.sim.tasks import Tasks

T = TypeVar("T")

VALUES_MAX = 200
CHUNK_OPTION = "chunk_items"
"""Of the policy self."""
_ROUTES = ("latency_us", "bandwidth_gb")
_OWN = ("devices", "nodes", "tasks", "chunk")


@dataclass(frozen=True, slots=True)
class Sweep:
    """What differs, and how much."""

    text: str
    name: str
    kind: str | None
    """Of devices."""
    values: tuple[float, ...]

    @property
    def title(self) -> str:
        """Of a column or an axis."""
        return f"{self.name} {self.kind}" if self.kind else self.name

    def points(
        self,
        base: Case,
        policy_options: Sequence[Sequence[str]],
        remade: Callable[[int], Tasks] | None,
    ) -> list[Case]:
        """One for each value. Raises `InputError`.

        `policy_options` are the names that each policy knows; `remade` makes as many tasks as told,
        where tasks are made at all.
        """
        if self.name in ("devices", "nodes"):
            return [replace(base, machine=self._machine(base.machine, one)) for one in self._counts]
        if self.name == "tasks":
            if remade is None:
                raise InputError(
                    f"{called('sweep')} {self.text}: only made-up tasks have a number: give "
                    f"{called('tasks')} COUNT:…"
                )
            if 0 in self._counts:
                raise InputError(f"{called('sweep')} {self.text}: a bag has a task: leave 0 out")
            return [replace(base, tasks=remade(count)) for count in self._counts]
        if self.name in NETWORK_UNITS:
            return [replace(base, machine=self._network(base.machine, one)) for one in self.values]
        option = CHUNK_OPTION if self.name == "chunk" else self.name
        for known in policy_options:
            if option not in known:
                raise self._unknown(known)
        return [replace(base, options={**base.options, option: one}) for one in self.values]

    @property
    def _counts(self) -> list[int]:
        for value in self.values:
            if not value.is_integer():
                raise InputError(
                    f"{called('sweep')} {self.text}: {value:g} is no count: give whole numbers"
                )
        return [int(value) for value in self.values]

    def _unknown(self, known: Sequence[str]) -> InputError:
        if self.name == "chunk":
            return InputError(
                f"{called('sweep')} {self.text}: only the policy self has chunks of one size: give "
                f"{called('policy')} self, or sweep another policy's option"
            )
        return InputError(
            f"{called('sweep')} {self.text}: "
            f"{unknown('name', self.name, [*_OWN, *NETWORK_UNITS, *known])}"
        )

    def _network(self, machine: Machine, value: float) -> Machine:
        network = machine.settings["network"]
        if self.name in _ROUTES and network["platform"]:
            raise InputError(
                f"{called('sweep')} {self.text}: the platform's routes have their own: sweep "
                "something else"
            )
        if self.name == "bandwidth_gb" and value == 0.0:
            raise InputError(
                f"{called('sweep')} {self.text}: nothing would arrive: give values above 0"
            )
        name, unit = NETWORK_UNITS[self.name]
        return replace(
            machine, settings={**machine.settings, "network": {**network, name: value * unit}}
        )

    def _machine(self, machine: Machine, count: int) -> Machine:
        if machine.settings["changes"] or machine.settings["losses"]:
            raise InputError(
                f"{called('sweep')} {self.text}: {machine.source} has perturbations of devices by "
                "number, which would be others: leave them out"
            )
        if machine.settings["network"]["platform"]:
            raise InputError(
                f"{called('sweep')} {self.text}: the platform has the nodes that it has: sweep "
                "something else"
            )
        if count > DEVICES_MAX:  # before they are made
            raise self._too_few_or_many(count)
        nodes = [
            [dict(image) for image in images]
            for _, images in groupby(machine.images, lambda image: image["node"])
        ]
        if self.name == "nodes":
            nodes = _in_turn(nodes, count)
        else:
            nodes = [self._with_devices(images, count) for images in nodes]
        images = tuple(
            {**image, "node": node} for node, images in enumerate(nodes) for image in images
        )
        devices = sum(len(image["devices"]) for image in images)
        if not all(nodes) or not 1 <= devices <= DEVICES_MAX:
            raise self._too_few_or_many(count)
        swept = replace(machine, images=images)
        swept.check_workers()
        return swept

    def _too_few_or_many(self, count: int) -> InputError:
        return InputError(
            f"{called('sweep')} {self.text}: with {count} a node has no device, or there are more "
            f"than {DEVICES_MAX}: give other numbers"
        )

    def _with_devices(self, images: list[dict[str, Any]], count: int) -> list[dict[str, Any]]:
        """A node with so many devices of the kind, if it has any; empty processes are gone."""
        own = [
            device for image in images for device in image["devices"] if device["kind"] == self.kind
        ]
        if not own:
            return images
        if has_image_each(images):
            others = [one for one in images if one["devices"][0]["kind"] != self.kind]
            return [*others, *({**images[0], "devices": [one]} for one in _in_turn(own, count))]
        (image,) = images
        rest = [device for device in image["devices"] if device["kind"] != self.kind]
        devices = [*rest, *_in_turn(own, count)]
        return [{**image, "devices": devices}] if devices else []


def _in_turn(described: Sequence[T], count: int) -> list[T]:
    """So many of them, the first ones; of more than there are, repeated in turn."""
    return [described[at % len(described)] for at in range(count)]


def read_sweep(text: str, kinds: Sequence[str]) -> Sweep:
    """`kinds` are those of the machine's devices. Raises `InputError`."""
    name, equals, words = text.partition("=")
    kind = None
    if name == "devices":
        kind, colon, words = words.partition(":")
        if not colon:
            raise InputError(
                f"{called('sweep')} {text}: give a kind and numbers, as devices=gpu:0,1,2"
            )
        if kind not in kinds:
            raise InputError(
                f"{called('sweep')} {text}: {unknown('kind', kind, dict.fromkeys(kinds))}"
            )
    try:
        values = tuple(float(word) for word in words.split(","))
    except ValueError:
        values = ()
    if not equals or not values or not all(0.0 <= value < float("inf") for value in values):
        raise InputError(
            f"{called('sweep')} {text}: give a name and numbers, 0 or above, as latency_us=1,10,100"
        )
    if len(values) > VALUES_MAX:
        raise InputError(f"{called('sweep')} {text}: more than {VALUES_MAX} values: give fewer")
    return Sweep(text, name, kind, tuple(dict.fromkeys(values)))
