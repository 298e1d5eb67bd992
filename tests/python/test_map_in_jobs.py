# SPDX-License-Identifier: Apache-2.0
"""`makespan.map` in a job: results that cannot be read elsewhere, calls within items."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from job_programs import MPIEXEC, RUN_S_MAX, needs_mpi, run_program
from makespan.job.failure import raised_on_first_image

import makespan


def square(number: int) -> int:
    return number * number


UNREADABLE = """
import os, sys, time, makespan

rank = int(os.environ["PMI_RANK"])

class Odd(Exception):
    def __init__(self, a, b):  # pickles, and cannot be made again of its args
        super().__init__(f"{a} and {b}")

def work(item):
    time.sleep(0.001)
    return item if rank != odd else [Odd(1, 2)] if within else Odd(1, 2)

odd, within = int(sys.argv[1]), sys.argv[3] == "within"
which = "what is in a result" if within else "the result of item "
try:
    found = makespan.map(work, range(300), gather=sys.argv[2])
except RuntimeError as error:
    assert which in str(error) and "cannot be read" in str(error), error
    assert "TypeError" in str(error) and "what pickle can make again" in str(error), error
    print("refused")
else:
    print(f"returned {found and len(found)}\\n", end="", flush=True)
"""


@needs_mpi
@pytest.mark.parametrize(
    ("odd", "gather", "where", "said"),
    [
        (1, "first", "itself", {"refused": 2}),
        (0, "first", "itself", {"returned 300": 1, "returned None": 1}),  # it need not travel
        (0, "all", "itself", {"refused": 2}),
        (1, "first", "within", {"refused": 2}),
        (0, "all", "within", {"returned 300": 1, "refused": 1}),
    ],
)
def test_a_result_that_cannot_be_read_is_an_error_that_says_so(
    tmp_path: Path, odd: int, gather: str, where: str, said: dict[str, int]
) -> None:
    (tmp_path / "program.py").write_text(UNREADABLE)
    ended = subprocess.run(
        [str(MPIEXEC), "-n", "2", sys.executable, "program.py", str(odd), gather, where],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )

    for word, times in said.items():
        assert ended.stdout.count(word) == times, ended.stdout + ended.stderr


NESTED = """
import time, makespan

def within(item):
    time.sleep(0.001)
    if which == "map": return sum(makespan.map(abs, [item, -1]))
    return makespan.price({"id": ["a"]})

for which in ("map", "price"):
    try: makespan.map(within, range(20))
    except makespan.ItemError as error:
        assert isinstance(error.__cause__, makespan.InputError), error
        assert "within an item of a job" in str(error), error
assert makespan.map(abs, [-2], gather="all") == [2]
print("all is well\\n", end="")
"""


@needs_mpi
def test_a_call_within_an_item_of_a_job_is_refused(tmp_path: Path) -> None:
    assert run_program(tmp_path, NESTED, 2).count("all is well") == 2


REFUSED = """
import makespan

try: makespan.map(abs, range(300), restart_from="program.py")
except makespan.JournalError as error: print(f"{error}\\n", end="", flush=True)
assert makespan.map(abs, [-2], gather="all") == [2]
"""


@needs_mpi
def test_a_journal_that_image_0_refuses_is_the_same_error_on_all(tmp_path: Path) -> None:
    lines = run_program(tmp_path, REFUSED, 3).splitlines()

    assert len(lines) == 3
    assert len(set(lines)) == 1
    assert lines[0].startswith("program.py is no journal")


@pytest.mark.parametrize(
    ("said", "kind", "text"),
    [
        ("a call on image 0 threw: InputError: a: b is no c", makespan.InputError, "a: b is no c"),
        ("a call on image 0 threw: JournalError: other", makespan.JournalError, "other"),
        (
            "a call on image 0 threw: OSError: disk",
            makespan.EngineError,
            "image 2: a call on image 0 threw: OSError: disk",
        ),
        ("InputError: not of image 0", makespan.EngineError, "image 2: InputError: not of image 0"),
        ("image 0 is lost", makespan.EngineError, "image 2: image 0 is lost"),
    ],
)
def test_what_image_0_raised_keeps_its_class(
    said: str, kind: type[makespan.MakespanError], text: str
) -> None:
    error = raised_on_first_image(RuntimeError(said), 2)

    assert (type(error), str(error)) == (kind, text)


def test_a_map_within_an_item_of_a_process_of_its_own_works() -> None:
    nested = makespan.map(
        lambda item: makespan.map(square, range(item), threads=1), range(4), threads=2
    )

    assert nested == [[], [0], [0, 1], [0, 1, 4]]
