# SPDX-License-Identifier: Apache-2.0
"""Where a figure was measured: processor, instruction sets, cores, kernel, compiler, commit.

``python -m bench.machine`` prints it as JSON.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

# The instruction sets that decide how fast a path kernel runs; the rest of /proc/cpuinfo does not.
TELLING_FLAGS = ("fma", "avx2", "avx512f", "avx512dq", "avx512bw", "avx512vl", "asimd", "sve")


@dataclass(frozen=True)
class Machine:
    """One machine at one commit; strings are empty where the system does not tell."""

    cpu: str
    instruction_sets: list[str]
    cores: int
    memory_gib: float
    virtual: bool
    kernel: str
    compiler: str
    python: str
    commit: str
    commit_is_clean: bool


def read_cpuinfo(text: str) -> tuple[str, list[str]]:
    """Return model name (with family and model number) and telling flags of a /proc/cpuinfo."""
    fields: dict[str, str] = {}
    for line in text.splitlines():
        name, _, value = line.partition(":")
        fields.setdefault(name.strip(), value.strip())
    flags = set((fields.get("flags") or fields.get("Features") or "").split())
    model = fields.get("model name", platform.machine())
    if "model" in fields:
        model += f" (family {fields.get('cpu family', '?')}, model {fields['model']})"
    return model, [flag for flag in TELLING_FLAGS if flag in flags]


def first_line_of(command: list[str]) -> str:
    """Return the first line that a command prints, or an empty string if it cannot be run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.splitlines()[0].strip() if done.stdout.strip() else ""


def fingerprint() -> Machine:
    """Describe the machine that this process runs on and the commit of the working directory."""
    cpuinfo = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    cpu, instruction_sets = read_cpuinfo(cpuinfo)
    memory_bytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Machine(
        cpu=cpu,
        instruction_sets=instruction_sets,
        cores=len(os.sched_getaffinity(0)),
        memory_gib=round(memory_bytes / 2**30, 1),
        virtual="hypervisor" in cpuinfo,
        kernel=f"{platform.system()} {platform.release()}",
        compiler=first_line_of([os.environ.get("CXX", "c++"), "--version"]),
        python=platform.python_version(),
        commit=first_line_of(["git", "rev-parse", "HEAD"]),
        commit_is_clean=first_line_of(["git", "status", "--porcelain"]) == "",
    )


def circumstances(*, smoke: bool) -> dict[str, Any]:
    """Return what stands beside a result: the machine, when the run began, what else ran."""
    return {
        "machine": asdict(fingerprint()),
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "load_before": os.getloadavg()[0],
        "smoke": smoke,
    }


if __name__ == "__main__":
    print(json.dumps(asdict(fingerprint()), indent=2))
