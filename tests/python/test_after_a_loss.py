# SPDX-License-Identifier: Apache-2.0
"""What is found in spite of a lost image is not lost; and what it keeps from coming is said."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from job_programs import MPIEXEC, RUN_S_MAX, needs_mpi
from small_melt import small_input

PROGRAM = """
import json, os, signal, sys, warnings
from pathlib import Path

image = int(os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ["PMI_RANK"])
Path(f"pid.{image}").write_text(str(os.getpid()))
import makespan

BOOK = {
    "id": ["a", "b", "c"], "option_type": ["call"] * 3, "spot": [100.0] * 3,
    "strike": [100.0, 101.0, 102.0], "rate": [0.0] * 3, "volatility": [0.2] * 3,
    "expiry": [1.0] * 3, "fixings": [12] * 3, "fixing_grid": ["exclude_start"] * 3,
    "paths": [2_000_000] * 3,  # so many that image 2 gets some, however late it is
}
lines = []

def end_the_last(line):
    lines.append(line)
    if len(lines) == 3:
        os.kill(int(Path("pid.2").read_text()), signal.SIGKILL)

def melted():
    return makespan.melt(
        "in.toml", steps=400, checkpoint="saved", threads=1, record=f"{sys.argv[1]}.json",
        on_line=end_the_last, gather=sys.argv[2],
    )

def computed():
    return makespan.diffuse(
        points=[32, 32, 32], steps=10**6, table_steps=100, threads=1, on_line=end_the_last,
        gather=sys.argv[2],
    )

def priced():
    happens = ["slow:0@0:8", "slow:1@0:8", "kill:2@0"]
    return makespan.price(BOOK, method="mc", threads=1, perturb=happens, gather=sys.argv[2])

def outcome(call):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            result = call()
        except Exception as error:
            return {"raised": f"{type(error).__name__}: {error}"}
    return {
        "hash": None if result is None else result.hash, "told": [str(one.message) for one in told]
    }

found = [outcome({"melt": melted, "price": priced, "diffuse": computed}[sys.argv[1]])]
found.append(outcome(lambda: makespan.price(BOOK)))
Path(f"found.{image}").write_text(json.dumps(found))
"""


OPEN_MPI = os.environ.get("MAKESPAN_TEST_OPENMPI")
"""An mpiexec of Open MPI 5: `make test-openmpi` names one."""
MPICH = pytest.param("mpich", marks=needs_mpi)
OPEN = pytest.param(
    "openmpi", marks=pytest.mark.skipif(OPEN_MPI is None, reason="MAKESPAN_TEST_OPENMPI is empty")
)


def command_of(mpi: str, arguments: str) -> list[str]:
    """How to start it so that the launcher lets the others live when an image ends."""
    program = f"{sys.executable} program.py {arguments}"
    if mpi == "openmpi":
        return [str(OPEN_MPI), "--oversubscribe", "--with-ft", "ulfm", "-n", "3", *program.split()]
    # See test_job.py for the shell. The launcher ends the others when the first shell has ended.
    wait = "for look in $(seq 300); do [ $(ls code.* | wc -l) = 3 ] && break; sleep 0.1; done"
    shell = f"trap '' USR1; {program}; echo $? > code.$PMI_RANK; {wait}"
    return [str(MPIEXEC), "-disable-auto-cleanup", "-n", "3", "sh", "-c", shell]


def found_by_those_left(folder: Path, mpi: str, *arguments: str) -> list[list[dict[str, object]]]:
    """By images 0 and 1: what came of the call in which image 2 ended, and of the next one."""
    (folder / "program.py").write_text(PROGRAM)
    as_root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    ended = subprocess.run(
        command_of(mpi, " ".join(arguments)),
        cwd=folder,
        capture_output=True,
        timeout=RUN_S_MAX,
        check=False,
        env={**os.environ, **as_root},
    )
    if mpi == "mpich":
        codes = [(folder / f"code.{image}").read_text().strip() for image in range(3)]
        assert codes == ["0", "0", "137"], ended.stderr
    return [json.loads((folder / f"found.{image}").read_text()) for image in range(2)]


def alone(folder: Path, name: str) -> str:
    """The hash of the same, by one process."""
    import makespan

    if name == "melt":
        result = makespan.melt(str(small_input(folder)), steps=400, threads=1)
    else:
        scope: dict[str, object] = {}
        exec(PROGRAM[PROGRAM.index("BOOK =") : PROGRAM.index("lines =")], scope)  # noqa: S102
        result = makespan.price(scope["BOOK"], method="mc", threads=1)  # type: ignore[arg-type]
    assert result is not None
    return str(result.hash)


@pytest.mark.parametrize("mpi", [MPICH, OPEN])
@pytest.mark.parametrize("name", ["melt", "price"])
def test_a_run_that_outlives_a_loss_ends_well_on_all_that_are_left(
    tmp_path: Path, name: str, mpi: str
) -> None:
    small_input(tmp_path)

    first, second = found_by_those_left(tmp_path, mpi, name, "first")

    assert first[0] == {"hash": alone(tmp_path, name), "told": []}
    assert second[0] == {"hash": None, "told": []}
    # MPI has the lost image for good: the next call would wait for it.
    for image in (first, second):
        raised = str(image[1]["raised"])
        assert raised.startswith("EngineError: image 2 is lost (")
        assert raised.endswith("start the program anew")


@pytest.mark.parametrize("mpi", [MPICH, OPEN])
@pytest.mark.parametrize("name", ["melt", "price"])
def test_what_cannot_come_to_all_stays_with_the_first(tmp_path: Path, name: str, mpi: str) -> None:
    small_input(tmp_path)

    first, second = found_by_those_left(tmp_path, mpi, name, "all")

    assert first[0]["hash"] == alone(tmp_path, name)
    (told,) = first[0]["told"]  # type: ignore[misc]
    assert "image 2 is lost" in told
    assert "the first image alone has the result" in told
    raised = str(second[0]["raised"])
    assert raised.endswith("what the first image has found cannot come to this one")


@pytest.mark.parametrize("mpi", [MPICH, OPEN])
@pytest.mark.parametrize("gather", ["first", "all"])
def test_a_run_that_a_loss_ends_lets_the_others_go(tmp_path: Path, mpi: str, gather: str) -> None:
    """A grid is lost with an image; what follows is refused, and waits for none."""
    for image in found_by_those_left(tmp_path, mpi, "diffuse", gather):
        assert str(image[0]["raised"]).startswith("EngineError: ")
        assert "image 2 is lost" in str(image[0]["raised"])
        assert str(image[1]["raised"]).endswith("start the program anew")
