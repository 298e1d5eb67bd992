# SPDX-License-Identifier: Apache-2.0
"""Bags on machines that need not exist: what is described, and runs in virtual time."""
