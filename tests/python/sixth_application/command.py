# SPDX-License-Identifier: Apache-2.0
"""`makespan pi`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from makespan.command.spec import CommandSpec
from makespan.settings.shared import EXAMPLE, JSON, QUIET

from sixth_application.input import KEYS, PI_FILE, RUN_SETTINGS, SOURCE


def _run(given: Mapping[str, Any]) -> None:
    from sixth_application.api import pi
    from sixth_application.document import pi_document

    keywords = {one.name: given[one.name] for one in (*KEYS, *RUN_SETTINGS)}
    result = pi(given["input"], **keywords)
    if result is not None and given["json"]:
        sys.stdout.write(pi_document(result))
    elif result is not None and not given["quiet"]:
        sys.stdout.write(f"pi is about {result.pi:.6f} ({result.darts} darts)\n")


SMALL = "it is an example of an application, and a small one"
COMMAND = CommandSpec(
    name="pi",
    text="Estimate pi by throwing darts, a batch for each item of a bag.",
    settings=(
        SOURCE,
        *(one.but(default=None) for one in KEYS),
        *RUN_SETTINGS,
        JSON,
        QUIET,
        EXAMPLE,
    ),
    run=_run,
    example_input=PI_FILE.example,
    without=dict.fromkeys(
        ("report", "trace", "record", "devices", "checkpoint", "restart_from", "progress"), SMALL
    ),
)
