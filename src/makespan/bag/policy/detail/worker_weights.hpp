// SPDX-License-Identifier: Apache-2.0
#pragma once

// How much each worker should get compared with the mean, from what all have done: the weights of
// adaptive weighted factoring.
//
// With t_k and n_k time and work of a worker's k-th record, its time per work is
//
//     pi = sum of k t_k / sum of k n_k,
//
// later records counting more, and its weight is (1 / pi) over the mean of 1 / pi over all workers.

#include <cstdint>
#include <vector>

#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// One that nothing is known of counts as the fastest in the mean, and as the slowest when its own
// weight is asked for: both keep chunks small. Tested by tests/bag/policy/worker_weights_test.cpp.
class WorkerWeights {
 public:
  // Forgets all; every weight is 1.
  void forget(int workers);

  // Counts a record. One without work or time tells nothing and is left out.
  void record(int worker, Work work, Seconds taken);

  // Makes weights of what was recorded; before that it changes none.
  void refresh();

  [[nodiscard]] int workers() const { return static_cast<int>(records_.size()); }
  [[nodiscard]] double of(int worker) const;

  // How many records of a worker counted.
  [[nodiscard]] std::int64_t records(int worker) const;

 private:
  struct Record {
    std::int64_t count{};
    Work work;  // weighted sums
    Seconds taken;
  };

  std::vector<Record> records_;
  std::vector<double> weights_;
};

}  // namespace makespan::bag
