# SPDX-License-Identifier: Apache-2.0
"""Writes the stubs that type checkers and editors read, of the package and of its extensions.

python tools/write_stubs.py            # write them; needs built extensions
python tools/write_stubs.py --check    # say what is not current; exit code 1 where something is not

Signatures of public functions come from their settings, those of extensions from these.
"""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from written_files import ROOT, write_or_check

PACKAGE = ROOT / "python" / "makespan"
HEAD = "# SPDX-License-Identifier: Apache-2.0\n# Written by tools/write_stubs.py.\n"
EXTENSION_HEAD = f"{HEAD}# By nanobind, from the extension.\n"


def main(arguments: Sequence[str]) -> int:
    """Writes or checks; the exit code."""
    texts = {PACKAGE / "__init__.pyi": package_stub()}
    for name in ("_core", "_simulator"):
        texts[PACKAGE / f"{name}.pyi"] = extension_stub(name)
    return write_or_check(arguments, "write_stubs", texts, differ)


def differ(old: str, new: str) -> bool:
    """But for what depends on the version of nanobind, where it wrote them."""
    return old != new and (not new.startswith(EXTENSION_HEAD) or outline(old) != outline(new))


def package_stub() -> str:
    """Of the public names of makespan."""
    import makespan

    imports: dict[str, set[str]] = {"typing": {"Any"}}
    own: dict[str, str] = {}
    homes = vars(makespan)["_HOMES"]
    functions = []
    for name in sorted(makespan.__all__):
        # From where it is: a package of makespan may have its name.
        value = getattr(import_module(f"makespan.{homes[name]}"), name)
        if hasattr(value, "__settings__"):
            functions.append(function_stub(value, imports))
        else:
            own[name] = f"makespan.{homes[name]}"
    lines = [
        f"from {module} import {', '.join(sorted(names - set(own)))}"
        for module, names in sorted(imports.items())
        if names - set(own)
    ]
    lines += [f"from {module} import {name} as {name}" for name, module in own.items()]
    doc = f'"""{(makespan.__doc__ or "").strip()}\n"""'
    return formatted(
        "\n".join(
            [HEAD + doc, *lines, "", "__version__: str", "__all__: list[str]", "", *functions]
        )
    )


def function_stub(function: Callable[..., Any], imports: dict[str, set[str]]) -> str:
    """One with the keywords of its settings."""
    from makespan.settings.setting import Setting

    source = inspect.unwrap(function)
    known = imported_names(Path(inspect.getfile(source)))
    parameters, types = [], []
    settings: Mapping[str, Setting] = {one.name: one for one in function.__settings__}  # type: ignore[attr-defined]
    is_keyword = False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not is_keyword:
            parameters.append("*")
            is_keyword = True
        setting = settings.get(parameter.name)
        text = str(parameter.annotation) if setting is None else type_text(setting)
        types.append(text)
        has_default = parameter.default is not inspect.Parameter.empty
        parameters.append(f"{parameter.name}: {text}{' = ...' if has_default else ''}")
    # Not None: only images other than the first get it, and no caller alone should have to ask.
    returned = str(inspect.signature(source).return_annotation).replace("| None", "| Any")
    for word in set(re.findall(r"[A-Za-z_]\w*", " ".join([*types, returned]))):
        if word in known:
            imports.setdefault(known[word], set()).add(word)
        elif word in ("Sequence", "PathLike"):
            home = {"Sequence": "collections.abc", "PathLike": "os"}[word]
            imports.setdefault(home, set()).add(word)
        elif hasattr(inspect.getmodule(source), word) and word not in settings:
            imports.setdefault(source.__module__, set()).add(word)
    # Without its docstring, which editors take from the module itself.
    return f"def {source.__name__}({', '.join(parameters)}) -> {returned}: ...\n"


def imported_names(path: Path) -> dict[str, str]:
    """Module by name, of each `from module import name` in a file, and of its own aliases."""
    found = {}
    home = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = home
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {alias.asname or alias.name: node.module for alias in node.names}
    return found


def type_text(setting: Any) -> str:
    """What a keyword takes, as a type."""
    text = kind_text(setting.kind)
    if setting.is_repeated:
        text = f"Sequence[{text}]"
    return text if setting.is_required or setting.default is not None else f"{text} | None"


def kind_text(kind: Any) -> str:
    """What values of a kind are, as a type."""
    from makespan.grids.boundary import Boundary
    from makespan.settings import kinds

    if isinstance(kind, kinds.OneOf):
        return " | ".join(sorted({type(one).__name__ for one in kind.values}))
    if isinstance(kind, kinds.ListOf):
        return f"Sequence[{kind_text(kind.kind)}]"
    if isinstance(kind, kinds.OrElse):
        return f"{kind_text(kind.first)} | {kind_text(kind.second)}"
    plain: dict[type[Any], str] = {
        kinds.Switch: "bool",
        kinds.Whole: "int",
        kinds.Number: "float",
        kinds.FilePath: "str | PathLike[str]",
        kinds.Checked: "object",
        Boundary: "object",
    }
    return plain.get(type(kind), "str")


def extension_stub(name: str) -> str:
    """Of a compiled module, by nanobind."""
    from nanobind.stubgen import StubGen  # type: ignore[import-untyped]

    module = import_module(f"makespan.{name}")
    generator = StubGen(module)
    generator.put(module)
    return formatted(EXTENSION_HEAD + generator.get())


def outline(text: str) -> list[str]:
    """Names and parameters: what does not depend on the version of nanobind."""
    return list(_outline(ast.parse(text).body, ""))


def _outline(body: Sequence[ast.stmt], prefix: str) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield f"{prefix}{node.name}"
            yield from _outline(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            names = [one.arg for one in (*node.args.args, *node.args.kwonlyargs)]
            yield f"{prefix}{node.name}({', '.join(names)})"


def formatted(text: str) -> str:
    """As ruff has it."""
    for command in (["check", "--fix", "--quiet", "--select", "I,F401", "--exit-zero"], ["format"]):
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "ruff",
                *command,
                "--stdin-filename",
                str(PACKAGE / "x.pyi"),
                "-",
            ],
            input=text,
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        )
        text = done.stdout
    return text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
