# SPDX-License-Identifier: Apache-2.0
"""Check who includes whom in src/makespan, and who imports whom, against layers.toml.

Also whether what else lists rooms does so as layers.toml does (room_lists.py), and what is
installed (installed_headers.py).
Run from anywhere: `python tools/check_layers.py [ROOT]`.
"""

from __future__ import annotations

import sys
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from installed_headers import LIST, check_installed_headers, reached_headers
from python_layers import TABLE, check_python
from room_lists import check_room_lists
from source_files import Finding, Include, includes_of, own_files, report

ENGINE = Path("src/makespan")
BINDINGS = Path("python/bindings")
OUTSIDE = (BINDINGS, Path("bench"), Path("examples"))
"""What stands on the rooms, and sees no detail/; tests see that of their own room."""
TESTS = Path("tests")
SUFFIXES = {".h", ".hpp", ".cpp", ".cu"}
DETAIL = "detail"
"""The folder of a room whose headers only the room itself includes."""


@dataclass(frozen=True)
class Guard:
    """Headers from outside, and the only places that may see them (shell patterns)."""

    headers: list[str]
    only_in: list[str]


@dataclass(frozen=True)
class Layers:
    """The table in layers.toml."""

    rooms: dict[str, list[str]]
    families: list[str]
    pure_rooms: list[str]
    banned_in_pure: list[str]
    guards: list[Guard]
    python: dict[str, list[str]]
    detail_in_tests: dict[str, str]

    @staticmethod
    def read(path: Path) -> Layers:
        """Read the table; a room may include only those that stand above it."""
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        rooms = {name: room["includes"] for name, room in table["rooms"].items()}
        above: set[str] = set()
        for name, allowed in rooms.items():
            if below := set(allowed) - above:
                raise ValueError(
                    f"{path}: room {name} may include {sorted(below)}, which do not stand above "
                    f"it: rooms are listed after those that they include"
                )
            above.add(name)
        return Layers(
            rooms=rooms,
            families=table.get("families", {}).get("rooms", []),
            pure_rooms=table["pure"]["rooms"],
            banned_in_pure=table["pure"]["banned_headers"],
            guards=[Guard(**guard) for guard in table.get("guarded", [])],
            python=table.get("python", {}),
            detail_in_tests=table.get("detail_in_tests", {}),
        )

    def room_of(self, path: str) -> str | None:
        """Name the room whose folder, or detail/, `path`, relative to src/makespan, lies in."""
        folder = PurePosixPath(path).parent
        room = (folder.parent if folder.name == DETAIL else folder).as_posix()
        return room if room in self.rooms else None


def is_facade(path: str) -> bool:
    """Whether `path`, relative to src/makespan, is what users include."""
    return "/" not in path


def check_room_include(layers: Layers, room: str | None, include: Include) -> str | None:
    """Say what is wrong with an include of one of our headers, if anything; no room: a facade."""
    header = include.header
    path = header.removeprefix("makespan/")
    target = layers.room_of(path)
    if path == header or target == room is not None:
        return None
    if is_facade(path):
        return f"{header} is for users; rooms include each other's headers"
    if target is None:
        return f"{header} is in no room of layers.toml"
    if PurePosixPath(path).parent.name == DETAIL:
        return f"{header} is for room {target} alone: it lies in its {DETAIL}/"
    if room is not None and target not in layers.rooms[room]:
        names = ", ".join(layers.rooms[room]) or "itself"
        return f"room {room} includes {header}, but may include only {names}"
    return None


def check_pure(layers: Layers, texts: dict[Path, str]) -> list[Finding]:
    """Find what rooms that only decide include of what is no value, also by way of our headers."""
    includes = {
        path.relative_to(ENGINE.parent).as_posix(): includes_of(text)
        for path, text in texts.items()
        if path.is_relative_to(ENGINE)
    }
    findings = []
    for path, direct in includes.items():
        room = layers.room_of(path.removeprefix("makespan/"))
        if room not in layers.pure_rooms:
            continue
        for include in direct:
            for way in ways_to_banned(layers, includes, include.header):
                what = f"room {room} is pure (values in, values out), so it may not include"
                by = f", which comes by {' and '.join(way[:-1])}" if len(way) > 1 else ""
                where = ENGINE.parent / path
                findings.append(Finding(where, include.line, f"{what} <{way[-1]}>{by}"))
    return findings


def ways_to_banned(
    layers: Layers, includes: dict[str, list[Include]], header: str
) -> list[list[str]]:
    """From a header to each that pure rooms may not have, by one way; not through pure rooms."""
    found = []
    ahead = [[header]]
    seen = {header}
    while ahead:
        way = ahead.pop()
        if way[-1] in layers.banned_in_pure:
            found.append(way)
            continue
        if layers.room_of(way[-1].removeprefix("makespan/")) in layers.pure_rooms:
            continue  # it is told of there
        new = [one.header for one in includes.get(way[-1], []) if one.header not in seen]
        seen.update(new)
        ahead += [[*way, one] for one in new]
    return found


def check_guards(layers: Layers, path: Path, include: Include) -> str | None:
    """Say what is wrong with an include from outside, if anything."""
    for guard in layers.guards:
        is_guarded = any(fnmatchcase(include.header, pattern) for pattern in guard.headers)
        is_allowed = any(fnmatchcase(path.as_posix(), pattern) for pattern in guard.only_in)
        if is_guarded and not is_allowed:
            return f"<{include.header}> is seen only in {', '.join(guard.only_in)}"
    return None


def check_file(layers: Layers, path: Path, text: str) -> list[Finding]:
    """Check one source; `path` is relative to the root of the repository."""
    room = None
    is_ours = path.is_relative_to(ENGINE)
    if is_ours and not is_facade(path.relative_to(ENGINE).as_posix()):
        room = layers.room_of(path.relative_to(ENGINE).as_posix())
        if room is None:
            return [Finding(path, 1, "lies in no room of layers.toml: add the room there")]
    findings = []
    for include in includes_of(text):
        problems: list[str | None] = []
        if is_ours or path.is_relative_to(BINDINGS):
            problems.append(check_guards(layers, path, include))
        if is_ours:
            problems.append(check_room_include(layers, room, include))
        else:
            problems.append(check_outside_include(path, include))
        findings += [Finding(path, include.line, problem) for problem in problems if problem]
    return findings


def check_outside_include(path: Path, include: Include) -> str | None:
    """Say what is wrong with an include by what is no part of src/makespan, if anything."""
    if not include.header.startswith("makespan/"):
        return None
    header = include.header.removeprefix("makespan/")
    if DETAIL in PurePosixPath(header).parts:
        return f"{include.header} is for its room alone: it lies in {DETAIL}/"
    if path.is_relative_to("examples") and not is_facade(header):
        return f"{include.header} is no facade: examples include what users include"
    return None


def check_tests(root: Path, layers: Layers) -> list[Finding]:
    """Tests include detail/ of their own room alone, but for those that layers.toml names."""
    findings = []
    unused = set(layers.detail_in_tests)
    for path in own_files(root):
        if not path.is_relative_to(TESTS) or path.suffix not in SUFFIXES:
            continue
        here = path.parent.relative_to(TESTS).as_posix()
        exempt = {name for name in layers.detail_in_tests if fnmatchcase(path.as_posix(), name)}
        for include in includes_of((root / path).read_text(encoding="utf-8")):
            header = include.header.removeprefix("makespan/")
            room = layers.room_of(header)
            is_detail = DETAIL in PurePosixPath(header).parent.parts and header != include.header
            if not is_detail or room == here:
                continue
            unused -= exempt
            if not exempt:
                what = f"{include.header} is for room {room} and its tests"
                findings.append(Finding(path, include.line, f"{what}: test it in tests/{room}"))
    return findings + [
        Finding(TABLE, 1, f"[detail_in_tests] has {name}, which needs it not: take it away")
        for name in sorted(unused)
    ]


def check_permissions(layers: Layers, texts: dict[Path, str]) -> list[Finding]:
    """Find permissions that no source uses: what is allowed is what is done."""
    used: dict[str, set[str | None]] = {room: set() for room in layers.rooms}
    for path, text in texts.items():
        if not path.is_relative_to(ENGINE):
            continue
        room = layers.room_of(path.relative_to(ENGINE).as_posix())
        headers = (include.header for include in includes_of(text))
        if room is not None:
            used[room] |= {layers.room_of(header.removeprefix("makespan/")) for header in headers}
    return [
        Finding(TABLE, 1, f"room {room} may include {other}, and does not: take it away")
        for room, allowed in layers.rooms.items()
        for other in allowed
        if other not in used[room]
    ]


def check_detail(root: Path, layers: Layers, texts: dict[Path, str]) -> list[Finding]:
    """Find headers that serve their own room alone, and lie where other rooms look for theirs."""
    includers: dict[str, set[str | None]] = {}
    for path, text in texts.items():
        room = None
        if path.is_relative_to(ENGINE):
            room = layers.room_of(path.relative_to(ENGINE).as_posix())
        for include in includes_of(text):
            includers.setdefault(include.header, set()).add(room)
    installed = set(reached_headers(root))
    findings = []
    for path in texts:
        if path.suffix != ".hpp" or not path.is_relative_to(ENGINE) or path.parent.name == DETAIL:
            continue
        header = path.relative_to(ENGINE.parent).as_posix()
        room = layers.room_of(path.relative_to(ENGINE).as_posix())
        is_shared = header in installed or includers.get(header, set()) - {room}
        if room is not None and room not in layers.families and not is_shared:
            findings.append(Finding(path, 1, f"only room {room} includes it: move it to {DETAIL}/"))
    return findings


def check_layers(root: Path) -> list[Finding]:
    """Check every source of the engine, the bindings and the Python package under `root`."""
    layers = Layers.read(root / TABLE)
    texts = {
        path: (root / path).read_text(encoding="utf-8")
        for path in own_files(root)
        if any(path.is_relative_to(folder) for folder in (ENGINE, *OUTSIDE))
        and path.suffix in SUFFIXES
    }
    findings = [one for path, text in texts.items() for one in check_file(layers, path, text)]
    findings += check_permissions(layers, texts) + check_pure(layers, texts)
    findings += check_tests(root, layers)
    if (root / LIST).is_file():
        findings += check_detail(root, layers, texts)
    findings += check_python(root, layers.python)
    return findings + check_room_lists(root) + check_installed_headers(root)


if __name__ == "__main__":
    where = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    sys.exit(report(check_layers(where), "layers"))
