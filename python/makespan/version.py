# SPDX-License-Identifier: Apache-2.0
"""Version and commit of makespan, also where its engine is missing.

The number stands in pyproject.toml, from which CMake reads it, too (cmake/MakespanVersion.cmake).
"""

from __future__ import annotations

from pathlib import Path

from makespan.errors import NotConfiguredError

_PROJECT_FILE = Path(__file__).resolve().parents[2] / "pyproject.toml"
"""Of a checkout; an installed package has none there."""
_COMMIT_FILE = Path(__file__).with_name("_commit.txt")
"""Written into source distributions, which have no git (cmake/MakespanSdist.cmake)."""
UNKNOWN = "unknown"
"""What an engine says that was built without git."""


def version() -> str:
    """Of the package. A checkout comes first: what pip noted of it may be older."""
    if _PROJECT_FILE.is_file():
        import tomllib

        with _PROJECT_FILE.open("rb") as file:
            project = tomllib.load(file).get("project", {})
        if project.get("name") == "makespan":
            return str(project["version"])
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed_version

    try:
        return installed_version("makespan")
    except PackageNotFoundError:  # copied by hand
        return UNKNOWN


def commit() -> str | None:
    """Of the engine if it is there, else of the source distribution; None where nothing tells."""
    from makespan.engine import load_engine

    try:
        told = str(load_engine().build_info().get("git", UNKNOWN))
    except NotConfiguredError:
        told = UNKNOWN
    if told != UNKNOWN:
        return told
    if _PROJECT_FILE.with_name(".git").exists():
        return None  # a note that making a source distribution left behind may be older
    try:
        return _COMMIT_FILE.read_text(encoding="ascii").strip() or None
    except (OSError, ValueError):
        return None


def version_line() -> str:
    """What `makespan --version` prints."""
    found = commit()
    return f"makespan {version()}" + ("" if found is None else f" (commit {found})")
