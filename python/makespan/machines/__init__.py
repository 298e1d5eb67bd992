# SPDX-License-Identifier: Apache-2.0
"""Machines: their files, and measuring this one."""
