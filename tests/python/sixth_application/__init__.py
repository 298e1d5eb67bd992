# SPDX-License-Identifier: Apache-2.0
"""An application as a user would add one: pi by throwing darts, shared among all threads."""
