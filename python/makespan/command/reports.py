# SPDX-License-Identifier: Apache-2.0
"""Whether a page can be written, asked before the run that it is to show."""

from __future__ import annotations

from pathlib import Path

from makespan.base.extras import require
from makespan.base.setting_names import called


def check_report(path: Path | None) -> None:
    """Raises `NotConfiguredError` where --report names a page, and plotly is missing."""
    if path is not None:
        require("reports", for_=called("report"))
