// SPDX-License-Identifier: Apache-2.0
#pragma once

// An object that remembers its calls, and a place for methods that do not look at it.

#include <array>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "makespan/graph/object/object_place.hpp"

namespace makespan::graph {

// There is nothing at this address: to be passed on, never used.
[[nodiscard]] inline ObjectPlace& nowhere() {
  alignas(ObjectPlace) static std::array<std::byte, sizeof(ObjectPlace)> memory{};
  return reinterpret_cast<ObjectPlace&>(memory);
}

// An argument that its reader does not always take.
struct Picky {
  std::vector<std::int32_t> values{};  // of one number: a class that is plain bytes has no reader

  template <class Archive>
  void save(Archive& archive) const {
    archive(values);
  }
  template <class Archive>
  void load(Archive& archive) {
    archive(values);
    if (values.front() < 0) throw std::runtime_error("a negative value");
  }
};

struct Recorder {
  std::vector<std::string> calls{};

  void plain(ObjectPlace& /*here*/, std::int32_t number, double fraction) {
    calls.push_back("plain " + std::to_string(number) + " " + std::to_string(fraction));
  }
  void text(ObjectPlace& /*here*/, std::string const& what, std::vector<int> const& numbers) {
    calls.push_back("text " + what + " " + std::to_string(numbers.size()));
  }
  // By value: what a method does to its argument stays its own.
  void spoil(ObjectPlace& /*here*/, std::vector<int> numbers) {
    numbers.push_back(1);
    calls.push_back("spoil " + std::to_string(numbers.size()));
  }
  void picky(ObjectPlace& /*here*/, Picky const& number) {
    calls.push_back("picky " + std::to_string(number.values.front()));
  }
  void nothing(ObjectPlace& /*here*/) { calls.emplace_back("nothing"); }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(calls);
  }
};

}  // namespace makespan::graph
