// SPDX-License-Identifier: Apache-2.0
// Eight-byte operations of one image on another's memory, on one node.
//
//   mpiexec -n 2 node_bench --rounds 101 --operations 20000

#include <vector>

#include "arguments.hpp"
#include "contestant.hpp"
#include "ours.hpp"
#include "raw_atomic_ref.hpp"
#include "raw_mpi.hpp"

int main(int argc, char** argv) {
  using namespace makespan::bench;
  return run_bench(argc, argv, [&](MpiSession const& session) {
    Arguments const arguments(argc, argv);
    int const operations = arguments.integer("operations");
    SharedWords const shared;
    MpiWindow const window;
    Ours ours(session, {});

    std::vector<Contestant> contestants;
    add_raw_atomic_ref(contestants, session, shared, operations);
    add_ours_on_node(contestants, ours, operations);
    // A hundred times slower, hence fewer of them.
    add_raw_mpi(contestants, session, window, operations / 100 + 1);
    run_interleaved(session, contestants, arguments.integer("rounds"));
  });
}
