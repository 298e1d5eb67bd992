# SPDX-License-Identifier: Apache-2.0
"""Version and commit of makespan, also where its engine is missing.

The number stands in pyproject.toml, from which CMake reads it, too (cmake/MakespanVersion.cmake).
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from makespan.base.errors import NotConfiguredError

if TYPE_CHECKING:
    from makespan.base.engine import Engine

_PROJECT_FILE = Path(__file__).resolve().parents[3] / "pyproject.toml"
"""Of a checkout; an installed package has none there."""
_COMMIT_FILE = Path(__file__).parents[1] / "_commit.txt"
"""Written into source distributions, which have no git (cmake/MakespanSdist.cmake)."""
UNKNOWN = "unknown"
"""What an engine says that was built without git."""
DIRTY = "-dirty"
"""After the commit of an engine that was built of files that differ from it."""


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
    from makespan.base.engine import load_engine

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


def engine_build(engine: Engine) -> str:
    """What tells builds that may give other bits apart: version, and commit.

    A commit that is unknown, or that files differ from, tells nothing: the digest of the
    extension's file takes its place.
    """
    found = str(engine.build_info().get("git", UNKNOWN))
    if found == UNKNOWN or found.endswith(DIRTY):
        found = f"{found}, file {_digest(getattr(engine, '__file__', None))}"
    return f"{engine.version()} ({found})"


def _digest(path: str | None) -> str:
    if path is None:  # built into the interpreter
        return UNKNOWN
    return hashlib.blake2b(Path(path).read_bytes(), digest_size=8).hexdigest()


def version_line() -> str:
    """What `makespan --version` prints."""
    found = commit()
    return f"makespan {version()}" + ("" if found is None else f" (commit {found})")
