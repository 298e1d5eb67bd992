# SPDX-License-Identifier: Apache-2.0
"""Settings: each is declared once, and flag, keyword, key of input files, check and page follow."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from makespan.base.errors import InputError
from makespan.base.setting_names import called
from makespan.settings.kinds import Kind, Switch

if TYPE_CHECKING:
    from makespan.base.engine import Engine

_FLAG = re.compile(r"(?<!command's )--([a-z][a-z-]*)")
ONLY_FLAGS = frozenset(("json", "list", "example", "example_grid", "progress", "quiet", "rows"))
"""About what a command prints: Python has no keywords for them."""
SHOWN_MAX = 60
"""Longer values are cut short in messages and examples."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One value that a run can be given; None, where that is the default: not given."""

    name: str
    """Of the keyword in Python and of the key in input files; the flag is `--name`, with dashes."""
    kind: Kind
    default: Any = None
    help: str = ""
    """One line, without the default."""
    section: str = ""
    """Of input files; "": it is no key of one."""
    unit: str = ""
    short: str = ""
    """A flag of one letter as well, as "-o"."""
    is_argument: bool = False
    """It stands on a command line without a flag."""
    is_repeated: bool = False
    """The flag may be given more than once; the value is a list."""
    is_required: bool = False
    """Files and keywords without it are refused; there is no default."""
    in_bits: bool = False
    """The bits of the result depend on it."""
    is_hidden: bool = False
    """Help does not show it: it is for tests."""
    of_text: tuple[str, str] = ("", "")
    """Words of help that only a flag's text takes, and those in their place for Python."""
    only_flag: bool = False
    """Python has no keyword for it: it is about what a command prints."""
    aliases: tuple[str, ...] = field(default=())
    """Other names of the key, understood in files and by Python."""

    @property
    def flag(self) -> str:
        """`--std-error`; `--no-memory` for a switch that is on by default."""
        words = self.name.replace("_", "-")
        return f"--no-{words}" if self.is_negated else f"--{words}"

    @property
    def is_negated(self) -> bool:
        """Whether the flag turns off what is on by default."""
        return isinstance(self.kind, Switch) and self.default is True

    @property
    def keyword_help(self) -> str:
        """Its line of help for Python; a switch that is on by default is turned off."""
        text = _FLAG.sub(lambda found: _keyword(found[1]), self.help)
        if self.of_text[0]:
            text = text.replace(*self.of_text)
        return f"False: {text[:1].lower()}{text[1:]}" if self.is_negated else text

    def but(self, **changes: Any) -> Self:
        """The same with other fields: other words of help, a narrower kind."""
        return replace(self, **changes)

    def problem(self, value: Any, engine: Engine | None = None) -> str | None:
        """What would be right; None for a value that can be used (`Kind.problem`)."""
        if value is None and not self.is_required:
            return None
        if not self.is_repeated:
            return self.kind.problem(value, engine)
        if not isinstance(value, list | tuple):
            return "give a list of them"
        found = (self.kind.problem(one, engine) for one in value)
        return next(filter(None, found), None)

    def check(self, value: Any, place: str | None = None, engine: Engine | None = None) -> None:
        """Raises `InputError` for what cannot be used; `place` is `--rounds 9`, or `rounds=9`."""
        right = self.problem(value, engine)
        if right is not None:
            raise self._refused(place or f"{self.name}={python_text(value)}", right)

    def check_kind(self, value: Any) -> None:
        """As `check`, of a keyword, without the engine: names of algorithms are checked later."""
        if value is None and not self.is_required:
            return
        each = value if self.is_repeated else [value]
        if not isinstance(each, list | tuple) or not all(self.kind.fits(one) for one in each):
            raise self._refused(f"{self.name}={python_text(value)}", self.kind.right_for(value))

    def of_flag(self, text: str) -> Any:
        """The value that a flag or an argument stands for.

        Raises `InputError`; names of algorithms are checked later, when the engine is loaded.
        """
        value = None
        try:
            value = self.kind.parsed(text)
            is_right = self.kind.fits(value)
        except ValueError:
            is_right = False
        if not is_right:
            place = text if self.is_argument else f"{self.flag} {text}"
            raise self._refused(place, self.kind.right_for(value))
        return value

    def _refused(self, place: str, right: str) -> InputError:
        usual = "" if self.default is None else f" (default {toml_text(self.default)})"
        return InputError(f"{place} cannot be used{usual}: {right}")


def _keyword(flag: str) -> str:
    """What Python calls what a flag says, in words of help; there is no keyword for some."""
    name = flag.replace("-", "_")
    return f"the command's --{flag}" if name in ONLY_FLAGS else f"`{name}`"


def by_name(settings: Iterable[Setting]) -> dict[str, Setting]:
    """The same by their names."""
    return {setting.name: setting for setting in settings}


def defaults(settings: Iterable[Setting]) -> dict[str, Any]:
    """What holds where nothing is said."""
    return {setting.name: setting.default for setting in settings}


def expect_once(given: Iterable[str], names: Mapping[str, str]) -> None:
    """Raises `InputError` where two of them are names of one setting."""
    found: dict[str, str] = {}
    for name in given:
        other = found.setdefault(names.get(name, name), name)
        if other != name:
            raise InputError(f"{other} and {name} are one setting: give one of them")


def expect_beside(given: Mapping[str, Any], of: Mapping[str, str]) -> None:
    """Raises `InputError` for a setting that is given without the one that it is of, by `of`."""
    for name, other in of.items():
        if given[name] is not None and not given[other]:
            raise InputError(
                f"{called(name)} (there is no {called(other)} that it could be of): give "
                f"{called(other)}, or leave it out"
            )


def check_keywords(
    settings: Sequence[Setting], values: Mapping[str, Any], engine: Engine | None = None
) -> None:
    """Raises `InputError` for the first value that cannot be used, named as Python names it."""
    known = by_name(settings)
    for name, value in values.items():
        if name in known:
            known[name].check(value, engine=engine)


def toml_text(value: object) -> str:
    """A value as it stands in a file, shortened where it is long."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)  # the same escapes
    elif isinstance(value, Mapping):
        text = f"{{{', '.join(f'{key} = {toml_text(one)}' for key, one in value.items())}}}"
    elif isinstance(value, list | tuple):
        text = f"[{', '.join(map(toml_text, value))}]"
    else:
        try:
            text = str(value)
        except ValueError:  # Python writes no decimal numbers of thousands of digits
            text = hex(value) if isinstance(value, int) else f"<{type(value).__name__}>"
    return _short(text)


def python_text(value: object) -> str:
    """A value as Python writes it, shortened where it is long."""
    try:
        return _short(repr(value))
    except Exception:  # a caller's own class may do anything here
        return f"<{type(value).__name__}>"


def _short(text: str) -> str:
    return text if len(text) <= SHOWN_MAX else text[: SHOWN_MAX - 3] + "..."
