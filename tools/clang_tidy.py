# SPDX-License-Identifier: Apache-2.0
"""Run clang-tidy on our sources, each only once for the same content.

A source is checked again when it, one of our headers that it reaches, its compile command,
.clang-tidy or clang-tidy itself changed; what passed is remembered under build/lint.
Run: `python tools/clang_tidy.py BUILD_FOLDER [--jobs N]`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from source_files import includes_of

PROGRAM = "clang-tidy-19"
GCC_ONLY = ("-fno-tree-pre",)
"""Flags in our CMake files that stop clang."""
CHECKED = (Path("src/makespan"), Path("python/bindings"))


@dataclass(frozen=True)
class CompileCommand:
    """One entry of compile_commands.json."""

    source: Path  # absolute
    command: str


def compile_commands(build: Path, root: Path) -> list[CompileCommand]:
    """Read the build's commands and keep those of the folders that are checked."""
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    commands = [CompileCommand(Path(entry["file"]), entry["command"]) for entry in entries]
    folders = [root / folder for folder in CHECKED]
    return [c for c in commands if any(c.source.is_relative_to(folder) for folder in folders)]


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


def fingerprint(command: CompileCommand, root: Path, version: str) -> str:
    """Hash all that the outcome depends on."""
    digest = hashlib.sha256(f"{version}\0{command.command}".encode())
    for path in [*configurations(command.source, root), *reached_files(command.source, root)]:
        digest.update(f"\0{path.relative_to(root)}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def check(command: CompileCommand, build: Path, passed: Path) -> str:
    """Check one source; return what clang-tidy says, empty when there is nothing to say."""
    if passed.exists():
        return ""
    done = subprocess.run(
        [PROGRAM, "-p", str(build), "--quiet", str(command.source)],
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode == 0:
        passed.touch()
        return ""
    return done.stdout + done.stderr


def without_gcc_flags(build: Path, folder: Path) -> Path:
    """Write the commands again without the flags that only gcc has; return their folder."""
    text = (build / "compile_commands.json").read_text(encoding="utf-8")
    for flag in GCC_ONLY:
        text = text.replace(f" {flag}", "")
    (folder / "compile_commands.json").write_text(text, encoding="utf-8")
    return folder


def check_all(root: Path, build: Path, jobs: int) -> list[str]:
    """Check every source of the build, `jobs` at a time; return what was said of failures."""
    version = subprocess.run(
        [PROGRAM, "--version"], check=True, capture_output=True, text=True
    ).stdout
    memory = root / "build/lint/clang-tidy"
    memory.mkdir(parents=True, exist_ok=True)
    commands = compile_commands(build, root)
    marks = [memory / fingerprint(command, root, version) for command in commands]
    with ThreadPoolExecutor(jobs) as pool:
        readable = without_gcc_flags(build, memory)
        outcomes = pool.map(check, commands, [readable] * len(commands), marks)
        return [outcome for outcome in outcomes if outcome]


def main() -> int:
    """Read the command line, check, print; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    root = Path(__file__).resolve().parent.parent
    failures = check_all(root, arguments.build.resolve(), arguments.jobs)
    for text in failures:
        print(text)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
