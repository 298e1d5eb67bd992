// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/durable_file.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "makespan/base/detail/file_descriptor.hpp"

namespace makespan {

namespace {

bool is_regular(int file) {
  struct stat found{};
  return ::fstat(file, &found) == 0 && S_ISREG(found.st_mode);
}

}  // namespace

std::error_code write_durable_file(std::filesystem::path const& path,
                                   std::initializer_list<std::span<std::byte const>> content) {
  // No link is followed, and no reader of a pipe waited for, which another user may have put there.
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  FileDescriptor file(::open(path.c_str(), flags, 0666));
  if (!file.is_open()) return last_system_error();
  if (!is_regular(file.number())) return {EINVAL, std::generic_category()};
  std::error_code error;
  for (std::span<std::byte const> const bytes : content) {
    if (!error) error = write_all(file.number(), bytes);
  }
  // Before it is closed, which forces nothing to disk.
  if (!error && ::fsync(file.number()) != 0) error = last_system_error();
  std::error_code const closed = file.close();
  if (!error) error = closed;
  // Half a file would pass for one to whatever reads the folder next.
  if (error) ::unlink(path.c_str());
  return error;
}

std::error_code sync_folder(std::filesystem::path const& folder) {
  FileDescriptor const opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) return last_system_error();
  return sync_open_folder(opened.number());
}

std::error_code sync_open_folder(int folder) {
  if (::fsync(folder) == 0) return {};
  bool const cannot = errno == EINVAL || errno == ENOTSUP || errno == EBADF;
  return cannot ? std::error_code{} : last_system_error();
}

std::error_code exchange_names(std::filesystem::path const& one,
                               std::filesystem::path const& other) {
  // The C library declares it where it declares printf().
  auto const code =
      ::syscall(SYS_renameat2, AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE);
  return code == 0 ? std::error_code{} : last_system_error();
}

}  // namespace makespan
