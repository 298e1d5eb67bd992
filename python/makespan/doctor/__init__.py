# SPDX-License-Identifier: Apache-2.0
"""`makespan doctor`: what makespan finds on this machine, and what that means for its runs.

Each file is a group of probes: facts as plain values, a function that gathers them, and pure
functions from facts to findings, which tests feed with machines that they do not have.
"""
