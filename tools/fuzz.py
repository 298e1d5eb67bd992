# SPDX-License-Identifier: Apache-2.0
"""Runs the fuzz targets one after the other: `python3 tools/fuzz.py --seconds 60 [TARGET…]`.

They are those that the preset `fuzz` has built (tests/fuzz). Each is first given inputs of ten
megabytes, which may take no more memory than small ones. Then it begins with its seeds in git and
with what it found worth keeping the last time (build/fuzz/corpus). What ends a target stays in
build/fuzz/findings, or is a file of build/fuzz/large, and the others go on.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "tests" / "fuzz"
RSS_MB_MAX = 1024
INPUT_S_MAX = 10
LARGE_BYTES = 10_000_000
LARGE_S_MAX = 600
SEEDS_REPEATED = 4
# A target that is over time all the same hangs in a way that libFuzzer cannot see.
GRACE_S = 120
EXECUTED = re.compile(r"stat::number_of_executed_units:\s+(\d+)")
COVERED = re.compile(r"cov: (\d+)")
# libpciaccess, by which hwloc looks for devices, keeps what it once had.
ENVIRONMENT = {"ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=0"}


@dataclass(frozen=True)
class Target:
    """One program, and the longest input that it is given."""

    name: str
    bytes_max: int


@dataclass(frozen=True)
class Outcome:
    """What came of one run."""

    target: Target
    inputs: int
    covered: int
    finding: str

    def line(self) -> str:
        """One line of the table."""
        end = self.finding or "nothing found"
        return f"{self.target.name:22} {self.inputs:>12,} inputs {self.covered:>7,} edges  {end}"


def targets_in(build: Path) -> list[Target]:
    """Those that the build's CMake has listed."""
    lines = (build / "fuzz_targets.txt").read_text(encoding="utf-8").split("\n")
    rows = (line.split() for line in lines if line)
    return sorted((Target(name, int(size)) for name, size in rows), key=lambda each: each.name)


def command_of(target: Target, program: Path, build: Path, seconds: int) -> list[str]:
    """A run of libFuzzer, in folders that exist."""
    corpus = build / "corpus" / target.name
    findings = build / "findings"
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    command = [
        str(program),
        f"-max_total_time={seconds}",
        f"-max_len={target.bytes_max}",
        f"-rss_limit_mb={RSS_MB_MAX}",
        f"-timeout={INPUT_S_MAX}",
        f"-artifact_prefix={findings / target.name}-",
        "-print_final_stats=1",
    ]
    dictionary = SOURCES / "dictionaries" / f"{target.name}.dict"
    if dictionary.is_file():
        command.append(f"-dict={dictionary}")
    return [*command, str(corpus), str(SOURCES / "seeds" / target.name)]


def large_inputs(target: Target, build: Path) -> list[Path]:
    """Files of a byte over and over, of random bytes, and of the longest seeds over and over."""
    seeds = sorted((SOURCES / "seeds" / target.name).glob("*"), key=lambda one: one.stat().st_size)
    parts = {f"byte-{value:02x}": bytes([value]) for value in (0x00, 0x01, 0x39, 0x5B, 0xFF)}
    parts |= {one.name: one.read_bytes() for one in seeds[-SEEDS_REPEATED:]}
    texts = {name: text * (LARGE_BYTES // len(text)) for name, text in parts.items() if text}
    texts["random"] = random.Random(target.name).randbytes(LARGE_BYTES)  # noqa: S311 - the same each time
    folder = build / "large" / target.name
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_bytes(text)
    return [folder / name for name in texts]


def outcome_of(target: Target, code: int, log: Path) -> Outcome:
    """What the log says."""
    text = log.read_text(encoding="utf-8", errors="replace")
    executed = EXECUTED.findall(text)
    covered = COVERED.findall(text)
    return Outcome(
        target,
        int(executed[-1]) if executed else 0,
        int(covered[-1]) if covered else 0,
        f"exit code {code}: {log}" if code != 0 else "",
    )


def ended(command: Sequence[str], log: Path, seconds: int) -> int:
    """The exit code; 124 where it took longer. What it says goes to the log."""
    with log.open("wb") as output:
        try:
            done = subprocess.run(
                command,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **ENVIRONMENT},
                timeout=seconds + GRACE_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return 124
    return done.returncode


def run(target: Target, build: Path, seconds: int) -> Outcome:
    """Blocks for `seconds`, or until something is found, after inputs that are large."""
    program = build / "tests" / "fuzz" / f"fuzz_{target.name}"
    log = build / "logs" / f"{target.name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    large = large_inputs(target, build)
    limits = [f"-rss_limit_mb={RSS_MB_MAX}", f"-timeout={LARGE_S_MAX}"]
    code = ended([str(program), *limits, *map(str, large)], log, LARGE_S_MAX * len(large))
    if code != 0:
        return outcome_of(target, code, log)
    for one in large:
        one.unlink()
    code = ended(command_of(target, program, build, seconds), log, seconds)
    return outcome_of(target, code, log)


def chosen(all_targets: list[Target], names: Sequence[str]) -> list[Target]:
    """Those that are named, or all."""
    unknown = set(names) - {target.name for target in all_targets}
    if unknown:
        known = ", ".join(target.name for target in all_targets)
        sys.exit(f"fuzz: {', '.join(sorted(unknown))} (there is no such target): {known}")
    return [target for target in all_targets if not names or target.name in names]


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 1 if any target found something."""
    parser = argparse.ArgumentParser(description="Run fuzz targets one after the other.")
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "fuzz")
    given = parser.parse_args(arguments)
    found = False
    for target in chosen(targets_in(given.build), given.targets):
        outcome = run(target, given.build, given.seconds)
        print(outcome.line(), flush=True)
        found = found or bool(outcome.finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
