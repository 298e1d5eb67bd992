# SPDX-License-Identifier: Apache-2.0
"""Bench of pricing against the strongest rivals: time and error of each against the true price."""
