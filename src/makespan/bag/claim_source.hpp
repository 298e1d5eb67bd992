// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the workers of one process get their items from: their own dispatcher, or, in a job of
// several images, what all images claim from.

#include <cstdint>
#include <optional>
#include <span>

#include "makespan/bag/protocol/item_range.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// What a worker was given; it is on the board.
struct Grant {
  ItemRange items;
  Speed speed{};  // of the worker, as seen since the team began; 0 if it is not
  bool waited{};  // before it was granted
  bool stolen{};
};

// Every function may be called from any thread, for different workers at once; those of one worker
// from one thread.
class ClaimSource {
 public:
  virtual ~ClaimSource() = default;

  // Puts what the worker is to run on the board. Blocks while nothing is free but may be; nothing
  // when nothing will be.
  virtual std::optional<Grant> claim(int worker, Seconds claim_cost) = 0;

  // The worker has finished parts of what it holds: the first one in `taken`, others (of a gang
  // that was stopped) in an unknown time. None of its threads is at an item. What its threads got
  // out of these items counts if none was finished before, or is dropped (ItemRunner::keep(),
  // drop()).
  virtual void finish(int worker, std::span<ItemRange const> done, Seconds taken,
                      Seconds claim) = 0;

  // What the worker has finished and others have not been told of does not count: a part of its
  // results will not come.
  virtual void forget(int worker) = 0;

  // What the worker holds goes back to be claimed by others.
  virtual void give_back(int worker) = 0;

  // The worker will not claim any more in this run.
  virtual void leave(int worker) = 0;

  // Of the thread that called DeviceTeam::run(): the worker takes too long, and what it holds goes
  // back to be claimed by others. It may still finish it, and ask for more.
  virtual void take_back(int worker) = 0;
  // Likewise: its thread does not answer, and is never in any of these functions again. As
  // take_back() and leave().
  virtual void give_up(int worker) = 0;

  // What the worker has shown, or, if nothing, the slowest of this process that has; 0 if none has.
  [[nodiscard]] virtual Speed speed_to_go_by(int worker) = 0;

  // Ends all claims: no worker gets a claim any more, and no worker waits for one.
  virtual void stop() = 0;

  // All is finished, as far as is known here: nothing is left for the workers of this process, and
  // it was not stopped.
  [[nodiscard]] virtual bool complete() const = 0;
  [[nodiscard]] virtual std::int64_t claims() const = 0;
  [[nodiscard]] virtual std::int64_t steals() const = 0;
};

}  // namespace makespan::bag
