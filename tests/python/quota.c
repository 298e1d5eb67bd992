// SPDX-License-Identifier: Apache-2.0
// A quota, as programs see one: preloaded (LD_PRELOAD) it lets no file below MAKESPAN_QUOTA_FOLDER
// grow beyond MAKESPAN_QUOTA_BYTES, and says EDQUOT.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int is_beyond(int fd, off_t end) {
  char const* const folder = getenv("MAKESPAN_QUOTA_FOLDER");
  char const* const bytes = getenv("MAKESPAN_QUOTA_BYTES");
  if (!folder || !bytes || end <= atoll(bytes)) return 0;
  char name[64];
  char path[PATH_MAX];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  ssize_t const length = readlink(name, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  size_t const own = strlen(folder);
  if (strncmp(path, folder, own) != 0 || path[own] != '/') return 0;
  errno = EDQUOT;
  return 1;
}

static off_t place_of(int fd) {
  int const before = errno;
  int const is_appending = fcntl(fd, F_GETFL) & O_APPEND;
  struct stat about = {0};
  off_t const place =
      is_appending && fstat(fd, &about) == 0 ? about.st_size : lseek(fd, 0, SEEK_CUR);
  errno = before;
  return place < 0 ? 0 : place;
}

static off_t bytes_of(struct iovec const* parts, int count) {
  off_t bytes = 0;
  for (int part = 0; part < count; ++part) bytes += (off_t)parts[part].iov_len;
  return bytes;
}

ssize_t write(int fd, void const* data, size_t bytes) {
  return is_beyond(fd, place_of(fd) + (off_t)bytes) ? -1 : REAL(write)(fd, data, bytes);
}

ssize_t writev(int fd, struct iovec const* parts, int count) {
  return is_beyond(fd, place_of(fd) + bytes_of(parts, count)) ? -1 : REAL(writev)(fd, parts, count);
}

ssize_t pwrite(int fd, void const* data, size_t bytes, off_t at) {
  return is_beyond(fd, at + (off_t)bytes) ? -1 : REAL(pwrite)(fd, data, bytes, at);
}

ssize_t pwrite64(int fd, void const* data, size_t bytes, off64_t at) {
  return is_beyond(fd, at + (off_t)bytes) ? -1 : REAL(pwrite64)(fd, data, bytes, at);
}

int ftruncate(int fd, off_t bytes) {
  return is_beyond(fd, bytes) ? -1 : REAL(ftruncate)(fd, bytes);
}

int ftruncate64(int fd, off64_t bytes) {
  return is_beyond(fd, bytes) ? -1 : REAL(ftruncate64)(fd, bytes);
}

int posix_fallocate(int fd, off_t at, off_t bytes) {
  return is_beyond(fd, at + bytes) ? errno : REAL(posix_fallocate)(fd, at, bytes);
}
