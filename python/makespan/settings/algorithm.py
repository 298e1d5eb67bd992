# SPDX-License-Identifier: Apache-2.0
"""Names of algorithms with options, `name:option=1,other=2`, checked against the engine."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from makespan.base.engine import Engine, load_engine
from makespan.base.errors import InputError, NotConfiguredError
from makespan.settings import registries
from makespan.settings.kinds import Kind

ALL = "all"
"""In a list: each that is built."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """An algorithm, and the options that were given to it."""

    name: str
    options: Mapping[str, float]

    @property
    def text(self) -> str:
        """As it is written."""
        given = ",".join(f"{name}={_number(value)}" for name, value in self.options.items())
        return f"{self.name}:{given}" if given else self.name


def _number(value: float) -> str:
    """The shortest text that is read back as the same number."""
    return repr(value).removesuffix(".0")


@dataclass(frozen=True, slots=True)
class Algorithm(Kind):
    """A name of one of the engine's registries, with options where its entries have some."""

    registry: str
    """A function of the engine: policies, dispatchers, balancers, methods, modes, ..."""
    many: bool = False
    """Several, with commas between; `all` for each that is built."""
    metavar = "NAME"

    @property
    def right(self) -> str:
        """What can be given."""
        return f"give one of {', '.join(self.choices)}"

    @property
    def choices(self) -> Sequence[str]:
        """All names, without the engine."""
        names = _STATIC[self.registry]
        return [*names, ALL] if self.many else names

    def fits(self, value: Any) -> bool:
        """Whether it is a text; `problem` says what is wrong with it."""
        return isinstance(value, str)

    def problem(self, value: Any, engine: Engine | None = None) -> str | None:
        """What is wrong, and what would be right. Loads an engine where none is given."""
        if not isinstance(value, str):
            return self.right
        try:
            self.chosen(value, engine or load_engine())
        except InputError as error:
            return str(error)
        return None

    def chosen(self, text: str, engine: Engine) -> list[Chosen]:
        """What the text names; one, but for lists. Raises `InputError`, `NotConfiguredError`."""
        entries = {entry["name"]: entry for entry in entries_of(engine, self.registry)}
        found: dict[str, Chosen] = {}
        for part in _parts(text) if self.many else [text]:
            name, _, rest = part.partition(":")
            if self.many and name.strip() == ALL:
                if rest:
                    raise InputError(_no_options_of_all(entries))
                built = (one for one, entry in entries.items() if _is_built(entry))
                found |= {one: Chosen(one, {}) for one in built if one not in found}
                continue
            chosen = _one(name.strip(), rest, entries, [ALL] if self.many else [])
            found[chosen.text] = chosen
        return list(found.values())


def algorithm(text: str, registry: str, engine: Engine) -> Chosen:
    """The one that a text names. Raises `InputError`, `NotConfiguredError`."""
    (chosen,) = Algorithm(registry).chosen(text, engine)
    return chosen


def entries_of(engine: Engine, registry: str) -> list[Mapping[str, Any]]:
    """What the engine has of a registry: name, summary, options where it takes some.

    And `is_built`, where some entries are not.
    """
    if registry == "available_isas":
        names = ["auto", *engine.available_isas()]
        return [{"name": name, "summary": ""} for name in names]
    found: list[Mapping[str, Any]] = list(getattr(engine, registry)())
    return found


def _one(
    name: str, rest: str, entries: Mapping[str, Mapping[str, Any]], more: Sequence[str]
) -> Chosen:
    if name not in entries:
        raise InputError(unknown("name", name, [*entries, *more]))
    known = [option["name"] for option in entries[name].get("options", ())]
    options = {}
    for item in rest.split(",") if rest else ():
        option, _, number = item.partition("=")
        option = option.strip()
        if not known:
            raise InputError(f"{name} has no options: give {name} alone")
        if option not in known:
            raise InputError(unknown(f"option of {name}", option, known))
        if option in options:
            raise InputError(f"option {option} stands there twice: give it once")
        try:
            options[option] = float(number)
        except ValueError:
            raise InputError(f"option {option} is no number: give {name}:{option}=1") from None
    if not _is_built(entries[name]):
        raise NotConfiguredError(f"{name} is not in this build of makespan: name another")
    return Chosen(name, options)


def _is_built(entry: Mapping[str, Any]) -> bool:
    return bool(entry.get("is_built", True))


def _no_options_of_all(entries: Mapping[str, Mapping[str, Any]]) -> str:
    options = ((name, one["name"]) for name in entries for one in entries[name].get("options", ()))
    name, option = next(options, ("", ""))
    how = f"them behind a name, as {ALL},{name}:{option}=1" if name else f"{ALL} alone"
    return f"{ALL} has no options: give {how}"


def _parts(text: str) -> Iterator[str]:
    """What stands between commas, but for those between the options of one name."""
    part = ""
    for piece in text.split(","):
        is_option = ":" in part and "=" in piece and ":" not in piece
        if part and not is_option:
            yield part
            part = piece
        else:
            part = f"{part},{piece}" if part else piece
    yield part


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The message for an unknown name; a near one is asked after."""
    words = list(known)
    near = difflib.get_close_matches(name, words, n=1)
    hint = f"did you mean '{near[0]}'?" if near else "use one of these"
    return f"{what} '{name}' is unknown (known: {', '.join(words)}): {hint}"


_STATIC: Mapping[str, Sequence[str]] = {
    "policies": registries.POLICIES,
    "dispatchers": registries.DISPATCHERS,
    "balancers": registries.BALANCERS,
    "methods": registries.METHODS,
    "modes": registries.MODES,
    "available_isas": registries.ISAS,
}
