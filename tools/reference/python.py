# SPDX-License-Identifier: Apache-2.0
"""The public names of the package `makespan`, and what kind of thing each is."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path("python/makespan")
DIRECTIVES = {"function": "autofunction", "class": "autoclass", "exception": "autoexception"}


@dataclass(frozen=True)
class PublicName:
    """A name of `makespan.__all__`."""

    name: str
    kind: str
    undocumented: list[str]
    """The name itself, and functions of a class, as `Class.function`, that have no docstring."""


def _assigned(tree: ast.Module, name: str) -> object:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return ast.literal_eval(node.value)
    raise ValueError(f"{PACKAGE}/__init__.py has no {name}")


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _kind(node: ast.stmt, name: str) -> str:
    if not isinstance(node, ast.ClassDef):
        return "function"
    is_exception = name.endswith(("Error", "Warning", "Interrupted"))
    return "exception" if is_exception else "class"


def public_names(root: Path) -> list[PublicName]:
    """All names of `makespan.__all__`. Raises ValueError for one that its module lacks."""
    package = _tree(root / PACKAGE / "__init__.py")
    homes = _assigned(package, "_HOMES")
    assert isinstance(homes, dict)  # noqa: S101
    found = []
    for name in sorted(homes):
        path = root / PACKAGE / Path(*homes[name].split("."))
        module = _tree(path.with_suffix(".py") if not path.is_dir() else path / "__init__.py")
        node = next(
            (
                node
                for node in module.body
                if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name
            ),
            None,
        )
        if node is None:
            raise ValueError(f"makespan.{name} is not defined in {path}")
        found.append(PublicName(name, _kind(node, name), _undocumented(node)))
    return found


def _undocumented(node: ast.ClassDef | ast.FunctionDef) -> list[str]:
    own = [] if ast.get_docstring(node) else [node.name]
    inner = node.body if isinstance(node, ast.ClassDef) else []
    return own + [
        f"{node.name}.{one.name}"
        for one in inner
        if isinstance(one, ast.FunctionDef)
        and not one.name.startswith("_")
        and not ast.get_docstring(one)
    ]


def python_lines(root: Path) -> list[str]:
    """The page of all public names: functions, then classes, then exceptions."""
    title = "Python: all names"
    lines = [title, "=" * len(title), ""]
    headings = {
        "function": "Functions",
        "class": "What they return and take",
        "exception": "Exceptions",
    }
    names = public_names(root)
    for kind, heading in headings.items():
        lines += [heading, "-" * len(heading), ""]
        for one in names:
            if one.kind != kind:
                continue
            lines += [f".. {DIRECTIVES[kind]}:: makespan.{one.name}"]
            lines += ["   :members:", "   :undoc-members:"] if kind == "class" else []
            lines += ["   :show-inheritance:"] if kind == "exception" else []
            lines.append("")
    return lines
