# SPDX-License-Identifier: Apache-2.0
"""Its JSON document."""

from __future__ import annotations

import json

from sixth_application.outcome import PiResult


def pi_document(result: PiResult) -> str:
    """`{"pi", "darts"}`."""
    return (
        json.dumps({"format": "makespan pi", "version": 1, "pi": result.pi, "darts": result.darts})
        + "\n"
    )
