// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/sifted_output.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>

namespace makespan {

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
  std::string text(static_cast<std::size_t>(std::max<off_t>(0, ::lseek(kept_, 0, SEEK_END))), '\0');
  if (text.empty() || ::pread(kept_, text.data(), text.size(), 0) < 0) return;
  for (std::size_t at = 0; (at = text.find(unwanted_, at)) != std::string::npos;) {
    text.erase(at, unwanted_.size());
  }
  for (std::size_t done = 0; done < text.size();) {
    ssize_t const some = ::write(STDOUT_FILENO, text.data() + done, text.size() - done);
    if (some <= 0) return;
    done += static_cast<std::size_t>(some);
  }
}

}  // namespace makespan
