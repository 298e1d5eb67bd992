# SPDX-License-Identifier: Apache-2.0
"""Build the one-sided libraries that the runtime is compared with, and a program for each.

``python3 bench/peers/install_one_sided.py [FOLDER]`` fetches LCI, GASNet-EX, libfabric and Sandia
OpenSHMEM at the versions of one_sided.toml beside it, checks their hashes, builds them in
FOLDER/one_sided (default build/bench), and compiles programs into FOLDER; Open MPI's OpenSHMEM is
the system's. Does nothing that is already done. What cannot be made is named in one message, and
in FOLDER/PROGRAM.missing, which the bench shows in place of its figures.

Without a network, what was downloaded elsewhere is taken from FOLDER/one_sided/sources: archives by
their names, repositories as bare clones (``git clone --bare URL lci.git``).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PEERS = Path(__file__).resolve().parent
LIST = PEERS / "one_sided.toml"
SHARED_FILES = (PEERS / "peer_rounds.hpp",)  # by all programs
CONNECT_S = 20.0
FETCH_S = 900.0
STEP_S = 3600.0


class MissingError(RuntimeError):
    """A part cannot be made; the text says why and what would help."""


@dataclass(frozen=True)
class Source:
    """A commit of a git repository, or an archive; `into`: where in the part's sources it goes."""

    git: str = ""
    commit: str = ""
    archive: str = ""
    sha256: str = ""
    into: str = "."

    @property
    def file_name(self) -> str:
        """What it is called in the folder of sources."""
        return (self.git or self.archive).rsplit("/", 1)[1]


@dataclass(frozen=True)
class Part:
    """A library, or (with `files`) a program of ours that uses one."""

    name: str
    steps: list[str]
    after: list[str] = field(default_factory=list)
    needs: dict[str, str] = field(default_factory=dict)
    source: list[Source] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def read_parts(path: Path = LIST) -> list[Part]:
    """Read the list of parts; each stands behind those that it is made after."""
    parts = []
    for table in tomllib.loads(path.read_text(encoding="utf-8"))["part"]:
        sources = [Source(**entry) for entry in table.pop("source", [])]
        parts.append(Part(source=sources, **table))
    return parts


def run_quietly(command: list[str], limit_s: float) -> subprocess.CompletedProcess[bytes]:
    """Run a command without a terminal; TimeoutExpired after the limit."""
    quiet = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    return subprocess.run(
        command,
        check=False,
        env=quiet,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=limit_s,
    )


def check_reached(url: str) -> None:
    """Raise MissingError where a server does not answer; without this git would wait minutes."""
    request = urllib.request.Request(url, method="HEAD")  # noqa: S310 (https, from our own list)
    try:
        with urllib.request.urlopen(request, timeout=CONNECT_S):  # noqa: S310
            pass
    except urllib.error.HTTPError:
        pass  # it answered
    except OSError as error:
        msg = f"{url} does not answer ({error})"
        raise MissingError(msg) from None


def unpack_commit(source: Source, sources: Path, target: Path) -> None:
    """Fetch a commit unless it is there, and write its files; git checks its hash."""
    bare = sources / source.file_name
    here = ["git", "-C", str(bare)]
    has_commit = [*here, "cat-file", "-e", f"{source.commit}^{{commit}}"]
    if not bare.exists() or run_quietly(has_commit, FETCH_S).returncode != 0:
        check_reached(source.git)
        run_quietly(["git", "init", "--quiet", "--bare", str(bare)], FETCH_S)
        fetched = run_quietly([*here, "fetch", "--depth", "1", source.git, source.commit], FETCH_S)
        if fetched.returncode != 0:
            said = fetched.stderr.decode(errors="replace").strip().splitlines()[-1:]
            msg = f"git did not fetch {source.commit} of {source.git}: {' '.join(said)}"
            raise MissingError(msg)
    packed = run_quietly([*here, "archive", source.commit], FETCH_S)
    subprocess.run(["tar", "-x", "-C", str(target)], input=packed.stdout, check=True)


def unpack_archive(source: Source, sources: Path, target: Path) -> None:
    """Download an archive unless it is there, check its hash, and write its files."""
    path = sources / source.file_name
    if not path.is_file():
        partial = path.with_suffix(".partial")
        try:
            with (
                urllib.request.urlopen(source.archive, timeout=CONNECT_S) as reply,  # noqa: S310
                partial.open("wb") as file,
            ):
                shutil.copyfileobj(reply, file)
        except OSError as error:
            msg = f"{source.archive} was not downloaded ({error})"
            raise MissingError(msg) from None
        partial.replace(path)
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != source.sha256:
        msg = f"{path} has SHA-256 {found}, not {source.sha256}: remove it"
        raise MissingError(msg)
    words = ["tar", "-xf", str(path), "--strip-components=1", "-C", str(target)]
    subprocess.run(words, check=True)


class Installation:
    """What is made in one folder."""

    def __init__(self, folder: Path, parts: list[Part]) -> None:
        self.programs = folder
        self.folder = folder / "one_sided"
        self.parts = {part.name: part for part in parts}
        self.missing: dict[str, str] = {}
        (self.folder / "sources").mkdir(parents=True, exist_ok=True)

    def prefix(self, part: Part) -> Path:
        """Return where a part goes: a program itself, or the folder of a library."""
        return self.programs / part.name if part.files else self.folder / part.name

    def digest(self, part: Part) -> str:
        """Return a hash of all that a part is made from."""
        texts = [json.dumps(vars(part), default=vars, sort_keys=True)]
        texts += [self.digest(self.parts[name]) for name in part.after]
        files = [*(PEERS / name for name in part.files), *(SHARED_FILES if part.files else ())]
        texts += [path.read_text(encoding="utf-8") for path in files]
        return hashlib.sha256("\0".join(texts).encode()).hexdigest()

    def make(self, part: Part) -> None:
        """Make a part unless that is done; MissingError says why it cannot be."""
        stamp, digest = self.folder / f"{part.name}.made", self.digest(part)
        for name in part.after:
            if name in self.missing:
                msg = f"{name} is missing: {self.missing[name]}"
                raise MissingError(msg)
        for program, package in part.needs.items():
            if shutil.which(program) is None:
                msg = f"no {program} (apt-get install {package})"
                raise MissingError(msg)
        if stamp.is_file() and stamp.read_text() == digest and self.prefix(part).exists():
            return
        print(f"making {part.name}", file=sys.stderr)
        stamp.unlink(missing_ok=True)
        build = self.folder / "build" / part.name
        shutil.rmtree(build, ignore_errors=True)
        (build / "source").mkdir(parents=True)
        (build / "steps").mkdir()
        self.unpack(part, build / "source")
        self.run_steps(part, build)
        stamp.write_text(digest)

    def unpack(self, part: Part, folder: Path) -> None:
        """Write a part's sources."""
        for source in part.source:
            target = folder / source.into
            target.mkdir(parents=True, exist_ok=True)
            write = unpack_commit if source.git else unpack_archive
            try:
                write(source, self.folder / "sources", target)
            except (subprocess.SubprocessError, MissingError) as error:
                kept = self.folder / "sources" / source.file_name
                msg = f"{error}; it may be put at {kept}"
                raise MissingError(msg) from None

    def places(self, part: Part, build: Path) -> Mapping[str, Any]:
        """Return what the placeholders of a part's steps stand for."""
        made = {name: self.prefix(self.parts[name]) for name in part.after}
        own = {"source": build / "source", "prefix": self.prefix(part)}
        return {
            **made,
            **own,
            "program": self.prefix(part),
            "peers": PEERS,
            "jobs": os.cpu_count() or 1,
        }

    def run_steps(self, part: Part, build: Path) -> None:
        """Run a part's steps in an empty folder; what they say goes to steps.log."""
        log = build / "steps.log"
        for step in part.steps:
            command = step.format(**self.places(part, build))
            try:
                with log.open("a", encoding="utf-8") as file:
                    print(f"$ {command}", file=file, flush=True)
                    subprocess.run(
                        ["bash", "-euo", "pipefail", "-c", command],
                        check=True,
                        cwd=build / "steps",
                        stdin=subprocess.DEVNULL,
                        stdout=file,
                        stderr=subprocess.STDOUT,
                        timeout=STEP_S,
                    )
            except subprocess.SubprocessError:
                last = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1]
                msg = f"`{step.split()[0]}` failed: {last} (see {log})"
                raise MissingError(msg) from None

    def make_all(self) -> None:
        """Make every part; of those that cannot be, say why, and leave it beside the program."""
        for part in self.parts.values():
            note = self.programs / f"{part.name}.missing"
            try:
                self.make(part)
            except MissingError as error:
                self.missing[part.name] = str(error)
                if part.files:
                    self.prefix(part).unlink(missing_ok=True)
                    note.write_text(f"{error}\n", encoding="utf-8")
                    print(f"{part.name}: {error}: the bench goes without it", file=sys.stderr)
            else:
                note.unlink(missing_ok=True)


def main() -> None:
    """Install into the folder named by the first argument."""
    if len(sys.argv) > 1 and sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/bench").resolve()
    Installation(folder, read_parts()).make_all()


if __name__ == "__main__":
    main()
