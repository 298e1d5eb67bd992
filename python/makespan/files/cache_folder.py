# SPDX-License-Identifier: Apache-2.0
"""Where this user's cache is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Ours in the user's cache (XDG Base Directory Specification); None for a user without one."""
    base = environment.get("XDG_CACHE_HOME", "")
    if Path(base).is_absolute():  # the specification has others ignored
        return Path(base) / "makespan"
    try:
        return Path.home() / ".cache" / "makespan"
    except RuntimeError:
        return None
