# SPDX-License-Identifier: Apache-2.0
"""The installer of one-sided libraries: by hash, once, and gaps are said."""

import hashlib
import re
import subprocess

import pytest

from bench.peers import install_one_sided
from bench.peers.install_one_sided import Installation, Part, Source, read_parts

NOWHERE = "https://localhost:1/library"  # nothing listens there


@pytest.fixture
def archive(tmp_path):
    """An archive of a library as if downloaded before, and the source that names it."""
    (tmp_path / "library-1").mkdir()
    (tmp_path / "library-1" / "text").write_text("made of this\n")
    sources = tmp_path / "bench" / "one_sided" / "sources"
    sources.mkdir(parents=True)
    path = sources / "library.tar.gz"
    subprocess.run(["tar", "-czf", path, "-C", tmp_path, "library-1"], check=True)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    return Source(archive=f"{NOWHERE}.tar.gz", sha256=sha256)


def library(*sources, needs=None):
    """A library that is a copy of its sources; it counts how often it was made."""
    steps = ["mkdir -p {prefix}", "cp -r {source}/. {prefix}", "echo >>{prefix}/../times"]
    return Part("library", steps, needs=needs or {}, source=list(sources))


def program():
    return Part("program", ["cp {library}/text {program}"], after=["library"], files=["../case.py"])


def made(tmp_path, *parts):
    installation = Installation(tmp_path / "bench", list(parts))
    installation.make_all()
    return installation


def test_list_names_everything_by_hash_and_in_order():
    parts = read_parts()

    for place, part in enumerate(parts):
        assert set(part.after) <= {earlier.name for earlier in parts[:place]}
        for source in part.source:
            assert re.fullmatch(
                r"[0-9a-f]{40}" if source.git else r"[0-9a-f]{64}", source.commit or source.sha256
            )
        for name in part.files:
            assert (install_one_sided.PEERS / name).is_file()


def test_downloaded_archive_is_taken_and_built_once(tmp_path, archive):
    for _ in range(2):
        made(tmp_path, library(archive), program())

    assert (tmp_path / "bench" / "program").read_text() == "made of this\n"
    assert (tmp_path / "bench" / "one_sided" / "times").read_text() == "\n"


def test_repository_that_is_there_is_taken_at_its_commit(tmp_path):
    sources = tmp_path / "bench" / "one_sided" / "sources"
    sources.mkdir(parents=True)
    git = ["git", "-C", str(sources / "library.git"), "-c", "user.name=a", "-c", "user.email=b"]
    subprocess.run(["git", "init", "--quiet", sources / "library.git"], check=True)
    (sources / "library.git" / "text").write_text("first\n")
    for words in (
        ["add", "."],
        ["commit", "-qm", "first"],
        ["commit", "-qm", "x", "--allow-empty"],
    ):
        subprocess.run([*git, *words], check=True)
    commit = subprocess.check_output([*git, "rev-parse", "HEAD~1"], text=True).strip()

    made(tmp_path, library(Source(git=f"{NOWHERE}.git", commit=commit)), program())

    assert (tmp_path / "bench" / "program").read_text() == "first\n"


def test_archive_of_another_hash_is_refused(tmp_path, archive):
    other = Source(archive=archive.archive, sha256="0" * 64)

    installation = made(tmp_path, library(other), program())

    assert "not 000" in installation.missing["library"]
    assert "not 000" in (tmp_path / "bench" / "program.missing").read_text()
    assert not (tmp_path / "bench" / "program").exists()


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (Source(git=f"{NOWHERE}.git", commit="0" * 40), "library.git does not answer"),
        (Source(archive=f"{NOWHERE}.tar.gz", sha256="0" * 64), "was not downloaded"),
    ],
)
def test_without_a_network_it_says_where_to_put_what_it_wants(tmp_path, source, text):
    installation = made(tmp_path, library(source))

    assert text in installation.missing["library"]
    assert (
        str(tmp_path / "bench/one_sided/sources" / source.file_name)
        in installation.missing["library"]
    )


def test_program_that_is_not_installed_is_named_with_its_package(tmp_path, archive):
    installation = made(tmp_path, library(archive, needs={"no-such-program": "a-package"}))

    assert installation.missing["library"] == "no no-such-program (apt-get install a-package)"


def test_step_that_fails_says_what_it_said_last_and_the_next_try_forgets_it(tmp_path, archive):
    broken = Part("library", ["echo no luck >&2; exit 3"], source=[archive])

    assert "no luck" in made(tmp_path, broken, program()).missing["program"]
    assert not made(tmp_path, library(archive), program()).missing
    assert not (tmp_path / "bench" / "program.missing").exists()
