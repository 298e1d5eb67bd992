// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/sifted_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>

namespace makespan {

namespace {

// False where standard output takes no more. One that does not block is waited for.
bool write_out(std::string_view text) {
  while (!text.empty()) {
    ssize_t const some = ::write(STDOUT_FILENO, text.data(), text.size());
    if (some > 0) {
      text.remove_prefix(static_cast<std::size_t>(some));
    } else if (some < 0 && errno == EAGAIN) {
      pollfd room{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
      static_cast<void>(::poll(&room, 1, -1));
    } else if (some == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

// All of a file, as it is.
void copy_out(int file) {
  std::array<char, 4096> piece{};
  for (off_t at = 0;;) {
    ssize_t const some = ::pread(file, piece.data(), piece.size(), at);
    if (some <= 0 || !write_out({piece.data(), static_cast<std::size_t>(some)})) return;
    at += some;
  }
}

}  // namespace

SiftedOutput::SiftedOutput(std::string_view unwanted)
    // A file and no pipe: a pipe that is full stops its writer, and no thread would read it.
    : unwanted_(unwanted), kept_(::memfd_create("makespan-output", MFD_CLOEXEC)) {
  // What stdio still holds was printed before: it goes out as it is, and not into the file.
  static_cast<void>(std::fflush(stdout));
  out_ = kept_ < 0 ? -1 : ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  if (out_ >= 0) ::dup2(kept_, STDOUT_FILENO);
}

SiftedOutput::~SiftedOutput() {
  if (out_ >= 0) {
    static_cast<void>(std::fflush(stdout));
    // First, so that what other threads print from here on does not go into the file any more.
    ::dup2(out_, STDOUT_FILENO);
    ::close(out_);
    pass_on();
  }
  if (kept_ >= 0) ::close(kept_);
}

void SiftedOutput::pass_on() const {
  off_t const end = ::lseek(kept_, 0, SEEK_END);
  if (end <= 0) return;
  auto const bytes = static_cast<std::size_t>(end);
  void* const begin = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, kept_, 0);
  if (begin == MAP_FAILED) return copy_out(kept_);
  std::string_view left(static_cast<char const*>(begin), bytes);
  while (!left.empty()) {
    // An empty text is found everywhere, and is nothing to leave out.
    std::size_t const at = unwanted_.empty() ? std::string_view::npos : left.find(unwanted_);
    if (!write_out(left.substr(0, at)) || at == std::string_view::npos) break;
    left.remove_prefix(at + unwanted_.size());
  }
  ::munmap(begin, bytes);
}

}  // namespace makespan
