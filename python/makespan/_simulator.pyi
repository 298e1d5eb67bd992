# SPDX-License-Identifier: Apache-2.0
# Written by tools/write_stubs.py.
# By nanobind, from the extension.
"""
Bags in virtual time, by SimGrid. Use makespan.simulate, which checks its inputs.
"""

def simulate_bag(job: dict) -> dict:
    """
    Runs a bag in virtual time. Once in a process. ValueError for an invalid job.
    """

def platform_hosts(path: str) -> list:
    """
    Name, speed of a core and cores of each host of a SimGrid platform. As simulate_bag.
    """
