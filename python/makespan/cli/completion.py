# SPDX-License-Identifier: Apache-2.0
"""`makespan completion SHELL`: what a shell reads to complete our commands and flags.

The shell calls the program with `_MAKESPAN_COMPLETE` set; neither engine nor libraries are loaded.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from click.shell_completion import get_completion_class

from makespan.base.errors import ExitCode
from makespan.command.exit import say

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_MAKESPAN_COMPLETE"


def print_completion(arguments: Sequence[str]) -> int:
    """Prints the text for one shell; the exit code."""
    from makespan.cli.app import app

    if len(arguments) != 1 or arguments[0] not in SHELLS:
        say(f"completion: name the shell: {', '.join(SHELLS)}")
        return ExitCode.BAD_INPUT
    found = get_completion_class(arguments[0])
    if found is None:  # a click that has lost one
        say(f"completion: click knows no {arguments[0]}")
        return ExitCode.NOT_CONFIGURED
    # click asks the bash on the path for its version, which need not be the one that reads this.
    sys.stdout.write(found(app, {}, "makespan", VARIABLE).source() + "\n")
    return ExitCode.OK


def complete(instruction: str) -> int:
    """Answers a shell that asks for completions; the exit code."""
    from click.shell_completion import shell_complete

    from makespan.cli.app import app

    return shell_complete(app, {}, "makespan", VARIABLE, instruction)
