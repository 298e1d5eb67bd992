// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/unknown_name.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "makespan/base/contracts.hpp"

namespace makespan {

namespace {

// Levenshtein's distance, one row of its table at a time.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t const changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

InputError unknown_name(std::string_view kind, std::string_view given,
                        std::span<std::string_view const> names) {
  MAKESPAN_EXPECT(!names.empty());
  auto const nearest = std::ranges::min_element(
      names, {}, [given](std::string_view name) { return edits_between(given, name); });
  std::string known = "known: ";
  for (std::string_view const name : names) {
    if (name != names.front()) known += ", ";
    known += name;
  }
  return {std::string(kind) + " '" + std::string(given) + "' is unknown", known,
          "did you mean '" + std::string(*nearest) + "'?"};
}

}  // namespace makespan
