# SPDX-License-Identifier: Apache-2.0
"""A Python in which libraries of extras are not installed, for this process or for a new one."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec

from makespan.base.extras import EXTRAS


class Absent:
    """Stands in the way of imports, as if there were nothing to be found."""

    def __init__(self, modules: Sequence[str]) -> None:
        self.modules = tuple(modules)

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name.partition(".")[0] in self.modules:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


@contextmanager
def without(*extras: str) -> Iterator[None]:
    """These extras are missing until the end; what was imported of them is set aside."""
    modules = [module for extra in extras for module in EXTRAS[extra].modules]
    aside = {name: sys.modules[name] for name in sys.modules if name.split(".")[0] in modules}
    for name in aside:
        del sys.modules[name]
    absent = Absent(modules)
    sys.meta_path.insert(0, absent)
    try:
        yield
    finally:
        sys.meta_path.remove(absent)
        for name in [name for name in sys.modules if name.split(".")[0] in modules]:
            del sys.modules[name]
        sys.modules.update(aside)


def main() -> int:
    """`python without_extras.py reports,grids price book.csv`: one command line without these."""
    from makespan.cli import main as run

    with without(*sys.argv[1].split(",")):
        return run(sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
