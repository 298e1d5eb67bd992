// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the processor does by itself with a word of memory that two processes have mapped: the least
// that an operation on a node can take.

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "contestant.hpp"
#include "optimizer_barrier.hpp"

namespace makespan::bench {

// The passive image's words, mapped into both.
class SharedWords {
 public:
  SharedWords() {
    void* own = nullptr;
    check_mpi(MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window_),
              "MPI_Win_allocate_shared");
    MPI_Aint size = 0;
    int unit = 0;
    check_mpi(MPI_Win_shared_query(window_, 0, &size, &unit, static_cast<void*>(&words_)),
              "MPI_Win_shared_query");
    std::memset(own, 0, bytes);
  }
  SharedWords(SharedWords const&) = delete;
  SharedWords& operator=(SharedWords const&) = delete;
  // Collective; while an exception unwinds, the other image does not come.
  ~SharedWords() {
    if (std::uncaught_exceptions() == 0) MPI_Win_free(&window_);
  }

  [[nodiscard]] std::int64_t* words() const { return words_; }

 private:
  static constexpr MPI_Aint bytes = 4096;
  MPI_Win window_{MPI_WIN_NULL};
  std::int64_t* words_{};
};

// Seconds for each of `operations` calls of `operate`, while the passive image sleeps.
template <class Operate>
Figures on_node_block(MpiSession const& session, int operations, Operate const& operate) {
  if (!session.is_active()) {
    session.sleep_until_end();
    return {};
  }
  double const seconds = seconds_of_each(operations, operate);
  session.send_end();
  return {{"seconds", seconds}};
}

inline void add_raw_atomic_ref(std::vector<Contestant>& contestants, MpiSession const& session,
                               SharedWords const& shared, int operations) {
  std::int64_t* const words = shared.words();
  auto const add = [&](std::string const& name, auto operate) {
    contestants.push_back(
        {name, [=, &session] { return on_node_block(session, operations, operate); }});
  };
  add("atomic_ref.fetch_add",
      [words] { keep(std::atomic_ref<std::int64_t>(words[0]).fetch_add(1)); });
  // Other words, a line away from the counter.
  add("memcpy.put", [words] {
    std::int64_t const value = 1;
    std::memcpy(words + 8, &value, sizeof value);
    keep(words);
  });
  add("memcpy.get", [words] {
    std::int64_t value = 0;
    std::memcpy(&value, words + 8, sizeof value);
    keep(value);
  });
}

}  // namespace makespan::bench
