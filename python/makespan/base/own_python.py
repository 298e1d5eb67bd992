# SPDX-License-Identifier: Apache-2.0
"""How this package starts a Python of its own: one that looks for modules where this one does.

`python -m` and `python -c` look into the current folder first, where a `json.py` may lie that is
none of ours; `-P` leaves that folder out. What this interpreter was told to leave out (`-I`, `-E`,
`-s`), the other leaves out, too.
"""

from __future__ import annotations

import sys


def python_command(*arguments: str) -> list[str]:
    """A command that runs this interpreter again; never imports from the current folder."""
    told = ["-P"]
    if sys.flags.ignore_environment:
        told.append("-E")
    if sys.flags.no_user_site:
        told.append("-s")
    return [sys.executable, *told, *arguments]
