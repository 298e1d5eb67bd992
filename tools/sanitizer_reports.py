# SPDX-License-Identifier: Apache-2.0
"""Has sanitizers write their reports where they are looked for, in each Python that imports this.

libubsan's go to its log_path beside libasan: both have a function that sets the path of reports,
and the loader takes libasan's for both: of libubsan's own, which is asked for here, the path stays
stderr (gcc 12). Those of a process that the package starts to try a platform's file have a name of
their own: SimGrid dies of some files, and tests expect it (tests/torture/reports.py).
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Sequence

LIBRARIES = {
    "ASAN_OPTIONS": "libasan.so.8",
    "TSAN_OPTIONS": "libtsan.so.2",
    "UBSAN_OPTIONS": "libubsan.so.1",
}
"""Of gcc 12."""
OF_A_TRIAL = "-trial"
"""At the end of a log_path."""

# As sanitizers read them: a value ends at these characters, or at its second quote.
_FLAG = re.compile(r"""([^=,: \t\r\n]+)=(?:'([^']*)'|"([^"]*)"|([^,: \t\r\n]*))""")


def log_path(options: str) -> str | None:
    """The one that counts: the last."""
    found = [
        single or double or bare
        for name, single, double, bare in _FLAG.findall(options)
        if name == "log_path"
    ]
    return found[-1] if found else None


def is_trial(command: Sequence[str]) -> bool:
    """Whether this command tries a platform's file (makespan/sim/subprocess_run.py)."""
    return "makespan.sim.one_run" in command and command[-1] == "platform"


def set_log_path(variable: str, command: Sequence[str]) -> None:
    """Nothing where its library is not in the process."""
    path = log_path(os.environ.get(variable, ""))
    if path is None:
        return
    try:
        loaded = ctypes.CDLL(LIBRARIES[variable], mode=os.RTLD_NOLOAD | os.RTLD_NOW)
    except OSError:
        return
    path += OF_A_TRIAL if is_trial(command) else ""
    loaded["__sanitizer_set_report_path"](ctypes.c_char_p(os.fsencode(path)))


for one in LIBRARIES:
    set_log_path(one, sys.orig_argv)
