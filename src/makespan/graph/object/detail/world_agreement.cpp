// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/detail/world_agreement.hpp"

#include <bit>
#include <exception>
#include <span>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/base/fnv1a.hpp"
#include "makespan/graph/object/detail/checkpoint_files.hpp"

namespace makespan::graph {

namespace {

// Texts and numbers, each with an end, so that what is one's does not pass for another's.
class Digest {
 public:
  Digest& add(std::string_view text) {
    text_.append(text).push_back('\0');
    return *this;
  }
  Digest& add(std::int64_t number) { return add(std::string_view(std::to_string(number))); }
  // To the bit.
  Digest& add(double number) { return add(std::bit_cast<std::int64_t>(number)); }
  Digest& add(OptionValues const& options) {
    for (auto const& [name, value] : options) add(std::string_view(name)).add(value);
    return *this;
  }

  [[nodiscard]] std::uint64_t hash() const { return fnv1a(std::as_bytes(std::span(text_))); }

 private:
  std::string text_;
};

std::uint64_t hash_of(std::vector<double> const& numbers) {
  Digest digest;
  for (double const each : numbers) digest.add(each);
  return digest.hash();
}

std::uint64_t hash_of(TriggerOptions const& trigger) {
  return Digest()
      .add(static_cast<std::int64_t>(trigger.when))
      .add(trigger.every)
      .add(trigger.phases)
      .add(trigger.look_first_s)
      .add(trigger.waste_max)
      .add(trigger.slowdown_max)
      .hash();
}

}  // namespace

std::vector<AgreedPart> agreed_options(WorldOptions const& options) {
  BalanceOptions const& balance = options.balance;
  CheckpointOptions const& checkpoint = options.checkpoint;
  return {
      {.what = "a balancer and its options",
       .hash =
           Digest().add(std::string_view(balance.balancer)).add(balance.balancer_options).hash()},
      {.what = "a load model and its options",
       .hash = Digest()
                   .add(std::string_view(balance.load_model))
                   .add(balance.load_model_options)
                   .add(balance.load_noise)
                   .hash()},
      {.what = "speeds of places", .hash = hash_of(balance.speeds)},
      {.what = "memory of an image for objects",
       .hash = hash_of(std::vector{balance.image_memory_bytes})},
      {.what = "when objects move", .hash = hash_of(balance.trigger)},
      {.what = "phases from checkpoint to checkpoint, and their folder",
       .hash = Digest().add(checkpoint.every).add(checkpoint.folder.native()).hash()},
      {.what = "the checkpoint that a run goes on from",
       .hash = Digest().add(checkpoint.from.native()).hash()}};
}

std::vector<AgreedPart> agreed_run(WorldPlan const& plan, ObjectProgram const& program) {
  return {{.what = "collections",
           .hash = plan.fingerprint(),
           .why = "images have added other ones, or in another order",
           .right = "add the same ones on all images"},
          {.what = "phases of a program", .hash = Digest().add(program.phases).hash()},
          {.what = "the first phase of a run",
           .hash = Digest().add(plan.first_phase).hash(),
           .why = "under one name images have found checkpoints of other phases",
           .right = "put checkpoints where all hosts see the same files"}};
}

void expect_agreement_all(pgas::Team& team, std::vector<AgreedPart> const& parts) {
  std::vector<std::uint64_t> mine;
  mine.reserve(parts.size());
  for (AgreedPart const& each : parts) mine.push_back(each.hash);
  std::vector<std::uint64_t> most(mine.size());
  std::vector<std::uint64_t> least(mine.size());
  team.all_reduce_all(pgas::ReduceOp::max, std::span<std::uint64_t const>(mine), std::span(most));
  team.all_reduce_all(pgas::ReduceOp::min, std::span<std::uint64_t const>(mine), std::span(least));
  for (std::size_t at = 0; at < parts.size(); ++at) {
    if (least[at] == most[at]) continue;
    throw InputError(std::string(parts[at].what), std::string(parts[at].why),
                     std::string(parts[at].right));
  }
}

std::int64_t first_phase_all(pgas::Team& team, std::filesystem::path const& checkpoint) {
  std::int64_t phase = 0;
  std::exception_ptr error;
  try {
    phase = first_phase_of(checkpoint);
  } catch (...) {
    error = std::current_exception();
  }
  // All come here, also those that have failed: the others would wait for them.
  int const failed = team.all_reduce_all(pgas::ReduceOp::max, error ? 1 : 0);
  if (error) std::rethrow_exception(error);
  if (failed != 0) {
    throw InputError("checkpoint " + checkpoint.string(), "another image cannot read it",
                     "put it where all hosts can");
  }
  return phase;
}

}  // namespace makespan::graph
