# SPDX-License-Identifier: Apache-2.0
"""Run clang-tidy on our sources, each only once for the same content.

A source is checked again when it, one of our headers that it reaches, its compile command,
.clang-tidy or clang-tidy itself changed; what passed is remembered under build/lint.

Most of the time goes into the headers that sources share, so several sources are checked as one;
where that finds something, or they do not get on with each other (names of their own that are the
same), they are checked in halves, down to one. The static analyser looks only at what stands in
the source itself, at one at a time, and takes three times as long as all the rest: `--deep`.
Run: `python tools/clang_tidy.py BUILD_FOLDER [--jobs N] [--deep]`.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from source_files import includes_of

PROGRAM = "clang-tidy-19"
GCC_ONLY = ("-fno-tree-pre",)
"""Flags in our CMake files that stop clang."""
CHECKED = (Path("src/makespan"), Path("python/bindings"))
AT_ONCE = 8
"""Sources that are checked as one: more do not get on with each other too often."""
DEEP = "-*,clang-analyzer-*,-clang-analyzer-optin.mpi.MPI-Checker"
"""MPI-Checker asks for a wait in the function that begins a request; ours are tested elsewhere."""


@dataclass(frozen=True)
class CompileCommand:
    """One entry of compile_commands.json."""

    source: Path  # absolute
    command: str

    def flags(self) -> str:
        """Give the command without what is the source's own."""
        return re.sub(r"( -o \S+)? -c \S+$", "", self.command)


def compile_commands(build: Path, root: Path) -> list[CompileCommand]:
    """Read the build's commands, less CUDA's, and keep those of the folders that are checked."""
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    commands = [CompileCommand(Path(entry["file"]), entry["command"]) for entry in entries]
    if any("Unity" in command.source.parts for command in commands):
        raise SystemExit(
            f"clang-tidy: {build} compiles many sources as one, which are none of ours: configure "
            "it with -D MAKESPAN_UNITY=OFF"
        )
    folders = [root / folder for folder in CHECKED]
    return [
        c
        for c in commands
        if c.source.suffix != ".cu" and any(c.source.is_relative_to(folder) for folder in folders)
    ]


def reached_files(source: Path, root: Path) -> list[Path]:
    """List the source and every header of ours that it reaches, sorted."""
    reached = {source}
    waiting = [source]
    while waiting:
        current = waiting.pop()
        for include in includes_of(current.read_text(encoding="utf-8")):
            header = root / "src" / include.header
            if header.is_file() and header not in reached:
                reached.add(header)
                waiting.append(header)
    return sorted(reached)


def configurations(source: Path, root: Path) -> Iterator[Path]:
    """List the .clang-tidy files that govern a source, innermost first."""
    for folder in source.parents:
        candidate = folder / ".clang-tidy"
        if candidate.is_file():
            yield candidate
        if folder == root:
            return


@dataclass(frozen=True)
class Source:
    """One that is to be checked."""

    command: CompileCommand
    passed: Path  # exists once it has


def fingerprint(command: CompileCommand, root: Path, kind: str) -> str:
    """Hash all that the outcome depends on; `kind`: of clang-tidy and what it is asked."""
    digest = hashlib.sha256(f"{kind}\0{command.command}".encode())
    for path in [*configurations(command.source, root), *reached_files(command.source, root)]:
        digest.update(f"\0{path.relative_to(root)}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


class Checker:
    """Runs clang-tidy on sources of a build, remembers in `memory`."""

    def __init__(self, root: Path, build: Path, memory: Path, *, deep: bool) -> None:
        self._root = root
        self._memory = memory
        self._options = ["--quiet", *([f"--checks={DEEP}"] if deep else [])]
        self._at_once = 1 if deep else AT_ONCE
        version = subprocess.run(
            [PROGRAM, "--version"], check=True, capture_output=True, text=True
        ).stdout
        self._kind = version + " ".join(self._options)
        self._commands = compile_commands(build, root)
        memory.mkdir(parents=True, exist_ok=True)

    def batches(self) -> list[list[Source]]:
        """Group the sources that have not passed yet: a batch has the same flags and checks."""
        waiting: dict[tuple[str, Path], list[Source]] = {}
        for command in self._commands:
            mark = self._memory / fingerprint(command, self._root, self._kind)
            if not mark.exists():
                key = (command.flags(), self._configuration(command))
                waiting.setdefault(key, []).append(Source(command, mark))
        return [
            sources[begin : begin + self._at_once]
            for sources in waiting.values()
            for begin in range(0, len(sources), self._at_once)
        ]

    def _configuration(self, command: CompileCommand) -> Path:
        return next(configurations(command.source, self._root))

    def check(self, batch: Sequence[Source]) -> list[str]:
        """Check some as one, or one; return what is said of those that failed."""
        said = self._said_of(batch)
        if said is None:
            for source in batch:
                source.passed.touch()
            return []
        if len(batch) == 1:
            return [said]
        middle = len(batch) // 2
        return [*self.check(batch[:middle]), *self.check(batch[middle:])]

    def _said_of(self, batch: Sequence[Source]) -> str | None:
        """Run clang-tidy on a source that includes all; None when there is nothing to say."""
        first = batch[0]
        flags = first.command.flags()
        for flag in GCC_ONLY:
            flags = flags.replace(f" {flag}", "")
        with tempfile.TemporaryDirectory(dir=self._memory) as name:
            folder = Path(name)  # in the project, so that its .clang-tidy holds
            file = first.command.source
            options = self._options
            if len(batch) > 1:
                options = [*options, "--checks=-bugprone-suspicious-include"]
                file = folder / "several.cpp"
                lines = [f'#include "{source.command.source}"\n' for source in batch]
                file.write_text("".join(lines), encoding="utf-8")
                if (own := self._configuration(first.command)).parent != self._root:
                    shutil.copy(own, folder)
            entry = {"directory": name, "command": f"{flags} -c {file}", "file": str(file)}
            (folder / "compile_commands.json").write_text(json.dumps([entry]), encoding="utf-8")
            done = subprocess.run(
                [PROGRAM, "-p", name, *options, str(file)],
                check=False,
                capture_output=True,
                text=True,
            )
        return None if done.returncode == 0 else done.stdout + done.stderr


def check_all(root: Path, build: Path, jobs: int, *, deep: bool = False) -> Iterator[str]:
    """Check every source of the build, `jobs` at a time; yield what is said of failures."""
    checker = Checker(root, build, root / "build/lint/clang-tidy", deep=deep)
    with ThreadPoolExecutor(jobs) as pool:
        yield from itertools.chain.from_iterable(pool.map(checker.check, checker.batches()))


def main() -> int:
    """Read the command line, check, print; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--deep", action="store_true", help="the static analyser instead")
    arguments = parser.parse_args()
    root = Path(__file__).resolve().parent.parent
    has_failed = False
    for text in check_all(root, arguments.build.resolve(), arguments.jobs, deep=arguments.deep):
        print(text, flush=True)
        has_failed = True
    return 1 if has_failed else 0


if __name__ == "__main__":
    sys.exit(main())
