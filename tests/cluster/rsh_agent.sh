#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What mpirun calls in the place of ssh: rsh_agent.sh [OPTIONS] HOST COMMAND...
exec python3 "$(dirname "$(readlink -f "$0")")/netcluster.py" rsh "$@"
