# SPDX-License-Identifier: Apache-2.0
"""Bench of the pricing room: kernel, accuracy, Greeks, threads, whole books, start-up."""
