# SPDX-License-Identifier: Apache-2.0
"""Where junk can be put into a document."""

from __future__ import annotations

from typing import Any


def spots(part: Any) -> list[tuple[Any, Any]]:
    """Every container of a document with every key or number in it."""
    keys = list(part) if isinstance(part, dict) else range(len(part))
    found = [(part, key) for key in keys]
    for key in keys:
        if isinstance(part[key], dict | list):
            found += spots(part[key])
    return found
