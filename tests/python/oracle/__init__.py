# SPDX-License-Identifier: Apache-2.0
"""An oracle for discrete Asian options that shares nothing with the engine.

It prices by one-dimensional quadrature (numpy and scipy), never by simulation, and states its own
error. See docs/explanation/validation.md.
"""

from oracle.contract import Contract, equal_steps
from oracle.truth import Greeks, Truth, true_greeks, true_price

__all__ = ["Contract", "Greeks", "Truth", "equal_steps", "true_greeks", "true_price"]
