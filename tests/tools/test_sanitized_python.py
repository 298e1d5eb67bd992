# SPDX-License-Identifier: Apache-2.0
"""`tools/sanitized_python.sh`: a report in a process whose end is not looked at fails the run."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sanitizer_reports import OF_A_TRIAL, log_path

from tests.torture.reports import quoted, report_in, reports, settings

ROOT = Path(__file__).resolve().parents[2]
FILES = ("tools/sanitized_python.sh", "tests/torture/reports.py")

IN_A_CHILD = """
import subprocess, sys
ended = subprocess.run([sys.executable, "-c", sys.argv[1], *sys.argv[2:]], capture_output=True)
"""
# As a sanitizer writes a report; or not at all, where a test has given the child other settings.
PLANTED = f"""
import os, sys
sys.path.insert(0, {str(ROOT / "tools")!r})
from sanitizer_reports import log_path
path = "".join([log_path(os.environ[sys.argv[1]]), *sys.argv[3:]])
with open(path + "." + str(os.getpid()), "w") as file:
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
CHECK_FAILED = '==7==AddressSanitizer: CHECK failed: asan_thread.cpp:360 "((ptr[0])) != (0)"\n'
NESTED = "==7==AddressSanitizer: nested bug in the same thread, aborting.\n"
FATAL = "FATAL: ThreadSanitizer: unexpected memory mapping 0x62d7-0x62d8\n"
RACE = "==================\nWARNING: ThreadSanitizer: data race (pid=7)\n"


def run(
    folder: Path, preset: str, *arguments: str, checkout: str = "."
) -> subprocess.CompletedProcess[str]:
    """The script with this Python as that of a build."""
    root = folder / checkout
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    python = root / "tools" / "python_of_build.sh"
    python.write_text(f"#!/bin/sh\nmkdir -p $1\necho {sys.executable}\n")
    python.chmod(0o755)
    # Loaded into all of its processes: none is needed here, and the thread sanitizer's may not run.
    fake = folder / "gcc"
    fake.write_text("#!/bin/sh\n")
    fake.chmod(0o755)
    return subprocess.run(
        [root / "tools" / "sanitized_python.sh", preset, *arguments],
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
        ("asan", "ASAN_OPTIONS", IN_SIMGRID),
        ("asan", "ASAN_OPTIONS", CHECK_FAILED),
        ("asan", "ASAN_OPTIONS", NESTED),
        ("asan", "UBSAN_OPTIONS", "a.cpp:3:9: runtime error: signed integer overflow"),
        ("tsan", "TSAN_OPTIONS", RACE),
        ("tsan", "TSAN_OPTIONS", FATAL),
    ],
    ids=[
        *("address", "a signal", "a signal in SimGrid", "a check", "nested"),
        *("behaviour", "thread", "fatal"),
    ],
)
def test_a_report_in_a_child_fails_the_run(
    tmp_path: Path, preset: str, variable: str, text: str
) -> None:
    ended = run(tmp_path, preset, "-c", IN_A_CHILD, PLANTED, variable, text)

    assert ended.returncode == 1, ended.stderr
    assert text.splitlines()[0] in ended.stderr


@pytest.mark.parametrize("checkout", ["my repo", "a,b:c", "it's here, my repo", 'a "b" c'])
@pytest.mark.parametrize("preset", ["asan", "tsan"])
def test_a_folder_of_any_name_has_its_reports(tmp_path: Path, preset: str, checkout: str) -> None:
    arguments = [preset, "-c", IN_A_CHILD, PLANTED, f"{preset.upper()}_OPTIONS", OVERFLOW]

    ended = run(tmp_path, *arguments, checkout=checkout)

    assert ended.returncode == 1, ended.stderr
    assert "heap-buffer-overflow" in ended.stderr
    assert len(reports(tmp_path / checkout / "build" / preset / "python-report")) == 1


def test_a_folder_whose_name_no_sanitizer_could_read_is_refused(tmp_path: Path) -> None:
    name = """it's a "repo\""""

    ended = run(tmp_path, "asan", "-c", "", checkout=name)

    assert ended.returncode == 1
    assert "both kinds of quotes" in ended.stderr
    assert "give the checkout another folder" in ended.stderr
    with pytest.raises(ValueError, match="both kinds of quotes"):
        quoted(tmp_path / name)


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ("a=1:log_path=/a/b:b=2", "/a/b"),
        ("a=1 log_path=/a/b,b=2", "/a/b"),
        ("log_path='/my repo, a:log_path=b':b=2", "/my repo, a:log_path=b"),
        ('log_path=/none:log_path="/it\'s"', "/it's"),
        ("old_log_path=/a/b", None),
        ("", None),
    ],
)
def test_flags_are_read_as_sanitizers_read_them(options: str, path: str | None) -> None:
    assert log_path(options) == path


@pytest.mark.parametrize(
    "arguments",
    [[IN_SIMGRID, OF_A_TRIAL], [NO_MEMORY]],
    ids=["SimGrid's death of a file that is tried", "memory that is refused"],
)
def test_what_tests_provoke_is_no_report(tmp_path: Path, arguments: list[str]) -> None:
    ended = run(tmp_path, "asan", "-c", IN_A_CHILD, PLANTED, "ASAN_OPTIONS", *arguments)

    assert ended.returncode == 0, ended.stderr
    assert list((tmp_path / "build" / "asan").iterdir())


@pytest.mark.parametrize("text", [IN_OURS, OVERFLOW, CHECK_FAILED])
def test_all_else_in_a_process_that_tries_a_file_is_a_report(tmp_path: Path, text: str) -> None:
    ended = run(tmp_path, "asan", "-c", IN_A_CHILD, PLANTED, "ASAN_OPTIONS", text, OF_A_TRIAL)

    assert ended.returncode == 1, ended.stderr


def test_a_run_ends_as_python_does_and_earlier_reports_are_gone(tmp_path: Path) -> None:
    run(tmp_path, "asan", "-c", IN_A_CHILD, PLANTED, "ASAN_OPTIONS", OVERFLOW)
    assert reports(tmp_path / "build" / "asan" / "python-report")

    assert run(tmp_path, "asan", "-c", "").returncode == 0
    assert run(tmp_path, "asan", "-c", "raise SystemExit(3)").returncode == 3


UNDEFINED = 'extern "C" int sum(int x) { return x + 0x7fffffff; }\n'
LOADED = """
import ctypes, sys
sys.path.insert(0, sys.argv[1])
import sanitizer_reports
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


def ended_under_sanitizers(
    arguments: list[str | Path], prefix: Path, variables: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """This Python with both sanitizers, whose reports go to files PREFIX.*."""
    variables = {"LD_PRELOAD": str(libraries()), "ASAN_OPTIONS": "detect_leaks=0", **variables}
    return subprocess.run(
        [sys.executable, *arguments],
        env={**variables, **settings(prefix, variables)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.skipif(libraries() is None, reason="no sanitizers here")
@pytest.mark.parametrize("folder", ["plain", "my repo, it's: one"])
def test_undefined_behaviour_is_written_to_its_file_beside_the_address_sanitizer(
    tmp_path: Path, folder: str
) -> None:
    source, library = tmp_path / "sum.cpp", tmp_path / "libsum.so"
    source.write_text(UNDEFINED)
    flags = ["-shared", "-fPIC", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run(["g++", *flags, source, "-o", library], check=True, timeout=60)
    prefix = tmp_path / folder / "report"
    prefix.parent.mkdir()

    ended = ended_under_sanitizers(
        ["-c", LOADED, ROOT / "tools", library], prefix, {"UBSAN_OPTIONS": "log_path=/none"}
    )

    assert ended.returncode != 0
    assert "runtime error" not in ended.stderr
    assert ["runtime error: signed integer overflow" in text for text in reports(prefix)] == [True]


DIES = """
import ctypes, sys
sys.path.insert(0, sys.argv[1])
import sanitizer_reports
ctypes.string_at(8)
"""


@pytest.mark.skipif(libraries() is None, reason="no sanitizers here")
@pytest.mark.parametrize("folder", ["plain", "my repo, it's: one"])
@pytest.mark.parametrize("what", ["platform", "bag"])
def test_a_process_that_tries_a_file_has_reports_of_a_name_of_their_own(
    tmp_path: Path, folder: str, what: str
) -> None:
    """Method: a module of that name, which dies of a signal as SimGrid does."""
    module = tmp_path / "makespan" / "sim" / "one_run.py"
    module.parent.mkdir(parents=True)
    module.write_text(DIES)
    prefix = tmp_path / folder / "report"
    prefix.parent.mkdir()

    # Without the packages of this environment: makespan is one of them.
    command: list[str | Path] = ["-S", "-m", "makespan.sim.one_run", ROOT / "tools", what]
    ended_under_sanitizers(command, prefix, {"PYTHONPATH": str(tmp_path)})

    (report,) = prefix.parent.glob("report.asan*")
    assert report_in(report.read_text())
    assert (OF_A_TRIAL in report.name) == (what == "platform")
