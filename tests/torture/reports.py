# SPDX-License-Identifier: Apache-2.0
"""Reports of sanitizers: files that processes write them to, and which of them count.

python tests/torture/reports.py PREFIX    # prints those in PREFIX.*; 1 if there are any

A process whose exit code and stderr are not looked at leaves its report in a file all the same.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

TOOLS = ("asan", "ubsan", "tsan", "lsan")
_SHOWN = 4000

# Not what a sanitizer says beside: that it refuses memory, or that a stack is another one.
_REPORT = re.compile(
    r"(?:ERROR|SUMMARY): \w+Sanitizer"
    r"|WARNING: ThreadSanitizer: "
    r"|\w+Sanitizer:DEADLYSIGNAL"
    r"|\w+Sanitizer:? (?:CHECK failed|nested bug|ERROR: )|FATAL: \w+Sanitizer"
    r"|: runtime error: "
)
_DEADLY = re.compile(r"ERROR: \w+Sanitizer: (?:SEGV|BUS|FPE|ILL|stack-overflow) ")
_FRAME = re.compile(r"^ *#\d+ .*$", re.MULTILINE)
_OF_ALL = re.compile(r"libc\.so|libstdc\+\+|libsanitizer|lib[atu]+b?san\.so|/sysdeps/|__GI_")
_SIMGRID = re.compile(r"libsimgrid|simgrid::")
# Of processes that the package starts to try a file: so tools/sanitizer_reports.py names them.
_OF_A_TRIAL = re.compile(r"-trial\.\d+$")


def quoted(path: Path) -> str:
    """As a value of a sanitizer's flag: without quotes it ends at a blank, a comma or a colon."""
    quote = '"' if "'" in str(path) else "'"
    if quote in str(path):
        raise ValueError(f"{path} has both kinds of quotes, which sanitizers cannot read")
    return f"{quote}{path}{quote}"


def settings(prefix: Path, before: Mapping[str, str]) -> dict[str, str]:
    """Variables by which each sanitizer writes what it finds to files PREFIX.TOOL.PID."""
    found = {}
    for tool in TOOLS:
        name = f"{tool.upper()}_OPTIONS"
        options = [before[name]] if before.get(name) else []
        found[name] = ":".join([*options, f"log_path={quoted(Path(f'{prefix}.{tool}'))}"])
    return found


def report_in(text: str) -> str:
    """From where a sanitizer reports something; empty if none does."""
    found = _REPORT.search(text)
    return "" if found is None else text[text.rfind("\n", 0, found.start()) + 1 :]


def _is_expected(path: Path, text: str) -> bool:
    """SimGrid dies of some files, which a process of its own tries, and tests expect.

    So does hwloc, in a process that leaves no report (machine/detail/try_apart.cpp).
    """
    if _OF_A_TRIAL.search(path.name) is None or _DEADLY.search(text) is None:
        return False
    first = next((line for line in _FRAME.findall(text) if not _OF_ALL.search(line)), "")
    return _SIMGRID.search(first) is not None


def reports(prefix: Path) -> list[str]:
    """The texts of files PREFIX.* that report something, without deaths of SimGrid in trials."""
    found = []
    for path in sorted(prefix.parent.glob(f"{prefix.name}.*")):
        text = path.read_text(errors="replace")
        if report_in(text) and not _is_expected(path, text):
            found.append(text)
    return found


def main() -> int:
    """The exit code."""
    found = reports(Path(sys.argv[1]))
    for text in found:
        sys.stderr.write(f"{text[:_SHOWN]}\n")
    if found:
        sys.stderr.write(f"{len(found)} reports of sanitizers\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
