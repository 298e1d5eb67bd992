// SPDX-License-Identifier: Apache-2.0
// Goal: a process that leaves MPI running, and is not written around run_job(), tells its launcher
// at its exit that it ended well, if it did. Method: the process is forked, this one is the
// launcher at the other end of a socket pair, and MPI's functions are those below.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

#include "makespan/pgas/job/launch.hpp"
#include "makespan/pgas/mpi/mpi_api.hpp"
#include "makespan/pgas/mpi/mpi_process.hpp"

namespace {

bool is_finalized = false;

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are MPI's
extern "C" int MPI_Initialized(int* flag) {
  *flag = 1;
  return MPI_SUCCESS;
}

extern "C" int MPI_Finalized(int* flag) {
  *flag = is_finalized ? 1 : 0;
  return MPI_SUCCESS;
}

extern "C" int MPI_Query_thread(int* level) {
  *level = MPI_THREAD_MULTIPLE;
  return MPI_SUCCESS;
}

extern "C" int MPI_Comm_size(MPI_Comm /*communicator*/, int* size) {
  *size = 1;
  return MPI_SUCCESS;
}
// NOLINTEND(readability-identifier-naming)

namespace makespan::pgas {
namespace {

struct Ended {
  std::string heard;  // by the launcher
  int status;
};

// A process that leaves MPI running, and then ends as `end` has it.
Ended run_process(void (*end)()) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  pid_t const process = ::fork();
  if (process == 0) {
    ::close(ends[0]);
    ::setenv("PMI_FD", std::to_string(ends[1]).c_str(), 1);
    MpiProcess mpi{Launch{}};
    mpi.leave_running();
    mpi.leave_running();  // as by a second job: told once
    end();
  }
  ::close(ends[1]);
  Ended ended{};
  std::array<char, 64> bytes{};
  for (ssize_t count = 0; (count = ::recv(ends[0], bytes.data(), bytes.size(), 0)) > 0;) {
    ended.heard.append(bytes.data(), static_cast<std::size_t>(count));
    ::send(ends[0], "cmd=finalize_ack\n", 17, MSG_NOSIGNAL);
  }
  EXPECT_EQ(::waitpid(process, &ended.status, 0), process);
  ::close(ends[0]);
  return ended;
}

TEST(LeftRunning, ends_well_for_the_launcher) {
#if !defined(__GLIBC__)
  GTEST_SKIP() << "this C library does not tell the status of an exit";
#endif
  auto const ended = run_process([] { std::exit(EXIT_SUCCESS); });

  EXPECT_EQ(ended.heard, "cmd=finalize\n");
  EXPECT_EQ(WEXITSTATUS(ended.status), EXIT_SUCCESS);
}

TEST(LeftRunning, and_failed_does_not) {
  auto const ended = run_process([] { std::exit(3); });

  EXPECT_EQ(ended.heard, "");
  EXPECT_EQ(WEXITSTATUS(ended.status), 3);
}

// MPI has told the launcher, and closed the descriptor.
TEST(LeftRunning, and_ended_by_the_program_says_nothing_more) {
  auto const ended = run_process([] {
    is_finalized = true;
    std::exit(EXIT_SUCCESS);
  });

  EXPECT_EQ(ended.heard, "");
}

TEST(LeftRunning, does_not_speak_for_a_process_that_it_forked) {
  auto const ended = run_process([] {
    if (pid_t const child = ::fork(); child == 0) {
      std::exit(EXIT_SUCCESS);
    } else {
      ::waitpid(child, nullptr, 0);
    }
    ::_exit(EXIT_FAILURE);
  });

  EXPECT_EQ(ended.heard, "");
}

}  // namespace
}  // namespace makespan::pgas
