# SPDX-License-Identifier: Apache-2.0
"""Mappings in files: the place of each object, by id."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.base.extras import require
from makespan.graph.packed_text import ZSTD_SUFFIX

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from makespan.graph.objects_table import ObjectsTable

FORMAT = "makespan mapping"
VERSION = 1


def mapping_document(
    table: ObjectsTable, balancer: str, mapping: NDArray[np.int32], labels: list[str]
) -> dict[str, Any]:
    """What such a file holds; `labels` are the names of the places, by number."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "graph": table.source,
        "balancer": balancer,
        "places": labels,
        "objects": {"id": list(table.ids), "place": mapping.tolist()},
    }


def check_mapping_path(path: Path) -> None:
    """Raises `NotConfiguredError` where it is to be compressed, and cannot be."""
    if path.suffix == ZSTD_SUFFIX:
        require("graphs", for_=str(path))


def mapping_writer(path: Path, document: dict[str, Any]) -> Callable[[Path], None]:
    """For `write_files`; compressed if `path` ends in `.zst`."""
    import json

    check_mapping_path(path)
    text = json.dumps(document, separators=(",", ":")).encode() + b"\n"
    if path.suffix == ZSTD_SUFFIX:
        import zstandard

        text = zstandard.ZstdCompressor(write_checksum=True).compress(text)

    def write(file: Path) -> None:
        file.write_bytes(text)

    return write
