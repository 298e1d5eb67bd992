# SPDX-License-Identifier: Apache-2.0
"""Result hashes: SHA-256, of one form in all records, documents and summaries.

What a run has in one process is hashed there. A field or a melt lies on many images: the engine
makes a digest of each plane or cell, wherever its parts are, and the hash is over these in order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DIGITS_SHOWN = 12


def tree_hash(kind: str, shape: Sequence[int], digests: NDArray[Any]) -> str:
    """SHA-256 over `makespan KIND` and a newline, the shape, and the digests' words in order.

    Numbers are little-endian and of 64 bits; `docs/reference/record.md` has shapes and digests.
    """
    import numpy as np

    made = hashlib.sha256(f"makespan {kind}\n".encode())
    made.update(np.array(shape, dtype="<i8").tobytes())
    made.update(np.asarray(digests, dtype="<u8").tobytes())
    return made.hexdigest()


def shown_hash(result_hash: str) -> str:
    """Its first digits, as summaries have them."""
    return result_hash[:_DIGITS_SHOWN]
