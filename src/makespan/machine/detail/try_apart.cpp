// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/detail/try_apart.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string>
#include <system_error>

#include "makespan/base/error.hpp"

namespace makespan::machine {

namespace {

[[noreturn]] void refuse(std::string_view what) {
  throw InputError(
      what, "no process can be started to try it in: " + std::generic_category().message(errno),
      "are there too many processes, or is memory short?");
}

class Pipe {
 public:
  explicit Pipe(std::string_view what) {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) refuse(what);
  }
  Pipe(Pipe const&) = delete;
  Pipe& operator=(Pipe const&) = delete;
  ~Pipe() {
    ::close(ends_[0]);
    if (ends_[1] >= 0) ::close(ends_[1]);
  }

  void tell() const { static_cast<void>(::write(ends_[1], "", 1)); }
  // Whether the other process told anything before it ended, or the time was over: a third one that
  // was started meanwhile may have the other end too, and keep it open.
  [[nodiscard]] bool was_told(std::chrono::milliseconds time) {
    // Else this end would stay open for writing, and the read below would never find the end.
    ::close(ends_[1]);
    ends_[1] = -1;
    pollfd awaited{.fd = ends_[0], .events = POLLIN, .revents = 0};
    int events = 0;
    do events = ::poll(&awaited, 1, static_cast<int>(time.count()));
    while (events < 0 && errno == EINTR);
    if (events <= 0) return false;
    char told = 0;
    ssize_t count = 0;
    do count = ::read(ends_[0], &told, 1);
    while (count < 0 && errno == EINTR);
    return count == 1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

// In the child: it dies silently, leaves no file, and hears no handler of this program.
void be_quiet(std::chrono::seconds limit) {
  int const nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nothing, STDOUT_FILENO);
  ::dup2(nothing, STDERR_FILENO);
  rlimit const none{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &none);
  for (int const signal : {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTERM, SIGINT}) {
    static_cast<void>(::signal(signal, SIG_DFL));
  }
  sigset_t all;
  ::sigemptyset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  // Its signal ends the child, which may be in a loop that nothing else would end.
  ::alarm(static_cast<unsigned>(limit.count()));
}

}  // namespace

Trial try_apart(std::function<void()> const& work, std::chrono::seconds limit,
                std::string_view what) {
  Pipe pipe(what);
  pid_t const child = ::fork();
  if (child < 0) refuse(what);
  if (child == 0) {
    be_quiet(limit);
    auto const end = [&] {
      pipe.tell();
      // Without exit handlers and destructors: those are the parent's.
      ::_exit(EXIT_SUCCESS);
    };
    try {
      work();
    } catch (...) {
      end();  // that it threw is not what is asked
    }
    end();
  }
  // The alarm ends it at the limit.
  bool const was_told = pipe.was_told(limit + std::chrono::seconds(1));
  Trial const trial = was_told ? Trial::ended : Trial::crashed;
  // Where SIGCHLD is ignored there is no child left to wait for, and this ends as well.
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  return trial;
}

}  // namespace makespan::machine
