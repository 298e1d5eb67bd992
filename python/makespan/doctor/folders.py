# SPDX-License-Identifier: Apache-2.0
"""Folders that makespan writes to."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from makespan.doctor.finding import Finding, ok, warning


@dataclass(frozen=True, slots=True)
class FolderFacts:
    """Whether files can be made there."""

    cache: Path | None
    """Ours, there or not yet; None: this user has none."""
    cache_is_writable: bool
    current: Path | None
    """None: it was removed."""
    current_is_writable: bool


def gather_folders() -> FolderFacts:
    """Of this user; nothing is made to find out."""
    from makespan.files.cache_folder import cache_folder

    cache = cache_folder(os.environ)
    current = _current()
    return FolderFacts(
        cache,
        cache is not None and can_write(cache),
        current,
        current is not None and can_write(current),
    )


def _current() -> Path | None:
    try:
        return Path.cwd()
    except OSError:
        return None


def can_write(folder: Path) -> bool:
    """Whether files can be made in it, or it can be made itself."""
    try:
        there = next((path for path in (folder, *folder.parents) if path.exists()), None)
    except OSError:  # below a folder that may not be entered
        return False
    return there is not None and there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def probe_cache(facts: FolderFacts) -> Finding:
    """Where speeds are remembered."""
    found = "none for this user" if facts.cache is None else str(facts.cache)
    if not facts.cache_is_writable:
        return warning(
            "cache folder",
            found if facts.cache is None else f"{found} cannot be written",
            "each run learns anew how fast devices are",
            "export XDG_CACHE_HOME=/a/folder/of/yours",
        )
    return ok("cache folder", found, "speeds of devices are remembered there")


def probe_current(facts: FolderFacts) -> Finding:
    """Where files go that have no other place."""
    if facts.current is None:
        return warning(
            "current folder", "it was removed", "files cannot be written here", "cd to another one"
        )
    if not facts.current_is_writable:
        return warning(
            "current folder",
            f"{facts.current} cannot be written",
            "files cannot be written here",
            "cd to a folder of yours, or name files elsewhere with -o",
        )
    return ok("current folder", str(facts.current), "files can be written")
