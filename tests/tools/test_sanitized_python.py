# SPDX-License-Identifier: Apache-2.0
"""`tools/sanitized_python.sh`: a report in a process whose end is not looked at fails the run."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.torture.reports import reports

ROOT = Path(__file__).resolve().parents[2]
FILES = ("tools/sanitized_python.sh", "tests/torture/reports.py")

IN_A_CHILD = """
import subprocess, sys
ended = subprocess.run([sys.executable, "-c", sys.argv[1], *sys.argv[2:]], capture_output=True)
"""
# As a sanitizer writes a report; or not at all, where a test has given the child other settings.
PLANTED = """
import os, sys
options = dict(word.split("=", 1) for word in os.environ[sys.argv[1]].split(":"))
with open(f"{options['log_path']}.{os.getpid()}", "w") as file:
    file.write(sys.argv[2])
os.abort()
"""

OVERFLOW = (
    "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60\n    #0 0x1 in f a.cpp:3"
)
IN_OURS = (
    "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x8 (pc 0x7 T0)\n"
    "    #0 0x7f4a in __strlen_evex ../sysdeps/x86_64/multiarch/strlen-evex.S:79\n"
    "    #1 0x7f4b in makespan::sim::run(int) src/makespan/sim/run.cpp:7\n"
    "    #2 0x7f4c in simgrid::kernel::run() (/lib/x86_64-linux-gnu/libsimgrid.so.3.32+0x12)\n"
)
IN_SIMGRID = (
    "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x8 (pc 0x7 T0)\n"
    "    #0 0x7f4a in __strlen_evex ../sysdeps/x86_64/multiarch/strlen-evex.S:79\n"
    "    #1 0x7f4c  (/lib/x86_64-linux-gnu/libsimgrid.so.3.32+0x12)\n"
    "    #2 0x7f4b in makespan::sim::run(int) src/makespan/sim/run.cpp:7\n"
)
NO_MEMORY = "==7==WARNING: AddressSanitizer failed to allocate 0x10000000000 bytes\n"
RACE = "==================\nWARNING: ThreadSanitizer: data race (pid=7)\n"


def run(folder: Path, preset: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The script with this Python as that of a build."""
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    python = folder / "tools" / "python_of_build.sh"
    python.write_text(f"#!/bin/sh\nmkdir -p $1\necho {sys.executable}\n")
    python.chmod(0o755)
    # Loaded into all of its processes: none is needed here, and the thread sanitizer's may not run.
    fake = folder / "gcc"
    fake.write_text("#!/bin/sh\n")
    fake.chmod(0o755)
    return subprocess.run(
        [folder / "tools" / "sanitized_python.sh", preset, *arguments],
        env={"PATH": f"{folder}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("preset", "variable", "text"),
    [
        ("asan", "ASAN_OPTIONS", OVERFLOW),
        ("asan", "ASAN_OPTIONS", IN_OURS),
        ("asan", "UBSAN_OPTIONS", "a.cpp:3:9: runtime error: signed integer overflow"),
        ("tsan", "TSAN_OPTIONS", RACE),
    ],
    ids=["address", "a signal", "behaviour", "thread"],
)
def test_a_report_in_a_child_fails_the_run(
    tmp_path: Path, preset: str, variable: str, text: str
) -> None:
    ended = run(tmp_path, preset, "-c", IN_A_CHILD, PLANTED, variable, text)

    assert ended.returncode == 1, ended.stderr
    assert text.splitlines()[0] in ended.stderr


@pytest.mark.parametrize(
    "text", [IN_SIMGRID, NO_MEMORY], ids=["SimGrid's death", "memory that is refused"]
)
def test_what_tests_provoke_is_no_report(tmp_path: Path, text: str) -> None:
    ended = run(tmp_path, "asan", "-c", IN_A_CHILD, PLANTED, "ASAN_OPTIONS", text)

    assert ended.returncode == 0, ended.stderr
    assert list((tmp_path / "build" / "asan").iterdir())


def test_a_run_ends_as_python_does_and_earlier_reports_are_gone(tmp_path: Path) -> None:
    run(tmp_path, "asan", "-c", IN_A_CHILD, PLANTED, "ASAN_OPTIONS", OVERFLOW)
    assert reports(tmp_path / "build" / "asan" / "python-report")

    assert run(tmp_path, "asan", "-c", "").returncode == 0
    assert run(tmp_path, "asan", "-c", "raise SystemExit(3)").returncode == 3


UNDEFINED = 'extern "C" int sum(int x) { return x + 0x7fffffff; }\n'
LOADED = """
import ctypes, sys
sys.path.insert(0, sys.argv[1])
import undefined_behaviour_reports
ctypes.CDLL(sys.argv[2]).sum(5)
"""


def libraries() -> str | None:
    """What is preloaded, where gcc and both sanitizers are there."""
    if shutil.which("g++") is None:
        return None
    found = []
    for name in ("libasan.so", "libubsan.so", "libstdc++.so.6"):
        asked = ["g++", f"-print-file-name={name}"]
        path = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        if not Path(path).is_absolute():
            return None
        found.append(path)
    return ":".join(found)


@pytest.mark.skipif(libraries() is None, reason="no sanitizers here")
def test_undefined_behaviour_is_written_to_its_file_beside_the_address_sanitizer(
    tmp_path: Path,
) -> None:
    source, library = tmp_path / "sum.cpp", tmp_path / "libsum.so"
    source.write_text(UNDEFINED)
    flags = ["-shared", "-fPIC", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run(["g++", *flags, source, "-o", library], check=True, timeout=60)
    prefix = tmp_path / "report"

    ended = subprocess.run(
        [sys.executable, "-c", LOADED, ROOT / "tools", library],
        env={
            "LD_PRELOAD": str(libraries()),
            "ASAN_OPTIONS": f"detect_leaks=0:log_path={prefix}.asan",
            "UBSAN_OPTIONS": f"log_path=/none:log_path={prefix}.ubsan",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert ended.returncode != 0
    assert "runtime error" not in ended.stderr
    assert ["runtime error: signed integer overflow" in text for text in reports(prefix)] == [True]
