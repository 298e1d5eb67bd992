// SPDX-License-Identifier: Apache-2.0
// Runs a program at part of its speed, as on cores that another program uses too.
//
//   throttle on_ms off_ms program arguments…
//
// With 0.2 and 0.2 it has half of its cores. Where this process may have a real-time priority, a
// thread on each core that the program may use takes that core for off_ms, after each on_ms. Where
// it may not, the program is stopped and let go on by turns, which is too coarse below 2 ms or so:
// a line on stderr says so.
//
// Ends as the program does, with its exit code; a signal that asks for the end is passed on. If it
// dies itself, the program is killed: none is left stopped.

#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <thread>
#include <vector>

namespace {

struct Turns {
  std::int64_t on_ns{};
  std::int64_t off_ns{};
};

std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

timespec time_of(std::int64_t ns) {
  return {.tv_sec = ns / 1'000'000'000, .tv_nsec = ns % 1'000'000'000};
}

// What this process waits for, and no thread of it is interrupted by.
sigset_t awaited_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int const number : {SIGTERM, SIGINT, SIGHUP, SIGCHLD}) sigaddset(&signals, number);
  return signals;
}

[[noreturn]] void become(char** command, pid_t parent, sigset_t const& signals) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it has died already
  sigprocmask(SIG_UNBLOCK, &signals, nullptr);
  execvp(command[0], command);
  std::perror(command[0]);
  _exit(127);
}

// The program that runs: this process' only child.
class Program {
 public:
  Program(pid_t pid, sigset_t const& signals) : pid_{pid}, signals_{signals} {}

  bool has_ended() { return has_ended_ || (has_ended_ = waitpid(pid_, &status_, WNOHANG) == pid_); }

  int exit_code() const {
    return WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_);
  }

  void send(int signal) const { kill(pid_, signal); }

  // Blocks until then, or until the program has ended, and passes on what asks for the end.
  void wait_until(std::int64_t end_ns) {
    for (std::int64_t left = end_ns - now_ns(); left > 0 && !has_ended();
         left = end_ns - now_ns()) {
      timespec const limit = time_of(left);
      int const signal = sigtimedwait(&signals_, nullptr, &limit);
      if (signal > 0 && signal != SIGCHLD) send(signal);
    }
  }

 private:
  pid_t pid_;
  sigset_t signals_;
  int status_{};
  bool has_ended_{false};
};

// --- with a real-time priority

bool set_policy(int policy) {
  sched_param const lowest{.sched_priority = sched_get_priority_min(policy)};
  return sched_setscheduler(0, policy, &lowest) == 0;
}

std::vector<int> cores_of_this_process() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &allowed)) cores.push_back(core);
  }
  return cores;
}

// A thread that lasts as long as the process. All cores are taken at the same times.
[[noreturn]] void take_core(int core, Turns turns, std::int64_t begin_ns) {
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET(core, &own);
  sched_setaffinity(0, sizeof own, &own);
  set_policy(SCHED_FIFO);
  for (std::int64_t end_ns = begin_ns;;) {
    timespec const off = time_of(end_ns += turns.on_ns);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &off, nullptr);
    end_ns += turns.off_ns;
    while (now_ns() < end_ns) {
    }
    // The machine was suspended: what is past is not made up for.
    if (now_ns() - end_ns > turns.on_ns + turns.off_ns) end_ns = now_ns();
  }
}

void take_cores_by_turns(Program& program, Turns turns) {
  std::int64_t const begin_ns = now_ns();
  for (int const core : cores_of_this_process()) {
    std::thread(take_core, core, turns, begin_ns).detach();
  }
  while (!program.has_ended()) program.wait_until(now_ns() + 1'000'000'000);
}

// --- without

void stop_by_turns(Program& program, Turns turns) {
  for (std::int64_t end_ns = now_ns(); !program.has_ended();) {
    program.wait_until(end_ns += turns.on_ns);
    if (program.has_ended()) return;
    program.send(SIGSTOP);
    program.wait_until(end_ns += turns.off_ns);
    program.send(SIGCONT);
  }
}

}  // namespace

int main(int argc, char** argv) {
  double const on_ms = argc > 3 ? std::atof(argv[1]) : 0.0;
  double const off_ms = argc > 3 ? std::atof(argv[2]) : 0.0;
  if (on_ms <= 0.0 || off_ms <= 0.0) {
    std::fprintf(stderr, "throttle on_ms off_ms program arguments…, times above 0\n");
    return EXIT_FAILURE;
  }
  Turns const turns{.on_ns = static_cast<std::int64_t>(1e6 * on_ms),
                    .off_ns = static_cast<std::int64_t>(1e6 * off_ms)};
  sigset_t const signals = awaited_signals();
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  pid_t const self = getpid();
  pid_t const pid = fork();
  if (pid < 0) {
    std::perror("fork");
    return EXIT_FAILURE;
  }
  if (pid == 0) become(argv + 3, self, signals);
  Program program(pid, signals);
  bool const is_allowed = set_policy(SCHED_FIFO);
  if (is_allowed) {
    set_policy(SCHED_OTHER);
    take_cores_by_turns(program, turns);
  } else {
    std::fprintf(stderr,
                 "throttle: no real-time priority here, so the program is stopped by turns\n");
    stop_by_turns(program, turns);
  }
  _exit(program.exit_code());  // threads do not end
}
