# SPDX-License-Identifier: Apache-2.0
"""Reading descriptions of machines: tables of kinds, nodes and more, with the lines of mistakes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from makespan.base.errors import InputError
from makespan.settings.algorithm import unknown
from makespan.settings.setting import Setting, by_name, defaults, toml_text
from makespan.settings.toml_lines import Place

DEVICES_MAX = 1 << 20


class TablesReader:
    """What descriptions have in common; `hint` says where an example is."""

    def __init__(
        self, source: str, tables: Mapping[str, Any], lines: Mapping[Place, int], hint: str
    ) -> None:
        self._source = source
        self._document = tables
        self._lines = lines
        self._hint = hint

    def _expect_tables(self, known: Sequence[str]) -> None:
        for name in self._document:
            if name not in known:
                self._refuse((name, 0, ""), unknown("table", name, known))

    def _refuse(self, place: Place, message: str) -> NoReturn:
        table, number, _ = place
        line = self._lines.get(place) or self._lines.get((table, number, ""))
        where = f", line {line}" if line else ""
        raise InputError(f"{self._source}{where}: {message}")

    def _values(
        self, table: tuple[str, int], given: Any, settings: Sequence[Setting]
    ) -> dict[str, Any]:
        name, number = table
        if not isinstance(given, dict):
            self._refuse(
                (name, number, ""), f"{name} = {toml_text(given)} (it is a table): {self._hint}"
            )
        known = by_name(settings)
        for word, value in given.items():
            place = (name, number, word)
            if word not in known:
                self._refuse(place, f"[{name}] {unknown('key', word, known)}")
            right = known[word].kind.problem(value)
            if right is not None:
                said = f"[{name}] {word} = {toml_text(value)}"
                self._refuse(place, f"{said} cannot be used: {right}")
        for one in settings:
            if one.is_required and one.name not in given:
                self._refuse((name, number, ""), f"[{name}] has no {one.name}: {one.kind.right}")
        return {**defaults(settings), **given}

    def _one(self, name: str, settings: Sequence[Setting]) -> dict[str, Any]:
        return self._values((name, 0), self._document.get(name, {}), settings)

    def _kind_values(self, settings: Sequence[Setting], required: str) -> dict[str, dict[str, Any]]:
        """Of each kind, by name."""
        tables = self._document.get("kind", {})
        if not isinstance(tables, dict) or not tables:
            self._refuse(
                ("kind", 0, ""), f"no kinds of devices: write [kind.cpu], and its {required}"
            )
        for name in tables:
            if not isinstance(name, str):
                self._refuse(("kind", 0, ""), f"kind {name!r}: names of kinds are texts")
        return {
            name: self._values((f"kind.{name}", 0), given, settings)
            for name, given in tables.items()
        }

    def _nodes(self, settings: Sequence[Setting]) -> list[dict[str, Any]]:
        tables = self._document.get("node", [])
        if not isinstance(tables, list):
            self._refuse(("node", 0, ""), "[node] stands alone: write [[node]], once for each")
        if not tables:
            self._refuse(("node", 0, ""), 'no nodes: write [[node]], and devices = ["cpu"]')
        return [self._values(("node", at), table, settings) for at, table in enumerate(tables)]

    def _images(
        self, settings: Sequence[Setting], kinds: Mapping[str, Any]
    ) -> list[dict[str, Any]]:
        """Node by node: `node`, its number, and `devices`, what `kinds` has of each.

        With `is_each`: whether each device of the node has an image of its own.
        """
        images: list[dict[str, Any]] = []
        node = 0
        count = 0
        for at, table in enumerate(self._nodes(settings)):
            devices = [
                device for text in table["devices"] for device in self._devices(at, text, kinds)
            ]
            count += len(devices) * table["count"]
            if count > DEVICES_MAX:
                self._refuse(
                    ("node", at, "count"), f"more than {DEVICES_MAX} devices: take fewer of them"
                )
            for _ in range(table["count"]):
                is_each = table["image"] == "device"
                shares = [[one] for one in devices] if is_each else [devices]
                images += [{"node": node, "devices": share, "is_each": is_each} for share in shares]
                node += 1
        return images

    def _devices(self, node: int, text: str, kinds: Mapping[str, Any]) -> list[Any]:
        place = ("node", node, "devices")
        found = re.fullmatch(r"(?:(\d{1,7})\s+)?(\S+)", text.strip())
        if not found:
            self._refuse(place, f'devices: {toml_text(text)}: give a kind, as "2 cpu"')
        if found[2] not in kinds:
            self._refuse(place, f"devices: {unknown('kind', found[2], kinds)}")
        count = int(found[1] or 1)
        if count == 0:
            self._refuse(
                place, f"devices: {toml_text(text)}: give 1 or more of them, or leave it out"
            )
        return [kinds[found[2]]] * count
