// SPDX-License-Identifier: Apache-2.0
#pragma once

// What all images can reach of a bag, as a worker sees it: the word that claims are made from and
// the speeds of all workers, which lie on image 0, and boards, on the image of each worker.

#include <cstdint>
#include <vector>

#include "makespan/bag/protocol/item_range.hpp"
#include "makespan/bag/protocol/steal_choice.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// `thread` is the team's thread that calls. Functions block for a round trip to another image, and
// throw ImageFailed if that is lost. Workers are numbered through all images, but for those
// of board functions, which are of this image.
class SharedBagState {
 public:
  SharedBagState() = default;
  SharedBagState(SharedBagState const&) = delete;
  SharedBagState& operator=(SharedBagState const&) = delete;
  virtual ~SharedBagState() = default;

  // What lies on image 0.
  struct Look {
    std::uint64_t word;
    std::vector<Speed> speeds;  // by worker; 0: not measured
  };
  virtual void look(int thread, Look& look) = 0;
  // The word alone.
  [[nodiscard]] virtual std::uint64_t look_word(int thread) = 0;

  // The word of claims: a ClaimWord, or the number of the next claim. Answers with what was there.
  [[nodiscard]] virtual std::uint64_t fetch_add(int thread, std::uint64_t value) = 0;
  // What was there: the word is `desired` if that was `expected`.
  [[nodiscard]] virtual std::uint64_t compare_swap(int thread, std::uint64_t expected,
                                                   std::uint64_t desired) = 0;

  // Does not wait until it is there.
  virtual void report_speed(int thread, int worker, Speed speed) = 0;

  // What image 0 has, and what the boards of all images show, by worker, in one round trip. Images
  // that are lost show nothing. Throws if it is image 0.
  virtual void look_at_all(int thread, Look& look, std::vector<WorkerView>& views) = 0;

  // Takes `tail`, if the victim, a worker of any image, still has it.
  [[nodiscard]] virtual bool take_tail(int thread, int victim, ItemRange tail) = 0;

  // On this image's board: `range` is all that the worker holds, and not begun; and takes whatever
  // is left of it, so that no other worker does.
  virtual void publish(int worker, ItemRange range) = 0;
  virtual void take_all(int worker) = 0;
};

}  // namespace makespan::bag
