// SPDX-License-Identifier: Apache-2.0
// A book and its settings from image 0; its checks are those of every book of the bindings.
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

std::vector<Bytes> seeds() {
  asian::BookColumns const book = asian::mixed_book();
  return {asian::bytes_of(book.book(), asian::settings_of(asian::Method::mc, true)),
          asian::bytes_of({}, asian::settings_of(asian::Method::rqmc, false))};
}

FuzzTarget const target("book_wire", &receive, &seeds);

}  // namespace
}  // namespace makespan::fuzz::book_wire_target
