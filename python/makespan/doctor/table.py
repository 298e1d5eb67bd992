# SPDX-License-Identifier: Apache-2.0
"""What doctor found, for people: a line each, longer ones wrapped beside their names."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from makespan.base.number_text import count_text
from makespan.doctor.finding import Finding, Status

WIDTH_MAX = 120
"""Longer lines are hard to read."""
_COLORS = {Status.OK: "32", Status.WARNING: "33", Status.MISSING: "31"}


def doctor_text(findings: Sequence[Finding], *, prices: bool, width: int, color: bool) -> str:
    """All findings, then the sum of them."""
    status_width = max(len(status.value) for status in Status)
    name_width = max(len(finding.name) for finding in findings)
    indent = status_width + name_width + 4
    paint = _painted if color else _plain
    blocks = []
    for finding in findings:
        lines = _lines(finding, min(width, WIDTH_MAX) - indent)
        head = paint(finding.status, f"{finding.status.value:<{status_width}}")
        first = f"{head}  {finding.name:<{name_width}}  {lines[0]}"
        blocks.append("\n".join([first, *(" " * indent + line for line in lines[1:])]))
    return "\n".join([*blocks, "", _sum(findings, prices=prices)]) + "\n"


def _lines(finding: Finding, width: int) -> list[str]:
    """What was found and what it means; below that what mends it."""
    lines = _wrapped(f"{finding.found}: {finding.meaning}", width)
    if finding.mend is not None:
        lines += [f"  {line}" for line in _wrapped(f"mend: {finding.mend}", width - 2)]
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, max(width, 20), break_long_words=False, break_on_hyphens=False) or [
        ""
    ]


def _sum(findings: Sequence[Finding], *, prices: bool) -> str:
    counts = [
        (sum(finding.status is status for finding in findings), word)
        for status, word in ((Status.WARNING, "warning"), (Status.MISSING, "part"))
    ]
    warnings, parts = (count_text(number, word) for number, word in counts)
    head = "makespan works here" if prices else "makespan does not work here"
    if not any(number for number, _ in counts):
        return f"{head}: nothing is missing"
    return f"{head}: {warnings}, {parts} missing"


def _painted(status: Status, text: str) -> str:
    return f"\033[{_COLORS[status]}m{text}\033[0m"


def _plain(_: Status, text: str) -> str:
    return text
