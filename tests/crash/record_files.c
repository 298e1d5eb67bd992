// SPDX-License-Identifier: Apache-2.0
// Records what a program does to files below a folder: preloaded (LD_PRELOAD) it stands between the program and the C library.
//
// MAKESPAN_RECORD_ROOT is the folder, MAKESPAN_RECORD_LOG the file to which records are appended; without both it only passes
// calls on. A record is a `struct record`, two paths and data (tests/crash/recording.py reads them). One lock is held around a call
// and its record, so records of a process are in the order of its calls.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind {
  OPENED = 1,  // size: what the file has; offset: 1 where it was made new, 2 where it was emptied, 3 for a folder
  WRITTEN,     // offset, data
  RESIZED,     // size
  SYNCED,
  RENAMED,
  LINKED,
  UNLINKED,
  FOLDER_MADE,
  FOLDER_REMOVED,
  CLOSED,
  MAPPED,        // shared and writable: what is written through it is not seen
  NOT_COVERED,   // path: the call
  ALL_SYNCED,
  DOUBLED,  // size: the other number
  EXCHANGED,
};

struct record {
  uint32_t kind;
  int32_t process;
  int32_t fd;
  uint32_t path_bytes;
  uint32_t other_bytes;
  uint32_t reserved;
  int64_t offset;
  int64_t size;
  uint64_t data_bytes;
};

enum { FDS_MAX = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static size_t root_bytes;
static int log_fd = -1;
static unsigned char is_ours[FDS_MAX];

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(char const *name) { return dlsym(RTLD_NEXT, name); }

// Before any call of the program: a thread that comes first must not race with it.
__attribute__((constructor)) static void begin(void) {
  char const *folder = getenv("MAKESPAN_RECORD_ROOT");
  char const *log = getenv("MAKESPAN_RECORD_LOG");
  if (!folder || !log || !realpath(folder, root)) return;
  root_bytes = strlen(root);
  int const fd = REAL(open)(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  // Programs close small numbers by number.
  log_fd = fd < 0 ? -1 : REAL(fcntl)(fd, F_DUPFD_CLOEXEC, 900);
  if (fd >= 0) REAL(close)(fd);
}

static int is_recording(void) { return log_fd >= 0; }

static int is_below_root(char const *path) {
  return strncmp(path, root, root_bytes) == 0 && (path[root_bytes] == '/' || path[root_bytes] == 0);
}

// The whole path of one that may be relative to a folder; false where it is not below the root.
static int whole_path(char *whole, int folder, char const *path) {
  if (!is_recording() || !path) return 0;
  if (path[0] == '/') {
    if (strlen(path) >= PATH_MAX) return 0;
    strcpy(whole, path);
  } else {
    char before[PATH_MAX];
    if (folder == AT_FDCWD) {
      if (!getcwd(before, sizeof before)) return 0;
    } else {
      char link[64];
      snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
      ssize_t const bytes = readlink(link, before, sizeof before - 1);
      if (bytes < 0) return 0;
      before[bytes] = 0;
    }
    if (strlen(before) + strlen(path) + 2 > PATH_MAX) return 0;
    size_t const before_bytes = strlen(before);
    memcpy(whole, before, before_bytes);
    whole[before_bytes] = '/';
    strcpy(whole + before_bytes + 1, path);
  }
  return is_below_root(whole);
}

static int is_tracked(int fd) { return fd >= 0 && fd < FDS_MAX && is_ours[fd]; }

static void append(struct record head, char const *path, char const *other, struct iovec const *data, int parts) {
  head.process = getpid();
  head.path_bytes = path ? (uint32_t)strlen(path) : 0;
  head.other_bytes = other ? (uint32_t)strlen(other) : 0;
  head.data_bytes = 0;
  for (int i = 0; i < parts; ++i) head.data_bytes += data[i].iov_len;
  size_t const bytes = sizeof head + head.path_bytes + head.other_bytes + head.data_bytes;
  char *const text = malloc(bytes);
  if (!text) abort();
  char *end = mempcpy(text, &head, sizeof head);
  if (path) end = mempcpy(end, path, head.path_bytes);
  if (other) end = mempcpy(end, other, head.other_bytes);
  for (int i = 0; i < parts; ++i) end = mempcpy(end, data[i].iov_base, data[i].iov_len);
  // One call, so that records of several processes do not mix.
  if (REAL(write)(log_fd, text, bytes) != (ssize_t)bytes) abort();
  free(text);
}

static void append_paths(enum kind kind, char const *path, char const *other) {
  append((struct record){.kind = kind}, path, other, NULL, 0);
}

static void not_covered(char const *call) { append_paths(NOT_COVERED, call, NULL); }

// --- opened and closed

static void opened(int fd, char const *path, int flags, int was_there) {
  struct stat at;
  if (fd < 0 || fstat(fd, &at) != 0) return;
  int const is_folder = S_ISDIR(at.st_mode);
  if (!is_folder && !S_ISREG(at.st_mode)) return;
  if (fd >= FDS_MAX) {
    not_covered("more open files than the recorder has room for");
    return;
  }
  if (flags & O_DSYNC) not_covered("open with O_SYNC or O_DSYNC");
  is_ours[fd] = 1;
  int64_t how = 0;
  if (is_folder) how = 3;
  else if (!was_there) how = 1;
  else if (flags & O_TRUNC) how = 2;
  append((struct record){.kind = OPENED, .fd = fd, .offset = how, .size = at.st_size}, path, NULL, NULL, 0);
}

static int open_at(int folder, char const *path, int flags, mode_t mode) {
  char whole[PATH_MAX];
  if (!whole_path(whole, folder, path)) return REAL(openat)(folder, path, flags, mode);
  pthread_mutex_lock(&lock);
  int const was_there = faccessat(folder, path, F_OK, 0) == 0;
  int const fd = REAL(openat)(folder, path, flags, mode);
  int const problem = errno;
  opened(fd, whole, flags, was_there);
  pthread_mutex_unlock(&lock);
  errno = problem;
  return fd;
}

static mode_t mode_of(int flags, va_list rest) {
  return flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

#define OPEN(name)                                    \
  int name(char const *path, int flags, ...) {        \
    va_list rest;                                     \
    va_start(rest, flags);                            \
    mode_t const mode = mode_of(flags, rest);         \
    va_end(rest);                                     \
    return open_at(AT_FDCWD, path, flags, mode);      \
  }
#define OPEN_AT(name)                                      \
  int name(int folder, char const *path, int flags, ...) { \
    va_list rest;                                          \
    va_start(rest, flags);                                 \
    mode_t const mode = mode_of(flags, rest);              \
    va_end(rest);                                          \
    return open_at(folder, path, flags, mode);             \
  }
OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)

int creat(char const *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(char const *path, mode_t mode) { return creat(path, mode); }

// libstdc++'s files are opened so, and written by write and writev. What stdio itself writes is not seen; the replay of a
// recording then differs from what is on the disk, and says so.
static FILE *open_stream(FILE *(*call)(char const *, char const *), char const *path, char const *mode) {
  char whole[PATH_MAX];
  if (!whole_path(whole, AT_FDCWD, path)) return call(path, mode);
  pthread_mutex_lock(&lock);
  int const was_there = access(path, F_OK) == 0;
  FILE *const file = call(path, mode);
  int const problem = errno;
  if (file) opened(fileno(file), whole, mode[0] == 'w' ? O_TRUNC : 0, was_there);
  pthread_mutex_unlock(&lock);
  errno = problem;
  return file;
}

FILE *fopen(char const *path, char const *mode) { return open_stream(REAL(fopen), path, mode); }
FILE *fopen64(char const *path, char const *mode) { return open_stream(REAL(fopen64), path, mode); }

static void closed(int fd) {
  if (!is_tracked(fd)) return;
  is_ours[fd] = 0;
  append((struct record){.kind = CLOSED, .fd = fd}, NULL, NULL, NULL, 0);
}

int close(int fd) {
  if (is_recording() && fd == log_fd) return 0;
  if (!is_tracked(fd)) return REAL(close)(fd);
  pthread_mutex_lock(&lock);
  closed(fd);
  int const result = REAL(close)(fd);
  pthread_mutex_unlock(&lock);
  return result;
}

int fclose(FILE *file) {
  int const fd = fileno(file);
  if (!is_tracked(fd)) return REAL(fclose)(file);
  pthread_mutex_lock(&lock);
  closed(fd);
  int const result = REAL(fclose)(file);
  pthread_mutex_unlock(&lock);
  return result;
}

static int doubled(int from, int to) {
  int const problem = errno;
  if (to >= 0 && to < FDS_MAX && to != from) {
    is_ours[to] = 1;
    append((struct record){.kind = DOUBLED, .fd = from, .size = to}, NULL, NULL, NULL, 0);
  }
  errno = problem;
  return to;
}

#define DOUBLE(name, parameters, arguments)                                                   \
  int name parameters { return is_tracked(fd) ? doubled(fd, REAL(name) arguments) : REAL(name) arguments; }
DOUBLE(dup, (int fd), (fd))
DOUBLE(dup2, (int fd, int to), (fd, to))
DOUBLE(dup3, (int fd, int to, int flags), (fd, to, flags))

#define CONTROL(name)                                                                 \
  int name(int fd, int what, ...) {                                                   \
    va_list rest;                                                                     \
    va_start(rest, what);                                                             \
    void *const with = va_arg(rest, void *); /* a number or a pointer, of this size */ \
    va_end(rest);                                                                     \
    int const result = REAL(name)(fd, what, with);                                    \
    int const is_double = what == F_DUPFD || what == F_DUPFD_CLOEXEC;                 \
    return is_double && is_tracked(fd) ? doubled(fd, result) : result;                \
  }
CONTROL(fcntl)
CONTROL(fcntl64)

// --- written

static ssize_t written(int fd, ssize_t bytes, int64_t offset, struct iovec const *data, int parts) {
  int const problem = errno;
  ssize_t left = bytes;
  struct iovec whole[64];
  int used = 0;
  for (; used < parts && left > 0; ++used) {
    if (used == 64) {
      not_covered("writev of more than 64 parts");
      break;
    }
    whole[used] = data[used];
    if (left < (ssize_t)whole[used].iov_len) whole[used].iov_len = (size_t)left;
    left -= (ssize_t)whole[used].iov_len;
  }
  if (bytes > 0) {
    if (offset < 0) offset = lseek(fd, 0, SEEK_CUR) - bytes;
    append((struct record){.kind = WRITTEN, .fd = fd, .offset = offset}, NULL, NULL, whole, used);
  }
  errno = problem;
  return bytes;
}

ssize_t write(int fd, void const *data, size_t bytes) {
  if (!is_tracked(fd)) return REAL(write)(fd, data, bytes);
  struct iovec const one = {(void *)data, bytes};
  pthread_mutex_lock(&lock);
  ssize_t const result = written(fd, REAL(write)(fd, data, bytes), -1, &one, 1);
  pthread_mutex_unlock(&lock);
  return result;
}

ssize_t writev(int fd, struct iovec const *data, int parts) {
  if (!is_tracked(fd)) return REAL(writev)(fd, data, parts);
  pthread_mutex_lock(&lock);
  ssize_t const result = written(fd, REAL(writev)(fd, data, parts), -1, data, parts);
  pthread_mutex_unlock(&lock);
  return result;
}

#define WRITE_AT(name)                                                                       \
  ssize_t name(int fd, void const *data, size_t bytes, off_t offset) {                       \
    if (!is_tracked(fd)) return REAL(name)(fd, data, bytes, offset);                         \
    struct iovec const one = {(void *)data, bytes};                                          \
    pthread_mutex_lock(&lock);                                                               \
    ssize_t const result = written(fd, REAL(name)(fd, data, bytes, offset), offset, &one, 1); \
    pthread_mutex_unlock(&lock);                                                             \
    return result;                                                                           \
  }
WRITE_AT(pwrite)
WRITE_AT(pwrite64)

#define WRITE_PARTS_AT(name)                                                                   \
  ssize_t name(int fd, struct iovec const *data, int parts, off_t offset) {                    \
    if (!is_tracked(fd)) return REAL(name)(fd, data, parts, offset);                           \
    pthread_mutex_lock(&lock);                                                                 \
    ssize_t const result = written(fd, REAL(name)(fd, data, parts, offset), offset, data, parts); \
    pthread_mutex_unlock(&lock);                                                               \
    return result;                                                                             \
  }
WRITE_PARTS_AT(pwritev)
WRITE_PARTS_AT(pwritev64)

// What changes a file by its number and answers 0: run, then recorded where it went well.
#define ON_FD(name, parameters, arguments, fd, made)         \
  int name parameters {                                      \
    if (!is_tracked(fd)) return REAL(name) arguments;        \
    pthread_mutex_lock(&lock);                               \
    int const result = REAL(name) arguments;                 \
    int const problem = errno;                               \
    if (result == 0) append(made, NULL, NULL, NULL, 0);      \
    pthread_mutex_unlock(&lock);                             \
    errno = problem;                                         \
    return result;                                           \
  }
#define RESIZE ((struct record){.kind = RESIZED, .fd = fd, .size = size})
#define SYNC ((struct record){.kind = SYNCED, .fd = fd})
static struct record grown(int fd) {
  struct stat at;
  return (struct record){.kind = RESIZED, .fd = fd, .size = fstat(fd, &at) == 0 ? at.st_size : 0};
}
ON_FD(ftruncate, (int fd, off_t size), (fd, size), fd, RESIZE)
ON_FD(ftruncate64, (int fd, off_t size), (fd, size), fd, RESIZE)
ON_FD(posix_fallocate, (int fd, off_t at, off_t size), (fd, at, size), fd, grown(fd))
ON_FD(posix_fallocate64, (int fd, off_t at, off_t size), (fd, at, size), fd, grown(fd))
ON_FD(fallocate, (int fd, int mode, off_t at, off_t size), (fd, mode, at, size), fd, grown(fd))
ON_FD(fallocate64, (int fd, int mode, off_t at, off_t size), (fd, mode, at, size), fd, grown(fd))
ON_FD(fsync, (int fd), (fd), fd, SYNC)
ON_FD(fdatasync, (int fd), (fd), fd, SYNC)
ON_FD(syncfs, (int fd), (fd), fd, ((struct record){.kind = ALL_SYNCED}))

void sync(void) {
  REAL(sync)();
  if (is_recording()) append_paths(ALL_SYNCED, NULL, NULL);
}

static void *map_file(void *(*call)(void *, size_t, int, int, int, off_t), void *at, size_t bytes, int allowed,
                      int flags, int fd, off_t offset) {
  if (is_tracked(fd) && (flags & MAP_SHARED) && (allowed & PROT_WRITE)) {
    append((struct record){.kind = MAPPED, .fd = fd}, NULL, NULL, NULL, 0);
  }
  return call(at, bytes, allowed, flags, fd, offset);
}

void *mmap(void *at, size_t bytes, int allowed, int flags, int fd, off_t offset) {
  return map_file(REAL(mmap), at, bytes, allowed, flags, fd, offset);
}
void *mmap64(void *at, size_t bytes, int allowed, int flags, int fd, off_t offset) {
  return map_file(REAL(mmap64), at, bytes, allowed, flags, fd, offset);
}

#define COPY(name, parameters, arguments, fd)      \
  ssize_t name parameters {                        \
    if (is_tracked(fd)) not_covered(#name);        \
    return REAL(name) arguments;                   \
  }
COPY(sendfile, (int to, int from, off_t *at, size_t bytes), (to, from, at, bytes), to)
COPY(sendfile64, (int to, int from, off_t *at, size_t bytes), (to, from, at, bytes), to)
COPY(copy_file_range, (int from, off64_t *at, int to, off64_t *into, size_t bytes, unsigned flags),
     (from, at, to, into, bytes, flags), to)

// --- names

#define ON_PATH(name, parameters, arguments, folder, path, kind)  \
  int name parameters {                                           \
    char whole[PATH_MAX];                                         \
    if (!whole_path(whole, folder, path)) return REAL(name) arguments; \
    pthread_mutex_lock(&lock);                                    \
    int const result = REAL(name) arguments;                      \
    int const problem = errno;                                    \
    if (result == 0) append_paths(kind, whole, NULL);             \
    pthread_mutex_unlock(&lock);                                  \
    errno = problem;                                              \
    return result;                                                \
  }
ON_PATH(unlink, (char const *path), (path), AT_FDCWD, path, UNLINKED)
ON_PATH(rmdir, (char const *path), (path), AT_FDCWD, path, FOLDER_REMOVED)
ON_PATH(mkdir, (char const *path, mode_t mode), (path, mode), AT_FDCWD, path, FOLDER_MADE)
ON_PATH(mkdirat, (int folder, char const *path, mode_t mode), (folder, path, mode), folder, path, FOLDER_MADE)
ON_PATH(unlinkat, (int folder, char const *path, int flags), (folder, path, flags), folder, path,
        flags & AT_REMOVEDIR ? FOLDER_REMOVED : UNLINKED)

int remove(char const *path) {
  struct stat at;
  return lstat(path, &at) == 0 && S_ISDIR(at.st_mode) ? rmdir(path) : unlink(path);
}

#define TWO_PATHS(name, parameters, arguments, folder, path, into, other, kind)          \
  int name parameters {                                                                  \
    char from[PATH_MAX];                                                                 \
    char to[PATH_MAX];                                                                   \
    int const is_from = whole_path(from, folder, path);                                  \
    int const is_to = whole_path(to, into, other);                                       \
    if (!is_from && !is_to) return REAL(name) arguments;                                 \
    pthread_mutex_lock(&lock);                                                           \
    int const result = REAL(name) arguments;                                             \
    int const problem = errno;                                                           \
    if (result == 0 && is_from && is_to) append_paths(kind, from, to);                   \
    if (result == 0 && is_from != is_to) not_covered(#name " into or out of the folder"); \
    pthread_mutex_unlock(&lock);                                                         \
    errno = problem;                                                                     \
    return result;                                                                       \
  }
TWO_PATHS(rename, (char const *path, char const *other), (path, other), AT_FDCWD, path, AT_FDCWD, other, RENAMED)
TWO_PATHS(renameat, (int folder, char const *path, int into, char const *other), (folder, path, into, other), folder,
          path, into, other, RENAMED)
TWO_PATHS(renameat2, (int folder, char const *path, int into, char const *other, unsigned flags),
          (folder, path, into, other, flags), folder, path, into, other,
          flags & RENAME_EXCHANGE ? EXCHANGED : RENAMED)
TWO_PATHS(link, (char const *path, char const *other), (path, other), AT_FDCWD, path, AT_FDCWD, other, LINKED)
TWO_PATHS(linkat, (int folder, char const *path, int into, char const *other, int flags),
          (folder, path, into, other, flags), folder, path, into, other, LINKED)

int symlink(char const *target, char const *path) {
  char whole[PATH_MAX];
  if (whole_path(whole, AT_FDCWD, path)) not_covered("symlink");
  return REAL(symlink)(target, path);
}
