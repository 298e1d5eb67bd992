# SPDX-License-Identifier: Apache-2.0
"""Weights, read by the programs that they are for: partitioners divide a grid of 400 by them."""

from __future__ import annotations

import getpass
import os
import re
import shutil
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from makespan.machines.weights.metis import metis_text
from makespan.machines.weights.openfoam import openfoam_text
from makespan.machines.weights.part import Part, WeightedParts
from makespan.machines.weights.pyfr import pyfr_text
from makespan.machines.weights.scotch import scotch_text
from makespan.machines.weights.slurm import slurm_text

SIDE = 20
POINTS = SIDE * SIDE
SPEEDS = (4.0, 4.0, 1.0, 1.0)
SHARES = [POINTS * speed / sum(SPEEDS) for speed in SPEEDS]
OFF_MAX = 0.05 * POINTS
"""Programs may be off by some percent of a part for the sake of a shorter border."""
PARTS = [Part(f"Core {n}", speed, (n,), n // 2) for n, speed in enumerate(SPEEDS)]
LATENCIES_S = [
    [0.0 if a == b else 3e-8 if a // 2 == b // 2 else 12e-8 for b in range(4)] for a in range(4)
]
GMAP = shutil.which("scotch_gmap") or shutil.which("gmap")

needs_scotch = pytest.mark.skipif(
    GMAP is None or shutil.which("atst") is None, reason="no programs of Scotch here (apt: scotch)"
)
needs_metis = pytest.mark.skipif(
    shutil.which("gpmetis") is None, reason="no gpmetis here (apt: metis)"
)
needs_pyfr = pytest.mark.skipif(
    shutil.which("pyfr") is None, reason="no pyfr here (pip: pyfr; apt: libscotch-dev)"
)
needs_openfoam = pytest.mark.skipif(
    shutil.which("blockMesh") is None or shutil.which("foamDictionary") is None,
    reason="no programs of OpenFOAM here (apt: openfoam)",
)
needs_openfoam_mpi = pytest.mark.skipif(
    shutil.which("redistributePar") is None or shutil.which("mpiexec.openmpi") is None,
    reason="no redistributePar, or no Open MPI, here (apt: openfoam)",
)
needs_scontrol = pytest.mark.skipif(
    shutil.which("scontrol") is None, reason="no scontrol here (apt: slurm-client)"
)
needs_slurmctld = pytest.mark.skipif(
    shutil.which("slurmctld") is None, reason="no slurmctld here (apt: slurmctld)"
)


def neighbours(point: int) -> list[int]:
    row, column = divmod(point, SIDE)
    near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [r * SIDE + c for r, c in near if 0 <= r < SIDE and 0 <= c < SIDE]


def tried(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`environment`: beside this process's."""
    return subprocess.run(
        arguments,
        cwd=folder,
        env=os.environ | {"PWD": str(folder)} | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def run(folder: Path, *arguments: str, **environment: str) -> str:
    ended = tried(folder, *arguments, **environment)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def assert_counts(found: list[int]) -> None:
    assert found == pytest.approx(SHARES, abs=OFF_MAX)


def assert_shares(parts: list[int]) -> None:
    found = Counter(parts)
    assert_counts([found[part] for part in range(len(SPEEDS))])


@needs_metis
def test_gpmetis_divides_by_them(tmp_path: Path) -> None:
    rows = [" ".join(str(other + 1) for other in neighbours(point)) for point in range(POINTS)]
    edges = sum(len(neighbours(point)) for point in range(POINTS)) // 2
    (tmp_path / "grid").write_text(f"{POINTS} {edges}\n" + "\n".join(rows) + "\n")
    (tmp_path / "weights").write_text(metis_text(WeightedParts(PARTS)))

    run(tmp_path, "gpmetis", "-tpwgts=weights", "grid", "4")

    assert_shares([int(line) for line in (tmp_path / "grid.part.4").read_text().split()])


@needs_scotch
@pytest.mark.parametrize("latencies_s", [None, LATENCIES_S], ids=["cmpltw", "deco"])
def test_gmap_divides_by_them(tmp_path: Path, latencies_s: list[list[float]] | None) -> None:
    rows = [
        f"{len(neighbours(point))} {' '.join(map(str, neighbours(point)))}"
        for point in range(POINTS)
    ]
    arcs = sum(len(neighbours(point)) for point in range(POINTS))
    (tmp_path / "grid").write_text(f"0\n{POINTS} {arcs}\n0 000\n" + "\n".join(rows) + "\n")
    (tmp_path / "target").write_text(scotch_text(WeightedParts(PARTS, latencies_s=latencies_s)))

    tested = run(tmp_path, "atst", "target")
    run(tmp_path, str(GMAP), "grid", "target", "mapping")

    assert f"nbr={len(SPEEDS)}" in tested
    assert f"max={1 if latencies_s is None else 40}\t" in tested
    lines = (tmp_path / "mapping").read_text().splitlines()[1:]
    assert_shares([int(line.split()[1]) for line in lines])


def gmsh_grid() -> str:
    """Squares, and lines around them, as Gmsh 2.2 writes them."""
    side = range(SIDE)

    def corner(x: int, y: int) -> int:
        return 1 + x + (SIDE + 1) * y

    corners = [f"{corner(x, y)} {x} {y} 0" for y in range(SIDE + 1) for x in range(SIDE + 1)]
    fluid = [
        (corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1))
        for y in side
        for x in side
    ]
    flat = [(corner(x, y), corner(x + 1, y)) for y in (0, SIDE) for x in side]
    upright = [(corner(x, y), corner(x, y + 1)) for x in (0, SIDE) for y in side]
    kinds = ["3 2 1 1"] * len(fluid) + ["1 2 2 2"] * (len(flat) + len(upright))
    rows = zip(kinds, [*fluid, *flat, *upright], strict=True)
    sections = {
        "MeshFormat": ["2.2 0 8"],
        "PhysicalNames": ["2", '2 1 "fluid"', '1 2 "wall"'],
        "Nodes": [str(len(corners)), *corners],
        "Elements": [
            str(len(kinds)),
            *(f"{n} {kind} {' '.join(map(str, at))}" for n, (kind, at) in enumerate(rows, 1)),
        ],
    }
    return "".join(
        "\n".join([f"${name}", *lines, f"$End{name}\n"]) for name, lines in sections.items()
    )


@needs_pyfr
@pytest.mark.parametrize("partitioner", ["scotch", "metis"])
def test_pyfr_divides_by_them(tmp_path: Path, partitioner: str) -> None:
    (tmp_path / "grid.msh").write_text(gmsh_grid())
    run(tmp_path, "pyfr", "import", "grid.msh", "grid.pyfrm")
    add = ("pyfr", "partition", "add", "-p", partitioner, "grid.pyfrm")
    equal = tried(tmp_path, *add, str(len(SPEEDS)), "equal")
    if equal.returncode != 0:
        pytest.skip(f"no {partitioner} that this PyFR can use: {equal.stderr.splitlines()[-1]}")

    run(tmp_path, *add, pyfr_text(WeightedParts(PARTS)).strip(), "weighted")

    rows = run(tmp_path, "pyfr", "partition", "info", "grid.pyfrm", "weighted").splitlines()[1:]
    assert_counts([int(row.split()[1]) for row in rows])


FOAM = {"WM_PROJECT_DIR": os.environ.get("WM_PROJECT_DIR", "/usr/share/openfoam")}
"""Where Debian's programs find their own settings."""
SCHEMES = ("ddt", "grad", "div", "laplacian", "interpolation", "snGrad")
GRID_OF_CELLS = f"""
vertices ((0 0 0) (1 0 0) (1 1 0) (0 1 0) (0 0 1) (1 0 1) (1 1 1) (0 1 1));
blocks (hex (0 1 2 3 4 5 6 7) ({SIDE} {SIDE} 1) simpleGrading (1 1 1));
boundary ();
defaultPatch {{ name walls; type wall; }}
"""


def foam_case(folder: Path, method: str) -> None:
    dictionaries = {
        "blockMeshDict": GRID_OF_CELLS,
        "controlDict": "deltaT 1; endTime 1; writeInterval 1;",
        "fvSchemes": " ".join(f"{scheme}Schemes {{ default none; }}" for scheme in SCHEMES),
        "fvSolution": "",
        "decomposeParDict": f'#include "weights"\nmethod {method};',
    }
    (folder / "system").mkdir()
    for name, text in dictionaries.items():
        head = f"FoamFile {{ version 2.0; format ascii; class dictionary; object {name}; }}\n"
        (folder / "system" / name).write_text(head + text + "\n")
    (folder / "system" / "weights").write_text(openfoam_text(WeightedParts(PARTS)))
    run(folder, "blockMesh", **FOAM)


def assert_cells(folder: Path) -> None:
    owners = [folder / f"processor{n}/constant/polyMesh/owner" for n in range(len(SPEEDS))]
    found = [re.search(r"nCells:\s*(\d+)", owner.read_text("latin-1")) for owner in owners]
    assert_counts([int(cells[1]) for cells in found if cells])


@needs_openfoam
@pytest.mark.parametrize("method", ["scotch", "metis"])
def test_decomposepar_divides_by_them(tmp_path: Path, method: str) -> None:
    foam_case(tmp_path, method)
    entry = ("foamDictionary", "system/decomposeParDict", "-value", "-entry")

    assert run(tmp_path, *entry, "numberOfSubdomains", **FOAM).strip() == "4"
    weights = run(tmp_path, *entry, f"{method}Coeffs.processorWeights", **FOAM)
    assert re.findall(r"\d+", weights.partition("(")[2]) == ["4", "4", "1", "1"]

    ended = tried(tmp_path, "decomposePar", **FOAM)
    if "stub library" in ended.stdout + ended.stderr:
        pytest.skip(f"this OpenFOAM was built without {method}; its foamDictionary reads them")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert_cells(tmp_path)


@needs_openfoam
@needs_openfoam_mpi
def test_redistributepar_divides_by_them(tmp_path: Path) -> None:
    foam_case(tmp_path, "ptscotch")
    environment = {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        # With threads PT-Scotch 7.0.3 crashes or hangs here, in MPI_Allreduce, every third time.
        "SCOTCH_PTHREAD_NUMBER": "1",
    }
    launch = ("mpiexec.openmpi", "--oversubscribe", "-n", str(len(SPEEDS)))

    run(tmp_path, *launch, "redistributePar", "-decompose", "-parallel", **FOAM, **environment)

    assert_cells(tmp_path)


NODES = {"node01": 400, "node02": 100}


def slurm_conf(folder: Path, port: int = 6817) -> Path:
    """Weights in the lines that define the nodes, whose addresses lead nowhere."""
    weighted = WeightedParts([PARTS[2], PARTS[0]], nodes=list(NODES))
    lines = [f"{line} NodeAddr=127.0.0.1" for line in slurm_text(weighted).splitlines()]
    path = folder / "slurm.conf"
    path.write_text(
        "ClusterName=grid\nSlurmctldHost=localhost\nAuthType=auth/none\nCredType=cred/none\n"
        f"SlurmUser={getpass.getuser()}\nSlurmctldPort={port}\n"
        f"StateSaveLocation={folder}\nSlurmctldPidFile={folder}/slurmctld.pid\n"
        + "\n".join([*lines, "PartitionName=all Nodes=ALL Default=YES\n"])
    )
    return path


@contextmanager
def controller(conf: Path) -> Iterator[None]:
    with (conf.parent / "slurmctld.log").open("w") as log:
        started = subprocess.Popen(
            ["slurmctld", "-D", "-f", str(conf)], stdout=log, stderr=subprocess.STDOUT
        )
        try:
            yield
        finally:
            started.terminate()
            started.wait(60)


@needs_scontrol
def test_scontrol_reads_a_slurm_conf_with_them(tmp_path: Path) -> None:
    conf = slurm_conf(tmp_path)
    # It reads slurm.conf before anything else, and needs no controller for this.
    names = ("scontrol", "show", "hostnames", "node[01-02]")

    assert run(tmp_path, *names, SLURM_CONF=str(conf)).split() == list(NODES)

    conf.write_text(conf.read_text().replace("Weight=400", "Weight=4x0"))
    refused = tried(tmp_path, *names, SLURM_CONF=str(conf))
    assert refused.returncode != 0
    assert "Weight value (4x0) is not a valid number" in refused.stderr


@needs_scontrol
@needs_slurmctld
def test_slurmctld_gives_nodes_their_weights(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    conf = slurm_conf(tmp_path, port)
    ask = ("scontrol", "--oneliner", "show", "node")

    with controller(conf):
        end_s = time.monotonic() + 30
        while (said := tried(tmp_path, *ask, SLURM_CONF=str(conf))).returncode != 0:
            assert time.monotonic() < end_s, said.stderr + (tmp_path / "slurmctld.log").read_text()
            time.sleep(0.1)

    found = re.findall(r"NodeName=(\S+) .* Weight=(\d+) ", said.stdout)
    assert {node: int(weight) for node, weight in found} == NODES
