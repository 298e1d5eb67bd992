# SPDX-License-Identifier: Apache-2.0
"""Tables that a Python program gives, told by the library they are of, and their columns.

Libraries are recognised by the name of the class's module, so that none is imported which the
caller does not use already.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_KINDS = ("DataFrame", "LazyFrame", "Table", "RecordBatch")


def library_of(table: object) -> str:
    """Of a table: polars, pandas, pyarrow or another one; "" for what is none."""
    library = type(table).__module__.partition(".")[0]
    return library if type(table).__name__ in _KINDS else ""


def columns_of(given: Any) -> Mapping[Any, Any] | None:
    """The columns of a dict of them or of a table of polars or pandas; None for all else."""
    if isinstance(given, Mapping):
        return given
    library = library_of(given)
    if library == "polars":
        frame = given.collect() if hasattr(given, "collect") else given
        return {name: frame[name] for name in frame.columns}
    if library == "pandas":
        return {str(name): given.iloc[:, at] for at, name in enumerate(given.columns)}
    return None
