# SPDX-License-Identifier: Apache-2.0
"""What a command that failed prints with --json."""

from __future__ import annotations

import json

from makespan.base.errors import BookError, MakespanError


def error_document(error: MakespanError) -> str:
    """`{"error": text, "exit_code": n, "problems": [{row, id, column, message}]}`."""
    problems = error.problems if isinstance(error, BookError) else ()
    document = {
        "format": "makespan error",
        "version": 1,
        "error": str(error).partition("\n")[0],
        "exit_code": int(error.exit_code),
        "problems": [
            {"row": p.row, "id": p.id, "column": p.column, "message": p.text} for p in problems
        ],
    }
    return json.dumps(document) + "\n"  # in ASCII, whatever stdout can take
