// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace makespan::bag {

// What is said of an exception that says nothing itself.
inline constexpr char const* no_exception = "threw what is no std::exception";

// What an item threw, with the item's index. In the process where it was thrown the exception
// itself is nested in it (std::rethrow_if_nested); from another image its text comes.
class ItemFailed : public std::runtime_error {
 public:
  ItemFailed(std::int64_t index, std::string const& what)
      : std::runtime_error("item " + std::to_string(index) + ": " + what), index_{index} {}

  [[nodiscard]] std::int64_t index() const { return index_; }

 private:
  std::int64_t index_;
};

}  // namespace makespan::bag
