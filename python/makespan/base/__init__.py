# SPDX-License-Identifier: Apache-2.0
"""What every part needs and nothing of ours: errors, the engine, the version, numbers as text."""
