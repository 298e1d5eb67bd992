// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/calcium/sources.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>

namespace makespan::calcium {

namespace {

auto row_of(Source const& source) {
  return std::pair{source.voxel.z, source.voxel.y};
}
auto place_of(Source const& source) {
  return std::tuple{source.voxel.z, source.voxel.y, source.voxel.x};
}

// The sum of numbers of which one changes at a time. It is always made of those that there are:
// what is added and taken away again leaves no rounding.
class ChangingSum {
 public:
  explicit ChangingSum(std::size_t numbers)
      : numbers_{std::bit_ceil(numbers)}, sums_(2 * numbers_) {}

  void set(std::size_t at, double value) {
    at += numbers_;
    sums_[at] = value;
    for (at /= 2; at > 0; at /= 2) sums_[at] = sums_[2 * at] + sums_[2 * at + 1];
  }
  [[nodiscard]] double value() const { return sums_[1]; }

 private:
  std::size_t numbers_;
  std::vector<double> sums_;  // a binary tree: the root is number 1
};

// Of sources of one voxel.
double exchange_max_of_voxel(std::span<Source const> sources) {
  // A step, whether a source begins there, and which one: where one ends and another begins, the
  // end comes first.
  std::vector<std::tuple<std::int64_t, bool, std::size_t>> changes;
  changes.reserve(2 * sources.size());
  for (std::size_t at = 0; at < sources.size(); ++at) {
    if (sources[at].step_begin >= sources[at].step_end) continue;
    changes.emplace_back(sources[at].step_begin, true, at);
    changes.emplace_back(sources[at].step_end, false, at);
  }
  std::ranges::sort(changes);
  ChangingSum sum(sources.size());
  double most = 0;
  for (auto const& [step, begins, at] : changes) {
    sum.set(at, begins ? sources[at].exchange : 0.0);
    most = std::max(most, sum.value());
  }
  return most;
}

}  // namespace

std::vector<Source> both_sides(Source const& channel) {
  Source other = channel;
  int const face = static_cast<int>(channel.face);
  std::int64_t const step = face % 2 == 0 ? -1 : 1;
  other.voxel.x += face / 2 == 0 ? step : 0;
  other.voxel.y += face / 2 == 1 ? step : 0;
  other.voxel.z += face / 2 == 2 ? step : 0;
  // The two faces of an axis differ in the lowest bit.
  other.face = static_cast<grid::Face>(face ^ 1);
  other.amount = -channel.amount;
  return {channel, other};
}

Sources::Sources(std::vector<Source> sources) : sources_{std::move(sources)} {
  std::ranges::stable_sort(sources_, {}, place_of);
}

std::span<Source const> Sources::in_row(std::int64_t y, std::int64_t z) const {
  auto const found = std::ranges::equal_range(sources_, std::pair{z, y}, {}, row_of);
  return {found.begin(), found.end()};
}

std::int64_t Sources::next_row(std::int64_t y, std::int64_t z) const {
  auto const found = std::ranges::lower_bound(sources_, std::pair{z, y}, {}, row_of);
  bool const is_in_plane = found != sources_.end() && found->voxel.z == z;
  return is_in_plane ? found->voxel.y : std::numeric_limits<std::int64_t>::max();
}

double exchange_max(std::span<Source const> sources) {
  double most = 0;
  std::vector<Source> sorted(sources.begin(), sources.end());
  std::ranges::stable_sort(sorted, {}, place_of);
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    auto const end = std::find_if(begin, sorted.end(),
                                  [&](Source const& each) { return each.voxel != begin->voxel; });
    most = std::max(most, exchange_max_of_voxel({begin, end}));
    begin = end;
  }
  return most;
}

}  // namespace makespan::calcium
