// SPDX-License-Identifier: Apache-2.0
#include "recorded_syncs.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace makespan {

namespace {

int sync_error = 0;

std::function<void(std::string const& path)>& at_syncs() {
  static std::function<void(std::string const& path)> function;
  return function;
}

void record_sync(int file) {
  std::array<char, 4096> path{};
  std::string const link = "/proc/self/fd/" + std::to_string(file);
  ssize_t const length = ::readlink(link.c_str(), path.data(), path.size());
  if (length <= 0) return;
  std::string const name(path.data(), static_cast<std::size_t>(length));
  recorded_syncs().push_back(name);
  if (at_syncs()) at_syncs()(name);
}

}  // namespace

std::vector<std::string>& recorded_syncs() {
  static std::vector<std::string> paths;
  return paths;
}

void fail_syncs_with(int error) {
  sync_error = error;
}

void call_at_syncs(std::function<void(std::string const& path)> function) {
  at_syncs() = std::move(function);
}

}  // namespace makespan

extern "C" int fsync(int file) {
  if (makespan::sync_error != 0) {
    errno = makespan::sync_error;
    return -1;
  }
  makespan::record_sync(file);
  return static_cast<int>(::syscall(SYS_fsync, file));
}
