# SPDX-License-Identifier: Apache-2.0
"""From an update, a Python function or SymPy's expressions, to a list of operations."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from makespan.base.errors import InputError
from makespan.equations.expression import Number, place_of
from makespan.equations.field import Field
from makespan.equations.operations import Operation, Operations
from makespan.equations.space import Space
from makespan.equations.users_line import users_line

COORDINATES = ("x", "y", "z", "step")
"""What an update may ask for besides fields and parameters: the middle of the point's cell, in
units of the spacing's, and the number of the step."""
INDICES = ("index_x", "index_y", "index_z")

_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_UNNAMED = {
    inspect.Parameter.POSITIONAL_ONLY: "{} by its position only",
    inspect.Parameter.VAR_POSITIONAL: "any number of arguments (*{})",
    inspect.Parameter.VAR_KEYWORD: "arguments of any names (**{})",
}
"""Arguments that cannot be given by name, for messages."""

Update = Callable[..., Any] | Mapping[Any, Any]


@dataclass(frozen=True, slots=True)
class Traced:
    """An update's operations, and by field the one that it becomes; -1 where it stays."""

    operations: Operations
    fields: tuple[str, ...]
    parameters: tuple[str, ...]
    updates: tuple[int, ...]

    @property
    def updated(self) -> tuple[str, ...]:
        """Names of the fields that change."""
        return tuple(
            name for name, update in zip(self.fields, self.updates, strict=True) if update >= 0
        )

    @property
    def program(self) -> dict[str, Any]:
        """What the engine is told."""
        return self.operations.as_program(self.fields, len(self.parameters), self.updates)


class Symbols:
    """What an update may name."""

    def __init__(
        self, fields: Sequence[str], parameters: Sequence[str], space: Space, begins: Sequence[int]
    ) -> None:
        """`begins` by axis: points that lie before the user's first one."""
        self.operations = Operations()
        self.space = space
        self.fields = {
            name: Field(self.operations, name, number, space) for number, name in enumerate(fields)
        }
        self._parameters = {name: number for number, name in enumerate(parameters)}
        self._begins = begins

    def number(self, name: str) -> Number | None:
        """A field, a parameter, a coordinate; None for other names."""
        if name in self.fields:
            return self.fields[name]
        if name in self._parameters:
            return self._added(Operation("parameter", number=self._parameters[name]))
        if name == "step":
            return self._added(Operation("step"))
        if name in self.space.names:
            return self._coordinate(self.space.names.index(name))
        return None

    def _coordinate(self, axis: int) -> Number:
        index = self._added(Operation(INDICES[self.space.engine_axes[axis]]))
        return (index + (0.5 - self._begins[axis])) * self.space.spacing[axis]

    def _added(self, operation: Operation) -> Number:
        return Number(self.operations, self.operations.add(operation))

    def known(self) -> str:
        """For messages."""
        parts = [f"fields: {', '.join(self.fields)}"]
        if self._parameters:
            parts.append(f"parameters: {', '.join(self._parameters)}")
        return f"{'; '.join(parts)}; besides: {', '.join((*self.space.names, 'step'))}"


def traced(update: Update, symbols: Symbols, parameters: Sequence[str]) -> Traced:
    """Calls the update. Raises `InputError` for what cannot be computed, and where it stands.

    What the user's function itself raises passes.
    """
    if isinstance(update, Mapping):
        from makespan.equations.symbolic import values_of

        values = values_of(update, symbols)
    else:
        values = _called(update, symbols)
    updates = dict.fromkeys(symbols.fields, -1)
    for name, value in values.items():
        if name not in updates:
            raise InputError(
                f"{update_name(update)} gives '{name}' (fields: {', '.join(updates)}): give new "
                "values of fields"
            )
        updates[name] = place_of(symbols.operations, value)
    return Traced(symbols.operations, tuple(updates), tuple(parameters), tuple(updates.values()))


def update_name(update: Update) -> str:
    """For messages: "heat (wave.py, line 7)"; of expressions, where they were given."""
    code = getattr(inspect.unwrap(update) if callable(update) else update, "__code__", None)
    name = getattr(update, "__name__", "the update")
    if code is None:
        return f"{name} ({users_line()})"
    return f"{name} ({Path(code.co_filename).name}, line {code.co_firstlineno})"


def _called(update: Callable[..., Any], symbols: Symbols) -> dict[str, Any]:
    if not callable(update):
        raise InputError(
            f"{type(update).__name__} is no update: give a function of fields, as in def "
            "update(u): return {'u': u + 0.1 * u.laplacian()}"
        )
    arguments = []
    for name, parameter in inspect.signature(update).parameters.items():
        if parameter.default is not inspect.Parameter.empty and symbols.number(name) is None:
            continue
        if parameter.kind not in _BY_NAME:
            raise InputError(
                f"{update_name(update)} takes {_UNNAMED[parameter.kind].format(name)}, and is "
                f"called by names ({symbols.known()}): name its arguments after these"
            )
        number = symbols.number(name)
        if number is None:
            raise InputError(
                f"{update_name(update)} takes {name}, which is unknown ({symbols.known()}): name "
                "its arguments after these"
            )
        arguments.append((name, number))
    return _by_field(update(**dict(arguments)), update, symbols)


def _by_field(found: Any, update: Update, symbols: Symbols) -> dict[str, Any]:
    names = tuple(symbols.fields)
    if isinstance(found, Mapping):
        return dict(found)
    values = found if isinstance(found, tuple | list) else (found,)
    if found is None or len(values) != len(names):
        what = "nothing" if found is None else f"{len(values)} values"
        raise InputError(
            f"{update_name(update)} gives {what} (fields: {', '.join(names)}): return a dict of "
            f"the fields that change, as in {{'{names[0]}': {names[0]} + 1}}"
        )
    return dict(zip(names, values, strict=True))
