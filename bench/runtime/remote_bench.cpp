// SPDX-License-Identifier: Apache-2.0
// Round trips between two hosts over TCP: operations on memory, messages there and back.
//
//   mpiexec -hosts a,b -n 2 remote_bench --rounds 201 --operations 100 --transports tcp

#include <vector>

#include "arguments.hpp"
#include "contestant.hpp"
#include "ours.hpp"
#include "raw_mpi.hpp"
#include "raw_socket.hpp"
#include "raw_ucx.hpp"

int main(int argc, char** argv) {
  using namespace makespan::bench;
  return run_bench(argc, argv, [&](MpiSession const& session) {
    Arguments const arguments(argc, argv);
    int const operations = arguments.integer("operations");
    TcpPair const pair(session);
    MpiWindow const window;
    UcxContext const context(session, arguments.text("transports"), 4096);
    UcxLane<NoMutex> lane(context, UCS_THREAD_MODE_SERIALIZED);

    Ours ours(session, {});

    std::vector<Contestant> contestants;
    add_ours_remote(contestants, ours, operations);
    add_raw_socket(contestants, session, pair, operations);
    add_raw_ucx(contestants, session, lane, operations);
    add_raw_mpi(contestants, session, window, operations);
    run_interleaved(session, contestants, arguments.integer("rounds"));
    session.barrier();
  });
}
