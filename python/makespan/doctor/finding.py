# SPDX-License-Identifier: Apache-2.0
"""One line of what doctor says."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum


class Status(StrEnum):
    """How a part is."""

    OK = "ok"
    WARNING = "warning"
    """It is there, and something is lost all the same."""
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one part."""

    status: Status
    name: str
    found: str
    meaning: str
    """What that is good for; of what is not ok, what is lost."""
    mend: str | None = None
    """The command that mends it; None where all is well, or nothing can be done."""

    def as_dict(self) -> dict[str, str | None]:
        """For programs; keys stay as they are."""
        return {**asdict(self), "status": self.status.value}


def ok(name: str, found: str, meaning: str) -> Finding:
    """All is well."""
    return Finding(Status.OK, name, found, meaning)


def warning(name: str, found: str, meaning: str, mend: str | None = None) -> Finding:
    """Something is lost."""
    return Finding(Status.WARNING, name, found, meaning, mend)


def missing(name: str, found: str, meaning: str, mend: str | None = None) -> Finding:
    """It is not there."""
    return Finding(Status.MISSING, name, found, meaning, mend)
