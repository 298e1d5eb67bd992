// SPDX-License-Identifier: Apache-2.0
// Answers with any token and of any length, to operations that wait or do not.
#include <array>
#include <optional>

#include "fuzz/contract_refusals.hpp"
#include "fuzz/fuzz_input.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/channel/pending_table.hpp"

namespace makespan::fuzz::pending_table_target {
namespace {

class Waiter final : public pgas::Completion {
 public:
  void complete(std::span<std::byte const>) noexcept override {}
  void refuse(std::string_view) noexcept override {}
  void fail(ImageId) noexcept override {}
};

enum class Event : std::uint8_t { track, complete, refuse, fail };

void answer(std::span<std::byte const> bytes) {
  FuzzInput input(bytes);
  Waiter waiter;
  std::array<std::byte, 16> destination{};
  pgas::PendingTable table(1, 3);
  while (!input.is_at_end()) {
    auto const event = static_cast<Event>(input.small(3));
    auto const token = input.value<pgas::WireToken>();
    auto const data = input.part();
    with_contracts_as_refusals([&] {
      switch (event) {
        case Event::track: {
          auto const into = std::span(destination).first(data.size() % (destination.size() + 1));
          static_cast<void>(table.track(waiter, ImageId{token.channel}, into));
          return;
        }
        case Event::complete:
          try {
            table.complete(token, data);
          } catch (BadMessage const&) {
            expect_no_seed();  // of another length than what waits for it
          }
          return;
        case Event::refuse:
          return table.refuse(token, text_of(data));
        case Event::fail:
          static_cast<void>(table.fail_all(ImageId{token.channel}));
      }
    });
  }
}

std::vector<Bytes> seeds() {
  Bytes const word(8, std::byte{7});
  pgas::WireToken const first{.slot = 0, .turn = 1, .channel = 1};
  pgas::WireToken const again{.slot = 0, .turn = 2, .channel = 1};
  return {FuzzOutput()
              .small(0)
              .value(first)
              .part(word)
              .small(1)
              .value(first)
              .part(word)
              .small(0)
              .value(first)
              .part({})
              .small(2)
              .value(again)
              .part(bytes_of("why"))
              .bytes()};
}

FuzzTarget const target("pending_table", &answer, &seeds);

}  // namespace
}  // namespace makespan::fuzz::pending_table_target
