# SPDX-License-Identifier: Apache-2.0
"""Goal: what a run reads, also by what another file names, is not written over, and is read once.

Method: each such file as an output; descriptions from pipes.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from makespan.base.errors import InputError
from makespan.sim.grids.example import GRID_EXAMPLE
from small_melt import SMALL, small_input
from with_simulator import needs_simulator

import makespan

ROOT = Path(__file__).resolve().parents[2]
DESCRIPTION = '[kind.cpu]\nspeed = 1.0\n[[node]]\ndevices = ["cpu"]\n'
REFUSED = "would be written over what is read or written; name another file"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(ROOT / "tests" / "data" / "machines" / "gpu_node.xml", tmp_path / "node.xml")
    shutil.copy(ROOT / "examples" / "simulation" / "cluster.xml", tmp_path / "c.xml")
    shutil.copy(ROOT / "examples" / "graph" / "stencil.json", tmp_path / "graph.json")
    routed = DESCRIPTION + '[network]\nplatform = "c.xml"\n'
    (tmp_path / "routed.toml").write_text(routed)
    small_input(tmp_path, SMALL + 'machine = "node.xml"\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


CALLS: dict[str, tuple[Callable[[str], object], tuple[str, ...]]] = {
    "melt": (lambda out: makespan.melt("in.toml", record=out), ("node.xml", "node.network.json")),
    "virtual": (
        lambda out: makespan.melt("in.toml", virtual=True, record=out),
        ("node.xml", "node.network.json"),
    ),
    "simulate": (
        lambda out: makespan.simulate(machine="node.xml", record=out),
        ("node.xml", "node.network.json"),
    ),
    "routes": (lambda out: makespan.simulate("routed.toml", record=out), ("c.xml", "routed.toml")),
    "balance": (
        lambda out: makespan.balance("graph.json", machine="node.xml", record=out),
        ("node.xml", "node.network.json", "graph.json"),
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_is_read_is_not_written_over(folder: Path, name: str) -> None:
    call, read = CALLS[name]
    before = {path: path.read_bytes() for path in folder.iterdir()}

    for path in read:
        with pytest.raises(InputError, match=f"{path} {REFUSED}"):
            call(path)

    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        pytest.param(DESCRIPTION, ("--tasks", "10"), marks=needs_simulator),
        (GRID_EXAMPLE.replace("steps = 400", "steps = 20"), ()),
    ],
    ids=["machine", "grid"],
)
def test_a_description_may_come_through_a_pipe(
    folder: Path, text: str, flags: tuple[str, ...]
) -> None:
    command = [sys.executable, "-m", "makespan", "simulate", "/dev/stdin", "-o", "cases.json"]

    ended = subprocess.run(
        [*command, *flags], input=text, capture_output=True, text=True, timeout=120, check=False
    )

    assert (ended.returncode, ended.stderr) == (0, "")
    assert (folder / "cases.json").stat().st_size > 0
