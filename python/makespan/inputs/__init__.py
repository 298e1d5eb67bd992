# SPDX-License-Identifier: Apache-2.0
"""Input files of sections and keys: what they may say, and reading them."""
