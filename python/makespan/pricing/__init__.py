# SPDX-License-Identifier: Apache-2.0
"""Pricing books of Asian options."""
