# SPDX-License-Identifier: Apache-2.0
"""Reads a graph from wherever it comes: a file of ours, or the files of vt's ranks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from makespan.base.errors import InputError
from makespan.base.setting_names import called
from makespan.graph.graph_file import FORMAT, HINT, graph_from
from makespan.graph.objects_table import ObjectsTable
from makespan.graph.packed_text import read_json
from makespan.graph.vt_file import VtFile, graph_of_vt, is_vt


def read_graph(paths: Sequence[Path], phase: int | None = None) -> ObjectsTable:
    """One file of ours, or one of vt for each rank. `phase`: of vt, the last by default.

    Raises `InputError`, which names the file and the object, edge or line.
    """
    documents = []
    for path in paths:
        document = read_json(path, HINT)
        if not isinstance(document, dict) or not (
            is_vt(document) or document.get("format") == FORMAT
        ):
            raise InputError(
                f'{path}: neither a graph of makespan nor a dump of vt (it has no "format": '
                f'"{FORMAT}", and no "phases"): {HINT}'
            )
        documents.append(document)
    if all(is_vt(document) for document in documents):
        files = [VtFile(str(p), d) for p, d in zip(paths, documents, strict=True)]
        return graph_of_vt(files, phase)
    if len(documents) > 1:
        ours = next(p for p, d in zip(paths, documents, strict=True) if not is_vt(d))
        raise InputError(
            f"{ours}: it is a whole graph (several files are of vt's ranks): name it alone"
        )
    if phase is not None:
        raise InputError(
            f"{paths[0]}: it has one phase ({called('phase')} is for dumps of vt): leave it out"
        )
    return graph_from(documents[0], str(paths[0]))
