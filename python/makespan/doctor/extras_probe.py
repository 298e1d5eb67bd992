# SPDX-License-Identifier: Apache-2.0
"""Extras of the package: which are installed, in which versions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from makespan.base.extras import EXTRAS, Extra
from makespan.doctor.finding import Finding, missing, ok


@dataclass(frozen=True, slots=True)
class ExtraFacts:
    """Versions of what is installed, by library; None: it is not."""

    versions: Mapping[str, str | None]


def gather_extras() -> ExtraFacts:
    """Of this Python."""
    found: dict[str, str | None] = {}
    for extra in EXTRAS.values():
        absent = extra.missing()
        for module in extra.modules:
            found[module] = None if module in absent else _version(module)
    return ExtraFacts(found)


def _version(module: str) -> str:
    try:
        return version(module)
    except PackageNotFoundError:  # on sys.path by other means than pip
        return "of unknown version"


def probe_extra(facts: ExtraFacts, extra: Extra) -> Finding:
    """Whether all of it is there."""
    name = f"extra {extra.name}"
    absent = [module for module in extra.modules if facts.versions.get(module) is None]
    if absent:
        return missing(name, f"no {' and no '.join(absent)}", f"no {extra.gives}", extra.command)
    found = ", ".join(f"{module} {facts.versions[module]}" for module in extra.modules)
    return ok(name, found, extra.gives)


def probe_extras(facts: ExtraFacts) -> list[Finding]:
    """One line each."""
    return [probe_extra(facts, extra) for extra in EXTRAS.values()]
