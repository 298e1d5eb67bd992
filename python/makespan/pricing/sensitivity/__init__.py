# SPDX-License-Identifier: Apache-2.0
"""Derivatives of prices to what rows refer to, by differences from the same random numbers.

To each point of a curve, each time or point of a surface, each underlying of a basket, each of
Heston's parameters (docs/explanation/sensitivities.md).
"""
