# SPDX-License-Identifier: Apache-2.0
"""Rows whose variance is random: the parameters of Heston's model."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book.draft import Draft
from makespan.pricing.book.problems import Mask, number_text
from makespan.pricing.columns.book import COLUMNS_BY_NAME

ENGINE_COLUMN = {
    "heston_v0": "variance_now",
    "heston_kappa": "mean_reversion",
    "heston_theta": "variance_mean",
    "heston_sigma": "variance_volatility",
    "heston_rho": "correlation",
}


def has_heston(draft: Draft) -> Mask:
    """Rows that give any of the parameters."""
    given = np.zeros(draft.rows, dtype=np.bool_)
    for name in ENGINE_COLUMN:
        given |= draft.given(name)
    return given


def check_heston(draft: Draft) -> None:
    """All parameters or none, and no volatility beside them; warns where the variance reaches 0."""
    rows = has_heston(draft)
    if not rows.any():
        return
    for name in ENGINE_COLUMN:
        text = f"{name} is missing; Heston's model needs {', '.join(ENGINE_COLUMN)}"
        draft.problems.add_rows(rows & ~draft.given(name), name, lambda _, text=text: text)  # type: ignore[misc]
    for other in ("volatility", "volatility_curve"):
        draft.problems.refuse_beside(rows & draft.given(other), other, "heston_v0")
    for name in ("heston_v0", "heston_theta"):
        _warn_percent(draft, name)
    _warn_of_zero(draft, rows)


def _warn_percent(draft: Draft, name: str) -> None:
    """A variance whose root would, as a volatility, look like percent."""
    variance = draft.values(name)
    volatility = np.sqrt(np.maximum(variance, 0.0))

    def text(row: int) -> str:
        value, root = float(variance[row]), float(volatility[row])
        return (
            f"{name}={number_text(value)} is the variance of a volatility of {root:.3g}, "
            f"which looks like percent; write {number_text(value / 1e4)}"
        )

    large = volatility > (COLUMNS_BY_NAME["volatility"].percent_above or np.inf)
    draft.warnings.add_rows(draft.given(name) & large, name, text)


def _warn_of_zero(draft: Draft, rows: Mask) -> None:
    """Feller's condition: else the variance reaches 0, and steps are less exact."""
    pull = 2 * draft.values("heston_kappa") * draft.values("heston_theta")
    push = draft.values("heston_sigma") ** 2

    def text(row: int) -> str:
        left, right = number_text(float(pull[row])), number_text(float(push[row]))
        return (
            f"2 heston_kappa heston_theta = {left} is below heston_sigma^2 = {right}: the variance "
            "reaches 0 (Feller's condition)"
        )

    draft.warnings.add_rows(rows & (pull < push), "heston_sigma", text)


def heston_columns(draft: Draft) -> dict[str, NDArray[np.float64]]:
    """The engine's columns, 0 in rows without; none if no row has them."""
    rows = has_heston(draft)
    if not rows.any():
        return {}
    return {
        column: np.where(rows, draft.values(name), 0.0) for name, column in ENGINE_COLUMN.items()
    }
