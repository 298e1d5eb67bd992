# SPDX-License-Identifier: Apache-2.0
"""Configures and builds a preset, and says how far it is.

`python3 tools/build.py --preset release TARGET…` needs nothing but Python and what the build needs.
On a terminal one line is kept up to date, elsewhere a line is printed now and then; what a step
that failed printed follows it. A second one in the same checkout waits for the first.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
STATUS = "@step %f %t "
STEP = re.compile(r"^@step (\d+) (\d+) (.*)$")
OBJECT = re.compile(r"^Building \w+ object (.+)$")
SECONDS_BETWEEN_LINES = 15.0
INCLUDED = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
# What a step costs, in seconds of one core (2 GHz, gcc 12): headers, then so much for each kB of
# source. Kernels are compiled once for each instruction set.
STEP_S = 2.5
S_PER_KB = 0.12
KERNEL_FACTOR = 12.0
LINK_S = 0.2


def cost_of_source(source: Path) -> float:
    """Predicted seconds of one core to compile `source`, which may include others."""
    try:
        text = source.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return STEP_S
    parts = [Path(name) for name in INCLUDED.findall(text) if name.endswith(".cpp")]
    size = sum(part.stat().st_size for part in parts if part.is_file()) or len(text)
    factor = KERNEL_FACTOR if source.name.endswith(("_vector.cpp", ".cu")) else 1.0
    return STEP_S + S_PER_KB * factor * size / 1000


def seconds_left(done: float, total: float, elapsed_s: float) -> float | None:
    """What is left at the speed so far; None while too little is done to know it."""
    if elapsed_s < 2.0 or done <= 0.0:
        return None
    return max(total - done, 0.0) * elapsed_s / done


def progress_line(step: int, steps: int, left_s: float | None) -> str:
    """As in: step 57 of 105, about 1 min 10 s left."""
    line = f"step {step} of {steps}"
    if left_s is None:
        return line
    minutes, seconds = divmod(max(round(left_s / 5) * 5, 0), 60)
    left = f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
    return f"{line}, about {left} left"


class Progress:
    """Follows the lines of ninja, and shows how far it is."""

    def __init__(self, folder: Path, screen: IO[str]) -> None:
        self._folder = folder
        self._costs = self._read_costs(folder)
        self._screen = screen
        self._keeps_line = screen.isatty()
        self._begun = time.monotonic()
        self._shown = self._begun
        self._done = 0.0
        self._width = 0

    @staticmethod
    def _read_costs(folder: Path) -> dict[str, float]:
        commands = folder / "compile_commands.json"
        if not commands.is_file():
            return {}
        costs = {}
        for command in json.loads(commands.read_text(encoding="utf-8")):
            found = re.search(r" -o (\S+)", command["command"])
            if found:
                costs[found.group(1)] = cost_of_source(Path(command["file"]))
        return costs

    def _cost_of(self, what: str) -> float:
        found = OBJECT.match(what)
        return self._costs.get(found.group(1), STEP_S) if found else LINK_S

    def take(self, line: str, total: float) -> None:
        """One line of ninja's output: a step's, or what a step printed."""
        step = STEP.match(line)
        if not step:
            self.end()
            self._screen.write(line)
            return
        count, steps, what = int(step.group(1)), int(step.group(2)), step.group(3)
        self._done += self._cost_of(what)
        now = time.monotonic()
        text = progress_line(count, steps, seconds_left(self._done, total, now - self._begun))
        if self._keeps_line:
            self._screen.write("\r" + text.ljust(self._width))
            self._width = len(text)
        elif now - self._shown >= SECONDS_BETWEEN_LINES or count == steps:
            self._screen.write(text + "\n")
            self._shown = now
        self._screen.flush()

    def total_of(self, planned: Sequence[str]) -> float:
        """Predicted seconds of one core for the steps of a dry run.

        The dry run ends before the first step whose inputs another step would find (Fortran's
        modules), which with ninja 1.12 comes early: what it leaves out are objects that are not
        there, and links.
        """
        steps = [step for line in planned if (step := STEP.match(line))]
        if not steps:
            return 0.0
        names = {found.group(1) for step in steps if (found := OBJECT.match(step.group(3)))}
        absent = [
            cost
            for name, cost in self._costs.items()
            if name not in names and not (self._folder / name).exists()
        ]
        left_out = int(steps[-1].group(2)) - len(steps)
        unplanned = absent[:left_out]
        links_s = LINK_S * (left_out - len(unplanned))
        return sum(self._cost_of(step.group(3)) for step in steps) + sum(unplanned) + links_s

    def end(self) -> None:
        """Leaves the line that was kept."""
        if self._keeps_line and self._width:
            self._screen.write("\n")
            self._width = 0


@contextmanager
def only_one(lock: Path, wait_s: float) -> Iterator[None]:
    """Holds `lock`; waits for another process that holds it."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as file:
        told = False
        end = time.monotonic() + wait_s
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    sys.exit(
                        "build: another build in this folder has not finished: end it, "
                        "then run the same command again"
                    )
                if not told:
                    print(
                        "build: another build is at work in this folder: waiting for it", flush=True
                    )
                told = True
                time.sleep(0.5)
        yield


def configure(preset: str, folder: Path, defines: Sequence[str]) -> None:
    """Runs CMake; its output goes into a file, and is shown where it fails."""
    log = folder / "configure.log"
    folder.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8") as file:
        code = subprocess.run(
            ["cmake", "--preset", preset, *(f"-D{one}" for one in defines)],
            cwd=ROOT,
            stdout=file,
            stderr=subprocess.STDOUT,
            check=False,
        ).returncode
    if code:
        sys.stdout.write(log.read_text(encoding="utf-8", errors="replace"))
        sys.exit(f"build: CMake could not configure (above, and in {log.relative_to(ROOT)})")


def build(folder: Path, targets: Sequence[str], jobs: int) -> int:
    """Runs ninja and returns its exit code."""
    environment = {**os.environ, "NINJA_STATUS": STATUS}
    command = ["ninja", "-C", str(folder), "-j", str(jobs)]
    progress = Progress(folder, sys.stdout)
    dry = subprocess.run(
        [*command, "-n", *targets], env=environment, capture_output=True, text=True, check=False
    )
    total = progress.total_of(dry.stdout.splitlines())
    with subprocess.Popen(
        [*command, *targets],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as ninja:
        for line in ninja.stdout or ():
            if not line.startswith(("ninja: Entering", "ninja: no work")):
                progress.take(line, total)
        code = ninja.wait()
    progress.end()
    return code


def main() -> int:
    """Builds what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--preset", default="release")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--define", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("targets", nargs="+")
    given = parser.parse_args()
    folder = ROOT / "build" / given.preset
    with only_one(ROOT / "build" / ".build-lock", wait_s=3600.0):
        configure(given.preset, folder, given.define)
        return build(folder, given.targets, given.jobs)


if __name__ == "__main__":
    sys.exit(main())
