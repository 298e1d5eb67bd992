# SPDX-License-Identifier: Apache-2.0
r"""Runs every check that there is, one after the other, and says how each ended: `make test-all`.

python tools/test_all.py                       # all, some hours on two cores
python tools/test_all.py sanitize-address lint # these
python tools/test_all.py --left                # those that have not passed at this commit
python tools/test_all.py --list

Each part's output goes to build/test-all/PART.log; a part that fails does not end the others. The
table is also in build/test-all/report.json, with the commit; it is written after each part, and
keeps what earlier runs of the same commit found, so that the whole can be run in pieces. Run it
with nothing else at work: many tests have limits of time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

OUT = Path("build/test-all")
UNKNOWN = "unknown"
OF_MAKE = ("MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MFLAGS")
"""What a make that runs us hands on; each part begins as from a shell."""


@dataclass(frozen=True)
class Part:
    """A target of the Makefile."""

    name: str
    what: str
    arguments: tuple[str, ...] = ()

    @property
    def command(self) -> list[str]:
        """What is run, from the root of the repository."""
        return ["make", self.name, *self.arguments]


PARTS = (
    Part("test", "what README promises"),
    Part("test-clang", "prices of a build by clang: the same bits as gcc's"),
    Part("test-dev", "each source compiled alone, without optimization, all contracts"),
    Part("test-long", "C++ tests that `make test` leaves out"),
    Part("pytest-slow", "Python tests that `make test` leaves out"),
    Part("sanitize-address", "all tests with the address and undefined-behaviour sanitizers"),
    Part("sanitize-thread", "all tests with the thread sanitizer"),
    Part("swarm", "protocols in a million drawn worlds of each kind", ("SEEDS=1000000",)),
    Part("torture", "real runs killed at random, 1000 alone, 1000 of 3 images", ("ROUNDS=1000",)),
    Part("torture-address", "100 of each under the address sanitizer", ("ROUNDS=100",)),
    Part("torture-ports", "garbage to the ports of running jobs", ("SECONDS=600",)),
    Part("crash-states", "states of disks that lost power"),
    Part("fuzz", "readers of bytes, a minute each", ("SECONDS=60",)),
    Part("fuzz-book", "damaged books, ten minutes", ("MINUTES=10",)),
    Part("test-openmpi", "tests that use MPI, with Open MPI 5"),
    Part("test-failing-mpi", "each of the first MPI calls fails once"),
    Part("test-lowest", "Python tests with the lowest versions of libraries"),
    Part("lint", "layers, style, clang-tidy, types, spelling"),
    Part("docs", "documentation without a broken link"),
    Part("doc-commands", "commands of README and tutorial"),
    Part("bench-smoke", "each bench at a small size"),
)


@dataclass(frozen=True)
class Outcome:
    """How a part ended."""

    name: str
    passed: bool
    seconds: float


def run(part: Part, out: Path) -> Outcome:
    """Blocks until the part has ended; its output goes to a file."""
    begin = time.monotonic()
    with (out / f"{part.name}.log").open("w", encoding="utf-8") as log:
        ended = subprocess.run(
            part.command,
            env={name: value for name, value in os.environ.items() if name not in OF_MAKE},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            check=False,
        )
    return Outcome(part.name, ended.returncode == 0, round(time.monotonic() - begin, 1))


def line(outcome: Outcome) -> str:
    """A row of the table."""
    minutes = outcome.seconds / 60
    return f"{outcome.name:<18} {'passed' if outcome.passed else 'FAILED':<7} {minutes:7.1f} min"


def known(report: Path, tree: str) -> dict[str, Outcome]:
    """What earlier runs found at this commit: nothing if files differ from it."""
    if tree.endswith("-dirty") or tree == UNKNOWN or not report.is_file():
        return {}
    read = json.loads(report.read_text(encoding="utf-8"))
    if read["commit"] != tree:
        return {}
    return {part["name"]: Outcome(**part) for part in read["parts"]}


def keep(report: Path, tree: str, outcomes: Mapping[str, Outcome]) -> None:
    """Writes the report anew, the parts in the order in which `--list` has them."""
    parts = [asdict(outcomes[part.name]) for part in PARTS if part.name in outcomes]
    written = json.dumps({"commit": tree, "parts": parts}, indent=1) + "\n"
    report.write_text(written, encoding="utf-8")


def chosen(names: Sequence[str]) -> list[Part]:
    """The parts of these names, all if there are none. Raises SystemExit for unknown names."""
    by_name = {part.name: part for part in PARTS}
    unknown = [name for name in names if name not in by_name]
    if unknown:
        raise SystemExit(f"test-all: no part {unknown[0]!r}: there are {', '.join(by_name)}")
    return [by_name[name] for name in names] or list(PARTS)


def commit() -> str:
    """This tree's, with "-dirty" if files differ."""
    shown = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return shown.stdout.strip() or UNKNOWN


def main(arguments: Sequence[str]) -> int:
    """Runs what the command line says; 1 if a part failed."""
    parser = argparse.ArgumentParser(prog="test_all.py", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--list", action="store_true", help="say which parts there are")
    parser.add_argument("--left", action="store_true", help="only what has not passed here yet")
    given = parser.parse_args(arguments)
    if given.list:
        for part in PARTS:
            print(f"{part.name:<18} {part.what}")
        return 0
    OUT.mkdir(parents=True, exist_ok=True)
    report = OUT / "report.json"
    tree = commit()
    outcomes = known(report, tree)
    asked = chosen(given.parts)
    if given.left:
        asked = [
            part for part in asked if not (part.name in outcomes and outcomes[part.name].passed)
        ]
    for part in asked:
        outcome = run(part, OUT)
        outcomes[part.name] = outcome
        keep(report, tree, outcomes)
        where = "" if outcome.passed else f"  see {OUT / part.name}.log"
        print(line(outcome) + where, flush=True)
    return 0 if all(outcomes[part.name].passed for part in asked) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
