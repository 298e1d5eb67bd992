# SPDX-License-Identifier: Apache-2.0
"""What a Python program gives: settings, as an input file would have them."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from makespan.settings.input_file import InputFile, InputValues
from makespan.settings.kinds import FilePath
from makespan.settings.setting import Setting

INPUT_FILE = Setting("source", FilePath("the path of an input file"))


def plain(value: Any) -> Any:
    """Numbers, rows and tables of them; numpy's, too."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, tuple | list) else value


def values_given(
    file: InputFile, source: str | PathLike[str] | None, keys: Mapping[str, Any]
) -> InputValues:
    """What the input file `source` says, where there is one; `keys`, as `plain` has them, win."""
    INPUT_FILE.check_kind(source)
    given = file.defaults() if source is None else file.read(Path(source))
    return given.with_keywords(file.known(keys))
