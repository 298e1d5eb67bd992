// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/output_file.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "makespan/base/detail/file_descriptor.hpp"
#include "makespan/base/durable_file.hpp"
#include "makespan/base/joined.hpp"

namespace makespan {

namespace fs = std::filesystem;

namespace {

// As many as Linux follows.
constexpr int links_max = 40;

constexpr mode_t permissions = 0777;

struct OutputTarget {
  fs::path file{};
  OutputRefusal refusal{};
};

OutputRefusal refusal_of(std::error_code const& error) {
  if (!error) return std::nullopt;
  return error.message();
}

fs::path folder_of(fs::path const& file) {
  fs::path folder = file.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

OutputRefusal refusal_of(struct stat const& found) {
  if (S_ISDIR(found.st_mode)) return "it is a folder";
  // A rename would replace a device, or a pipe that another program reads.
  if (!S_ISREG(found.st_mode)) return "it is not a regular file";
  constexpr std::array<std::string_view, 3> streams{"input", "output", "error output"};
  for (std::size_t at = 0; at < streams.size(); ++at) {
    struct stat stream{};
    if (::fstat(static_cast<int>(at), &stream) != 0) continue;
    if (stream.st_dev != found.st_dev || stream.st_ino != found.st_ino) continue;
    return joined("it is the program's standard ", streams[at], ", which it would replace");
  }
  return std::nullopt;
}

// Such as /proc/self/fd/1, to which /dev/stdout points. What stands in it need not be a path.
bool is_in_procfs(fs::path const& link) {
  struct statfs found{};
  return ::statfs(folder_of(link).c_str(), &found) == 0 && found.f_type == PROC_SUPER_MAGIC;
}

// The file that `path` stands for. In a folder that others may write to, a link could be theirs,
// and point to a file of the user's that they may not write.
OutputTarget target_of(fs::path const& path) {
  fs::path file = path;
  for (int link = 0; link < links_max; ++link) {
    struct stat found{};
    if (::lstat(file.c_str(), &found) != 0) {
      if (errno == ENOENT) return {.file = file};
      return {.refusal = last_system_error().message()};
    }
    if (!S_ISLNK(found.st_mode)) return {.file = file, .refusal = refusal_of(found)};
    if (found.st_uid != ::geteuid() && found.st_uid != 0) {
      return {.refusal = "it is a link that another user made, and may point anywhere"};
    }
    if (is_in_procfs(file)) {
      return {.refusal = "it is a link to what a program has open, which it would replace"};
    }
    std::error_code error;
    file = file.parent_path() / fs::read_symlink(file, error);
    if (error) return {.refusal = error.message()};
  }
  return {.refusal = "links to links that do not end"};
}

// Gives a new file those of the one that it will replace: of another user's file no more than a new
// file has, and not its group, and to a group that is not the old one's no more than to all users.
std::error_code take_permissions(int file, fs::path const& target) {
  struct stat old{};
  struct stat made{};
  if (::lstat(target.c_str(), &old) != 0) return {};
  if (::fstat(file, &made) != 0) return last_system_error();
  mode_t mode = old.st_mode & permissions;
  bool const is_ours = old.st_uid == made.st_uid;
  if (!is_ours) mode &= made.st_mode;
  bool const has_group = old.st_gid == made.st_gid ||
                         (is_ours && ::fchown(file, static_cast<uid_t>(-1), old.st_gid) == 0);
  if (!has_group) mode &= 0707U | (mode & 0007U) << 3U;
  return ::fchmod(file, mode | S_IRUSR | S_IWUSR) == 0 ? std::error_code{} : last_system_error();
}

// A random one: two machines or containers on one folder have the same process numbers, and another
// user must not know it before.
std::string random_suffix() {
  std::uint64_t number = 0;
  // Where the system has none, O_EXCL still keeps two writers apart.
  static_cast<void>(::getrandom(&number, sizeof number, 0));
  std::array<char, 2 * sizeof number> digits{};
  auto const end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return joined(".", std::string_view(digits.data(), end), ".tmp");
}

// An empty file beside `target`, which replaces it or goes in the end.
class Draft {
 public:
  explicit Draft(fs::path target)
      : target_(std::move(target)),
        // Before there is a file whose name could not be forced to disk.
        folder_(::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
        file_(folder_.is_open() ? open_beside_target() : -1) {
    if (!file_.is_open()) error_ = last_system_error();
    is_ours_ = file_.is_open();
    // Before it has content.
    if (is_ours_) error_ = take_permissions(file_.number(), target_);
  }
  Draft(Draft const&) = delete;
  Draft& operator=(Draft const&) = delete;
  ~Draft() {
    if (is_ours_) ::unlink(path_.c_str());
  }

  // Of opening it.
  [[nodiscard]] OutputRefusal refusal() const {
    if (!error_) return std::nullopt;
    if (!folder_.is_open()) return "its folder cannot be opened for reading: " + error_.message();
    return "no file can be made in its folder: " + error_.message();
  }

  [[nodiscard]] OutputRefusal write(std::string_view text) {
    return refusal_of(write_all(file_.number(), std::as_bytes(std::span(text))));
  }

  // Its bytes are on disk, and then its name.
  [[nodiscard]] OutputRefusal keep() {
    if (::fsync(file_.number()) != 0) return refusal_of(last_system_error());
    if (!has_name()) {
      is_ours_ = false;
      return "another program replaced it while it was written";
    }
    if (auto refused = refusal_of(file_.close())) return refused;
    if (::rename(path_.c_str(), target_.c_str()) != 0) return refusal_of(last_system_error());
    is_ours_ = false;
    std::error_code const error = sync_open_folder(folder_.number());
    if (!error) return std::nullopt;
    return "the new file is there, but a crash may take it, since its folder cannot be forced to "
           "disk: " +
           error.message();
  }

 private:
  int open_beside_target() {
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    std::string const suffix = random_suffix();
    path_ = target_.parent_path() / joined(".", target_.filename().string(), suffix);
    int const file = ::open(path_.c_str(), flags, 0666);
    if (file >= 0 || errno != ENAMETOOLONG) return file;
    // The target's name leaves no room for more.
    path_ = target_.parent_path() / suffix;
    return ::open(path_.c_str(), flags, 0666);
  }
  // Whether its name is still this file's.
  [[nodiscard]] bool has_name() const {
    struct stat mine{};
    struct stat there{};
    return ::fstat(file_.number(), &mine) == 0 && ::lstat(path_.c_str(), &there) == 0 &&
           mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
  }

  fs::path target_;
  fs::path path_{};
  FileDescriptor folder_;
  FileDescriptor file_;
  std::error_code error_{};
  bool is_ours_{false};
};

}  // namespace

OutputRefusal write_output(fs::path const& path, std::initializer_list<std::string_view> content) {
  OutputTarget target = target_of(path);
  if (target.refusal) return target.refusal;
  Draft draft(std::move(target.file));
  if (auto refused = draft.refusal()) return refused;
  for (std::string_view const text : content) {
    if (auto refused = draft.write(text)) return refused;
  }
  return draft.keep();
}

OutputRefusal check_output(fs::path const& path) {
  OutputTarget target = target_of(path);
  if (target.refusal) return target.refusal;
  return Draft(std::move(target.file)).refusal();
}

}  // namespace makespan
