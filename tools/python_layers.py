# SPDX-License-Identifier: Apache-2.0
"""Check who imports whom in python/makespan against [python] of layers.toml."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from source_files import Finding, own_files

PACKAGE = Path("python/makespan")
LOOSE = "."
"""In the table: modules that lie in no package of makespan."""
FACADES = ("__init__", "__main__")
"""They offer what others make, and take part in no circle."""
TABLE = Path("layers.toml")


@dataclass(frozen=True)
class Import:
    """One import of a module of ours: from which file and line, and the names after `makespan`."""

    path: Path
    line: int
    target: tuple[str, ...]


def imports_of(path: Path, text: str) -> Iterator[Import]:
    """Every import of ours in a module, also those inside functions and for types alone.

    A name that is imported from a package may be one of its modules: it is the target's last part.
    """
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            first, *rest = name.split(".")
            if first == "makespan" and rest:
                yield Import(path, node.lineno, tuple(rest))


def unit_of(path: Path) -> str:
    """The package, or the loose module, that a file is of."""
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def folder_of(target: tuple[str, ...], folders: set[str]) -> str:
    """The folder, as "pricing.book", that a module of these names lies in; "": loose modules."""
    parts = list(target)
    while parts and ".".join(parts) not in folders:
        parts.pop()
    return ".".join(parts)


def circles_of_folders(imports: Mapping[Path, list[Import]]) -> list[list[str]]:
    """Circles of packages of which one at least lies within another, each for itself."""
    places = {path: path.relative_to(PACKAGE).parent.parts for path in imports}
    folders = {".".join(place) for place in places.values() if place}
    edges: dict[str, set[str]] = {}
    for path, place in places.items():
        source = ".".join(place)
        if not source:
            continue
        for found in imports[path]:
            target = folder_of(found.target, folders)
            if target not in ("", source):
                edges.setdefault(source, set()).add(target)
    return [circle for circle in circles(edges) if any("." in name for name in circle)]


def check_python(root: Path, table: Mapping[str, list[str]]) -> list[Finding]:
    """Check every module under `root`; `table` is [python]."""
    paths = [p for p in own_files(root) if p.is_relative_to(PACKAGE) and p.suffix == ".py"]
    packages = {unit_of(path) for path in paths if len(path.relative_to(PACKAGE).parts) > 1}
    units = packages | {unit_of(path) for path in paths}
    imports = {
        path: list(imports_of(path, (root / path).read_text(encoding="utf-8"))) for path in paths
    }
    findings = [
        Finding(TABLE, 1, f"[python] has no line for package {name}: add one")
        for name in sorted(packages - set(table))
    ]
    used: dict[str, set[str]] = {name: set() for name in table}
    edges: dict[str, set[str]] = {}
    refused: dict[str, Finding] = {}
    for path in paths:
        source = unit_of(path)
        for found in imports[path]:
            target = found.target[0]
            if target not in units or target == source:
                continue
            if source not in FACADES and target not in FACADES:
                edges.setdefault(source, set()).add(target)
            row = source if source in packages else LOOSE
            if target not in packages:
                continue
            used.setdefault(row, set()).add(target)
            if row in table and target not in table[row]:
                finding = Finding(path, found.line, _refusal(row, target, table))
                refused.setdefault(str(finding), finding)  # of several names, one
    findings += refused.values()
    findings += [
        Finding(TABLE, 1, f"[python] lets {name} import {other}, which it does not: take it away")
        for name, allowed in table.items()
        for other in sorted(set(allowed) - used[name])
    ]
    return findings + [
        Finding(TABLE, 1, f"python/makespan has a circle: {' -> '.join([*circle, circle[0]])}")
        for circle in circles(edges) + circles_of_folders(imports)
    ]


def _refusal(row: str, target: str, table: Mapping[str, list[str]]) -> str:
    what = "a module in no package" if row == LOOSE else f"package {row}"
    return f"{what} imports {target}, but may import only {', '.join(table[row]) or 'itself'}"


def circles(edges: Mapping[str, set[str]]) -> list[list[str]]:
    """Circles of a graph, one for each way back that a search in depth meets."""
    found: list[list[str]] = []
    done: set[str] = set()

    def visit(node: str, way: list[str]) -> None:
        if node in way:
            found.append(way[way.index(node) :])
            return
        if node in done:
            return
        for other in sorted(edges.get(node, ())):
            visit(other, [*way, node])
        done.add(node)

    for node in sorted(edges):
        visit(node, [])
    return found
