// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs a function on every item of a list, on unequal devices: the shortest way into this room.
//
//   std::vector<double> const areas = bag::run(1000, {}, [](std::int64_t i) { return area(i); });
//
// Several images: image/run_all.hpp.

#include <cstdint>
#include <span>
#include <type_traits>

#include "makespan/bag/device_team.hpp"
#include "makespan/bag/item_calls.hpp"
#include "makespan/bag/item_list.hpp"
#include "makespan/bag/item_runner.hpp"
#include "makespan/bag/team_options.hpp"

namespace makespan::bag {

// Calls the function, and keeps what it gives until all is there.
template <ItemFunction Function>
class ItemCalls final : public ItemRunner {
 public:
  ItemCalls(std::int64_t items, bool has_costs, Function& function, int threads)
      : has_costs_{has_costs}, function_{function}, results_{items, threads} {}

  void run(int thread, TaskId task, std::int64_t item_begin, std::int64_t item_end) override {
    for (std::int64_t item = item_begin; item < item_end; ++item) {
      std::int64_t const index = index_of(has_costs_, task, item);
      results_.hold(thread, index, call_item(function_, index));
    }
  }
  void keep(int thread) override { results_.keep(thread); }
  void drop(int thread) override { results_.drop(thread); }

  [[nodiscard]] auto take() { return results_.take(); }

 private:
  bool has_costs_;
  Function& function_;
  ItemResults<ItemResult<Function>> results_;
};

// What function(index) gives for each index 0 … items-1, in this order. Costs: what each item is
// predicted to take, in any unit; none if it is not known.
//
// Blocks. Throws ItemFailed for what the function throws, the first in time: nothing new begins
// then; DeviceFailed when the function has thrown that on every device, whose items other devices
// take over until then; InputError on invalid costs or options, and on a limit of time: a thread
// that is left behind would use what is gone when this returns (DeviceTeam is for that). Tested by
// tests/bag/run_test.cpp.
template <ItemFunction Function>
auto run(std::int64_t items, std::span<double const> costs, Function&& function,
         TeamOptions const& options = {}) {
  expect_no_limit(options.overdue);
  Bag const bag = bag_of_items(items, costs);
  DeviceTeam team(options);
  ItemCalls<std::remove_reference_t<Function>> calls(items, !costs.empty(), function,
                                                     team.threads());
  static_cast<void>(team.run(bag, calls, {}));
  return calls.take();
}

}  // namespace makespan::bag
