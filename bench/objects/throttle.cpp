// SPDX-License-Identifier: Apache-2.0
// Runs a program at part of its speed: it is stopped and let go on by turns, all its threads alike,
// as on a core that another program uses too.
//
//   throttle on_ms off_ms program arguments…
//
// With 2 and 2 it has half a core. Ends as the program does, with its exit code; asked to end, it
// lets the program go on and passes that on. If it dies itself, the program is killed: none is left
// stopped.

#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace {

std::sig_atomic_t volatile asked_to_end = 0;

void note_signal(int number) {
  asked_to_end = number;
}

// Until so long after the last time, so that delays do not add up.
void sleep_until_next(timespec& next, std::int64_t duration_ns) {
  std::int64_t const ns = next.tv_nsec + duration_ns;
  next.tv_sec += ns / 1'000'000'000;
  next.tv_nsec = ns % 1'000'000'000;
  while (asked_to_end == 0 &&
         clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, nullptr) == EINTR) {
  }
}

[[noreturn]] void become(char** command, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it has died already
  execvp(command[0], command);
  std::perror(command[0]);
  _exit(127);
}

int exit_code(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int run_throttled(pid_t program, std::int64_t on_ns, std::int64_t off_ns) {
  timespec next{};
  clock_gettime(CLOCK_MONOTONIC, &next);
  int status = 0;
  while (asked_to_end == 0) {
    sleep_until_next(next, on_ns);
    if (waitpid(program, &status, WNOHANG) == program) return exit_code(status);
    kill(program, SIGSTOP);
    sleep_until_next(next, off_ns);
    kill(program, SIGCONT);
  }
  kill(program, asked_to_end);
  waitpid(program, &status, 0);
  return exit_code(status);
}

}  // namespace

int main(int argc, char** argv) {
  double const on_ms = argc > 3 ? std::atof(argv[1]) : 0.0;
  double const off_ms = argc > 3 ? std::atof(argv[2]) : 0.0;
  if (on_ms <= 0.0 || off_ms <= 0.0) {
    std::fprintf(stderr, "throttle on_ms off_ms program arguments…, times above 0\n");
    return EXIT_FAILURE;
  }
  for (int const number : {SIGTERM, SIGINT, SIGHUP}) std::signal(number, note_signal);
  pid_t const self = getpid();
  pid_t const program = fork();
  if (program < 0) {
    std::perror("fork");
    return EXIT_FAILURE;
  }
  if (program == 0) become(argv + 3, self);
  return run_throttled(program, static_cast<std::int64_t>(1e6 * on_ms),
                       static_cast<std::int64_t>(1e6 * off_ms));
}
