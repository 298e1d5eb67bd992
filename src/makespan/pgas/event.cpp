// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/event.hpp"

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

void post(Endpoint& here, GlobalPtr<EventWord> event) {
  here.update<AtomicOp::add>(event.reinterpret<std::uint64_t>(), std::uint64_t{1});
}

void wait(Endpoint& here, GlobalPtr<EventWord> event, std::uint64_t count) {
  MAKESPAN_EXPECT(count >= 1);
  auto const word = event.reinterpret<std::uint64_t>();
  static_cast<void>(here.wait_until_word(word, Comparison::at_least, count));
  // Modulo 2^64: a subtraction that keeps posts which come meanwhile.
  here.fetch<AtomicOp::add>(word, std::uint64_t{0} - count);
}

std::uint64_t query(Endpoint& here, GlobalPtr<EventWord> event) {
  MAKESPAN_EXPECT(event.image() == here.address().image);
  return here.fetch<AtomicOp::load>(event.reinterpret<std::uint64_t>(), std::uint64_t{0});
}

}  // namespace makespan::pgas
