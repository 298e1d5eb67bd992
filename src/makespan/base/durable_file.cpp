// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/durable_file.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace makespan {

namespace {

std::error_code last_error() {
  return {errno, std::generic_category()};
}

// Closes in the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor const&) = delete;
  Descriptor& operator=(Descriptor const&) = delete;
  ~Descriptor() {
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
    return ::close(number) == 0 ? std::error_code{} : last_error();
  }

 private:
  int number_;
};

bool is_regular(int file) {
  struct stat found{};
  return ::fstat(file, &found) == 0 && S_ISREG(found.st_mode);
}

std::error_code write_all(int file, std::span<std::byte const> bytes) {
  while (!bytes.empty()) {
    ssize_t const written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return last_error();
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace

std::error_code write_durable_file(std::filesystem::path const& path,
                                   std::initializer_list<std::span<std::byte const>> content) {
  // No link is followed, and no reader of a pipe waited for, which another user may have put there.
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  Descriptor file(::open(path.c_str(), flags, 0666));
  if (!file.is_open()) return last_error();
  if (!is_regular(file.number())) return {EINVAL, std::generic_category()};
  std::error_code error;
  for (std::span<std::byte const> const bytes : content) {
    if (!error) error = write_all(file.number(), bytes);
  }
  // Before it is closed, which forces nothing to disk.
  if (!error && ::fsync(file.number()) != 0) error = last_error();
  std::error_code const closed = file.close();
  if (!error) error = closed;
  // Half a file would pass for one to whatever reads the folder next.
  if (error) ::unlink(path.c_str());
  return error;
}

std::error_code sync_folder(std::filesystem::path const& folder) {
  Descriptor const opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) return last_error();
  if (::fsync(opened.number()) == 0 || errno == EINVAL || errno == ENOTSUP) return {};
  return last_error();
}

std::error_code exchange_names(std::filesystem::path const& one,
                               std::filesystem::path const& other) {
  // The C library declares it where it declares printf().
  auto const code =
      ::syscall(SYS_renameat2, AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE);
  return code == 0 ? std::error_code{} : last_error();
}

}  // namespace makespan
