// SPDX-License-Identifier: Apache-2.0
// Puts, gets and atomics of any header on a heap.
#include <array>

#include "fuzz/contract_refusals.hpp"
#include "fuzz/fuzz_input.hpp"
#include "makespan/pgas/channel/heap_server.hpp"

namespace makespan::fuzz::heap_server_target {
namespace {

void serve(std::span<std::byte const> bytes) {
  FuzzInput input(bytes);
  alignas(64) std::array<std::byte, 256> heap{};
  pgas::HeapServer const server(heap);
  while (!input.is_at_end()) {
    auto const header = input.value<pgas::WireHeader>();
    auto const data = input.part();
    with_contracts_as_refusals([&] {
      switch (header.kind) {
        case pgas::WireKind::put:
          return server.put(header, data);
        case pgas::WireKind::put_signal:
          return server.put_signal(header, data);
        case pgas::WireKind::get: {
          Bytes read;
          for (std::byte const each : server.get(header)) read.push_back(each);
          return;
        }
        default:
          static_cast<void>(server.atomic(header));
      }
    });
  }
}

std::vector<Bytes> seeds() {
  Bytes const word(8, std::byte{7});
  pgas::WireHeader const put{.kind = pgas::WireKind::put, .offset = 8};
  pgas::WireHeader const signal{.kind = pgas::WireKind::put_signal,
                                .op = pgas::AtomicOp::add,
                                .width = 8,
                                .word_offset = 248,
                                .operand = 1};
  pgas::WireHeader const get{.kind = pgas::WireKind::get, .offset = 0, .operand = 256};
  pgas::WireHeader const swap{.kind = pgas::WireKind::atomic,
                              .op = pgas::AtomicOp::compare_swap,
                              .width = 4,
                              .offset = 252,
                              .operand = 5};
  return {FuzzOutput().value(put).part(word).value(get).part({}).bytes(),
          FuzzOutput().value(signal).part(word).value(swap).part({}).bytes()};
}

FuzzTarget const target("heap_server", &serve, &seeds);

}  // namespace
}  // namespace makespan::fuzz::heap_server_target
