# SPDX-License-Identifier: Apache-2.0
"""Has libubsan write reports to its log_path beside libasan, in each Python that imports this.

Both have a function that sets the path of reports, and the loader takes libasan's for both: of
libubsan's own, which is asked for here, the path stays stderr (gcc 12).
"""

from __future__ import annotations

import ctypes
import os

LIBRARY = "libubsan.so.1"


def log_path(options: str) -> str | None:
    """The one that counts: the last."""
    found = [word[9:] for word in options.split(":") if word.startswith("log_path=")]
    return found[-1] if found else None


def set_log_path() -> None:
    """Nothing where there is no libubsan in the process."""
    path = log_path(os.environ.get("UBSAN_OPTIONS", ""))
    if path is None:
        return
    try:
        loaded = ctypes.CDLL(LIBRARY, mode=os.RTLD_NOLOAD | os.RTLD_NOW)
    except OSError:
        return
    loaded["__sanitizer_set_report_path"](ctypes.c_char_p(os.fsencode(path)))


set_log_path()
