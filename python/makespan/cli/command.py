# SPDX-License-Identifier: Apache-2.0
"""What the commands have in common: flags that were read, and one way to run and to end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from makespan.cli.exit import run_reporting_errors

if TYPE_CHECKING:
    from makespan.errors import ExitCode


@dataclass(frozen=True, slots=True, kw_only=True)
class Command(ABC):
    """One call of a command, its flags read."""

    json: bool

    def run(self) -> ExitCode:
        """Does it, says how it ended, and returns the exit code."""
        return run_reporting_errors(self._run, as_json=self.json)

    @abstractmethod
    def _run(self) -> ExitCode | None:
        """Does it; None where there is nothing to say of the exit code."""
