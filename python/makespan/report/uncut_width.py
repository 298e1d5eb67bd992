# SPDX-License-Identifier: Apache-2.0
"""How wide a table must be printed so that no cell is cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

_ENDLESS = 1 << 16


def uncut_width(table: Table, least: int) -> int:
    """In columns, and `least` at least. What is wider than a terminal goes on in its next line."""
    from rich.console import Console

    return max(least, Console(width=_ENDLESS).measure(table).maximum)
