// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/compile/detail/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

extern char** environ;  // NOLINT(readability-redundant-declaration) - not in every unistd.h

namespace makespan::grid {

namespace {

constexpr auto look = std::chrono::milliseconds(2);

// The child's status, or -1 as long as it runs.
int status_now(pid_t child) {
  int status = 0;
  pid_t const found = ::waitpid(child, &status, WNOHANG);
  if (found == 0 || (found < 0 && errno == EINTR)) return -1;
  // It has ended, and SIGCHLD is ignored, or another part of this program has waited for it: what
  // it was to write tells whether it succeeded.
  if (found < 0) return 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// Killed with its owner, unless it has ended: its whole group, since a compiler starts others.
struct ChildGroup {
  explicit ChildGroup(pid_t leader) : child{leader} {}
  ChildGroup(ChildGroup const&) = delete;
  ChildGroup& operator=(ChildGroup const&) = delete;
  ~ChildGroup() {
    if (has_ended) return;
    ::kill(-child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  }

  pid_t child;
  bool has_ended{false};
};

}  // namespace

ChildOutcome run_child(std::vector<std::string> const& command, std::filesystem::path const& output,
                       Seconds limit, std::function<bool()> const& is_stopped) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (std::string const& one : command) arguments.push_back(const_cast<char*>(one.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  // In a group of its own: Ctrl-C is this program's to hear, and what a compiler starts ends with
  // it.
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  pid_t child = 0;
  int const error = ::posix_spawn(&child, command.front().c_str(), &actions, &attributes,
                                  arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return {.status = error};
  auto const end = std::chrono::steady_clock::now() +
                   std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                       std::chrono::duration<double>(limit.value()));
  ChildGroup group{child};
  for (;;) {
    int const status = status_now(child);
    if (status >= 0) {
      group.has_ended = true;
      return {.is_started = true, .is_ended = true, .status = status};
    }
    if (is_stopped && is_stopped()) return {.is_started = true, .is_stopped = true, .status = 1};
    if (std::chrono::steady_clock::now() > end) break;
    std::this_thread::sleep_for(look);
  }
  return {.is_started = true, .is_ended = false, .status = 1};
}

}  // namespace makespan::grid
