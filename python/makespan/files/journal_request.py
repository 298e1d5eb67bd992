# SPDX-License-Identifier: Apache-2.0
"""What the settings checkpoint and restart_from ask of a run that keeps a journal."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from makespan.base.errors import InputError
from makespan.base.setting_names import called
from makespan.files.resolved_path import resolved


@dataclass(frozen=True, slots=True)
class JournalRequest:
    """Where to keep what is finished, and whether to go on with an earlier run's."""

    path: Path
    resume: bool = False


def journal_request(checkpoint: Path | None, restart_from: Path | None) -> JournalRequest | None:
    """What these two settings ask for. Raises `InputError` for two different files."""
    if checkpoint is None:
        return None if restart_from is None else JournalRequest(restart_from, resume=True)
    if restart_from is None:
        return JournalRequest(checkpoint)
    if resolved(checkpoint) != resolved(restart_from):
        raise InputError(
            f"{called('checkpoint')} {checkpoint} and {called('restart_from')} {restart_from}: a "
            f"run goes on in the journal that it restarts from: leave out {called('checkpoint')}"
        )
    return JournalRequest(restart_from, resume=True)
