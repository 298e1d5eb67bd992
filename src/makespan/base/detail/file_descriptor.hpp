// SPDX-License-Identifier: Apache-2.0
#pragma once

// Descriptors of open files, and what is written to them.

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <span>
#include <system_error>

namespace makespan {

// Of the system call before.
[[nodiscard]] inline std::error_code last_system_error() {
  return {errno, std::generic_category()};
}

// Closes in the end. Tested by tests/base/file_descriptor_test.cpp, as the functions below.
class FileDescriptor {
 public:
  // Below 0: none is open.
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor const&) = delete;
  FileDescriptor& operator=(FileDescriptor const&) = delete;
  ~FileDescriptor() {
    if (number_ >= 0) ::close(number_);
  }

  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  [[nodiscard]] int number() const { return number_; }
  // Some file systems tell here of what they could not write.
  [[nodiscard]] std::error_code close() {
    // Never closed twice: Linux frees the number even where it reports an error, and another thread
    // may have it by then.
    int const number = number_;
    number_ = -1;
    return ::close(number) == 0 ? std::error_code{} : last_system_error();
  }

 private:
  int number_;
};

// However often the system takes only a part of them.
[[nodiscard]] inline std::error_code write_all(int file, std::span<std::byte const> bytes) {
  while (!bytes.empty()) {
    ssize_t const written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return last_system_error();
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace makespan
