# SPDX-License-Identifier: Apache-2.0
"""Diffusion of one field."""
