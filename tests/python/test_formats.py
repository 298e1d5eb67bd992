# SPDX-License-Identifier: Apache-2.0
"""Every format of a JSON document that the sources write has a schema.

Method: the sources are read; what a run writes is looked at in test_schemas.py.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from pathlib import Path

from makespan.schemas import formats

import makespan


def texts_of(node: ast.expr, module: ast.Module) -> set[str]:
    """What a text in the sources can be; a name within one stands for each grid's."""
    if isinstance(node, ast.Constant):
        return {str(node.value)}
    if isinstance(node, ast.JoinedStr):
        parts = [texts_of(one, module) for one in node.values]
        return {"".join(words) for words in itertools.product(*parts)}
    if isinstance(node, ast.FormattedValue):
        return texts_of(node.value, module)
    if isinstance(node, ast.Name):
        return {
            text
            for one in module.body
            if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == node.id
            for text in texts_of(one.value, module)
        }
    assert ast.unparse(node) == "outcome.name", ast.dump(node)
    return GRIDS


def formats_in(module: ast.Module) -> Iterator[str]:
    """Formats that a source writes: of dicts with the key, and of records."""
    for node in ast.walk(module):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "format":
                    yield from texts_of(value, module)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "record_head":
            yield from (f"makespan {kind} record" for kind in texts_of(node.args[1], module))


SOURCES = {
    path: ast.parse(path.read_text(encoding="utf-8"))
    for path in Path(makespan.__file__).parent.rglob("*.py")
}
GRIDS = {
    str(word.value.value)
    for module in SOURCES.values()
    for call in ast.walk(module)
    if isinstance(call, ast.Call) and ast.unparse(call.func) == "GridOfFields"
    for word in call.keywords
    if word.arg == "application" and isinstance(word.value, ast.Constant)
}
"""The applications on grids, whose records have their names."""
NO_DOCUMENTS = {"makespan grid"}
"""Of a name above that no command has: `makespan.grid` has a record alone."""


def test_every_format_that_is_written_has_a_schema() -> None:
    written = {name for module in SOURCES.values() for name in formats_in(module)}
    documents = {name for name in written if name.startswith("makespan ")}

    assert {"calcium", "diffuse", "grid"} <= GRIDS
    assert {"makespan calcium", "makespan error", "makespan network"} <= documents
    assert documents - NO_DOCUMENTS - set(formats()) == set()
    assert NO_DOCUMENTS.isdisjoint(formats())
