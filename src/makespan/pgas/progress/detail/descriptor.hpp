// SPDX-License-Identifier: Apache-2.0
#pragma once

// A file descriptor with an owner.

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace makespan::pgas {

// The result of a system call; throws std::system_error, with the name of the call, if it failed.
inline int check_os(int result, char const* call) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), call);
  return result;
}

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_{descriptor} {}
  Descriptor(Descriptor const&) = delete;
  Descriptor& operator=(Descriptor const&) = delete;
  ~Descriptor() { ::close(descriptor_); }

  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace makespan::pgas
