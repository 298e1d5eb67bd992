// SPDX-License-Identifier: Apache-2.0
// A book and its settings from image 0; its checks are those of every book of the bindings.
#include <array>

#include "apps/asian/mixed_book.hpp"
#include "fuzz/fuzz_target.hpp"
#include "makespan/apps/asian/run/detail/book_wire.hpp"

namespace makespan::fuzz::book_wire_target {
namespace {

void receive(std::span<std::byte const> bytes) {
  asian::ReceivedBook const received(bytes);
  for (std::int64_t row = 0; row < received.book().rows(); ++row) {
    static_cast<void>(asian::ContractReader{received.book()}.at(row));
  }
}

// Where the times of its rows begin and end.
constexpr std::array<std::int64_t, 1> no_times{0};

std::vector<Bytes> seeds() {
  asian::BookColumns const book = asian::mixed_book();
  asian::ContractBook no_rows;
  no_rows.times_offset = no_times;
  return {asian::bytes_of(book.book(), asian::settings_of(asian::Method::mc, true)),
          asian::bytes_of(no_rows, asian::settings_of(asian::Method::rqmc, false))};
}

FuzzTarget const target("book_wire", &receive, &seeds);

}  // namespace
}  // namespace makespan::fuzz::book_wire_target
