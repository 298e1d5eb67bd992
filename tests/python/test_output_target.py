# SPDX-License-Identifier: Apache-2.0
"""Outputs go where the user meant, and let in no more people than before.

Files of other users are made by root alone: those tests need it. Where one link is another user's,
a process without root takes itself for another user than the link's.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from makespan.base.errors import InputError
from makespan.files.atomic import StagedFile, check_writable, write_files
from makespan.files.output_target import LINKS_MAX, output_target

NOT_ME = 4711
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root makes another user's files")


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def write(path: Path) -> None:
    write_files({path: lambda file: file.write_text("new") and None})


def grow(path: Path) -> None:
    file = StagedFile(path)
    file.write(b"new")
    file.keep()
    file.drop()


def refusal(attempt: type[None], path: Path) -> str:
    try:
        attempt(path)
    except InputError as error:
        return str(error)
    return ""


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def give_away(link: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes a link another user's, or, where this process may not, the process."""
    if os.geteuid() == 0:
        os.lchown(link, NOT_ME, NOT_ME)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: NOT_ME)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


both = pytest.mark.parametrize("put", [write, grow])


@both
def test_a_link_of_the_user_is_followed_wherever_it_goes(
    tmp_path: Path, put: type[None], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scratch").mkdir()
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to(Path("scratch") / "real")
    monkeypatch.chdir(tmp_path)

    put(Path("one"))

    assert (tmp_path / "scratch" / "real").read_text() == "new"
    assert (tmp_path / "one").is_symlink()
    assert (tmp_path / "two").is_symlink()
    assert names(tmp_path / "scratch") == ["real"]


@both
def test_a_link_that_another_user_planted_is_refused(
    tmp_path: Path, put: type[None], monkeypatch: pytest.MonkeyPatch
) -> None:
    precious = tmp_path / "precious"
    precious.write_text("old")
    link = tmp_path / "prices.csv"
    link.symlink_to(precious)
    give_away(link, monkeypatch)

    for attempt in (put, check_writable):
        with pytest.raises(InputError, match="is a link that another user made"):
            attempt(link)

    assert precious.read_text() == "old"
    assert names(tmp_path) == ["precious", "prices.csv"]


@needs_root
def test_so_is_one_behind_a_link_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "mine").symlink_to("theirs")
    (tmp_path / "theirs").symlink_to("precious")
    os.lchown(tmp_path / "theirs", NOT_ME, NOT_ME)

    with pytest.raises(InputError, match="another user"):
        output_target(tmp_path / "mine")


def test_links_that_go_round_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")

    with pytest.raises(InputError, match="links to links that do not end"):
        check_writable(tmp_path / "a")


def test_as_many_links_as_linux_follows_are_followed(tmp_path: Path) -> None:
    for number in range(LINKS_MAX - 1):
        (tmp_path / f"{number}").symlink_to(f"{number + 1}")

    assert output_target(tmp_path / "0").name == f"{LINKS_MAX - 1}"


@pytest.mark.parametrize("stream", [0, 1, 2])
@pytest.mark.parametrize("attempt", [write, grow, check_writable])
def test_the_file_of_a_standard_stream_is_refused(
    tmp_path: Path, attempt: type[None], stream: int
) -> None:
    """Goal: `--trace log > log` and `--trace /dev/stdout > log` leave the log as it is."""
    log = tmp_path / "log"
    log.write_text("old")
    links = {"log": r"standard (error )?(in|out)put", "link": "standard", "proc": "has open"}
    (tmp_path / "link").symlink_to("log")
    (tmp_path / "proc").symlink_to(f"/proc/self/fd/{stream}")
    before = os.dup(stream)
    with log.open("r+") as opened:
        os.dup2(opened.fileno(), stream)
    try:
        found = {name: refusal(attempt, tmp_path / name) for name in links}
    finally:
        os.dup2(before, stream)
        os.close(before)

    for name, text in links.items():
        assert re.search(text, found[name]), found
    assert log.read_text() == "old"
    assert names(tmp_path) == ["link", "log", "proc"]
    check_writable(log)


def test_standard_output_is_refused_where_it_is_a_pipe(tmp_path: Path) -> None:
    """A pipe cannot be replaced; commands print there what `--json` and others ask for."""
    code = (
        "from pathlib import Path; from makespan.files.atomic import check_writable\n"
        "check_writable(Path('/dev/stdout'))"
    )

    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path
    )

    assert "it is a link to what a program has open" in ended.stderr


@both
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o444])
def test_a_file_that_is_replaced_keeps_its_permissions(
    tmp_path: Path, put: type[None], mode: int
) -> None:
    path = tmp_path / "prices.csv"
    path.write_text("old")
    path.chmod(mode)

    put(path)

    assert path.read_text() == "new"
    assert mode_of(path) == mode | 0o600


@both
def test_a_new_file_has_those_of_the_umask(tmp_path: Path, put: type[None]) -> None:
    os.umask(0o027)

    put(tmp_path / "prices.csv")

    assert mode_of(tmp_path / "prices.csv") == 0o640


@needs_root
@both
def test_a_file_that_another_user_left_opens_ours_to_no_more(
    tmp_path: Path, put: type[None]
) -> None:
    path = tmp_path / "prices.csv"
    path.write_text("old")
    path.chmod(0o4666)
    os.chown(path, NOT_ME, os.getegid())

    put(path)

    assert mode_of(path) == 0o644
    assert path.stat().st_uid == os.geteuid()


@needs_root
@pytest.mark.parametrize("mode", [0o660, 0o666])
@both
def test_nor_has_it_the_group_of_another_users_file(
    tmp_path: Path, put: type[None], mode: int
) -> None:
    """Goal: a file that was planted opens ours to no user whom the umask keeps out."""
    path = tmp_path / "prices.csv"
    path.write_text("old")
    os.chown(path, NOT_ME, NOT_ME)
    path.chmod(mode)
    os.umask(0o027)

    put(path)

    assert (path.stat().st_gid, mode_of(path)) == (os.getegid(), 0o600)


@needs_root
def test_its_group_stays(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_text("old")
    os.chown(path, -1, NOT_ME)
    path.chmod(0o660)

    write(path)

    assert (path.stat().st_gid, mode_of(path)) == (NOT_ME, 0o660)


@needs_root
def test_a_group_that_cannot_be_kept_may_no_more_than_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    path = tmp_path / "prices.csv"
    path.write_text("old")
    os.chown(path, -1, NOT_ME)
    path.chmod(0o664)
    monkeypatch.setattr(os, "fchown", refuse)

    write(path)

    assert mode_of(path) == 0o644


def test_it_is_never_open_wider_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_text("old")
    path.chmod(0o600)
    seen = []

    write_files({path: lambda file: seen.append(mode_of(file))})

    assert seen == [0o600]


@pytest.mark.parametrize("planted", ["link", "file"])
def test_what_another_program_puts_under_the_temporary_name_is_not_kept(
    tmp_path: Path, planted: str
) -> None:
    path = tmp_path / "prices.csv"
    path.write_text("old")
    theirs = tmp_path / "theirs"
    theirs.write_text("theirs")

    def swapped(file: Path) -> None:
        file.unlink()
        if planted == "link":
            file.symlink_to(theirs)
        else:
            file.write_text("theirs")

    with pytest.raises(InputError, match="another program replaced it"):
        write_files({path: swapped})

    assert path.read_text() == "old"
    assert theirs.read_text() == "theirs"


def test_two_processes_of_one_number_do_not_meet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: containers on one volume have the same numbers. Method: two files at once."""
    monkeypatch.setattr(os, "getpid", lambda: 7)
    one, other = StagedFile(tmp_path / "a"), StagedFile(tmp_path / "a")

    one.write(b"one")
    other.write(b"other")
    one.keep()
    assert (tmp_path / "a").read_bytes() == b"one"
    other.keep()
    for file in (one, other):
        file.drop()

    assert (tmp_path / "a").read_bytes() == b"other"
    assert names(tmp_path) == ["a"]
