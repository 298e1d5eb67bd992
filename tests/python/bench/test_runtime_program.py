# SPDX-License-Identifier: Apache-2.0
"""Programs of the runtime bench: found, started, limited, read."""

import time

import pytest

from bench.runtime import program
from bench.runtime.case import Program
from bench.runtime.program import (
    Places,
    ProgramError,
    command_of,
    parse_replies,
    run_limited,
    run_program,
)

# Stands for mpiexec: `mpiexec -n RANKS PROGRAM ...` runs the program once.
FAKE_MPIEXEC = '#!/bin/sh\nshift 2\nexec "$@"\n'


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def places(tmp_path):
    mpiexec = script(tmp_path / "mpiexec", FAKE_MPIEXEC)
    (tmp_path / "CMakeCache.txt").write_text(f"MPIEXEC_EXECUTABLE:FILEPATH={mpiexec}\n")
    return Places(build=tmp_path, peers=tmp_path / "peers")


def test_program_of_the_build_runs_on_this_host(places):
    path = script(places.build / "bench" / "runtime" / "some_bench", "#!/bin/sh\n")

    command = command_of(Program("some_bench", ["--rounds", "3"], ranks=2), places)

    assert command[1:] == ["-n", "2", str(path), "--rounds", "3"]


def test_program_of_the_peers_runs_on_hosts_that_are_made_for_it(places):
    path = script(places.peers / "some_peer", "#!/bin/sh\n")

    command = command_of(Program("some_peer", [], hosts=2, limit_s=30), places)

    assert command[2:] == [
        *["launch", "--mpirun", str(places.build / "mpiexec"), "--hosts", "2"],
        *["--ranks-per-host", "1", "--limit", "30", "--", str(path)],
    ]


def test_program_that_is_not_built_says_what_would_build_it(places):
    with pytest.raises(ProgramError, match="some_bench is not built"):
        command_of(Program("some_bench", []), places)


def test_build_without_mpi_says_so(tmp_path):
    script(tmp_path / "bench" / "runtime" / "some_bench", "")

    with pytest.raises(ProgramError, match="has no MPI"):
        command_of(Program("some_bench", []), Places(tmp_path, tmp_path))


def test_lines_of_json_become_figures_and_others_are_passed_over():
    printed = (
        "a word of the library\n"
        '{"contestant": "ours", "round": 1, "seconds": 1e-6, "finished": 3}\n'
        '{"contestant": "ours", "round": 2, "seconds": 2e-6, "finished": 4}\n'
    )

    replies = parse_replies(printed, Program("x", [], label="t2"))

    assert replies == {
        "t2/ours": [{"seconds": 1e-6, "finished": 3.0}, {"seconds": 2e-6, "finished": 4.0}]
    }


def test_run_gives_the_environment_of_the_case(places):
    line = '{\\"contestant\\": \\"a\\", \\"round\\": 1, \\"seconds\\": $NUMBER}'
    script(places.peers / "some_peer", f'#!/bin/sh\necho "{line}"\n')

    replies = run_program(Program("some_peer", [], environment={"NUMBER": "5"}), places)

    assert replies == {"a": [{"seconds": 5.0}]}


def test_failure_is_told_with_the_last_words(places):
    script(places.peers / "some_peer", "#!/bin/sh\necho first >&2; echo no room >&2; exit 3\n")

    with pytest.raises(ProgramError, match="no room"):
        run_program(Program("some_peer", []), places)


def test_program_that_hangs_is_ended_with_its_children(tmp_path, monkeypatch):
    monkeypatch.setattr(program, "SETTLE_S", 0.3)
    mark = tmp_path / "alive"
    child = f"while :; do date +%s%N > {mark}; sleep 0.02; done"
    command = ["sh", "-c", f"trap '' TERM; sh -c '{child}' & sleep 60 & wait; wait"]
    begin_s = time.monotonic()

    with pytest.raises(ProgramError, match="took more than"):
        run_limited(command, 0.5, {})

    assert time.monotonic() - begin_s < 30
    before = mark.read_text()
    time.sleep(0.2)
    assert mark.read_text() == before


def test_program_that_ends_on_request_is_not_killed(tmp_path):
    done = tmp_path / "done"
    command = ["sh", "-c", f"trap 'touch {done}; exit' TERM; while :; do sleep 0.05; done"]

    with pytest.raises(ProgramError, match="took more than"):
        run_limited(command, 0.5, {})

    assert done.exists()


def test_peer_that_could_not_be_made_says_why(places):
    script(places.peers / "some_peer.missing", "no libfabric\n")

    with pytest.raises(ProgramError, match="some_peer is not built: no libfabric"):
        command_of(Program("some_peer", []), places)


def test_program_may_start_itself_or_have_another_launcher(places, monkeypatch):
    path = str(script(places.peers / "some_peer", "#!/bin/sh\n"))
    other = str(script(places.peers / "other_launcher", "#!/bin/sh\n"))
    monkeypatch.setenv("PATH", str(places.peers))

    assert command_of(Program("some_peer", ["2"], launcher="none"), places) == [path, "2"]
    assert command_of(Program("some_peer", [], launcher="other_launcher"), places) == [
        *[other, "-n", "2", path],
    ]
    with pytest.raises(ProgramError, match="no third_launcher"):
        command_of(Program("some_peer", [], launcher="third_launcher"), places)
