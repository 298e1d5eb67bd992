# SPDX-License-Identifier: Apache-2.0
"""Every target runs, and what one finds is told. Short scripts take the fuzzer's place."""

from __future__ import annotations

from pathlib import Path

import fuzz
import pytest

GOOD = """#!/bin/sh
echo "#2 INITED cov: 7 ft: 8"
echo "$@" >> "$(dirname "$0")/arguments"
echo "stat::number_of_executed_units: 42"
"""
BAD = """#!/bin/sh
echo "#2 INITED cov: 7 ft: 8"
exit 77
"""


def build_with(folder: Path, **programs: str) -> Path:
    """A build folder as the preset `fuzz` leaves it."""
    place = folder / "tests" / "fuzz"
    place.mkdir(parents=True)
    lines = []
    for name, text in programs.items():
        program = place / f"fuzz_{name}"
        program.write_text(text, encoding="utf-8")
        program.chmod(0o755)
        lines.append(f"{name} 512\n")
    (folder / "fuzz_targets.txt").write_text("".join(lines), encoding="utf-8")
    return folder


def test_runs_each_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build = build_with(tmp_path, envelope=GOOD, fragment=GOOD)

    assert fuzz.main(["--seconds", "3", "--build", str(build)]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["envelope", "fragment"]
    assert all("42 inputs" in line and "7 edges" in line for line in lines)
    arguments = (build / "tests" / "fuzz" / "arguments").read_text(encoding="utf-8")
    assert "-max_total_time=3 -max_len=512 -rss_limit_mb=1024" in arguments
    assert "-rss_limit_mb=1024 -timeout=600 " in arguments
    assert "/large/envelope/random\n" in arguments
    assert arguments.rstrip().endswith("tests/fuzz/seeds/fragment")


def test_a_finding_is_told_and_the_others_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build = build_with(tmp_path, archive=BAD, envelope=GOOD)

    assert fuzz.main(["--seconds", "3", "--build", str(build)]) == 1

    first, second = capsys.readouterr().out.splitlines()
    assert "exit code 77" in first
    assert "archive.log" in first
    assert "nothing found" in second


def test_large_inputs_come_first_and_what_ends_a_target_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build = build_with(tmp_path, archive=BAD)

    assert fuzz.main(["--seconds", "3", "--build", str(build)]) == 1

    assert "exit code 77" in capsys.readouterr().out
    kept = {one.name: one.stat().st_size for one in (build / "large" / "archive").iterdir()}
    assert {"byte-00", "byte-ff", "random"} <= set(kept)
    assert all(0.9 * fuzz.LARGE_BYTES < size <= fuzz.LARGE_BYTES for size in kept.values())
    assert not (build / "corpus").exists()


def test_unknown_targets_are_refused(tmp_path: Path) -> None:
    build = build_with(tmp_path, envelope=GOOD)

    with pytest.raises(SystemExit, match="there is no such target"):
        fuzz.main(["--build", str(build), "lettre"])
