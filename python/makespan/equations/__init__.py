# SPDX-License-Identifier: Apache-2.0
"""Equations of one's own on a grid."""
