// SPDX-License-Identifier: Apache-2.0
#pragma once

// A chunk policy says how much of a bag a worker takes at its next claim.
//
// A bag is a loop of items in a fixed order, each with a predicted cost. Workers run at different
// speeds and come back for more when they have finished. The policy sees numbers only: no clock, no
// thread, no network. The program that hands out the items (threads, processes, a simulator in
// virtual time) asks it one question per claim.

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "makespan/bag/policy/detail/chunk_size.hpp"
#include "makespan/base/option_values.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// What a policy may know about the loop that it cuts, the same at every claim of the loop.
struct LoopFacts {
  std::int64_t items{};       // items of the whole loop
  Work work{};                // predicted cost of the whole loop
  double item_cost_spread{};  // standard deviation over mean of the predicted cost of one item
  int workers{1};
};

// Whether a worker has finished a chunk, or its speed is remembered. No bool, since facts travel:
// of another program's image any byte may come.
enum class Measured : std::uint8_t { no, yes };

[[nodiscard]] constexpr Measured measured_at(Speed speed) {
  return speed > Speed{} ? Measured::yes : Measured::no;
}

// What a policy may know about the worker that claims. Indices count from 0.
struct WorkerFacts {
  int index{};
  Measured measured{Measured::no};  // no: `speed` is unknown and 0
  Speed speed{};                    // of this worker, as measured on its own chunks
  Speed
      speed_total{};  // of all workers; one that is not measured counts as the fastest measured one
  Seconds claim_cost{};  // what one claim costs this worker, a launch included if it needs one
};

// One claim. A technique with a closed form in the step number needs `step` and `loop` only
// (closed_form_policy.hpp).
struct ChunkRequest {
  LoopFacts loop{};
  std::int64_t step{};        // claims of this loop made before this one; 0 begins a loop
  std::int64_t items_left{};  // not claimed yet, at least 1
  Work work_left{};           // predicted cost of these
  WorkerFacts worker{};
};

// What a policy may learn from a chunk, or a part of one, that its worker has finished.
struct ChunkReport {
  int worker{};
  std::int64_t step{};   // of the claim that took it
  std::int64_t items{};  // at least 1
  Work work{};           // predicted cost of these
  Seconds computing{};   // of the worker's own time; 0 when not measured
  Seconds with_claim{};  // the same and what the claim took
};

// The interface that is chosen at run time by name (policy_registry.hpp).
//
// Not thread-safe: the caller serialises its calls. Allocates: at the first claim of a loop, if it
// keeps something by worker. A policy that keeps something between claims forgets it when `step` is
// 0, so that one object serves one loop after the other; `awf` alone learns from loop to loop.
class ChunkPolicy {
 public:
  virtual ~ChunkPolicy() = default;

  // The size of the next chunk: 1 to `items_left` items, or more than 0 and at most `work_left` of
  // work.
  [[nodiscard]] virtual ChunkSize next_chunk(ChunkRequest const& request) = 0;

  // Tells of a finish in the present loop, before the worker claims again. Most techniques do not
  // listen.
  virtual void chunk_finished(ChunkReport const& /*report*/) {}
};

// What a policy shows to the registry: its name and help, and construction from options, which
// throws InputError on an option that it does not have or a value out of range.
template <class P>
concept RegisteredPolicy = std::derived_from<P, ChunkPolicy> &&
                           std::constructible_from<P, OptionValues const&> && requires {
                             { P::name } -> std::convertible_to<std::string_view>;
                             { P::summary } -> std::convertible_to<std::string_view>;
                             {
                               P::option_help()
                             } -> std::convertible_to<std::span<OptionHelp const>>;
                           };

}  // namespace makespan::bag
