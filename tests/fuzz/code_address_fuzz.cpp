// SPDX-License-Identifier: Apache-2.0
// Any number as the address of a function: refused, or in a module, and the same number again. It
// is not called.
#include "fuzz/fuzz_input.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/pgas/message/code_address.hpp"
#include "makespan/pgas/message/registered_code.hpp"

namespace makespan::fuzz::code_address_target {
namespace {

pgas::CodeMap& code() {
  static pgas::CodeMap map;
  return map;
}

void some_function() {
}

bool const is_registered = pgas::register_code(&some_function);

// The distance from one that there is, or the number itself: no fuzzer guesses the hash of a build.
void decode(std::span<std::byte const> bytes) {
  FuzzInput input(bytes);
  while (!input.is_at_end()) {
    bool const is_near = input.flag();
    std::uint64_t const number =
        input.value<std::uint64_t>() + (is_near ? code().encode(&some_function) : 0);
    MAKESPAN_ENSURE(code().encode(code().decode(number)) == number);
  }
}

std::vector<Bytes> seeds() {
  return {FuzzOutput().small(1).value(std::uint64_t{0}).bytes()};
}

FuzzTarget const target("code_address", &decode, &seeds);

}  // namespace
}  // namespace makespan::fuzz::code_address_target
