# SPDX-License-Identifier: Apache-2.0
"""The command line over the fake engine, for tests that need a process of their own."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python")]
import fake_core  # noqa: E402

sys.modules["makespan._core"] = fake_core

from makespan.cli import main  # noqa: E402

if __name__ == "__main__":
    raise SystemExit(main())
