# SPDX-License-Identifier: Apache-2.0
"""Whether this build can simulate."""

from __future__ import annotations

import pytest
from makespan.base.engine import load_engine


def _has_simulator() -> bool:
    try:
        load_engine().simulate_bag({"machine": {"images": []}, "items": [], "costs": []})
    except NotImplementedError:
        return False
    except ValueError:
        return True
    return True


needs_simulator = pytest.mark.skipif(not _has_simulator(), reason="this build has no SimGrid")
