#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What mpirun calls in the place of ssh: rsh_agent.sh [OPTIONS] HOST COMMAND...
# No exec: a prterun (PRRTE 3.0.11) that is the parent of Python takes the daemon on the second of two hosts for one that failed
# with status 213; with a shell in between it does not.
python3 "$(dirname "$(readlink -f "$0")")/netcluster.py" rsh "$@"
