// SPDX-License-Identifier: Apache-2.0
// Aggregates of messages, as another image could send them.
#include "fuzz/fuzz_target.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/transport/ucx/detail/message_aggregate.hpp"

namespace makespan::fuzz::message_aggregate_target {
namespace {

void take_apart(std::span<std::byte const> bytes) {
  try {
    for (std::size_t at = 0; at < bytes.size();) {
      pgas::AggregatedMessage const message = pgas::message_in_aggregate(bytes, at, 1);
      MAKESPAN_EXPECT(message.next > at && message.next <= bytes.size());
      // What comes out can go in again.
      MAKESPAN_EXPECT(pgas::can_be_aggregated(message.header, message.payload.size()));
      at = message.next;
    }
  } catch (BadMessage const& refusal) {
    throw InputError("an aggregate", refusal.what(), "as add_to_aggregate() makes it");
  }
}

std::vector<Bytes> seeds() {
  Bytes room(512);
  Bytes const payload = bytes_of("payload");
  std::size_t end = 0;
  for (std::uint64_t offset = 0; offset < 4; ++offset) {
    end =
        pgas::add_to_aggregate(room, end, {.kind = pgas::WireKind::put, .offset = offset}, payload)
            .value();
  }
  pgas::WireHeader const reply{.kind = pgas::WireKind::reply,
                               .token = {.slot = 1, .turn = 2, .channel = 3}};
  end = pgas::add_to_aggregate(room, end, reply, payload).value();
  room.resize(end);
  return {room};
}

FuzzTarget const target("message_aggregate", &take_apart, &seeds);

}  // namespace
}  // namespace makespan::fuzz::message_aggregate_target
