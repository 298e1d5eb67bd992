// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs a function on every item of a list, on the devices of all images of a job.
//
//   std::vector<double> const areas =
//       bag::run_all(team, 1000, {}, [](std::int64_t i) { return area(i); });

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "makespan/bag/image/distributed_item_runner.hpp"
#include "makespan/bag/image/image_team.hpp"
#include "makespan/bag/item_calls.hpp"
#include "makespan/bag/item_list.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/call/invocation.hpp"

namespace makespan::bag {

// The calls of one image, with the way home of what they give: plain data, or what cereal writes.
template <ItemFunction Function>
class DistributedCalls final : public DistributedItemRunner, public ImageService {
 public:
  using Result = ItemResult<Function>;

  DistributedCalls(ImageTeam& team, Bag const& bag, bool has_costs, Function& function)
      : image_{team.image()},
        bag_{bag},
        has_costs_{has_costs},
        function_{function},
        packed_(static_cast<std::size_t>(team.devices().threads())),
        results_(bag.items(), team.devices().threads()) {}

  void run(int thread, TaskId task, std::int64_t item_begin, std::int64_t item_end) override {
    for (std::int64_t item = item_begin; item < item_end; ++item) {
      std::int64_t const index = index_of(has_costs_, task, item);
      Result result = call_item(function_, index);
      if (image_ == 0) {
        results_.hold(thread, index, std::move(result));
      } else {
        append(packed_[static_cast<std::size_t>(thread)], index, result);
      }
    }
  }

  void keep(int thread) override { results_.keep(thread); }
  void drop(int thread) override {
    results_.drop(thread);
    packed_[static_cast<std::size_t>(thread)].clear();
  }

  void pack(int thread, std::vector<std::byte>& bytes) override {
    auto& mine = packed_[static_cast<std::size_t>(thread)];
    bytes.insert(bytes.end(), mine.begin(), mine.end());
    mine.clear();
  }

  void unpack(std::span<std::byte const> bytes) override {
    pgas::ByteReader reader(bytes);
    while (!reader.is_at_end()) {
      std::int64_t index = 0;
      Result result{};
      pgas::read_value(reader, index);
      pgas::read_value(reader, result);
      results_.put(index, std::move(result));
    }
  }

  // All results as one message, and back.
  [[nodiscard]] std::vector<std::byte> all() const {
    std::vector<std::byte> bytes;
    for (std::int64_t index = 0; index < results_.items(); ++index) {
      append(bytes, index, results_.at(index));
    }
    return bytes;
  }
  void receive(std::span<std::byte const> message) override { unpack(message); }
  Bag begin(std::span<std::byte const> /*order*/) override { return bag_; }
  DistributedItemRunner& runner() override { return *this; }

  [[nodiscard]] bool have_all_come() const { return results_.have_all_come(); }
  [[nodiscard]] std::vector<Result> take() { return results_.take(); }

 private:
  static void append(std::vector<std::byte>& bytes, std::int64_t index, Result const& result) {
    pgas::ByteWriter writer(bytes);
    pgas::write_value(writer, index);
    pgas::write_value(writer, result);
  }

  int image_;
  Bag const& bag_;
  bool has_costs_;
  Function& function_;
  std::vector<std::vector<std::byte>> packed_;  // by thread: not sent yet
  ItemResults<Result> results_;
};

// Collective: as run(), with the same function, items and costs on all images; every image gets all
// results, in order. Throws, on all images: on image 0 ItemFailed for what an item threw there, and
// RemoteError, with the item's index in its text, for another image's; on the others RemoteError of
// image 0 for either, also on the one whose item it was, and where image 0 ends the team instead.
// InputError for a team with a limit of time, as run(). Tested by
// tests/bag/image/run_all_test.cpp.
template <ItemFunction Function>
auto run_all(ImageTeam& team, std::int64_t items, std::span<double const> costs,
             Function&& function) {
  expect_no_limit(team.devices().overdue_rule());
  Bag const bag = bag_of_items(items, costs);
  DistributedCalls<std::remove_reference_t<Function>> calls(team, bag, !costs.empty(), function);
  team.share(calls, [&] {
    static_cast<void>(team.run(bag, calls, {}, {}));
    return calls.all();
  });
  if (!calls.have_all_come()) {
    throw RemoteError(ImageId{0}, "it has ended the team, and ran none of these items");
  }
  return calls.take();
}

}  // namespace makespan::bag
