// SPDX-License-Identifier: Apache-2.0
// Parts of messages in any order, of any number.
#include "fuzz/contract_refusals.hpp"
#include "fuzz/fuzz_input.hpp"
#include "makespan/pgas/message/fragment.hpp"

namespace makespan::fuzz::fragment_target {
namespace {

void put_together(std::span<std::byte const> bytes) {
  FuzzInput input(bytes);
  pgas::ReassemblyBuffer buffer;
  while (!input.is_at_end()) {
    pgas::Fragment const part{.image = input.small(3),
                              .thread = input.small(1),
                              .number = input.value<std::uint64_t>() % 4,
                              .part = input.value<std::uint32_t>(),
                              .parts = input.value<std::uint32_t>()};
    auto const data = input.part();
    with_contracts_as_refusals([&] { static_cast<void>(buffer.add(part, data)); });
    if (input.small(15) == 1) buffer.drop(part.image);
  }
}

std::vector<Bytes> seeds() {
  FuzzOutput output;
  for (std::uint32_t part = 0; part < 3; ++part) {
    output.small(1).small(0).value(std::uint64_t{0}).value(part).value(std::uint32_t{3});
    output.part(bytes_of("part")).small(0);
  }
  return {output.bytes()};
}

FuzzTarget const target("fragment", &put_together, &seeds);

}  // namespace
}  // namespace makespan::fuzz::fragment_target
