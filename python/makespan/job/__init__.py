# SPDX-License-Identifier: Apache-2.0
"""The images of a job: how they begin, work and end together, and how Ctrl-C reaches a run."""
