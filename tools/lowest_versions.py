# SPDX-License-Identifier: Apache-2.0
"""The lowest versions that pyproject.toml promises, as pins for pip.

    python tools/lowest_versions.py test > requirements.txt

prints `name==version` for each dependency, for those of all extras that users install, and for
those of the extras that are named. A dependency without lower bound is an error: it would be
unknown which versions are promised.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
USERS = ("reports", "grids", "arrow", "graphs", "quantlib")
"""Extras whose libraries are imported; an MPI is no matter of Python."""

_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)\s*>=\s*(?P<version>[0-9][0-9A-Za-z.]*)")


class NoLowerBoundError(ValueError):
    """A requirement that promises nothing that could be tested."""


def pin(requirement: str) -> str:
    """`name>=1.2` (and an upper bound or marker, perhaps) as `name==1.2`."""
    found = _REQUIREMENT.match(requirement)
    if found is None:
        raise NoLowerBoundError(
            f"'{requirement}' (it has no lower bound): write name>=version, with the lowest "
            "version that passes the tests"
        )
    return f"{found['name']}=={found['version']}"


def pins(project: Mapping[str, Any], extras: Iterable[str]) -> list[str]:
    """Of the dependencies, then of the extras, in the file's order."""
    requirements = list(project["dependencies"])
    offered = project.get("optional-dependencies", {})
    for extra in extras:
        if extra not in offered:
            raise NoLowerBoundError(f"extra '{extra}' (pyproject.toml has none of that name)")
        requirements += offered[extra]
    return [pin(requirement) for requirement in requirements]


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the pins; 1 where a bound is missing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("extras", nargs="*", help="extras besides those that users install")
    parser.add_argument("--project", type=Path, default=ROOT / "pyproject.toml")
    asked = parser.parse_args(arguments)
    project = tomllib.loads(asked.project.read_text(encoding="utf-8"))["project"]
    try:
        print("\n".join(pins(project, (*USERS, *asked.extras))))
    except NoLowerBoundError as error:
        print(f"lowest_versions: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
