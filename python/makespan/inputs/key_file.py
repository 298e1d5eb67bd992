# SPDX-License-Identifier: Apache-2.0
"""Reading input files of sections and keys, and what flags change of them."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from makespan.errors import InputError
from makespan.inputs.keys import Key, sections_of, toml_text
from makespan.text_file import file_text

BYTES_MAX = 1 << 20


@dataclass(frozen=True, slots=True)
class KeyValues:
    """All keys with their values; `source` names the file in messages."""

    source: str
    values: Mapping[str, Any]
    keys: Mapping[str, Key]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def with_values(self, given: Mapping[str, Any], names: Mapping[str, str]) -> KeyValues:
        """Other values for some keys, None: none; `names` are those of messages. `InputError`."""
        chosen = {name: value for name, value in given.items() if value is not None}
        for name, value in chosen.items():
            _check(names.get(name, name), self.keys[name], value)
        return KeyValues(self.source, {**self.values, **chosen}, self.keys)


class KeyFile:
    """Input files of one command, whose keys these are."""

    def __init__(self, command: str, keys: Iterable[Key]) -> None:
        self._command = command
        self._keys = {key.name: key for key in keys}
        self._sections = sections_of(list(self._keys.values()))
        self._hint = f"`makespan {command} --example` shows one"

    def defaults(self) -> KeyValues:
        """What holds where a file says nothing."""
        values = {key.name: key.default for key in self._keys.values()}
        return KeyValues(self._command, values, self._keys)

    def read(self, path: Path) -> KeyValues:
        """Reads a file. Raises `InputError`, which names it, the section and the key."""
        text = file_text(path, BYTES_MAX, self._hint)
        return self._values_of(str(path), self._parsed(path, text))

    def known(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """The same: keys without sections, as Python gives them. `InputError` for others."""
        for name in given:
            if name not in self._keys:
                known = ", ".join(self._keys)
                raise InputError(f"{self._command} has no key '{name}' (known: {known})")
        return given

    def _parsed(self, path: Path, text: str) -> dict[str, Any]:
        try:
            return tomllib.loads(text)
        except RecursionError as error:
            raise InputError(f"{path}: it is nested too deep; {self._hint}") from error
        except ValueError as error:  # TOMLDecodeError, or what Python says of a number
            found = re.fullmatch(
                r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", str(error)
            )
            reason, line = (found[1], found[2]) if found else (str(error), None)
            where = f"{path}, line {line}" if line else str(path)
            raise InputError(
                f"{where}: {_lower(reason)} (this is no TOML); {self._hint}"
            ) from error

    def _values_of(self, source: str, document: Mapping[str, Any]) -> KeyValues:
        values = dict(self.defaults().values)
        for section, table in document.items():
            if section not in self._sections:
                raise InputError(f"{source}: {self._stray(section, table)}")
            if not isinstance(table, dict):
                raise InputError(
                    f"{source}: {section} = {toml_text(table)} (it is a section): write "
                    f"[{section}], and its keys below"
                )
            names = [key.name for key in self._keys.values() if key.section == section]
            for name, value in table.items():
                if name not in names:
                    raise InputError(f"{source}: [{section}] {self._misplaced(name, names)}")
                _check(f"{source}: [{section}] {name}", self._keys[name], value)
                values[name] = value
        return KeyValues(source, values, self._keys)

    def _stray(self, name: str, value: object) -> str:
        """Of a name at the top level that is no section."""
        if name in self._keys and not isinstance(value, dict):
            section = self._keys[name].section
            return (
                f"{name} stands in no section (it is a key of [{section}]): write [{section}] above"
            )
        what = "section" if isinstance(value, dict) else "key"
        known: Iterable[str] = self._sections if what == "section" else self._keys
        return unknown(what, name, known)

    def _misplaced(self, name: str, names: Iterable[str]) -> str:
        if name in self._keys:
            home = self._keys[name].section
            return f"{name} (it is a key of [{home}]): move it there"
        return unknown("key", name, names)


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The message for an unknown name."""
    words = list(known)
    near = difflib.get_close_matches(name, words, n=1, cutoff=0.0)[0]
    return f"{what} '{name}' is unknown (known: {', '.join(words)}): did you mean '{near}'?"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _check(place: str, key: Key, value: Any) -> None:
    if not key.fits(value):
        why = f"default {toml_text(key.default)}"
        raise InputError(f"{place} = {toml_text(value)} cannot be used ({why}): {key.right}")
