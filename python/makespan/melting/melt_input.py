# SPDX-License-Identifier: Apache-2.0
"""Input files of melts, and what flags change of them."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from makespan.engine import Engine
from makespan.errors import InputError
from makespan.melting.melt_keys import BY_NAME, KEYS, SECTIONS, Key, toml_text
from makespan.text_file import file_text

BYTES_MAX = 1 << 20
HINT = "`makespan melt --example` shows one"

# Those that the physics is made of; the engine's settings have the same names.
_SETTINGS = (
    *("lattice_cells", "density", "temperature", "seed", "cutoff", "skin", "rebuild_steps"),
    *("time_step", "steps", "thermo_steps", "cells"),
)


@dataclass(frozen=True, slots=True)
class MeltInput:
    """All keys with their values; `source` names the file in messages."""

    source: str
    values: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def settings(self) -> dict[str, Any]:
        """What the engine is told of the melt."""
        return {name: self.values[name] for name in _SETTINGS}

    def with_values(self, given: Mapping[str, Any], names: Mapping[str, str]) -> MeltInput:
        """Other values for some keys, None: none; `names` are those of messages. `InputError`."""
        chosen = {name: value for name, value in given.items() if value is not None}
        for name, value in chosen.items():
            _check(names.get(name, name), BY_NAME[name], value)
        return MeltInput(self.source, {**self.values, **chosen})

    def checked(self, engine: Engine) -> Mapping[str, Any]:
        """What the engine knows of the melt before it runs. Raises `InputError`."""
        known = [entry["name"] for entry in engine.balancers()]
        balancer = self.values["balancer"]
        if balancer not in known:
            raise InputError(f"{self.source}: {_unknown('balancer', balancer, known)}")
        try:
            system: Mapping[str, Any] = engine.melt_system(self.settings())
        except ValueError as error:
            raise InputError(f"{self.source}: {error}") from error
        return system


DEFAULTS = MeltInput("melt", {key.name: key.default for key in KEYS})


def read_input(path: Path) -> MeltInput:
    """Reads a file. Raises `InputError`, which names it, the section and the key."""
    return _input_of(str(path), _parsed(path, file_text(path, BYTES_MAX, HINT)))


def _parsed(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.fullmatch(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", str(error))
        reason, line = (found[1], found[2]) if found else (str(error), None)
        where = f"{path}, line {line}" if line else str(path)
        raise InputError(f"{where}: {_lower(reason)} (this is no TOML); {HINT}") from error


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _input_of(source: str, document: Mapping[str, Any]) -> MeltInput:
    values = dict(DEFAULTS.values)
    for section, table in document.items():
        if section not in SECTIONS:
            raise InputError(f"{source}: {_stray(section, table)}")
        if not isinstance(table, dict):
            raise InputError(
                f"{source}: {section} = {toml_text(table)} (it is a section): write [{section}], "
                "and its keys below"
            )
        names = [key.name for key in KEYS if key.section == section]
        for name, value in table.items():
            if name not in names:
                raise InputError(f"{source}: [{section}] {_misplaced(name, names)}")
            _check(f"{source}: [{section}] {name}", BY_NAME[name], value)
            values[name] = value
    return MeltInput(source, values)


def _stray(name: str, value: object) -> str:
    """Of a name at the top level that is no section."""
    if name in BY_NAME and not isinstance(value, dict):
        section = BY_NAME[name].section
        return f"{name} stands in no section (it is a key of [{section}]): write [{section}] above"
    what = "section" if isinstance(value, dict) else "key"
    known: Iterable[str] = SECTIONS if what == "section" else BY_NAME
    return _unknown(what, name, known)


def _misplaced(name: str, names: Iterable[str]) -> str:
    if name in BY_NAME:
        home = BY_NAME[name].section
        return f"{name} (it is a key of [{home}]): move it there"
    return _unknown("key", name, names)


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    words = list(known)
    near = difflib.get_close_matches(name, words, n=1, cutoff=0.0)[0]
    return f"{what} '{name}' is unknown (known: {', '.join(words)}): did you mean '{near}'?"


def _check(place: str, key: Key, value: Any) -> None:
    if not key.fits(value):
        why = f"default {toml_text(key.default)}"
        raise InputError(f"{place} = {toml_text(value)} cannot be used ({why}): {key.right}")
