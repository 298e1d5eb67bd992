# SPDX-License-Identifier: Apache-2.0
"""The story of `makespan doctor`: look at everything, say what it means."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from makespan.cli.command import Command
from makespan.cli.exit import stdout_width
from makespan.errors import ExitCode
from makespan.launcher import is_later_image

FALLBACK_WIDTH = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorCommand(Command):
    """One call of `makespan doctor`, its flags read."""

    def _run(self) -> ExitCode:
        """Does it, and returns the exit code: 0 where pricing works."""
        from makespan.doctor.engine_probe import gather_trial, prices_right

        if is_later_image():
            gather_trial()  # a job prices together
            return ExitCode.OK
        from makespan.doctor.examination import findings, gather

        facts = gather()
        found = findings(facts)
        prices = prices_right(facts.trial)
        if self.json:
            import json

            document = [finding.as_dict() for finding in found]
            sys.stdout.write(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        else:
            from makespan.report.doctor_text import doctor_text

            color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
            width = stdout_width(FALLBACK_WIDTH)
            sys.stdout.write(doctor_text(found, prices=prices, width=width, color=color))
        if prices:
            return ExitCode.OK
        is_loaded = facts.engine.why_not is None
        return ExitCode.RUNTIME_FAILURE if is_loaded else ExitCode.NOT_CONFIGURED
