// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/team.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::pgas {

Team::Team(std::unique_ptr<Collectives> collectives, Waiter& waiter)
    : collectives_{std::move(collectives)}, waiter_{&waiter} {
  MAKESPAN_EXPECT(collectives_ != nullptr);
}

void Team::barrier_all() {
  meet("barrier");
}

void Team::broadcast_bytes_all(std::span<std::byte> data, int root, WaitLimit limit) {
  if (data.size() > copied_bytes_max) {
    run([&] { return collectives_->broadcast(data, root); }, "broadcast", limit);
    return;
  }
  auto kept = std::make_unique<std::vector<std::byte>>(data.begin(), data.end());
  run_with(kept, [&] { return collectives_->broadcast(*kept, root); }, "broadcast", limit);
  std::ranges::copy(*kept, data.begin());
}

// Also before what MPI has only in a form that blocks, where a member that is missing would not be
// noticed.
void Team::meet(std::string_view call) {
  run([&] { return collectives_->barrier(); }, call);
}

std::optional<Team> Team::split_all(int color, int key) {
  meet("split");
  auto part = collectives_->split_all(color, key);
  if (part == nullptr) return std::nullopt;
  return Team(std::move(part), *waiter_);
}

Team Team::split_by_node_all() {
  meet("split by node");
  return {collectives_->split_by_node_all(), *waiter_};
}

Team Team::shrink_all() {
  return {collectives_->shrink_all(), *waiter_};
}

void Team::expect_bits(ReduceOp op, bool is_integer) {
  bool const is_bitwise =
      op == ReduceOp::bit_and || op == ReduceOp::bit_or || op == ReduceOp::bit_xor;
  MAKESPAN_EXPECT(is_integer || !is_bitwise);
}

void Team::check_rank(int root, std::string_view call) const {
  if (root >= 0 && root < size()) return;
  throw InputError("root " + std::to_string(root) + " of " + std::string(call),
                   "the team has " + std::to_string(size()) + " members",
                   "ranks are 0 to " + std::to_string(size() - 1));
}

void Team::wait_for(CollectiveOperation& operation, std::string_view call, WaitLimit limit) {
  waiter_->wait_until([&] { return operation.test(); },
                      {.call = call, .members = members(), .limit = limit});
}

// Another member has given the operation up, and MPI does not say for whose sake. That will be
// known here too in a moment, and ends the wait by an exception that does.
void Team::name_the_lost(ImageFailed const& failure, std::string_view call) {
  if (failure.image() >= ImageId{0}) return;
  // Within that a loss is known to all (docs/decisions/0018).
  constexpr std::chrono::seconds limit{2};
  auto const end = std::chrono::steady_clock::now() + limit;
  // Without another limit: that of waits may be shorter, and its exception would hide this one.
  waiter_->wait_until([&] { return std::chrono::steady_clock::now() > end; },
                      {.call = call, .members = members(), .limit = WaitLimit::none});
}

}  // namespace makespan::pgas
