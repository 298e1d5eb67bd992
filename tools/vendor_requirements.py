# SPDX-License-Identifier: Apache-2.0
"""Puts what the Python package needs into FOLDER, compiled, for the Debian package `makespan`.

python3 tools/vendor_requirements.py FOLDER

Debian has no polars, and what else it has is older than pyproject.toml asks for.
"""

from __future__ import annotations

import compileall
import py_compile
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"

# The extras of the wheel that the Debian package has. MPI comes from Debian.
EXTRAS = ("arrow", "graphs", "grids", "reports")


def requirements(project: dict[str, object]) -> list[str]:
    """The `dependencies` of pyproject's table `project`, and those of its extras in `EXTRAS`."""
    found = list(_texts(project.get("dependencies")))
    optional = project.get("optional-dependencies")
    extras = optional if isinstance(optional, dict) else {}
    name = str(project.get("name"))
    waiting = [extra for extra in EXTRAS if extra in extras]
    seen: set[str] = set()
    while waiting:
        extra = waiting.pop()
        if extra in seen:
            continue
        seen.add(extra)
        for requirement in _texts(extras.get(extra)):
            if requirement.startswith(f"{name}["):  # an extra that is made of others
                waiting += [
                    part.strip() for part in requirement[len(name) + 1 :].rstrip("]").split(",")
                ]
            else:
                found.append(requirement)
    return sorted(set(found))


def _texts(values: object) -> list[str]:
    return [str(value) for value in values] if isinstance(values, list) else []


def main() -> None:
    """Install and compile; the folder may hold our own package already."""
    folder = Path(sys.argv[1])
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    folder.mkdir(parents=True, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["--only-binary", ":all:", "--no-compile", "--target", str(folder)]
    subprocess.run([*pip, *requirements(project)], check=True)
    shutil.rmtree(folder / "bin", ignore_errors=True)  # commands of other packages
    # Users cannot write here. Nothing is compared with the sources: both change together.
    compileall.compile_dir(
        folder,
        quiet=2,  # some packages ship templates that are no Python yet
        workers=0,
        stripdir=folder,
        prependdir="/usr/lib/makespan",
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )


if __name__ == "__main__":
    main()
