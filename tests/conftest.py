# SPDX-License-Identifier: Apache-2.0
"""In what order files of tests are handed to workers: those that take longest first."""

from __future__ import annotations

import pytest

LONGEST = (
    "test_doc_commands.py",
    "test_simulation_examples.py",
    "test_calcium_pumps.py",
    "test_cli_grids.py",
    "test_sensitivities.py",
    "test_map.py",
    "test_job.py",
    "test_map_interrupts.py",
    "test_cli_simulate.py",
    "test_functions_in_jobs.py",
    "test_cli_machine.py",
    "test_cli_calcium.py",
)
"""About 20 s each, and up to a minute; begun last, one of them would keep one worker alone."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Workers take files in this order (`--no-loadscope-reorder`)."""
    place = {name: at for at, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path.name, len(LONGEST)))
