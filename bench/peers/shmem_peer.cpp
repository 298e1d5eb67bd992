// SPDX-License-Identifier: Apache-2.0
// Puts of eight bytes and fetch-adds by OpenSHMEM 1.4, between two processing elements.
//
//   shmem_peer --rounds 5 --block-ms 50
//
// put: one, and quiet. put_many: without limit, and quiet. fetch_add: there and back. The passive
// element waits in shmem_long_wait_until, where a library without progress of its own makes it.
// Compiled for each implementation (one_sided.toml).

#include <shmem.h>

#include "peer_rounds.hpp"

namespace makespan::bench {
namespace {

constexpr int passive = 0;

struct SymmetricMemory {
  long* values = static_cast<long*>(shmem_calloc(words, sizeof(long)));
  long* counter = static_cast<long*>(shmem_calloc(1, sizeof(long)));
  long* is_over = static_cast<long*>(shmem_calloc(1, sizeof(long)));
};

void measure(PeerRounds& rounds, SymmetricMemory const& memory) {
  rounds.add("put", [&](long count) {
    for (long each = 0; each < count; ++each) {
      shmem_long_p(&memory.values[each % words], put_value(each), passive);
      shmem_quiet();
    }
  });
  rounds.add("put_many", [&](long count) {
    for (long each = 0; each < count; ++each) {
      shmem_long_p(&memory.values[each % words], put_value(each), passive);
    }
    shmem_quiet();
  });
  rounds.add("fetch_add", [&](long count) {
    for (long each = 0; each < count; ++each) {
      static_cast<void>(shmem_long_atomic_fetch_add(memory.counter, 1, passive));
    }
  });
  rounds.run();
}

void run_peer(int argc, char** argv) {
  PeerRounds rounds{Arguments(argc, argv)};
  if (shmem_n_pes() != 2) throw std::runtime_error{"shmem_peer: two processing elements, please"};
  pin_to_core(shmem_my_pe());
  SymmetricMemory const memory;
  shmem_barrier_all();
  if (shmem_my_pe() == passive) {
    shmem_long_wait_until(memory.is_over, SHMEM_CMP_EQ, 1);
  } else {
    measure(rounds, memory);
    shmem_long_p(memory.is_over, 1, passive);
    shmem_quiet();
  }
  shmem_barrier_all();
  if (shmem_my_pe() == passive) check_words(memory.values);
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  using namespace makespan::bench;
  shmem_init();
  int const code = exit_code_of([&] { run_peer(argc, argv); });
  if (code != EXIT_SUCCESS) shmem_global_exit(code);
  shmem_finalize();
  return code;
}
