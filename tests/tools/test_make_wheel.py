# SPDX-License-Identifier: Apache-2.0
"""Goal: a wheel is built against the headers of both MPIs, without the libraries left out."""

from __future__ import annotations

from pathlib import Path

import make_wheel
import pytest


def mpi_header(folder: Path, mark: str) -> Path:
    """A folder with an mpi.h as an MPI has it."""
    include = folder / "include"
    include.mkdir(parents=True)
    (include / "mpi.h").write_text(f'/* this MPI */\n{mark} "5.0"\n')
    return include


def test_cmake_is_told_where_the_headers_of_each_mpi_are(tmp_path: Path) -> None:
    folders = {abi: mpi_header(tmp_path / abi, mark) for abi, mark in make_wheel.MPIS.items()}

    told = make_wheel.definitions(tmp_path)

    for abi, folder in folders.items():
        name = f"MAKESPAN_{abi.upper()}_INCLUDE_DIR"
        assert f"--config-settings=cmake.define.{name}={folder}" in told


def test_libraries_that_a_wheel_has_not_are_not_looked_for(tmp_path: Path) -> None:
    for abi, mark in make_wheel.MPIS.items():
        mpi_header(tmp_path / abi, mark)

    told = make_wheel.definitions(tmp_path)

    for name in ("MPI", "UCX", "SCOTCH", "METIS", "SIMGRID"):
        assert f"--config-settings=cmake.define.MAKESPAN_WITH_{name}=OFF" in told


def test_the_header_of_another_mpi_is_not_taken(tmp_path: Path) -> None:
    mpi_header(tmp_path / "mpich", make_wheel.MPIS["openmpi"])

    with pytest.raises(SystemExit, match=r"no mpi\.h with '#define MPICH_VERSION'"):
        make_wheel.folder_of_header(tmp_path / "mpich", make_wheel.MPIS["mpich"])


def test_a_step_that_fails_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^wheel: sh failed"):
        make_wheel.run("sh", "-c", "echo no room >&2; exit 1")

    assert "no room" in capfd.readouterr().err
