# SPDX-License-Identifier: Apache-2.0
"""How fast this machine's devices were at a kind of work, kept in the user's cache between runs.

One folder for each kind of work on each model of processor; in it one small file for each kind of
worker, replaced as a whole, so that processes that write at once need no lock. It only saves a
run its learning phase: whatever is wrong with a file, the run goes on without it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from makespan.base.engine import Engine
from makespan.base.processor import processor_name
from makespan.files.atomic import replace_text
from makespan.files.cache_folder import cache_folder
from makespan.pricing.input import Settings

FORMAT = 1
SPEED_MIN = 1.0
SPEED_MAX = 1e18
"""[path-steps/s] What the engine takes for one (src/makespan/apps/asian/run/pricing_settings)."""
BYTES_MAX = 4096
FILES_MAX = 500
"""Of a foreign file, or a folder full of them, no more than this is looked at."""
_SUFFIX = ".json"


def _removed(path: Path) -> str:
    """Removes a file; the end of a sentence that says so."""
    try:
        path.unlink()
    except OSError as error:
        return f", and cannot be removed ({error.strerror or error})"
    return " and is removed"


@dataclass(slots=True)
class SpeedMemory:
    """The speeds of one kind of work on this processor [path-steps/s], by kind of worker.

    Without a folder it is empty, and stays so.
    """

    folder: Path | None
    work: str
    problem: str | None = field(default=None, init=False)
    """The first thing that went wrong, for the user; None: nothing has."""

    def remembered(self) -> dict[str, float]:
        """All that earlier runs have left; empty where there is nothing."""
        found = {}
        for path in self._files():
            try:
                worker, speed = _read(path, self.work)
            except (OSError, ValueError) as error:
                self._note(f"{path} holds no speed ({error}){_removed(path)}")
            else:
                found[worker] = speed
        return found

    def keep(self, speeds: Mapping[str, float]) -> None:
        """Leaves these for later runs; what is there of other workers stays."""
        if self.folder is None:
            return
        try:
            for worker, speed in speeds.items():
                if SPEED_MIN <= speed <= SPEED_MAX:
                    self.folder.mkdir(parents=True, exist_ok=True)
                    path = self.folder / f"{_digest(worker)}{_SUFFIX}"
                    replace_text(path, _text(self.work, worker, speed))
        except OSError as error:
            reason = error.strerror or error
            self._note(f"speeds cannot be remembered in {self.folder} ({reason})")

    def _files(self) -> Iterator[Path]:
        """Files of the folder that are ours by their names; none where it cannot be read."""
        if self.folder is None:
            return
        try:
            with os.scandir(self.folder) as entries:
                for _, entry in zip(range(FILES_MAX), entries, strict=False):
                    if entry.name.endswith(_SUFFIX) and entry.is_file():
                        yield self.folder / entry.name
        except (FileNotFoundError, NotADirectoryError):
            return  # to write there will say more, or mend it
        except OSError as error:
            self._note(f"{self.folder} cannot be read ({error.strerror or error})")

    def _note(self, problem: str) -> None:
        self.problem = self.problem or problem


NO_MEMORY = SpeedMemory(None, "")


def speed_memory(engine: Engine, settings: Settings) -> SpeedMemory:
    """Where runs with these settings leave their speeds on this machine."""
    work = _kind_of_work(engine, settings)
    cache = cache_folder(os.environ)
    # Devices that fail or slow down because they are told to show nothing of the machine.
    if cache is None or settings.perturb or not settings.memory:
        return SpeedMemory(None, work)
    return SpeedMemory(cache / "speeds" / _digest(work), work)


def _kind_of_work(engine: Engine, settings: Settings) -> str:
    """All that a speed in path-steps per second depends on, but the worker."""
    build = engine.build_info()
    parts = {
        "application": "asian",
        "method": settings.method,
        "greeks": settings.greeks,
        "precision": settings.precision,
        "rounds": settings.rounds,
        "makespan": engine.version(),
        "build": f"{build.get('compiler')} {build.get('build_type')}",
        "processor": processor_name(),
    }
    return json.dumps(parts)


def _digest(text: str) -> str:
    """A name for a file: short, and valid anywhere."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _text(work: str, worker: str, speed: float) -> str:
    return json.dumps({"format": FORMAT, "work": work, "worker": worker, "speed": speed}) + "\n"


def _read(path: Path, work: str) -> tuple[str, float]:
    """Worker and speed; raises `ValueError` for what `_text` has not written for this work."""
    with path.open("rb") as file:
        data = file.read(BYTES_MAX + 1)
    if len(data) > BYTES_MAX:
        raise ValueError("too long")
    try:
        entry = json.loads(data)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    if not isinstance(entry, dict) or entry.get("format") != FORMAT:
        raise ValueError(f"not of format {FORMAT}")
    worker, speed = entry.get("worker"), entry.get("speed")
    if entry.get("work") != work or not isinstance(worker, str):
        raise ValueError("of other work")
    if not isinstance(speed, float) or not SPEED_MIN <= speed <= SPEED_MAX:
        raise ValueError(f"{speed!r} is no speed")
    return worker, speed
