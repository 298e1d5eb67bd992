# SPDX-License-Identifier: Apache-2.0
import os
import sys
import textwrap
from pathlib import Path

import pytest

from bench.process import measured, pinned
from bench.worker import Worker, WorkerError

ROOT = Path(__file__).resolve().parents[3]
PYTHON_WORKER = """
    import os, sys
    from bench.line_worker import serve

    def run(words, seed):
        if words[0] == "die":
            os._exit(3)
        if words[0] == "fail":
            raise ValueError("no such thing")
        return {"seconds": float(words[1]), "seed": seed, "cores": len(os.sched_getaffinity(0))}

    serve(run)
"""


@pytest.fixture
def worker(tmp_path):
    program = tmp_path / "worker.py"
    program.write_text(textwrap.dedent(PYTHON_WORKER))
    core = max(os.sched_getaffinity(0))
    with Worker([sys.executable, program], {core}, extra_path=ROOT) as started:
        yield started


def test_worker_stays_alive_from_request_to_request(worker):
    replies = [worker.run("ok 0.5"), worker.run("ok 0.25")]

    assert [reply["seconds"] for reply in replies] == [0.5, 0.25]
    assert [reply["seed"] for reply in replies] == [1.0, 2.0]


def test_worker_is_pinned(worker):
    assert worker.run("ok 1")["cores"] == 1.0


def test_failed_request_is_an_error_and_the_worker_goes_on(worker):
    with pytest.raises(WorkerError, match="could not run 'fail' \\(ValueError: no such thing\\)"):
        worker.run("fail")

    assert worker.run("ok 2")["seconds"] == 2.0


def test_worker_that_ends_is_named_with_its_exit_code(worker):
    with pytest.raises(WorkerError, match="exit code 3"):
        worker.run("die")
    with pytest.raises(WorkerError, match="ended"):
        worker.run("ok 1")


def test_measured_command_shows_its_own_peak_memory_and_time():
    script = "import time; block = bytearray(150 << 20); time.sleep(0.1)"

    large = measured([sys.executable, "-c", script], os.sched_getaffinity(0))
    small = measured([sys.executable, "-c", "pass"], os.sched_getaffinity(0))

    assert large.wall_s >= 0.1
    assert 100 << 20 < large.peak_bytes - small.peak_bytes < 250 << 20


def test_measured_command_that_fails_says_so():
    script = "import sys; sys.exit('no book there')"

    with pytest.raises(RuntimeError, match=r"code 1\): no book there"):
        measured([sys.executable, "-c", script], os.sched_getaffinity(0))


def test_pinning_ends_with_its_block():
    before = os.sched_getaffinity(0)

    with pinned({max(before)}):
        assert os.sched_getaffinity(0) == {max(before)}

    assert os.sched_getaffinity(0) == before
