# SPDX-License-Identifier: Apache-2.0
"""`makespan doctor`: what is there, what is missing, and what mends it.

Example: `makespan doctor`.
"""

from __future__ import annotations

from typing import Annotated

import typer

from makespan.cli.doctor_command import DoctorCommand

EXAMPLES = ("makespan doctor", "makespan doctor --json")
EPILOG = "\n\n".join(("Examples:", *EXAMPLES))
HELP = (
    "Say what makespan finds on this machine, a line each: ok, or what is lost and the command "
    "that mends it. Looks at the engine, cores, shared memory, MPI, GPUs, libraries and folders, "
    "and prices one option. Exit codes: 0 pricing works, 3 the engine does not load, 4 it prices "
    "wrong."
)

Json = Annotated[
    bool, typer.Option("--json", help="A list of objects: status, name, found, meaning, mend.")
]


def doctor(*, json: Json = False) -> None:
    """Hands the flags on."""
    raise typer.Exit(DoctorCommand(json=json).run())
