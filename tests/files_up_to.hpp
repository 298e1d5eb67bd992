// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>

#include <csignal>

namespace makespan {

// A disk on which files can be no longer.
class FilesUpTo {
 public:
  explicit FilesUpTo(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit const limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FilesUpTo(FilesUpTo const&) = delete;
  FilesUpTo& operator=(FilesUpTo const&) = delete;
  ~FilesUpTo() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    static_cast<void>(std::signal(SIGXFSZ, handler_));
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

}  // namespace makespan
