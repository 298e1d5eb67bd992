# SPDX-License-Identifier: Apache-2.0
"""`makespan machine` with what hwloc, a file system or a shell may also give it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from job_programs import RUN_S_MAX
from measured_machine import measured_machine

import makespan

NOT_UTF8 = b"b\xff.xml"


def ended(
    folder: Path, *arguments: str | bytes, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Of `makespan machine` with these, in this folder."""
    return subprocess.run(
        [sys.executable, "-m", "makespan", "machine", *arguments],
        cwd=folder,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=RUN_S_MAX,
        check=False,
    )


def test_a_file_may_have_a_name_that_is_no_text(tmp_path: Path) -> None:
    written = ended(tmp_path, "--synthetic", "package:2 core:2 pu:1", "-o", NOT_UTF8)
    read = ended(tmp_path, NOT_UTF8)

    assert (written.returncode, written.stderr) == (0, "")
    assert (read.returncode, read.stderr) == (0, "")
    assert r"b\xff.xml: 2 packages" in read.stdout


def test_a_description_that_is_no_text_is_refused(tmp_path: Path) -> None:
    refused = ended(tmp_path, "--synthetic", b"core:2 \xff")

    assert (refused.returncode, refused.stdout) == (2, "")
    assert r"--synthetic core:2 \xff: it is no UTF-8" in refused.stderr


@pytest.mark.parametrize("name", ["dist [/mpi]", "MPI latency [ns]", ""])
def test_a_matrix_may_have_any_name(tmp_path: Path, name: str) -> None:
    file = measured_machine(tmp_path / "node.xml", host="node01")
    file.write_text(file.read_text().replace("makespan:core_latency", name))

    shown = ended(tmp_path, "node.xml")

    assert (shown.returncode, shown.stderr) == (0, "")
    assert f"\n{name or 'unnamed'}  " in shown.stdout


def test_a_transport_that_there_is_not_is_said_where_it_is_used(tmp_path: Path) -> None:
    refused = ended(tmp_path, "--measure", "--seconds", "0.1", MAKESPAN_TRANSPORT="bogus")

    assert refused.returncode == 2
    assert "transport bogus (there is none of this name)" in refused.stderr


def test_memory_is_not_measured_for_a_transport_that_there_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MAKESPAN_TRANSPORT", "bogus")
    told: list[makespan.Progress] = []

    with pytest.raises(makespan.InputError, match="transport bogus"):
        makespan.machine(measure=True, seconds=0.1, on_progress=told.append)

    assert all(one.done == 0 for one in told)


def test_a_machine_that_a_variable_describes_is_not_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HWLOC_COMPONENTS", raising=False)  # hwloc heeds it first
    refused = ended(tmp_path, "--measure", HWLOC_SYNTHETIC="package:2 core:2 pu:1")

    assert refused.returncode == 2
    assert "HWLOC_SYNTHETIC (describes a machine that need not be this one" in refused.stderr


@pytest.mark.parametrize("speeds", ["-3*1,2,3", "0*1,2,3", "1e308,1", "1e-308,1"])
def test_speeds_that_are_none_are_refused(tmp_path: Path, speeds: str) -> None:
    measured_machine(tmp_path / "node.xml", host="node01")

    refused = ended(tmp_path, "node.xml", "--weights", "pyfr", f"--speeds={speeds}")

    assert (refused.returncode, refused.stdout) == (2, "")
    assert f"--speeds {speeds} cannot be used: give a number from 1e-30 to 1e30" in refused.stderr


def test_assumed_factors_are_not_among_what_was_measured(tmp_path: Path) -> None:
    file = measured_machine(tmp_path / "node.xml", host="node01")
    assert "NUCO factor" in ended(tmp_path, "node.xml").stdout
    text = file.read_text()
    file.write_text(text.replace("makespan:core_latency", "of another program"))

    assert "NUCO factor" not in ended(tmp_path, "node.xml").stdout


def test_no_files_are_not_this_machine() -> None:
    with pytest.raises(makespan.InputError, match="the list is empty"):
        makespan.machine([])
