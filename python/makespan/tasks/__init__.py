# SPDX-License-Identifier: Apache-2.0
"""Mapping a function over a list, on the threads of all images."""
