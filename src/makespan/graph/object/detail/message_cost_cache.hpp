// SPDX-License-Identifier: Apache-2.0
#pragma once

// Message costs that were measured, kept for the next run on the same machine.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "makespan/graph/message_classes.hpp"

namespace makespan::graph {

// A text file for each key: a line that names the format, then one for each pair. Tested by
// tests/graph/object/message_cost_cache_test.cpp.
class MessageCostCache {
 public:
  MessageCostCache(std::filesystem::path const& folder, std::uint64_t key);

  // For so many pairs. Nothing if there is no such file, it is older than `kept_days`, or anything
  // in it is not as expected.
  [[nodiscard]] std::optional<std::vector<MessageCost>> read(std::size_t pairs) const;
  // Replaces the file in one step. A cache that cannot be written stays as it is.
  void write(std::vector<MessageCost> const& costs) const;

  [[nodiscard]] std::filesystem::path const& path() const { return path_; }

 private:
  std::filesystem::path path_;  // empty: no cache
};

}  // namespace makespan::graph
