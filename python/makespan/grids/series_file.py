# SPDX-License-Identifier: Apache-2.0
"""ParaView's list of files that are one another's later times (`.series`)."""

from __future__ import annotations

import json
from pathlib import Path

from makespan.files.atomic import write_files

SUFFIX = ".series"
"""After the suffix of the files themselves: ParaView finds the reader by that."""

_VERSION = "1.0"


class SeriesFile:
    """A list that grows; the file is written anew with each of its files, whole or not at all."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._times: dict[str, float] = {}

    @classmethod
    def going_on(cls, path: Path, time: float) -> SeriesFile:
        """With what an earlier run listed before that time; none where no list can be read."""
        series = cls(path)
        try:
            listed = json.loads(path.read_text(encoding="utf-8"))["files"]
            found = {str(each["name"]): float(each["time"]) for each in listed}
        except (OSError, KeyError, TypeError, ValueError):
            return series
        series._times = {name: at for name, at in found.items() if at < time}
        return series

    def add(self, path: Path, time: float) -> None:
        """Lists a file, which lies in the list's folder or below it. `InputError`: disk."""
        name = path.resolve().relative_to(self._path.parent.resolve()).as_posix()
        self._times[name] = time
        write_files({self._path: self._write})

    def _write(self, temporary: Path) -> None:
        in_order = sorted(self._times.items(), key=lambda each: each[1])
        files = [{"name": name, "time": time} for name, time in in_order]
        document = {"file-series-version": _VERSION, "files": files}
        temporary.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
