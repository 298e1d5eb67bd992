# SPDX-License-Identifier: Apache-2.0
"""Check what no other tool does: licences, lengths, full folders, banned words, missing tests.

Also how many headers are installed, classes whose names are to mean one thing, literal copies; and
in pages, which users read, words that stand for what was to be filled in.

The rules and the exemptions, each with its reason, are in tidy.toml.
Run: `python tools/tidy.py [ROOT]`.
"""

from __future__ import annotations

import ast
import fnmatch
import re
import sys
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from literal_copies import SUFFIXES, literal_copies
from source_files import Finding, includes_of, own_files, report

SOURCES = {".hpp", ".cpp", ".cu", ".py", ".cmake", ".sh", ".toml"}
SOURCE_NAMES = {"CMakeLists.txt", "Makefile"}
ENGINE = Path("src/makespan")
INSTALLED = Path("cmake/installed_headers.txt")
SOURCE_FOLDERS = {"src", "python"}


@dataclass(frozen=True)
class Rules:
    """The content of tidy.toml. `exempt` holds (path or shell pattern, check) pairs."""

    lines_per_file_max: int
    lines_per_function_max: int
    parameters_max: int
    entries_per_folder_max: int
    full_folders: dict[str, str]
    banned_words: dict[str, str]
    banned_words_of_pages: dict[str, str]
    banned_names: list[str]
    exempt: dict[tuple[str, str], str]
    installed_headers_max: int
    unique_classes: list[str]
    literal_copies_max: int

    @staticmethod
    def read(path: Path) -> Rules:
        """Read the rules; an exemption without a reason is a KeyError."""
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        return Rules(
            lines_per_file_max=table["lines_per_file_max"],
            lines_per_function_max=table["lines_per_function_max"],
            parameters_max=table["parameters_max"],
            entries_per_folder_max=table["entries_per_folder"]["most"],
            full_folders=table["entries_per_folder"]["more"],
            banned_words=table["banned_words"],
            banned_words_of_pages=table["banned_words_of_pages"],
            banned_names=table["banned_names"]["words"],
            exempt={
                (path, entry["check"]): entry["reason"]
                for entry in table["exempt"]
                for path in entry["paths"]
            },
            installed_headers_max=table["installed_headers_max"],
            unique_classes=table["unique_classes"]["names"],
            literal_copies_max=table["literal_copies_max"],
        )

    def applies(self, check: str, path: Path) -> bool:
        """Tell whether `path` is not exempt from `check`."""
        return not any(
            name == check and fnmatchcase(path.as_posix(), pattern) for pattern, name in self.exempt
        )


def is_source(path: Path) -> bool:
    """Tell whether a file is one that we write by hand, in a language with comments."""
    return path.suffix in SOURCES or path.name in SOURCE_NAMES


def is_page(path: Path) -> bool:
    """Tell whether a file is one that users read."""
    return path.suffix == ".md" and (path.parts[0] == "docs" or path == Path("README.md"))


def check_licence(path: Path, lines: list[str]) -> list[Finding]:
    """One of the first three lines names the licence; an empty file needs none."""
    if not lines or any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:3]):
        return []
    return [Finding(path, 1, "no licence: start with 'SPDX-License-Identifier: Apache-2.0'")]


def check_file_length(path: Path, lines: list[str], rules: Rules) -> list[Finding]:
    """No file is too long to be read at one go."""
    if len(lines) <= rules.lines_per_file_max or not rules.applies("file_length", path):
        return []
    text = f"{len(lines)} lines (at most {rules.lines_per_file_max}): split it by ideas"
    return [Finding(path, 1, text)]


def check_words(path: Path, lines: list[str], rules: Rules) -> list[Finding]:
    """No line holds a banned word; those of sources and of pages are others."""
    if not rules.applies("banned_word", path):
        return []
    findings = []
    banned = rules.banned_words_of_pages if is_page(path) else rules.banned_words
    for pattern, instead in banned.items():
        word = re.compile(rf"(?<![\w])(?:{pattern})(?![\w])")
        for number, line in enumerate(lines, start=1):
            match = word.search(line)
            if match:
                findings.append(Finding(path, number, f"'{match.group()}': write {instead}"))
    return findings


def check_name(path: Path, rules: Rules) -> list[Finding]:
    """No part of the path is a word that could name anything."""
    words = {word for part in path.parts for word in re.split(r"[._-]", part.lower())}
    banned = sorted(words & set(rules.banned_names))
    return [Finding(path, 1, f"'{word}' in a name says nothing: name the idea") for word in banned]


def check_functions(path: Path, text: str, rules: Rules) -> list[Finding]:
    """No Python function is too long or takes too many parameters; keyword-only ones are free."""
    findings = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        length = (node.end_lineno or node.lineno) - node.lineno + 1
        parameters = len(node.args.posonlyargs) + len(node.args.args)
        if length > rules.lines_per_function_max and rules.applies("function_length", path):
            limit = rules.lines_per_function_max
            findings.append(
                Finding(path, node.lineno, f"{node.name}: {length} lines (at most {limit})")
            )
        if parameters > rules.parameters_max and rules.applies("parameters", path):
            limit = rules.parameters_max
            findings.append(
                Finding(
                    path, node.lineno, f"{node.name}: {parameters} parameters (at most {limit})"
                )
            )
    return findings


def tested_headers(root: Path, paths: list[Path]) -> set[tuple[Path, str]]:
    """List what the C++ tests include, as pairs of the test's folder and the header's name."""
    tests = [path for path in paths if path.parts[0] == "tests" and path.name.endswith("_test.cpp")]
    return {
        (test.parent, include.header)
        for test in tests
        for include in includes_of((root / test).read_text(encoding="utf-8"))
    }


def check_header_tests(root: Path, paths: list[Path], rules: Rules) -> list[Finding]:
    """Each header x.hpp or x-inl.hpp has its x_test.cpp in the mirrored folder of tests/.

    A header that another test of that folder includes itself counts too: small types are tested
    with what uses them. What lies in a room's detail/ is tested in the room's folder; facades have
    nothing to test but that they compile (tests/package).
    """
    present = set(paths)
    included = tested_headers(root, paths)
    findings = []
    for path in paths:
        if path.suffix != ".hpp" or not path.is_relative_to(ENGINE):
            continue
        if path.parent == ENGINE:
            continue
        folder = path.parent.parent if path.parent.name == "detail" else path.parent
        name = f"{path.stem.removesuffix('-inl')}_test.cpp"
        test = Path("tests") / folder.relative_to(ENGINE) / name
        is_tested = (
            test in present or (test.parent, f"makespan/{path.relative_to(ENGINE)}") in included
        )
        if not is_tested and rules.applies("header_test", path):
            findings.append(
                Finding(path, 1, f"no test: write {test}, or a reason in tools/tidy.toml")
            )
    return findings


def check_folders(paths: list[Path], rules: Rules) -> list[Finding]:
    """No folder of the sources holds more than can be seen at one look."""
    entries: dict[Path, set[str]] = {}
    for path in paths:
        if path.parts[0] in SOURCE_FOLDERS:
            for entry in (path, *path.parents):
                entries.setdefault(entry.parent, set()).add(entry.name)
    most = rules.entries_per_folder_max
    return [
        Finding(folder, 1, f"{len(names)} entries (at most {most}): split it by ideas")
        for folder, names in sorted(entries.items())
        if len(names) > most and folder.as_posix() not in rules.full_folders
    ]


def check_installed_number(root: Path, rules: Rules) -> list[Finding]:
    """What users are promised does not grow unnoticed."""
    most = rules.installed_headers_max
    text = (root / INSTALLED).read_text(encoding="utf-8") if (root / INSTALLED).is_file() else ""
    count = sum(1 for line in text.splitlines() if line and not line.startswith("#"))
    if count <= most:
        return []
    what = "keep one in detail/, or say in decision 0096 why there are more"
    return [Finding(INSTALLED, 1, f"{count} installed headers (at most {most}): {what}")]


def check_unique_classes(root: Path, paths: list[Path], rules: Rules) -> list[Finding]:
    """Classes of these names are defined once, in whichever namespace or class."""
    names = "|".join(map(re.escape, rules.unique_classes))
    definition = re.compile(
        rf"^[ \t]*(?:template\b.*>\s*)?(?:class|struct|enum(?:[ ]class)?)\s+(?:\[\[.*?\]\]\s*)?"
        rf"(?:alignas\([^)]*\)\s*)?(?:\w+::)*({names})\b(?:\s+final\b)?[^;(){{]*\{{",
        re.MULTILINE,
    )
    first: dict[str, Path] = {}
    findings = []
    for path in paths:
        if not path.is_relative_to(ENGINE) or not is_source(path):
            continue
        text = (root / path).read_text(encoding="utf-8")
        for match in definition.finditer(text):
            name, line = match[1], text.count("\n", 0, match.start(1)) + 1
            if name in first:
                what = f"a second class {name}, beside that of {first[name]}: name what it is"
                findings.append(Finding(path, line, what))
            first.setdefault(name, path)
    return findings


def check_copies(root: Path, paths: list[Path], rules: Rules) -> list[Finding]:
    """No more stretches of code than before stand twice; where there are more, all are told."""
    texts = {
        path: (root / path).read_text(encoding="utf-8")
        for path in paths
        if path.parts[0] in SOURCE_FOLDERS and path.suffix in SUFFIXES
    }
    copies = list(literal_copies(texts))
    if len(copies) <= rules.literal_copies_max:
        return []
    limit = f"one of {len(copies)} copies (at most {rules.literal_copies_max})"
    return [
        Finding(one.path, one.line, f"as {one.original}:{one.original_line}: {limit}")
        for one in copies
    ]


def check_exemptions(paths: list[Path], rules: Rules) -> list[Finding]:
    """Exemptions of files that are gone go too."""
    present = [path.as_posix() for path in paths]
    gone = sorted({pattern for pattern, _ in rules.exempt if not fnmatch.filter(present, pattern)})
    return [Finding(Path("tools/tidy.toml"), 1, f"exempts {path}, which is gone") for path in gone]


def check_tidiness(root: Path) -> list[Finding]:
    """Run every check on the files under `root`."""
    rules = Rules.read(root / "tools/tidy.toml")
    paths = own_files(root)
    findings = check_header_tests(root, paths, rules) + check_exemptions(paths, rules)
    findings += check_folders(paths, rules) + check_installed_number(root, rules)
    findings += check_unique_classes(root, paths, rules) + check_copies(root, paths, rules)
    for path in paths:
        findings += check_name(path, rules)
        if not is_source(path) and not is_page(path):
            continue
        text = (root / path).read_text(encoding="utf-8")
        lines = text.splitlines()
        if is_page(path):
            findings += check_words(path, lines, rules)
            continue
        findings += check_licence(path, lines)
        findings += check_file_length(path, lines, rules)
        findings += check_words(path, lines, rules)
        if path.suffix == ".py":
            findings += check_functions(path, text, rules)
    return findings


if __name__ == "__main__":
    where = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    sys.exit(report(check_tidiness(where), "tidy"))
