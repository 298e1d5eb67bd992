// SPDX-License-Identifier: Apache-2.0
// Shows that cluster tests work: the ranks meet, see as many hosts as were asked for, and reach one
// another. Plain MPI, and nothing of ours but the end.
//
//   hello_hosts HOSTS RANKS_PER_HOST

#include <mpi.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "makespan/pgas/job/detail/pmi_finalize.hpp"

namespace {

using HostName = std::array<char, MPI_MAX_PROCESSOR_NAME>;

void require(bool holds, char const* what) {
  if (holds) return;
  static_cast<void>(std::fprintf(stderr, "hello_hosts: %s\n", what));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void check(int code, char const* call) {
  require(code == MPI_SUCCESS, call);
}

std::set<std::string> hosts_of_all(int ranks) {
  HostName mine{};
  int length = 0;
  check(MPI_Get_processor_name(mine.data(), &length), "MPI_Get_processor_name failed");
  std::vector<HostName> names(static_cast<std::size_t>(ranks));
  int const bytes = static_cast<int>(mine.size());
  check(MPI_Allgather(mine.data(), bytes, MPI_CHAR, names.data(), bytes, MPI_CHAR, MPI_COMM_WORLD),
        "MPI_Allgather failed");
  std::set<std::string> hosts;
  for (HostName const& name : names) hosts.emplace(name.data());
  return hosts;
}

int ranks_that_share_memory() {
  MPI_Comm node = MPI_COMM_NULL;
  check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
        "MPI_Comm_split_type failed");
  int ranks = 0;
  check(MPI_Comm_size(node, &ranks), "MPI_Comm_size failed");
  check(MPI_Comm_free(&node), "MPI_Comm_free failed");
  return ranks;
}

// MPICH before 4.2 can hang in MPI_Finalize between hosts: a rank that is done there waits without
// serving the others, who wait for its acknowledgement (github.com/pmodels/mpich/pull/6596; half of
// all runs on three hosts, 4.0.2 over TCP). Its mpiexec takes a rank that just ends for a good one
// if it has been told.
void leave() {
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40200000
  check(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier failed");
  makespan::pgas::pmi_finalize(std::getenv("PMI_FD"), std::chrono::seconds(2));
#else
  check(MPI_Finalize(), "MPI_Finalize failed");
#endif
}

}  // namespace

int main(int argc, char** argv) {
  check(MPI_Init(&argc, &argv), "MPI_Init failed");
  require(argc == 3, "usage: hello_hosts HOSTS RANKS_PER_HOST");
  int const hosts_asked = std::atoi(argv[1]);
  int const ranks_per_host = std::atoi(argv[2]);
  int rank = 0;
  int ranks = 0;
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank failed");
  check(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size failed");

  auto const hosts = hosts_of_all(ranks);
  require(ranks == hosts_asked * ranks_per_host, "another number of ranks than was asked for");
  require(static_cast<int>(hosts.size()) == hosts_asked,
          "another number of hosts than was asked for");
  require(ranks_that_share_memory() == ranks_per_host, "memory is shared across hosts");

  if (rank == 0) {
    for (std::string const& host : hosts) std::printf("host %s\n", host.c_str());
  }
  leave();
  return 0;
}
