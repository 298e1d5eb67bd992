# SPDX-License-Identifier: Apache-2.0
"""Python functions whose keywords are settings: signature, check and help come from these."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

from makespan.base.errors import InputError
from makespan.settings.algorithm import unknown
from makespan.settings.from_python import plain
from makespan.settings.setting import (
    Setting,
    by_name,
    defaults,
    expect_once,
    python_text,
    toml_text,
)

P = ParamSpec("P")
R = TypeVar("R")


def takes(settings: Sequence[Setting]) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Gives a function whose last parameter is `**given` these keywords.

    It is called with the value of each, the default where none, or None, was given; one value of a
    repeated setting stands for a list of it. Values are checked before, but for names of
    algorithms, whose check needs the engine; and that parameters `on_...` can be called.
    """
    known = by_name(settings)
    names = {other: one.name for one in settings for other in (one.name, *one.aliases)}

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        @functools.wraps(function)
        def checked(*arguments: Any, **given: Any) -> R:
            own = {name: given.pop(name) for name in list(given) if name in fixed}
            _check_listeners(own)
            for name in given:
                if name not in names:
                    words = unknown("keyword", name, (*fixed, *known))
                    raise InputError(f"{function.__name__}: {words}")
            expect_once(given, names)
            given = {
                names[name]: plain(value) for name, value in given.items() if value is not None
            }
            for name, value in given.items():
                if known[name].is_repeated and not isinstance(value, list):
                    given[name] = [value]
                known[name].check_kind(given[name])
            return function(*arguments, **own, **(defaults(settings) | given))

        signature = inspect.signature(function)
        *fixed_parameters, _ = signature.parameters.values()
        fixed = [one.name for one in fixed_parameters if one.name != "self"]
        more = [
            inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default)
            for one in settings
        ]
        checked.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[*fixed_parameters, *more]
        )
        checked.__settings__ = tuple(settings)  # type: ignore[attr-defined]
        checked.__doc__ = f"{inspect.cleandoc(function.__doc__ or '')}\n\n{keywords_text(settings)}"
        return checked

    return decorate


def _check_listeners(own: Mapping[str, Any]) -> None:
    """Raises `InputError`: a run must not find at its first call that there is nothing to call."""
    for name, value in own.items():
        if name.startswith("on_") and value is not None and not callable(value):
            raise InputError(
                f"{name}={python_text(value)} cannot be used: give a function of one argument"
            )


def keywords_text(settings: Sequence[Setting]) -> str:
    """A line for each keyword, for docstrings."""
    lines = ["Keywords, as the command's flags:\n"]
    for one in settings:
        if one.is_hidden:
            continue
        unit = f" [{one.unit}]" if one.unit else ""
        usual = "" if one.default is None else f" (default {toml_text(one.default)})"
        words = f": {', '.join(one.kind.choices)}" if one.kind.choices else ""
        text = one.keyword_help.rstrip(".")
        lines.append(f"- `{one.name}`{unit}: {text}{words}{usual}.")
    return "\n".join(lines)
