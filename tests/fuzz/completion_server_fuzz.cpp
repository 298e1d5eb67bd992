// SPDX-License-Identifier: Apache-2.0
// Deliveries and ends of images, in parts, at the server of image 0.
#include "fuzz/fuzz_input.hpp"
#include "makespan/bag/image/detail/completion_server.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/bag/team_clock.hpp"
#include "makespan/base/error.hpp"

namespace makespan::fuzz::completion_server_target {
namespace {

constexpr std::int64_t items = 100;

// Takes results of one byte each.
class Results final : public bag::DistributedItemRunner {
 public:
  void run(int, TaskId, std::int64_t, std::int64_t) override {}
  void pack(int, Bytes&) override {}
  void unpack(std::span<std::byte const> bytes) override { bytes_ += bytes.size(); }

 private:
  std::size_t bytes_{0};
};

bag::ImageRoster const& roster() {
  static bag::ImageRoster const three{.first_worker = {0, 1, 2, 3},
                                      .first_device = {0, 1, 2, 3},
                                      .first_thread = {0, 1, 2, 3},
                                      .modes = std::vector<bag::Mode>(3)};
  return three;
}

void take_parts(std::span<std::byte const> bytes) {
  FuzzInput input(bytes);
  bag::Bag const bag({{.task = TaskId{0}, .items = items, .cost_per_item = Work{1.0}}});
  auto const policy = bag::make_policy("guided", {});
  Results results;
  bag::SystemClock const clock;
  bag::CompletionServer server(roster(), clock);
  server.open(bag, *policy, bag::FirstClaims::by_tracker, roster().modes, results);
  while (!input.is_at_end()) {
    pgas::Fragment const part{.image = input.value<std::int32_t>(),
                              .thread = 0,
                              .number = static_cast<std::uint64_t>(input.small(255)),
                              .part = static_cast<std::uint32_t>(input.small(3)),
                              .parts = 4};
    bool const is_whole = input.flag();
    bool const is_end = input.flag();
    pgas::Fragment const sent = is_whole ? pgas::Fragment{part.image, 0, part.number, 0, 1} : part;
    auto const data = input.part();
    try {
      is_end ? server.end(sent, data) : server.deliver(sent, data);
    } catch (InputError const&) {
      expect_no_seed();
    } catch (std::out_of_range const&) {
      expect_no_seed();
    }
  }
  static_cast<void>(server.complete());
  static_cast<void>(server.outcomes());
  server.close();
}

Bytes part(int image, bool is_end, Bytes const& data) {
  return FuzzOutput()
      .value(std::int32_t{image})
      .small(0)
      .small(0)
      .small(1)
      .small(is_end ? 1 : 0)
      .part(data)
      .bytes();
}

std::vector<Bytes> seeds() {
  std::vector<bag::ItemRange> const ranges{{0, 10}, {20, 100}};
  Bytes delivery = bag::CompletionServer::delivery(ranges);
  delivery.resize(delivery.size() + 90);
  return {part(1, false, delivery), part(2, true, bag::bytes_of(bag::ImageOutcome{}))};
}

FuzzTarget const target("completion_server", &take_parts, &seeds);

}  // namespace
}  // namespace makespan::fuzz::completion_server_target
