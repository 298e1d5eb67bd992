# SPDX-License-Identifier: Apache-2.0
"""The bench of bags: unequal devices that share one book, against the bound."""
