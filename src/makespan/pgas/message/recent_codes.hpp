// SPDX-License-Identifier: Apache-2.0
#pragma once

// What one thread asked a CodeMap for last, so that a call that is sent or run again and again
// costs no lock and no search.

#include <array>
#include <cstddef>
#include <cstdint>

#include "makespan/pgas/message/code_address.hpp"

namespace makespan::pgas {

// For one thread. Answers as the map does, which forgets nothing either.
class RecentCodes {
 public:
  explicit RecentCodes(CodeMap& map) : map_{map} {}

  // Throws what CodeMap::encode does.
  [[nodiscard]] std::uint64_t encode(CodePointer code) {
    Pair& pair = sent_[place_of(reinterpret_cast<std::uintptr_t>(code))];
    if (pair.code != code) pair = {.code = code, .encoded = map_.encode(code)};
    return pair.encoded;
  }

  // Throws what CodeMap::decode does, of an invoker.
  [[nodiscard]] CodePointer decode(std::uint64_t encoded) {
    Pair& pair = run_[place_of(encoded)];
    // The null, too: an empty pair has the number 0, which a message of another build may have.
    if (pair.code == nullptr || pair.encoded != encoded) {
      pair = {.code = map_.decode(encoded), .encoded = encoded};
    }
    return pair.code;
  }

 private:
  struct Pair {
    CodePointer code{};
    std::uint64_t encoded{};
  };

  // Functions begin at multiples of 16.
  [[nodiscard]] static std::size_t place_of(std::uint64_t number) { return number / 16 % places; }
  static constexpr std::size_t places = 16;

  CodeMap& map_;
  std::array<Pair, places> sent_{};
  std::array<Pair, places> run_{};  // apart: what is run was looked up as something that may be run
};

}  // namespace makespan::pgas
