// SPDX-License-Identifier: Apache-2.0
// The rows of a book that one solve prices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/apps/asian/contract/contract_reader.hpp"

namespace makespan::asian {

// Rows of the same law and tolerance, under the least of them. Tested by
// tests/apps/asian/run/law_groups_test.cpp.
class LawGroups {
 public:
  LawGroups() = default;
  // `rows`: those that the recursion prices, ascending.
  LawGroups(ContractReader const& book, std::span<std::int64_t const> rows);

  // The rows of the group whose least this is, ascending; none for other rows.
  [[nodiscard]] std::span<std::int64_t const> rows_of(std::int64_t first) const;

 private:
  struct Group {
    std::size_t begin;
    std::size_t end;
  };
  std::vector<std::int64_t> rows_;                      // group by group
  std::vector<std::pair<std::int64_t, Group>> groups_;  // by least row, ascending
};

}  // namespace makespan::asian
