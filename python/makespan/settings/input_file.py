# SPDX-License-Identifier: Apache-2.0
"""Reading input files of sections and keys, and what flags and keywords change of them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from makespan.base.errors import InputError
from makespan.base.setting_names import called
from makespan.files.text_file import file_text
from makespan.settings.algorithm import unknown
from makespan.settings.setting import (
    Setting,
    by_name,
    defaults,
    expect_once,
    python_text,
    toml_text,
)
from makespan.settings.toml_lines import key_lines

BYTES_MAX = 1 << 20


@dataclass(frozen=True, slots=True)
class InputValues:
    """The value of each setting; `source` is the file, or the command where there is none."""

    source: str
    values: Mapping[str, Any]
    settings: Mapping[str, Setting]
    changed: tuple[str, ...] | None = None
    """Keys of a file that flags or keywords stand for; None without a file."""

    @property
    def blamed(self) -> str:
        """Whose values are wrong, in messages."""
        if not self.changed:
            return self.source
        return f"{self.source} with {', '.join(map(called, self.changed))}"

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def with_flags(self, given: Mapping[str, Any]) -> InputValues:
        """Other values, of flags, which were checked as they were read; None: not given."""
        return self._with({name: value for name, value in given.items() if value is not None})

    def without(self, names: Sequence[str], others: Mapping[str, Any]) -> InputValues:
        """Values that something else stands for, which documents name by `others`."""
        kept = {name: value for name, value in self.values.items() if name not in names}
        return InputValues(self.source, {**kept, **others}, self.settings, self.changed)

    def with_keywords(self, given: Mapping[str, Any]) -> InputValues:
        """Other values, of Python's keywords; None: not given. Raises `InputError`."""
        chosen = {name: value for name, value in given.items() if value is not None}
        for name, value in chosen.items():
            self.settings[name].check(value, f"{name}={python_text(value)}")
        return self._with(chosen)

    def _with(self, chosen: Mapping[str, Any]) -> InputValues:
        changed = None if self.changed is None else (*self.changed, *chosen)
        return InputValues(self.source, {**self.values, **chosen}, self.settings, changed)

    def tried_with(self, values: Mapping[str, Any]) -> InputValues:
        """Values that makespan chooses itself, which messages do not blame. Raises `InputError`."""
        return replace(self.with_keywords(values), changed=self.changed)


class InputFile:
    """Input files of one command, whose keys these settings are; each has a section."""

    def __init__(self, command: str, settings: Sequence[Setting], head: str = "") -> None:
        self.settings = by_name(settings)
        self._command = command
        self._head = head
        self._names = {other: one.name for one in settings for other in (one.name, *one.aliases)}
        self._sections = tuple(dict.fromkeys(setting.section for setting in settings))
        self._hint = f"`makespan {command} --example` shows one"

    def defaults(self) -> InputValues:
        """What holds where a file says nothing."""
        return InputValues(self._command, defaults(self.settings.values()), self.settings)

    def example(self) -> str:
        """An input file that says what is the default anyway."""
        lines = [self._head]
        for section in self._sections:
            mine = [one for one in self.settings.values() if one.section == section]
            texts = [f"{one.name} = {toml_text(one.default)}" for one in mine]
            width = max(map(len, texts)) + 2
            lines.append(f"\n[{section}]\n")
            lines += [
                f"{text:{width}}# {one.help}\n" for text, one in zip(texts, mine, strict=True)
            ]
        return "".join(lines)

    def read(self, path: Path) -> InputValues:
        """Reads a file. Raises `InputError`, which names it, the line, the section and the key."""
        text = file_text(path, BYTES_MAX, self._hint)
        document = parsed_toml(path, text, self._hint)
        return _Reader(str(path), text, self).values(document)

    def known(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Keys without sections, as Python gives them, by their names. Raises `InputError`."""
        for name in given:
            if name not in self._names:
                raise InputError(f"{self._command}: {unknown('keyword', name, self.settings)}")
        return {self._names[name]: value for name, value in given.items()}

    @property
    def sections(self) -> Sequence[str]:
        """In the order in which their keys come."""
        return self._sections

    def name_of(self, key: str) -> str | None:
        """The setting that a key or another name of it is; None: none is."""
        return self._names.get(key)


def parsed_toml(path: Path, text: str, hint: str) -> dict[str, Any]:
    """A file's tables. Raises `InputError` for what is no TOML."""
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise InputError(f"{path}: it is nested too deep; {hint}") from error
    except ValueError as error:  # TOMLDecodeError, or what Python says of a number
        found = re.fullmatch(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", str(error))
        reason, line = (found[1], found[2]) if found else (str(error), None)
        where = f"{path}, line {line}" if line else str(path)
        raise InputError(
            f"{where}: {reason[:1].lower()}{reason[1:]} (this is no TOML); {hint}"
        ) from error


class _Reader:
    def __init__(self, source: str, text: str, file: InputFile) -> None:
        self._source = source
        self._lines = key_lines(text)
        self._file = file

    def values(self, document: Mapping[str, Any]) -> InputValues:
        values = dict(self._file.defaults().values)
        for section, table in document.items():
            where = (section, 0, "") if isinstance(table, dict) else ("", 0, section)
            if section not in self._file.sections:
                raise self._refused(where, self._stray(section, table))
            if not isinstance(table, dict):
                raise self._refused(
                    where,
                    f"{section} = {toml_text(table)} (it is a section): write [{section}], and "
                    "its keys below",
                )
            names = {key: self._file.name_of(key) or key for key in table}
            try:
                expect_once(table, names)
            except InputError as error:
                raise self._refused(where, f"[{section}] {error}") from error
            for key, value in table.items():
                name = self._name(section, key)
                self._file.settings[name].check(
                    value, f"{self._at((section, 0, key))}: [{section}] {key} = {toml_text(value)}"
                )
                values[name] = value
        return InputValues(self._source, values, self._file.settings, ())

    def _name(self, section: str, key: str) -> str:
        name = self._file.name_of(key)
        settings = self._file.settings
        if name is not None and settings[name].section == section:
            return name
        if name is not None:
            home = settings[name].section
            what = f"{key} (it is a key of [{home}]): move it there"
        else:
            mine = [one.name for one in settings.values() if one.section == section]
            what = unknown("key", key, mine)
        raise self._refused((section, 0, key), f"[{section}] {what}")

    def _stray(self, name: str, value: object) -> str:
        """Of a name at the top level that is no section."""
        own = self._file.name_of(name)
        if own is not None and not isinstance(value, dict):
            section = self._file.settings[own].section
            return (
                f"{name} stands in no section (it is a key of [{section}]): write [{section}] above"
            )
        what = "section" if isinstance(value, dict) else "key"
        known: Iterable[str] = self._file.sections if what == "section" else self._file.settings
        return unknown(what, name, known)

    def _at(self, place: tuple[str, int, str]) -> str:
        line = self._lines.get(place)
        return f"{self._source}, line {line}" if line else self._source

    def _refused(self, place: tuple[str, int, str], message: str) -> InputError:
        return InputError(f"{self._at(place)}: {message}")
