# SPDX-License-Identifier: Apache-2.0
"""What the module `makespan` offers to Fortran programs. Knows free form as our sources have it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from reference.entry import Entry, Section
from reference.rst import Page

FACADE = Path("fortran/makespan.f90")
TITLES = {
    "makespan_c_types": "Constants",
    "makespan_job": "Images and teams",
    "makespan_calls": "Remote calls",
    "makespan_requests": "Requests",
    "makespan_events": "Events",
    "makespan_int32": "Symmetric arrays and collective procedures",
}
USE = re.compile(r"^ *use (\w+), only: *(.*)$", re.MULTILINE)
PROCEDURE = re.compile(
    r"^ *((?:\w+(?:\([^)]*\))? )*?)(subroutine|function) (\w+)\(([^)]*)\)(?: result\((\w+)\))?"
)
TYPE = re.compile(r"^ *type(?:, [\w(), ]+)? *:: *(\w+)$")
PARAMETER = re.compile(r"^ *integer(?:\(\w+\))?, parameter :: (\w+) = (-?\w+)(?: *! *(.*))?$")
BINDING = re.compile(r"^ *(procedure|generic)(, private)? *:: *(.*)$")
DECLARATION = re.compile(r"^ *([^!']+?) *:: *(.+)$")
INCLUDE = re.compile(r'^#include "([^"]+\.inc)"$')


@dataclass
class Procedure:
    """A subroutine or a function."""

    name: str
    arguments: list[str]
    declarations: dict[str, str]
    """Of each argument: its type and attributes, and its name with its shape."""
    result: str
    text: list[str]

    def signature(self, shown_as: str, *, is_bound: bool = False) -> str:
        """How it is called; what may be left out stands in brackets."""
        names = self.arguments[1:] if is_bound else self.arguments
        shown = [f"[{name}]" if "optional" in self.declarations[name] else name for name in names]
        return f"{shown_as}({', '.join(shown)})"

    def details(self, *, is_bound: bool = False) -> list[str]:
        """The declarations of its arguments, but for stat and errmsg, and of what it returns."""
        names = [name for name in self.arguments[int(is_bound) :] if name not in ("stat", "errmsg")]
        lines = [self.declarations[name] for name in names]
        return [*lines, f"! returns {self.result}"] if self.result else lines


@dataclass
class Module:
    """What one module declares."""

    name: str
    text: list[str]
    procedures: dict[str, Procedure] = field(default_factory=dict)
    generics: dict[str, list[str]] = field(default_factory=dict)
    types: dict[str, tuple[list[str], list[str]]] = field(default_factory=dict)
    """Of each the comment and the lines of its body."""
    parameters: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    """Of each the value and the comment beside it."""


def _source(root: Path, name: str) -> str:
    folder = root / FACADE.parent
    path = next(path for path in (folder / f"{name}.f90", folder / f"{name}.F90") if path.exists())
    lines: list[str] = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        if included := INCLUDE.match(line):
            lines += ["  ! ----", *(folder / included[1]).read_text(encoding="utf-8").split("\n")]
        else:
            lines.append(line)
    defined = {line.split()[1] for line in lines if line.startswith("#define")}
    kept, is_kept = [], True
    for line in lines:
        if line.startswith("#ifdef"):
            is_kept = line.split()[1] in defined
        elif line.startswith("#endif"):
            is_kept = True
        elif is_kept and not line.startswith("#"):
            kept.append(line)
    return re.sub(r"&\n *", "", "\n".join(kept))


def _comment_before(lines: list[str], at: int) -> list[str]:
    """The lines of comment above; the heading of a part is none."""
    begin = at
    while begin and re.match(r" *!(?! ----)", lines[begin - 1]):
        begin -= 1
    return [re.sub(r"^ *! ?", "", line) for line in lines[begin:at]]


def _declared(
    lines: list[str], at: int, arguments: list[str], result: str
) -> tuple[dict[str, str], str]:
    found: dict[str, str] = {}
    for line in lines[at + 1 :]:
        declaration = DECLARATION.match(line)
        if not declaration and not re.match(r" *(use|import|implicit|!)", line):
            break
        for name in re.split(r", *(?![^(]*\))", declaration[2]) if declaration else ():
            found[name.split("(")[0].strip()] = f"{declaration[1]} :: {name}" if declaration else ""
    return {name: found.get(name, name) for name in arguments}, found.get(result, "")


def _heads(lines: list[str]) -> list[str]:
    """What the file and what it includes say of themselves, after the licence."""
    heads: list[str] = []
    for at, line in enumerate(lines):
        if "SPDX" in line:
            end = next(i for i in range(at + 1, len(lines)) if not lines[i].startswith("!"))
            heads += ["", *(re.sub(r"^! ?", "", one) for one in lines[at + 1 : end])]
    return heads[1:]


def read_module(root: Path, name: str) -> Module:
    """Reads a module with all that it includes."""
    lines = _source(root, name).split("\n")
    module = Module(name, _heads(lines))
    for at, line in enumerate(lines):
        if (match := PROCEDURE.match(line)) and "end " not in match[1]:
            prefix, kind, called, given, result = match.groups()
            arguments = [one.strip() for one in given.split(",") if one.strip()]
            told, returned = _declared(lines, at, arguments, result or called)
            returned = returned.split(" ::")[0] or prefix.strip() if kind == "function" else ""
            text = _comment_before(lines, at)
            module.procedures[called] = Procedure(called, arguments, told, returned, text)
        elif match := TYPE.match(line):
            end = next(i for i in range(at, len(lines)) if re.match(r" *end type", lines[i]))
            module.types[match[1]] = (_comment_before(lines, at), lines[at + 1 : end])
        elif match := PARAMETER.match(line):
            module.parameters[match[1]] = (match[2], [match[3]] if match[3] else [])
        elif match := re.match(r" *interface (\w+)$", line):
            module.generics[match[1]] = re.findall(r"\w+", lines[at + 1].split("procedure")[1])
    return module


def offered(root: Path) -> dict[tuple[str, str], list[str]]:
    """The names that programs see, by the module and the name in it that they stand for."""
    text = re.sub(r"&\n *", "", (root / FACADE).read_text(encoding="utf-8"))
    found: dict[tuple[str, str], list[str]] = {}
    for module, names in USE.findall(text):
        for one in names.split(","):
            shown, _, own = (part.strip() for part in one.partition("=>"))
            found.setdefault((module, own or shown), []).append(shown)
    return found


def _procedure_entry(
    module: Module, names: list[str], shown_as: list[str], *, is_bound: bool = False
) -> Entry:
    """One entry for a procedure, or for all that a generic name stands for."""
    procedures = [module.procedures[name] for name in names]
    signatures = [
        signature
        for shown in shown_as
        for signature in dict.fromkeys(
            one.signature(shown, is_bound=is_bound) for one in procedures
        )
    ]
    text: list[str] = []
    code: dict[str, None] = {}
    for one in procedures:
        if one.text not in ([], procedures[0].text) or one is procedures[0]:
            text += ["", *one.text]
        code |= dict.fromkeys(one.details(is_bound=is_bound))
    return Entry("fortran", signatures, shown_as, text[1:], code=list(code))


def _type_entry(module: Module, name: str, shown_as: list[str]) -> Entry:
    text, body = module.types[name]
    members = []
    specific: dict[str, str] = {}
    is_public = not any(line.strip() == "private" for line in body)
    for line in body:
        binding = BINDING.match(line)
        component = DECLARATION.match(line)
        if binding and binding[1] == "procedure":
            pairs = [one.partition("=>") for one in binding[3].split(",")]
            named = {first.strip(): (second or first).strip() for first, _, second in pairs}
            specific |= named
            if not binding[2]:
                members += [
                    _procedure_entry(module, [own], [f"{shown_as[0]}%{shown}"], is_bound=True)
                    for shown, own in named.items()
                ]
        elif binding:
            shown, _, names = binding[3].partition("=>")
            own = [specific[one.strip()] for one in names.split(",")]
            members.append(
                _procedure_entry(module, own, [f"{shown_as[0]}%{shown.strip()}"], is_bound=True)
            )
        elif component and is_public and not component[1].startswith("type("):
            called = re.split(r"[ (=]", component[2])[0]
            members.append(
                Entry("fortran", [f"{shown_as[0]}%{called}"], [called], code=[line.strip()])
            )
    return Entry("fortran", [f"type({shown})" for shown in shown_as], shown_as, text, members)


def fortran_entries(root: Path) -> list[tuple[Module, list[Entry]]]:
    """What the module offers, by the modules behind it. Raises KeyError for what none declares."""
    modules: dict[str, tuple[Module, list[Entry]]] = {}
    for (name, own), shown in _merged(offered(root)).items():
        if name not in modules:
            modules[name] = (read_module(root, name), [])
        module, entries = modules[name]
        if own in module.parameters:
            value, text = module.parameters[own]
            entries.append(Entry("fortran", [f"{own} = {value}"], shown, text))
        elif own in module.types:
            entries.append(_type_entry(module, own, shown))
        else:
            names = module.generics.get(own, [own])
            entries.append(_procedure_entry(module, names, shown))
    return list(modules.values())


def fortran_lines(root: Path) -> list[str]:
    """The page of all that the module offers."""
    title = "Fortran: all procedures"
    page = Page("fortran", ["", title, "=" * len(title), ""])
    for module, entries in fortran_entries(root):
        page.title(TITLES.get(module.name, module.name), "-")
        page.text(module.text)
        page.section(Section("", [], entries))
    return page.lines


def _merged(found: dict[tuple[str, str], list[str]]) -> dict[tuple[str, str], list[str]]:
    """One entry for what several modules have alike, each for a type of element."""
    merged: dict[tuple[str, str], list[str]] = {}
    by_name: dict[str, tuple[str, str]] = {}
    for (module, own), shown in found.items():
        key = by_name.setdefault(own, (module, own))
        merged.setdefault(key, [])
        merged[key] += [one for one in shown if one not in merged[key]]
    return merged
