# SPDX-License-Identifier: Apache-2.0
"""`python -m makespan` is the command `makespan`."""

from makespan.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
