# SPDX-License-Identifier: Apache-2.0
"""`makespan doctor`: what is there, what is missing, and what mends it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

from makespan.base.errors import ExitCode
from makespan.command.exit import stdout_width
from makespan.command.spec import CommandSpec
from makespan.job.launcher import is_later_image
from makespan.settings.shared import JSON

FALLBACK_WIDTH = 80
NOTHING_RUNS = "it looks at what is there, and runs nothing longer than one option"


def _run(given: Mapping[str, Any]) -> ExitCode:
    """Does it, and returns the exit code: 0 where pricing works."""
    from makespan.doctor.engine_probe import gather_trial, prices_right

    if is_later_image():
        gather_trial()  # a job prices together
        return ExitCode.OK
    from makespan.doctor.examination import findings, gather

    facts = gather()
    found = findings(facts)
    prices = prices_right(facts.trial)
    if given["json"]:
        import json

        document = {
            "format": "makespan doctor",
            "version": 1,
            "findings": [finding.as_dict() for finding in found],
        }
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    else:
        from makespan.doctor.table import doctor_text

        color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        width = stdout_width(FALLBACK_WIDTH)
        sys.stdout.write(doctor_text(found, prices=prices, width=width, color=color))
    if prices:
        return ExitCode.OK
    is_loaded = facts.engine.why_not is None
    return ExitCode.RUNTIME_FAILURE if is_loaded else ExitCode.NOT_CONFIGURED


COMMAND = CommandSpec(
    name="doctor",
    text=(
        "Say what makespan finds on this machine, a line each: ok, or what is lost and the command "
        "that mends it. Looks at the engine, cores, shared memory, MPI, GPUs, libraries and "
        "folders, and prices one option. Here exit code 0 says that pricing works, 3 that the "
        "engine does not load, 4 that it prices wrong."
    ),
    settings=(JSON.but(help="A document of findings: status, name, found, meaning, mend."),),
    run=_run,
    examples=("makespan doctor", "makespan doctor --json"),
    without={
        "output": "what it finds is what it prints; --json is for programs",
        "report": "what it finds is a page of text",
        "trace": NOTHING_RUNS,
        "record": NOTHING_RUNS,
        "seed": NOTHING_RUNS,
        "devices": "it looks at all of them",
        "threads": NOTHING_RUNS,
        "checkpoint": NOTHING_RUNS,
        "restart_from": NOTHING_RUNS,
        "progress": NOTHING_RUNS,
        "quiet": "what it prints is all that it does",
        "example": "it has no input",
    },
)
