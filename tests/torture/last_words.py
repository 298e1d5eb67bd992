# SPDX-License-Identifier: Apache-2.0
"""Whether a job that was disturbed ended as it should, by its status and what it said."""

from __future__ import annotations

import re
import signal

from tests.torture.disturbance import Kind
from tests.torture.fault import expect
from tests.torture.job import Ended
from tests.torture.reports import report_in

_BROKEN = (
    "Traceback (most recent call last)",
    "terminate called",
    "Segmentation fault",
    "core dumped",
    "SIGSEGV",
    "SIGABRT",
    "Fatal Python error",
    "Exception ignored",
    "panicked at",
    "free(): ",
    "double free",
    "KILLED BY SIGNAL: 6",
    "KILLED BY SIGNAL: 11",
    "KILLED BY SIGNAL: 7 ",
)
_JOINED = re.compile(r"^YOUR APPLICATION TERMINATED WITH THE EXIT STRING: .*$", re.MULTILINE)
# A second Ctrl-C raises, and Python has it forgotten where it comes while an object is freed.
_IGNORED = re.compile(r"^Exception ignored in: .*?^KeyboardInterrupt: ?$", re.MULTILINE | re.DOTALL)
# The handler of an alarm is the script's, and raises. While Python ends, the results are there by
# then; within polars, which asks for numpy, that becomes a panic with a text of its own.
_IGNORED_ALARM = re.compile(
    r"^Exception ignored in atexit callback: .*?^RuntimeError: the alarm rang$"
    r"|^thread '.*' \(?\d*\)? ?panicked at \S*/numpy-.*?RuntimeError\('the alarm rang'\).*?$"
    r"|^script: ended by PanicException: .*?RuntimeError\('the alarm rang'\).*?$",
    re.MULTILINE | re.DOTALL,
)
_OURS = re.compile(r"^(makespan|script): ", re.MULTILINE)
# A script's first lines, before its `try`.
_FIRST_LINES = re.compile(
    r'^  File "[^"]*/(map|price)\.py", line \d+, in <module>\n'
    r'(    import .*\n  File "(?![^"]*/makespan/)|(    import .*\n)?KeyboardInterrupt$)',
    re.MULTILINE,
)

# Of a process alone. By the signal itself it may end without a word.
_DEATHS = {
    Kind.KILL_ONE: {signal.SIGKILL},
    Kind.KILL_ALL: {signal.SIGKILL},
    Kind.INTERRUPT: {signal.SIGINT},
    Kind.INTERRUPT_TWICE: {signal.SIGINT},
    Kind.TERMINATE: {signal.SIGTERM},
    Kind.ALARM: {signal.SIGALRM},
    Kind.STOP: set(),
}


_SHOWN = 2000


def check_reports(ended: Ended) -> None:
    """Raises `Fault` if a sanitizer reports something, whatever came of the job."""
    for text in (*ended.reports, ended.err, ended.out):
        report = report_in(text)
        expect(not report, f"a sanitizer reports: {report[:_SHOWN]}")


def check_last_words(ended: Ended, kind: Kind, images: int) -> None:
    """Raises `Fault`."""
    check_reports(ended)
    if _is_before_python_began(ended, kind):
        return
    # MPICH's launcher joins the signals of several images bit by bit: 2 and 9 make 11 there.
    out, err = _JOINED.sub("", ended.out), ended.err
    if kind is Kind.INTERRUPT_TWICE:
        err = _IGNORED.sub("", err)
    if kind is Kind.ALARM:
        err = _IGNORED_ALARM.sub("", err)
    for text in _BROKEN:
        expect(text not in err and text not in out, f"it said '{text}'")
    if ended.code == 0:
        return
    if ended.code < 0:
        died = signal.Signals(-ended.code)
        expect(died in _DEATHS[kind], f"it died of {died.name}")
        return
    said = len(_OURS.findall(ended.err)) + out.count('"format": "makespan error"')
    if images == 1:
        expect(said == 1, f"status {ended.code} with {said} messages")
    else:
        expect(ended.err.strip() or ended.out.strip(), f"status {ended.code} without a word")


def _is_before_python_began(ended: Ended, kind: Kind) -> bool:
    """Ctrl-C while the interpreter, or a script, looks for its packages: Python's own words."""
    is_ctrl_c = kind in (Kind.INTERRUPT, Kind.INTERRUPT_TWICE)
    starting = (
        *("<frozen site>", "init_import_site", "Could not import runpy module", "runpy>"),
        "Python runtime state: core initialized",
    )
    is_starting = any(text in ended.err for text in starting) or _FIRST_LINES.search(ended.err)
    # Until these have imported `signal`, Ctrl-C is Python's.
    ours = set(re.findall(r"/makespan/(\S+)\"", ended.err))
    is_first = ours <= {"__init__.py", "__main__.py", "cli/__init__.py"}
    return is_ctrl_c and bool(is_starting) and is_first
