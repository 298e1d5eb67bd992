# SPDX-License-Identifier: Apache-2.0
"""`python -m tests.crash`: runs of each kind, their crash states; 1 if a promise was broken."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.crash.recording import library
from tests.crash.states import look_at, recorded, states_of
from tests.crash.subject import Subject
from tests.crash.subjects import SUBJECTS


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    parser.add_argument("--kinds", default=",".join(SUBJECTS), help="with commas between")
    parser.add_argument("--drops", type=int, default=8, help="states drawn after each operation")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--folder", type=Path, help="what failed stays here")
    parser.add_argument("--shown", type=int, default=10, help="broken states of a kind")
    return parser.parse_args()


def tried(subject: Subject, asked: argparse.Namespace, folder: Path) -> int:
    """Looks at all states of a subject; how many were wrong."""
    begin = time.monotonic()
    run = recorded(subject, folder)
    count, broken = 0, 0
    for state in states_of(run, folder / "run", asked.seed, asked.drops):
        count += 1
        found = look_at(subject, state, run.end, folder / f"state-{state.name.replace(' ', '-')}")
        if found is not None:
            broken += 1
            if broken <= asked.shown:
                print(f"{subject.name}, state {found.state}: {found.why}", flush=True)
    seconds = time.monotonic() - begin
    counts = f"{len(run.records)} operations, {count} states, {broken} broken"
    print(f"{subject.name}: {counts}, {seconds:.0f} s", flush=True)
    return broken


def main() -> int:
    """The exit code."""
    asked = parsed()
    if library() is None:
        print("the recorder is not built: make build-all", file=sys.stderr)
        return 2
    folder = (asked.folder or Path(tempfile.mkdtemp(prefix="crash-"))).resolve()
    print(f"seed {asked.seed}, in {folder}")
    broken = sum(
        tried(SUBJECTS[name], asked, folder / name) for name in asked.kinds.split(",") if name
    )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
