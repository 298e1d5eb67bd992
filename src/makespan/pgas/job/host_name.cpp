// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/host_name.hpp"

#include <unistd.h>

#include <array>

namespace makespan::pgas {

std::string host_name() {
  std::array<char, 256> name{};  // POSIX: at most 255 characters; the last byte stays 0
  if (::gethostname(name.data(), name.size() - 1) != 0 || name.front() == '\0') {
    return "unknown host";
  }
  return name.data();
}

}  // namespace makespan::pgas
