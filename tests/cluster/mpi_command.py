# SPDX-License-Identifier: Apache-2.0
"""The words with which each MPI starts a job on hosts that it reaches by our remote shell."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cluster_record import ClusterError

RSH_AGENT = Path(__file__).with_name("rsh_agent.sh")
VERSION_LIMIT_S = 20.0

# Open MPI 4 cannot make a window over TCP when threads call it (MPI_ERR_WIN, 4.1.4).
OPENMPI_MAJOR_MIN = 5

# MPICH's launcher tells all others by SIGUSR1 that a rank has died, and ends the host's other ranks
# with the first that returns something else than 0.
SHIELD = ["sh", "-c", 'trap \'\' USR1; "$0" "$@" || sleep 4']


@dataclass(frozen=True)
class Layout:
    """Which hosts take part, and how many ranks each of them has; ranks go host by host."""

    hosts: list[str]
    ranks_per_host: int
    outlives_losses: bool = False  # a rank that dies does not end the others

    @property
    def ranks(self) -> int:
        """Ranks of the whole job."""
        return len(self.hosts) * self.ranks_per_host


@dataclass(frozen=True)
class MpiLauncher:
    """One MPI's mpirun: `words` go before the layout, `environment` into that of mpirun."""

    program: str
    environment: dict[str, str] = field(default_factory=dict)

    def command(self, layout: Layout, program: Sequence[str]) -> list[str]:
        """Return the command that runs `program` in this layout."""
        raise NotImplementedError


class Hydra(MpiLauncher):
    """MPICH's."""

    def command(self, layout: Layout, program: Sequence[str]) -> list[str]:
        """Return the command that runs `program` in this layout."""
        agent = ["-launcher", "ssh", "-launcher-exec", str(RSH_AGENT)]
        places = ["-hosts", ",".join(layout.hosts), "-ppn", str(layout.ranks_per_host)]
        outlives = layout.outlives_losses
        words = [*agent, *places, *(["-disable-auto-cleanup"] if outlives else [])]
        ranks = ["-n", str(layout.ranks)]
        return [self.program, *words, *ranks, *(SHIELD if outlives else []), *program]


class Prrte(MpiLauncher):
    """Open MPI's, from version 5.

    Unbound, because hosts do not know that they share cores: each would bind its ranks to the first
    ones (8 ms an operation, Open MPI 5.0.11, 2 cores).
    """

    def command(self, layout: Layout, program: Sequence[str]) -> list[str]:
        """Return the command that runs `program` in this layout."""
        per_host = layout.ranks_per_host
        agent = ["--prtemca", "plm_ssh_agent", str(RSH_AGENT)]
        slots = ",".join(f"{host}:{per_host}" for host in layout.hosts)
        places = ["--host", slots, "--map-by", f"ppr:{per_host}:node:oversubscribe"]
        ranks = ["-n", str(layout.ranks)]
        words = ["--bind-to", "none", *(["--with-ft", "ulfm"] if layout.outlives_losses else [])]
        return [self.program, *words, *agent, *places, *ranks, *program]


OPENMPI_ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def launcher_of(path: str, version_text: str) -> MpiLauncher:
    """Return the launcher whose `--version` says this."""
    if "HYDRA" in version_text:
        return Hydra(path)
    match = re.search(r"\(Open MPI\) (\d+)\.", version_text)
    if match and int(match.group(1)) >= OPENMPI_MAJOR_MIN:
        return Prrte(path, OPENMPI_ENVIRONMENT)
    first_line = (version_text.splitlines() or [""])[0]
    msg = f"{path} says '{first_line}': MPICH's mpiexec, or that of Open MPI 5, is needed"
    raise ClusterError(msg)


def find_launcher(program: str) -> MpiLauncher:
    """Ask an mpirun whose it is."""
    path = shutil.which(program)
    if path is None:
        msg = f"no '{program}' on PATH: install an MPI, or give --mpirun"
        raise ClusterError(msg)
    done = subprocess.run(
        [path, "--version"], capture_output=True, text=True, timeout=VERSION_LIMIT_S, check=False
    )
    return launcher_of(path, done.stdout)
