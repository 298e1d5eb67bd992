# SPDX-License-Identifier: Apache-2.0
"""The package itself, and the Python that runs it."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass

from makespan.doctor.finding import Finding, missing, ok, warning

PYTHON_LEAST = (3, 11)
"""What pyproject.toml promises (`requires-python`); a test compares the two."""


@dataclass(frozen=True, slots=True)
class PackageFacts:
    """What is running."""

    version: str
    commit: str | None
    engine_version: str | None
    """None without engine."""
    python: tuple[int, int, int]
    implementation: str
    executable: str


def gather_package() -> PackageFacts:
    """Of this process."""
    from makespan.base.engine import load_engine
    from makespan.base.errors import NotConfiguredError
    from makespan.base.version import commit, version

    try:
        engine_version = load_engine().version()
    except NotConfiguredError:
        engine_version = None
    return PackageFacts(
        version(),
        commit(),
        engine_version,
        sys.version_info[:3],
        platform.python_implementation(),
        sys.executable,
    )


def probe_makespan(facts: PackageFacts) -> Finding:
    """Version and commit; the engine's must be the same."""
    said = facts.version if facts.commit is None else f"{facts.version} (commit {facts.commit})"
    if facts.engine_version not in (None, facts.version):
        return warning(
            "makespan",
            f"{said}, with an engine of {facts.engine_version}",
            "the two were not made for each other: anything may fail",
            "make build, or pip install --force-reinstall makespan",
        )
    return ok("makespan", said, "name both where you cite it or report a mistake")


def probe_python(facts: PackageFacts) -> Finding:
    """Against what is promised."""
    number = ".".join(map(str, facts.python))
    least = ".".join(map(str, PYTHON_LEAST))
    found = f"{facts.implementation} {number} ({facts.executable})"
    if facts.python < PYTHON_LEAST:
        return missing(
            "Python",
            found,
            f"makespan is written for {least} and later",
            f"python{least} -m venv .venv && .venv/bin/pip install makespan",
        )
    if facts.implementation != "CPython":
        return warning(
            "Python", found, "makespan is tested with CPython only", f"use CPython {least} or later"
        )
    return ok("Python", found, f"{least} or later is promised to work")
