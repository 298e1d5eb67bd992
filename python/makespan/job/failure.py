# SPDX-License-Identifier: Apache-2.0
"""An exception on its way from image to image."""

from __future__ import annotations

import pickle
from typing import Any


class Failure:
    """What was raised: as it is, or as text if it cannot be pickled, or not be made of that."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __reduce__(self) -> tuple[Any, ...]:
        try:
            pickle.loads(pickle.dumps(self.error))  # noqa: S301, our own
        except Exception:
            text = f"{type(self.error).__name__}: {self.error}"
            return (Failure, (RuntimeError(text),))
        return (Failure, (self.error,))
