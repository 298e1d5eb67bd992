# SPDX-License-Identifier: Apache-2.0
"""How many options a journal has, also while a run that keeps others out writes it."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

WAIT_S_MAX = 180


def rows_in(journal: Path) -> int:
    """By a copy: what a killed run left is for the next run to mend."""
    with tempfile.TemporaryDirectory() as folder:
        for file in journal.parent.glob(f"{journal.name}*"):
            shutil.copy(file, folder)
        connection = sqlite3.connect(Path(folder) / journal.name)
        try:
            return int(connection.execute("select count(*) from finished").fetchone()[0])
        finally:
            connection.close()


def wait_for_rows(journal: Path, rows: int, has_ended: Callable[[], bool]) -> int:
    """Until it holds so many; how many it then holds."""
    end = time.monotonic() + WAIT_S_MAX
    while (found := _rows_so_far(journal)) is None or found < rows:
        assert time.monotonic() < end, f"{found} rows"
        assert not has_ended(), f"{found} rows"
        time.sleep(0.005)
    return found


def _rows_so_far(journal: Path) -> int | None:
    """None: there is no journal yet, or the copy was made in the midst of a change."""
    try:
        return rows_in(journal)
    except (OSError, sqlite3.Error):
        return None
