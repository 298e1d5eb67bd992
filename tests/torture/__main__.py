# SPDX-License-Identifier: Apache-2.0
"""`python -m tests.torture`: rounds until there were enough, or until Ctrl-C; 1 if any failed."""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.torture.disturbance import Kind
from tests.torture.fault import Fault
from tests.torture.job import launcher
from tests.torture.programs import PROGRAMS
from tests.torture.rounds import Arena, Round, round_of


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--until-stopped", action="store_true", help="instead of --rounds")
    parser.add_argument("--seed", type=int, help="replay this round only")
    parser.add_argument("--first-seed", type=int, help="rounds have this seed and those after it")
    parser.add_argument("--programs", default=",".join(PROGRAMS), help="with commas between")
    parser.add_argument("--images", default="1,3", help="1, 3 or 1,3")
    parser.add_argument("--kinds", default=",".join(kind.value for kind in Kind))
    parser.add_argument("--folder", type=Path, help="what failed stays here")
    parser.add_argument("--keep-going", action="store_true", help="after a round that failed, too")
    return parser.parse_args()


def wanted(asked: argparse.Namespace) -> Iterator[Round]:
    """Rounds of the asked kinds; a seed means the same round whatever is asked."""
    if asked.seed is not None:
        yield round_of(asked.seed)
        return
    begin = int(time.time()) * 1000 if asked.first_seed is None else asked.first_seed
    images = {int(word) for word in asked.images.split(",")}
    if launcher() is None:
        images.discard(3)
    every = (round_of(seed) for seed in itertools.count(begin))
    chosen = (
        one
        for one in every
        if one.program.name in asked.programs.split(",")
        and one.images in images
        and one.disturbance.kind.value in asked.kinds.split(",")
    )
    yield from chosen if asked.until_stopped else itertools.islice(chosen, asked.rounds)


def play_all(asked: argparse.Namespace, folder: Path) -> int:
    """Plays them; how many failed."""
    arena = Arena(folder, keep=asked.seed is not None)
    counts: Counter[str] = Counter()
    failed = 0
    try:
        for one in wanted(asked):
            counts[f"{one.program.name}, {one.images} images"] += 1
            try:
                print(f"{one}: {arena.play(one)}", flush=True)
            except Fault as fault:
                failed += 1
                print(f"{one}: FAILED: {fault}\n  {folder}/seed-{one.seed}", flush=True)
                print(f"  again: python -m tests.torture --seed {one.seed}", flush=True)
                if not asked.keep_going:
                    break
    except KeyboardInterrupt:
        print("stopped")
    for name, count in sorted(counts.items()):
        print(f"{count:6} {name}")
    print(f"{counts.total()} rounds, {failed} failed")
    return failed


def main() -> int:
    """The exit code."""
    asked = parsed()
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="torture-"))
    folder.mkdir(parents=True, exist_ok=True)
    return 1 if play_all(asked, folder.resolve()) else 0


if __name__ == "__main__":
    sys.exit(main())
