# SPDX-License-Identifier: Apache-2.0
"""Ways of running grids that won on this machine, kept in the user's cache between runs.

One small file for each kind of run, replaced as a whole, so that processes that write at once need
no lock. It only saves a run its trials: whatever is wrong with a file, the run tries again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from makespan.base.engine import Engine
from makespan.base.processor import processor_name
from makespan.files.atomic import replace_text
from makespan.files.cache_folder import cache_folder
from makespan.grids.engine_keys import ENGINE_KEYS, STEPS_AT_ONCE
from makespan.settings.setting import by_name

FORMAT = 1
BYTES_MAX = 1 << 16
_SETTINGS = by_name((*ENGINE_KEYS, STEPS_AT_ONCE))


@dataclass(frozen=True, slots=True)
class TuningMemory:
    """What won for one kind of run; without a folder it knows nothing and keeps nothing."""

    folder: Path | None
    kind: Mapping[str, Any]
    """All that the answer depends on."""

    @property
    def _path(self) -> Path | None:
        if self.folder is None:
            return None
        digest = hashlib.sha256(self._kind_text.encode()).hexdigest()[:16]
        return self.folder / f"{digest}.json"

    @property
    def _kind_text(self) -> str:
        return json.dumps(self.kind, sort_keys=True)

    def kept(self) -> dict[str, Any] | None:
        """What won in an earlier run; None where none is known."""
        path = self._path
        if path is None:
            return None
        try:
            with path.open("rb") as file:
                return self._read(file.read(BYTES_MAX + 1))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError):
            with suppress(OSError):
                path.unlink()
            return None

    def _read(self, data: bytes) -> dict[str, Any]:
        if len(data) > BYTES_MAX:
            raise ValueError("too long")
        entry = json.loads(data)
        if not isinstance(entry, dict) or entry.get("format") != FORMAT:
            raise ValueError(f"not of format {FORMAT}")
        won = entry.get("won")
        if entry.get("kind") != self._kind_text or not isinstance(won, dict):
            raise ValueError("of another kind of run")
        for name, value in won.items():
            if name not in _SETTINGS or _SETTINGS[name].problem(value) is not None:
                raise ValueError(f"{name} is no such key")
        return won

    def keep(self, won: Mapping[str, Any]) -> None:
        """Leaves this for later runs; where there is no room, they try again."""
        path = self._path
        if path is None:
            return
        entry = {"format": FORMAT, "kind": self._kind_text, "won": dict(won)}
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_text(path, json.dumps(entry) + "\n")


def tuning_memory(engine: Engine, run: Mapping[str, Any]) -> TuningMemory:
    """Of runs like this one on processors like this one's, by this build."""
    cache = cache_folder(os.environ)
    build = engine.build_info()
    kind = {
        **run,
        "makespan": engine.version(),
        "build": f"{build.get('compiler')} {build.get('build_type')}",
        "processor": processor_name(),
    }
    return TuningMemory(None if cache is None else cache / "grids", kind)
