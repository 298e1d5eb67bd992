# SPDX-License-Identifier: Apache-2.0
"""`python -m tests.torture`: rounds until there were enough, or until Ctrl-C; 1 if any failed."""

from __future__ import annotations

import argparse
import itertools
import math
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.torture.disturbance import Kind
from tests.torture.fault import Fault
from tests.torture.job import launcher
from tests.torture.programs import PROGRAMS
from tests.torture.rounds import Arena, Round, round_of


def parsed(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line, or these words as one."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--rounds", type=int, default=50, help="alone, and as many on 3 images")
    parser.add_argument("--until-stopped", action="store_true", help="instead of --rounds")
    parser.add_argument("--seed", type=int, help="replay this round only")
    parser.add_argument("--first-seed", type=int, help="rounds have this seed and those after it")
    parser.add_argument("--programs", default=",".join(PROGRAMS), help="with commas between")
    parser.add_argument("--images", default="1,3", help="1, 3 or 1,3")
    parser.add_argument("--kinds", default=",".join(kind.value for kind in Kind))
    parser.add_argument("--folder", type=Path, help="what failed stays here")
    parser.add_argument("--keep-going", action="store_true", help="after a round that failed, too")
    return parser.parse_args(words)


def wanted(asked: argparse.Namespace) -> Iterator[Round]:
    """Rounds of the asked kinds; a seed means the same round whatever is asked."""
    if asked.seed is not None:
        yield round_of(asked.seed)
        return
    begin = int(time.time()) * 1000 if asked.first_seed is None else asked.first_seed
    left = dict.fromkeys(ways(asked), math.inf if asked.until_stopped else asked.rounds)
    for one in map(round_of, itertools.count(begin)):
        if not any(left.values()):
            return
        if (
            one.program.name in asked.programs.split(",")
            and left.get(one.images, 0)
            and one.disturbance.kind.value in asked.kinds.split(",")
        ):
            left[one.images] -= 1
            yield one


def ways(asked: argparse.Namespace) -> set[int]:
    """On how many images the asked programs are run here."""
    programs = [PROGRAMS[name] for name in asked.programs.split(",")]
    images = {int(word) for word in asked.images.split(",")}
    if launcher() is None:
        images.discard(3)
    return images & {number for program in programs for number in program.images}


def play_all(asked: argparse.Namespace, folder: Path) -> int:
    """Plays them; how many failed."""
    arena = Arena(folder, keep=asked.seed is not None)
    counts: Counter[tuple[str, int]] = Counter()
    failed = 0
    try:
        for one in wanted(asked):
            counts[one.program.name, one.images] += 1
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
    for (name, images), count in sorted(counts.items()):
        print(f"{count:6} {name}, {images} images")
    print(summary(counts, failed))
    return failed


def summary(counts: Mapping[tuple[str, int], int], failed: int) -> str:
    """The last line; rounds are counted by program and images."""
    alone = sum(count for (_, images), count in counts.items() if images == 1)
    others = sum(counts.values()) - alone
    return f"{alone + others} rounds: {alone} alone, {others} on 3 images; {failed} failed"


def main() -> int:
    """The exit code."""
    asked = parsed()
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="torture-"))
    folder.mkdir(parents=True, exist_ok=True)
    return 1 if play_all(asked, folder.resolve()) else 0


if __name__ == "__main__":
    sys.exit(main())
