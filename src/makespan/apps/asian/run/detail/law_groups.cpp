// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/detail/law_groups.hpp"

#include <algorithm>
#include <compare>

#include "makespan/apps/asian/recursion/reduced_option.hpp"
#include "makespan/apps/asian/run/detail/row_kind.hpp"

namespace makespan::asian {

namespace {

std::weak_ordering compare(Contract const& a, Contract const& b) {
  auto const order = recursion::compare_laws(a, b);
  if (order != 0) return order;
  double const tolerance_a = recursion_tolerance(a);
  double const tolerance_b = recursion_tolerance(b);
  if (tolerance_a == tolerance_b) return std::weak_ordering::equivalent;
  return tolerance_a < tolerance_b ? std::weak_ordering::less : std::weak_ordering::greater;
}

}  // namespace

LawGroups::LawGroups(ContractReader const& book, std::span<std::int64_t const> rows)
    : rows_(rows.begin(), rows.end()) {
  // Stable: rows come ascending, so that the least row of a group is its first, which names it.
  std::ranges::stable_sort(
      rows_, [&](std::int64_t a, std::int64_t b) { return compare(book.at(a), book.at(b)) < 0; });
  for (std::size_t begin = 0; begin < rows_.size();) {
    Contract const first = book.at(rows_[begin]);
    std::size_t end = begin + 1;
    while (end < rows_.size() && compare(first, book.at(rows_[end])) == 0) ++end;
    groups_.emplace_back(rows_[begin], Group{begin, end});
    begin = end;
  }
  std::ranges::sort(groups_, {}, &std::pair<std::int64_t, Group>::first);
}

std::span<std::int64_t const> LawGroups::rows_of(std::int64_t first) const {
  auto const found =
      std::ranges::lower_bound(groups_, first, {}, &std::pair<std::int64_t, Group>::first);
  if (found == groups_.end() || found->first != first) return {};
  auto const [begin, end] = found->second;
  return std::span{rows_}.subspan(begin, end - begin);
}

}  // namespace makespan::asian
