// SPDX-License-Identifier: Apache-2.0
#include "recorded_syncs.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace makespan {

namespace {
int sync_error = 0;
}  // namespace

std::vector<std::string>& recorded_syncs() {
  static std::vector<std::string> paths;
  return paths;
}

void fail_syncs_with(int error) {
  sync_error = error;
}

}  // namespace makespan

extern "C" int fsync(int file) {
  if (makespan::sync_error != 0) {
    errno = makespan::sync_error;
    return -1;
  }
  std::array<char, 4096> path{};
  std::string const link = "/proc/self/fd/" + std::to_string(file);
  ssize_t const length = ::readlink(link.c_str(), path.data(), path.size());
  if (length > 0) makespan::recorded_syncs().emplace_back(path.data(), length);
  return static_cast<int>(::syscall(SYS_fsync, file));
}
