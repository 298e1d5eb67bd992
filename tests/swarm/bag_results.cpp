// SPDX-License-Identifier: Apache-2.0
#include "swarm/bag_results.hpp"

#include <algorithm>
#include <cstring>

#include "makespan/bag/device_failed.hpp"

namespace makespan::swarm {

BagResults::BagResults(VirtualWorld& world, std::vector<bag::Segment> const& tasks)
    : world_{world} {
  std::int64_t items = 0;
  for (bag::Segment const& task : tasks) {
    first_.resize(static_cast<std::size_t>(task.task.value()) + 1);
    first_.back() = items;
    items += task.items;
  }
  runs_.resize(static_cast<std::size_t>(items));
  counts_.resize(static_cast<std::size_t>(items));
}

void BagResults::count(std::int64_t item) {
  std::string const name = "the result of item " + std::to_string(item);
  if (is_closed_) world_.report(name + " comes after the end of its bag");
  if (++counts_[static_cast<std::size_t>(item)] > 1) world_.report(name + " is counted twice");
}

void BagResults::expect_open(std::int64_t item) {
  if (counts_[static_cast<std::size_t>(item)] == 0) return;
  world_.report("item " + std::to_string(item) + " is handed out, and its result is there");
}

void BagResults::expect_all() const {
  auto const missing = std::ranges::find(counts_, 0);
  if (missing == counts_.end()) return;
  throw Broken("a bag ends as complete without the result of item " +
               std::to_string(missing - counts_.begin()));
}

void BagResults::expect_run_once() const {
  auto const again = std::ranges::find_if(runs_, [](int runs) { return runs > 1; });
  if (again == runs_.end()) return;
  throw Broken("item " + std::to_string(again - runs_.begin()) + " was run " +
               std::to_string(*again) + " times, though no image was lost");
}

SwarmRunner::SwarmRunner(VirtualWorld& world, BagPlan const& plan, std::vector<BagResults>& results,
                         RunContext context)
    : world_{world}, plan_{plan}, results_{results}, context_{context} {
  int device = 0;
  for (DevicePlan const& each : plan.images[static_cast<std::size_t>(context.image)].devices) {
    threads_.insert(threads_.end(), static_cast<std::size_t>(each.threads), {.device = device});
    ++device;
  }
  has_hung_.resize(static_cast<std::size_t>(device));
}

bag::Segment const& SwarmRunner::task_of(TaskId task) const {
  return *std::ranges::find(plan_.bags[context_.bag], task, &bag::Segment::task);
}

void SwarmRunner::run(int thread, TaskId task, std::int64_t item_begin, std::int64_t item_end) {
  Thread& mine = threads_[static_cast<std::size_t>(thread)];
  auto const image = static_cast<std::size_t>(context_.image);
  DevicePlan const& device = plan_.images[image].devices[static_cast<std::size_t>(mine.device)];
  if (device.fails >= 0 && world_.now() >= context_.begin + device.fails) {
    world_.tell("device " + std::to_string(mine.device) + " of image " +
                std::to_string(context_.image) + " fails");
    throw bag::DeviceFailed("as it was to");
  }
  hang_if_due(thread);
  double const item_s = task_of(task).cost_per_item.value() / device.speed;
  double const noise = 0.5 + world_.draws().part();
  double const time_s = item_s * noise * static_cast<double>(item_end - item_begin);
  world_.sleep(static_cast<Nanoseconds>(time_s * 1e9));
  BagResults& results = results_[context_.bag];
  for (std::int64_t item = item_begin; item < item_end; ++item) {
    std::int64_t const number = results.number_of(task, item);
    results.note_run(number);
    mine.untold.push_back({context_.bag, number});
  }
  if (!world_.is_told()) return;
  world_.tell("image " + std::to_string(context_.image) + " thread " + std::to_string(thread) +
              " has run items " + std::to_string(results.number_of(task, item_begin)) + " to " +
              std::to_string(results.number_of(task, item_end) - 1));
}

void SwarmRunner::hang_if_due(int thread) {
  int const number = threads_[static_cast<std::size_t>(thread)].device;
  DevicePlan const& device = plan_.images[static_cast<std::size_t>(context_.image)]
                                 .devices[static_cast<std::size_t>(number)];
  bool const is_due = device.hangs >= 0 && world_.now() >= context_.begin + device.hangs;
  if (!is_due || has_hung_[static_cast<std::size_t>(number)]) return;
  has_hung_[static_cast<std::size_t>(number)] = true;
  world_.tell("image " + std::to_string(context_.image) + " thread " + std::to_string(thread) +
              " hangs");
  world_.sleep(device.hang);
}

void SwarmRunner::keep(int thread) {
  auto& untold = threads_[static_cast<std::size_t>(thread)].untold;
  for (Result const& result : untold) results_[context_.bag].count(result.item);
  untold.clear();
}

void SwarmRunner::drop(int thread) {
  if (context_.fault == Fault::late_result && context_.image == 0) return keep(thread);
  threads_[static_cast<std::size_t>(thread)].untold.clear();
}

void SwarmRunner::on_overdue(bag::OverduePiece const& piece) {
  world_.tell("image " + std::to_string(context_.image) + " thread " +
              std::to_string(piece.thread) + (piece.is_lost ? " is left behind" : " is overdue"));
}

void SwarmRunner::pack(int thread, std::vector<std::byte>& bytes) {
  auto& untold = threads_[static_cast<std::size_t>(thread)].untold;
  auto const from = std::as_bytes(std::span(untold));
  bytes.insert(bytes.end(), from.begin(), from.end());
  untold.clear();
}

void SwarmRunner::unpack(std::span<std::byte const> bytes) {
  if (plan_.disk > 0) world_.sleep(world_.draws().between(0, plan_.disk));
  for (; !bytes.empty(); bytes = bytes.subspan(sizeof(Result))) {
    Result result{};
    std::memcpy(&result, bytes.data(), sizeof result);
    if (result.bag != context_.bag) {
      return world_.report("a result of bag " + std::to_string(result.bag) + " counts for bag " +
                           std::to_string(context_.bag));
    }
    results_[context_.bag].count(result.item);
  }
}

}  // namespace makespan::swarm
