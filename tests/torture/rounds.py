# SPDX-License-Identifier: Apache-2.0
"""A round: a program is disturbed once, looked at, and goes on undisturbed."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.torture.disturbance import Disturbance, Kind, disturb, drawn
from tests.torture.fault import Fault, expect
from tests.torture.job import REPORTS, Ended, Job, stacks
from tests.torture.last_words import check_last_words, check_reports
from tests.torture.programs import PROGRAMS, Program, Results

END_S_MAX = 30.0
"""After a disturbance: what lasts longer hangs."""
LEFTOVER_S_MAX = 5.0
"""After the launcher has ended, for processes that it has told to end."""
UNDISTURBED_S_MAX = 120.0
UNMET = "no process was disturbed"


@dataclass(frozen=True)
class Round:
    """All that is drawn from a seed."""

    seed: int
    program: Program
    images: int
    disturbance: Disturbance

    def __str__(self) -> str:
        return f"seed {self.seed}: {self.program.name}, {self.images} images, {self.disturbance}"


def kinds_of(program: Program) -> list[Kind]:
    """What may happen to it."""
    return [kind for kind in Kind if kind is not Kind.ALARM or program.catches_alarm]


def round_of(seed: int) -> Round:
    """The same for the same seed, whatever else is asked for."""
    rng = Random(seed)
    program = PROGRAMS[rng.choice(list(PROGRAMS))]
    images = rng.choice(program.images)
    return Round(seed, program, images, drawn(rng, kinds_of(program)))


@dataclass(frozen=True)
class Undisturbed:
    """How a program runs when nothing happens to it."""

    seconds: float
    results: Results


class Arena:
    """A folder in which rounds are run, and what is known of undisturbed runs."""

    def __init__(self, folder: Path, *, keep: bool = False) -> None:
        self._folder = folder
        self._keep = keep
        self.known: dict[tuple[str, int], Undisturbed] = {}
        self._environment = {"XDG_CACHE_HOME": str(folder / "cache")}

    def play(self, one: Round) -> str:
        """How it ended, in a few words. Raises `Fault`; the folder `seed-N` stays then."""
        undisturbed = self._undisturbed(one.program, one.images)
        folder = self._folder / f"seed-{one.seed}"
        self._clear(folder)
        one.program.prepare(folder)
        try:
            moment_s = undisturbed.seconds * one.disturbance.moment
            ended, is_met = self._disturbed(one, folder, moment_s)
            check_last_words(ended, one.disturbance.kind, one.images)
            # Where the system writes cores into the folder (/proc/sys/kernel/core_pattern).
            expect(not list(folder.glob("core*")), "a process crashed and left a core")
            one.program.check(folder, undisturbed.results)
            if ended.code == 0 and not _may_end_with_0(one):
                how = "done" if is_met else f"done, {UNMET}"
                found = one.program.results(folder, ended.out)
                expect(found.keys() == undisturbed.results.keys(), "not all results are there")
                _compare(found, undisturbed.results, "")
            else:
                kept = self._go_on(one, folder, undisturbed)
                how = f"status {ended.code}, went on from {kept}"
        except Fault:
            (folder / "round.txt").write_text(f"{one}\n")
            raise
        if not self._keep:
            self._clear(folder)
        return how

    def _undisturbed(self, program: Program, images: int) -> Undisturbed:
        known = self.known.get((program.name, images))
        if known is None:
            folder = self._folder / f"{program.name}-{images}"
            self._clear(folder)
            program.prepare(folder)
            begin = time.monotonic()
            ended = self._to_its_end(program, images, folder)
            seconds = time.monotonic() - begin
            known = Undisturbed(seconds, program.results(folder, ended.out))
            self.known[program.name, images] = known
            alone = self._undisturbed(program, 1)
            _compare(known.results, alone.results, f"{images} images against one: ")
        return known

    def _to_its_end(self, program: Program, images: int, folder: Path) -> Ended:
        """Raises `Fault` unless it ends with status 0, and leaves nothing."""
        job = Job(program.words(folder), folder, images, self._environment)
        try:
            expect(job.wait(UNDISTURBED_S_MAX), "a run that nothing happens to does not end")
            left = not job.wait_for_all(LEFTOVER_S_MAX)
            ended = job.ended()
            check_reports(ended)
            expect(ended.code == 0, f"status {ended.code} undisturbed: {ended.err[-800:]}")
            expect(not left, "a run leaves processes")
        finally:
            job.end()
        return ended

    def _disturbed(self, one: Round, folder: Path, moment_s: float) -> tuple[Ended, bool]:
        """How it ended, and whether the disturbance met a process of it."""
        job = Job(one.program.words(folder), folder, one.images, self._environment)
        shared: set[Path] = set()
        try:
            job.wait(moment_s, lambda: shared.update(job.shared_memory()))
            shared.update(job.shared_memory())
            is_met = disturb(job, one.disturbance)
            if not job.wait(END_S_MAX):
                raise Fault(f"it hangs; see {_kept_stacks(job, folder)}")
            if not job.wait_for_all(LEFTOVER_S_MAX):
                raise Fault(f"it leaves processes; see {_kept_stacks(job, folder)}")
            ended = job.ended()
        finally:
            job.end()
        left = sorted(path.name for path in shared if path.exists())
        expect(not left, f"it leaves in /dev/shm: {', '.join(left)}")
        return ended, is_met

    def _go_on(self, one: Round, folder: Path, undisturbed: Undisturbed) -> int:
        """Again, undisturbed, with what the disturbed run has left: how far that had come."""
        kept = one.program.kept(folder)
        ended = self._to_its_end(one.program, one.images, folder)
        taken = one.program.taken_over(folder, ended.out)
        expect(taken == kept, f"{kept} were kept, and it went on from {taken}")
        one.program.check(folder, undisturbed.results)
        found = one.program.results(folder, ended.out)
        gone = undisturbed.results.keys() - found.keys() - one.program.of_whole_runs
        expect(not gone, f"going on: {', '.join(sorted(gone))} missing")
        _compare(found, undisturbed.results, "going on: ")
        return kept

    def _clear(self, folder: Path) -> None:
        for path in (folder, folder.with_name(f"{folder.name}.{REPORTS}")):
            shutil.rmtree(path, ignore_errors=True)
        for name in ("out", "err", "stacks"):
            folder.with_name(f"{folder.name}.{name}").unlink(missing_ok=True)


def _may_end_with_0(one: Round) -> bool:
    """MPICH's launcher may say 0 after a signal to itself, and what was done is not known."""
    to_launcher = (Kind.INTERRUPT, Kind.INTERRUPT_TWICE, Kind.TERMINATE)
    return one.images > 1 and one.disturbance.kind in to_launcher


def _compare(found: Results, expected: Results, when: str) -> None:
    for name, value in found.items():
        expect(expected.get(name) == value, f"{when}{name} differs")


def _kept_stacks(job: Job, folder: Path) -> Path:
    path = folder.with_name(f"{folder.name}.stacks")
    path.write_text(stacks(job.processes()))
    return path
