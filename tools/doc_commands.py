# SPDX-License-Identifier: Apache-2.0
"""Runs the shell commands that pages print, as they are printed, each page in a fresh folder.

python tools/doc_commands.py [--list] [PAGE ...]     # README.md, tutorial, how-tos by default

A command is a line of a block of code that begins with `$ `, or with a program that
doc_commands.toml names. Each page has a folder of its own with the files that its reader has: the
examples, what the page shows as a file, and what doc_commands.toml gives. A command must end with
0, or with the status that is written there, and print the result hash that the page shows, on pages
that are listed as exact all that the page shows. What is not run stands there, too, with the
reason; entries that fit no command are errors.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = Path(__file__).with_suffix(".toml")

_HASH = re.compile(r"\bresult ([0-9a-f]{12})\b")
_FOLDERS = ("build/", "./", "tools/", "tests/", ".venv/")
_FILE_NAME = re.compile(r"`([\w.-]+)`[^`]*:$")


@dataclass(frozen=True)
class Command:
    """A command as a page prints it, and what the page shows below it."""

    page: str
    line: int
    text: str
    shown: str = ""

    @property
    def results(self) -> list[str]:
        """The result hashes that are shown."""
        return _HASH.findall(self.shown)

    @property
    def place(self) -> str:
        """Where it is printed."""
        return f"{self.page}:{self.line}"


@dataclass
class Page:
    """What a page has for its reader: commands, and files by name."""

    commands: list[Command] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Rules:
    """doc_commands.toml."""

    programs: tuple[str, ...]
    files: dict[str, str]  # name: where it is copied from, relative to the root
    prepare: dict[str, list[str]]  # page: commands that stand before its own
    not_run: dict[str, str]  # regular expression: reason
    status: dict[str, int]  # command: status that it ends with
    exact: tuple[str, ...]  # pages whose commands print what is shown, all of it
    limit_s: float


def read_rules(path: Path = RULES) -> Rules:
    """The rules; raises where a reason is empty."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    not_run = {entry["command"]: entry["reason"] for entry in table["not_run"]}
    if not all(not_run.values()):
        raise ValueError(f"{path}: an entry of not_run has no reason: say why")
    return Rules(
        programs=tuple(table["programs"]),
        files=table["files"],
        prepare=table["prepare"],
        not_run=not_run,
        status={entry["command"]: entry["status"] for entry in table["ends_with"]},
        exact=tuple(table["exact"]),
        limit_s=table["limit_s"],
    )


def _blocks(text: str) -> list[tuple[int, list[str], str]]:
    """Blocks of code: their first line's number, their lines, the line of prose before them."""
    found: list[tuple[int, list[str], str]] = []
    prose = ""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        line = lines[number]
        fence = re.match(r"^ *```(\w*)", line)
        begin = number
        if fence:
            number += 1
            while number < len(lines) and not lines[number].lstrip().startswith("```"):
                number += 1
            if fence[1] in ("", "sh", "bash", "console"):
                inside = [inner.strip() for inner in lines[begin + 1 : number]]
                found.append((begin + 2, inside, prose))
            number += 1
        elif line.startswith("    ") and (begin == 0 or not lines[begin - 1].strip()):
            while number < len(lines) and (lines[number].startswith("    ") or not lines[number]):
                number += 1
            block = lines[begin:number]
            while block and not block[-1]:
                block.pop()
            found.append((begin + 1, [inner[4:].rstrip() for inner in block], prose))
        else:
            prose = line.strip() or prose
            number += 1
    return found


def _is_command(line: str, programs: tuple[str, ...]) -> bool:
    # One space: rows of tables that begin with a program's name have more.
    begin = re.match(r"(\S+)( \S|$)", line)
    return begin is not None and (begin[1] in programs or begin[1].startswith(_FOLDERS))


def _joined(lines: list[str], number: int) -> tuple[str, int]:
    """The command that begins in this line with what belongs to it, and the number after it."""
    text = lines[number]
    end = number + 1
    while end < len(lines) and (
        text.endswith("\\") or (text.startswith("for ") and not text.endswith("done"))
    ):
        text += "\n" + lines[end]
        end += 1
    return text, end


def read_page(name: str, text: str, programs: tuple[str, ...]) -> Page:
    """The commands and files of a page."""
    page = Page()
    for first, raw, prose in _blocks(text):
        dollars = any(line.startswith("$ ") for line in raw)
        lines = [line.removeprefix("$ ") for line in raw]
        begins = [
            number
            for number, line in enumerate(raw)
            if not line.startswith("  ")  # within a loop
            and (line.startswith("$ ") if dollars else _is_command(line, programs))
        ]
        named = _FILE_NAME.search(prose)
        content = "\n".join(lines[: begins[0] if begins else len(lines)]).strip()
        if named and content:
            page.files[named[1]] = content + "\n"
        if not begins:
            continue
        for number, after in zip(begins, [*begins[1:], len(lines)], strict=True):
            command, end = _joined(lines, number)
            shown = "\n".join(lines[end:after]).strip()
            page.commands.append(Command(name, first + number, command, shown))
    return page


def reason_not_to_run(command: Command, rules: Rules) -> str | None:
    """Why this command is not run; None if it is."""
    for pattern, reason in rules.not_run.items():
        if re.fullmatch(pattern, re.sub(r"\s+#.*", "", command.text), flags=re.DOTALL):
            return reason
    return None


def stale(commands: list[Command], rules: Rules) -> list[str]:
    """Entries of the rules that no command fits."""
    texts = [re.sub(r"\s+#.*", "", command.text) for command in commands]
    unused = [
        pattern
        for pattern in rules.not_run
        if not any(re.fullmatch(pattern, text, flags=re.DOTALL) for text in texts)
    ]
    return unused + [text for text in rules.status if text not in texts]


def _prepare(folder: Path, page: Page, rules: Rules) -> None:
    shutil.copytree(ROOT / "examples", folder / "examples")
    for name in ("build", ".venv", "src"):
        if (ROOT / name).exists():
            (folder / name).symlink_to(ROOT / name)
    for name, origin in rules.files.items():
        shutil.copy(ROOT / origin, folder / name)
    for name, text in page.files.items():
        (folder / name).write_text(text, encoding="utf-8")


def _run(text: str, folder: Path, limit_s: float) -> tuple[int, str]:
    environment = dict(
        os.environ, NO_COLOR="1", COLUMNS="120", XDG_CACHE_HOME=str(folder / ".cache")
    )
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    try:
        ended = subprocess.run(
            ["bash", "-euc", text],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            timeout=limit_s,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        return (
            -1,
            f"{(late.stdout or b'').decode(errors='replace')}\nafter {limit_s} s not yet over",
        )
    return ended.returncode, ended.stdout.decode(errors="replace")


def verdict_of(command: Command, rules: Rules, status: int, output: str) -> str:
    """What is wrong with how it ended and what it printed; else "ok"."""
    expected = rules.status.get(re.sub(r"\s+#.*", "", command.text), 0)
    missing = [result for result in command.results if result not in output]
    if status != expected:
        return f"ended with {status}, not {expected}"
    if missing:
        return f"did not print result {', '.join(missing)}"
    printed = "\n".join(line.rstrip() for line in output.strip().splitlines())
    if command.page in rules.exact and printed != command.shown:
        return f"did not print what the page shows:\n{command.shown}"
    return "ok"


def run_page(page: Page, rules: Rules, name: str) -> list[str]:
    """Run a page's commands in a fresh folder; what was wrong, one entry for each."""
    wrong = []
    not_built: str | None = None
    with tempfile.TemporaryDirectory(prefix="doc_commands.") as path:
        folder = Path(path)
        _prepare(folder, page, rules)
        before = [Command(name, 0, text) for text in rules.prepare.get(name, [])]
        for command in [*before, *page.commands]:
            reason = reason_not_to_run(command, rules)
            needed = re.search(r"(?:^|\s)(build/[\w./-]+)", command.text)
            if needed and not (folder / needed[1]).exists():
                not_built = f"{needed[1]} is not built"  # what comes after it may need it
            reason = reason or not_built
            if reason:
                print(f"{command.place}: not run ({reason}): {command.text}", flush=True)
                continue
            begin_s = time.monotonic()
            status, output = _run(command.text, folder, rules.limit_s)
            verdict = verdict_of(command, rules, status, output)
            took_s = time.monotonic() - begin_s
            print(f"{command.place}: {verdict} ({took_s:.1f} s): {command.text}", flush=True)
            if verdict != "ok":
                wrong.append(f"{command.place}: {command.text}\n{verdict}\n{output}")
    return wrong


def default_pages() -> list[Path]:
    """README.md, the tutorial, the how-tos."""
    return [
        ROOT / "README.md",
        *sorted((ROOT / "docs/tutorial").glob("*.md")),
        *sorted((ROOT / "docs/how-to").glob("*.md")),
    ]


def read_pages(paths: list[Path], rules: Rules) -> dict[str, Page]:
    """Pages by their path from the root."""
    names = [str(path.resolve().relative_to(ROOT)) for path in paths]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    return {
        name: read_page(name, text, rules.programs) for name, text in zip(names, texts, strict=True)
    }


def main() -> int:
    """Run or list; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description="Runs the commands that pages print.")
    parser.add_argument("pages", nargs="*", type=Path, help="default: README, tutorial, how-tos")
    parser.add_argument("--list", action="store_true", help="show what would be run, and what not")
    arguments = parser.parse_args()
    rules = read_rules()
    pages = read_pages(arguments.pages or default_pages(), rules)
    commands = [command for page in pages.values() for command in page.commands]
    if arguments.list:
        for command in commands:
            reason = reason_not_to_run(command, rules)
            print(f"{command.place}: {f'not run ({reason}): ' if reason else ''}{command.text}")
        return 0
    wrong = [text for name, page in pages.items() for text in run_page(page, rules, name)]
    if not arguments.pages:
        wrong += [f"{RULES.name}: {entry}: no command fits" for entry in stale(commands, rules)]
    print(*wrong, sep="\n\n", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
