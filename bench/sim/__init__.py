# SPDX-License-Identifier: Apache-2.0
"""What simulations say against what was measured, what they cost, and what they show."""
