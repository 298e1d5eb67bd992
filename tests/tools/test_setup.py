# SPDX-License-Identifier: Apache-2.0
"""Goal: each target installs its part of packages.txt; a set-up that fails says so."""

from __future__ import annotations

import fcntl
import os
import subprocess
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("build", "test", "lint")


def set_up(folder: Path, *arguments: str, **fakes: str) -> subprocess.CompletedProcess[str]:
    """Runs tools/setup.sh in `folder`, with fakes of programs that it calls before all others."""
    fakes = {"sudo": 'exec "$@"', **fakes}
    programs = folder / "fakes"
    programs.mkdir(exist_ok=True)
    for name, script in fakes.items():
        program = programs / name.replace("_", "-")
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    return subprocess.run(
        ["sh", ROOT / "tools" / "setup.sh", *arguments],
        cwd=folder, capture_output=True, text=True, check=False, timeout=60,
        env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"},
    )  # fmt: skip


def installed(folder: Path, part: str) -> list[str]:
    """Names that set-up asks apt to install for a part, where nothing is installed."""
    asked = folder / "asked"
    set_up(
        folder, "packages", part, str(ROOT / "packages.txt"),
        dpkg_query="exit 1",
        apt_get=f'for last in "$@"; do :; done\n'
                f'case "$*" in *--simulate*) ;; *install*) echo "$*" >>{asked} ;; esac',
    )  # fmt: skip
    return asked.read_text().split("--no-install-recommends")[1].split()


def test_the_build_installs_what_it_needs_and_no_tool_of_tests(tmp_path: Path) -> None:
    names = installed(tmp_path, "build")

    assert {"g++", "libhwy-dev", "libmpich-dev", "mpich"} <= set(names)
    assert not {"chromium", "clang-19", "libgtest-dev", "libscotch-dev"} & set(names)


def test_parts_do_not_overlap(tmp_path: Path) -> None:
    parts = []
    for part in PARTS:
        folder = tmp_path / part
        folder.mkdir()
        parts.append(set(installed(folder, part)))

    assert all(parts)
    assert not parts[0] & parts[1]
    assert not parts[0] & parts[2]
    assert not parts[1] & parts[2]


def test_a_network_that_fails_is_said_in_a_sentence(tmp_path: Path) -> None:
    run = set_up(
        tmp_path, "packages", "build", str(ROOT / "packages.txt"),
        dpkg_query="exit 1", apt_get="echo 'E: no network' >&2; exit 100",
    )  # fmt: skip

    assert run.returncode == 1
    assert run.stderr.splitlines()[-1] == (
        "setup: apt-get update failed (see above): check the network and the sources of apt, "
        "then run the same command again"
    )


def test_an_environment_without_pip_is_made_anew(tmp_path: Path) -> None:
    broken = tmp_path / "env"
    (broken / "bin").mkdir(parents=True)
    python = broken / "bin" / "python"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)

    run = set_up(tmp_path, "venv", str(broken), PYTHON="")

    # There is no pyproject.toml here, so it goes no further than that.
    assert "making the Python environment" in run.stderr
    assert (broken / "pyvenv.cfg").exists()


def test_a_second_set_up_waits_for_the_first(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    lock = tmp_path / "build" / ".setup-lock"
    # Held before the set-up begins, and let go of while it waits.
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        end = threading.Timer(2.0, fcntl.flock, (held, fcntl.LOCK_UN))
        end.start()
        run = set_up(
            tmp_path, "packages", "lint", str(ROOT / "packages.txt"), dpkg_query="echo installed"
        )
        end.join()

    assert "waiting for it" in run.stderr
    assert run.returncode == 0
