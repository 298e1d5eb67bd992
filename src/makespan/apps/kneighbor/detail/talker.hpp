// SPDX-License-Identifier: Apache-2.0
#pragma once

// One object of the ring.

#include <cereal/types/vector.hpp>
#include <cstdint>
#include <vector>

#include "makespan/apps/kneighbor/settings.hpp"
#include "makespan/graph/object/object_place.hpp"
#include "makespan/graph/object/shared_value.hpp"

namespace makespan::kneighbor {

// What came to one object; of several, the sum.
struct Tally {
  std::int64_t messages{0};
  std::int64_t bytes{0};    // of their values
  std::int64_t damaged{0};  // messages that were not what had been sent
};

// The values of an iteration's messages, made once for all of its receivers.
using SharedWords = graph::SharedValue<std::vector<std::uint64_t>>;

// Tested by tests/apps/kneighbor/ring_run_test.cpp.
class Talker {
 public:
  Talker() = default;  // for those that arrive
  // That does so many turns of work in an iteration.
  Talker(Settings const& settings, graph::Collection<Talker> all, int index, std::int64_t turns);

  // --- messages

  // So many iterations from here on. Sent at the beginning of a phase.
  void start(graph::ObjectPlace& here, std::int64_t iterations);
  // From object `from`, in its iteration `iteration` of the phase. `checksum` is that of `words`.
  void hear(graph::ObjectPlace& here, int from, std::int64_t iteration, std::uint64_t checksum,
            SharedWords const& words);
  // What this object sent, back from one of its neighbours.
  void hear_again(graph::ObjectPlace& here, std::uint64_t checksum, SharedWords const& words);

  // --- what has become of it

  [[nodiscard]] Tally const& tally() const { return tally_; }
  // What its work came to: the same wherever it was done.
  [[nodiscard]] std::uint64_t work() const { return work_; }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(cereal::binary_data(&settings_, sizeof settings_));
    archive(cereal::binary_data(&all_, sizeof all_), index_, turns_, words_, checksum_);
    archive(iteration_, iterations_, heard_, work_, cereal::binary_data(&tally_, sizeof tally_));
  }

 private:
  void begin_iteration(graph::ObjectPlace& here);
  [[nodiscard]] SharedWords const& new_words();
  void go_on(graph::ObjectPlace& here);
  void count(std::uint64_t checksum, std::vector<std::uint64_t> const& words);
  [[nodiscard]] int& heard(std::int64_t iteration);

  Settings settings_{};
  graph::Collection<Talker> all_{};
  int index_{0};
  std::int64_t turns_{0};
  std::vector<std::uint64_t> words_{};
  std::uint64_t checksum_{0};  // of words_
  SharedWords sent_{};         // of the last iteration

  std::int64_t iteration_{0};   // of this phase, the present one
  std::int64_t iterations_{0};  // of this phase; 0: it has not begun here, or is over
  // By iteration of the phase: messages that count towards its end. Without echo others may be
  // several iterations ahead.
  std::vector<int> heard_{};
  std::uint64_t work_{0};
  Tally tally_{};
};

}  // namespace makespan::kneighbor
