# SPDX-License-Identifier: Apache-2.0
"""Whether this build can simulate."""

from __future__ import annotations

import pytest
from makespan.base.engine import load_simulator
from makespan.base.errors import NotConfiguredError


def _has_simulator() -> bool:
    try:
        load_simulator()
    except NotConfiguredError:
        return False
    return True


needs_simulator = pytest.mark.skipif(not _has_simulator(), reason="this build has no SimGrid")
