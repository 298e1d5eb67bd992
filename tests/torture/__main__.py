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
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from tests.torture.disturbance import Kind
from tests.torture.fault import Fault
from tests.torture.job import launcher
from tests.torture.programs import PROGRAMS
from tests.torture.reports import quoted
from tests.torture.rounds import Arena, Round, kinds_of, round_of

IMAGES = tuple(sorted({images for program in PROGRAMS.values() for images in program.images}))


def parsed(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line, or these words as one."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--rounds", type=_count, default=50, help="alone, and as many on 3 images")
    parser.add_argument("--until-stopped", action="store_true", help="instead of --rounds")
    parser.add_argument("--seed", type=int, help="replay this round only")
    parser.add_argument("--first-seed", type=int, help="rounds have this seed and those after it")
    kinds = [kind.value for kind in Kind]
    for flag, known in (("--programs", list(PROGRAMS)), ("--images", IMAGES), ("--kinds", kinds)):
        names = [str(one) for one in known]
        text = f"with commas between, of {', '.join(names)}"
        parser.add_argument(flag, type=_some_of(names), default=",".join(names), help=text)
    parser.add_argument("--folder", type=_folder, help="what failed stays here")
    parser.add_argument("--keep-going", action="store_true", help="after a round that failed, too")
    asked = parser.parse_args(words)
    if asked.seed is None and not ways(asked):
        parser.error(_nothing_to_run(asked))
    return asked


def _count(word: str) -> int:
    if not word.isdecimal() or int(word) == 0:
        raise argparse.ArgumentTypeError(f"'{word}' is no number of rounds: give 1 or more")
    return int(word)


def _folder(word: str) -> Path:
    try:
        quoted(Path(word).resolve())
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{error}: give another one") from error
    return Path(word)


def _some_of(known: Sequence[str]) -> Callable[[str], list[str]]:
    def some(text: str) -> list[str]:
        for word in text.split(","):
            if word not in known:
                raise argparse.ArgumentTypeError(f"'{word}' is none of {', '.join(known)}")
        return text.split(",")

    return some


def _nothing_to_run(asked: argparse.Namespace) -> str:
    where = "" if launcher() else " without mpiexec, which several images need"
    return (
        f"no round is possible{where}: none of {', '.join(asked.programs)}"
        f" on {' or '.join(asked.images)} images has one of {', '.join(asked.kinds)}"
    )


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
            one.program.name in asked.programs
            and left.get(one.images, 0)
            and one.disturbance.kind.value in asked.kinds
        ):
            left[one.images] -= 1
            yield one


def ways(asked: argparse.Namespace) -> set[int]:
    """On how many images an asked program may meet an asked kind here."""
    programs = [PROGRAMS[name] for name in asked.programs]
    found = {
        images
        for program in programs
        if any(kind.value in asked.kinds for kind in kinds_of(program))
        for images in program.images
        if str(images) in asked.images
    }
    return found if launcher() else found & {1}


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
