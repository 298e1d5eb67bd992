# SPDX-License-Identifier: Apache-2.0
"""What a command is: its settings, its texts, and what it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from makespan.settings.algorithm import Algorithm
from makespan.settings.setting import Setting

if TYPE_CHECKING:
    from makespan.base.errors import ExitCode

EXIT_CODES = "Exit codes: 0 done, 2 bad input, 3 not configured, 4 failure, 130 interrupted."


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandSpec:
    """One command of `makespan`.

    `run` gets the value of each setting by its name, checked one by one; it runs on every image of
    a job, writes to stdout what it has to say, and raises `MakespanError`.
    """

    name: str
    text: str
    """What help says before the flags."""
    settings: Sequence[Setting]
    run: Callable[[Mapping[str, Any]], ExitCode | None]
    examples: Sequence[str] = ()
    example_input: Callable[[], str] | None = None
    """Text for --example."""
    listing: Callable[..., str] | None = None
    """Text for --list, called with `as_json`; without it, that of the algorithms."""
    without: Mapping[str, str] = field(default_factory=dict)
    """Settings that commands have in common and this one has not, with the reason."""
    without_for: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The same of one kind of input, as "a grid": flags that it refuses."""

    @property
    def registries(self) -> Sequence[str]:
        """Of the algorithms that its settings name: what --list shows."""
        found = [one.kind.registry for one in self.settings if isinstance(one.kind, Algorithm)]
        return list(dict.fromkeys(found))
