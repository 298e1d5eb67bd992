# SPDX-License-Identifier: Apache-2.0
"""Files: written whole or not at all, locked, tried before a run."""
