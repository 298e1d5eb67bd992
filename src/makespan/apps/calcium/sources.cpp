// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/calcium/sources.hpp"

#include <algorithm>
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
  // The sum only grows where a source begins.
  for (Source const& begun : sources) {
    double sum = 0;
    for (Source const& other : sources) {
      bool const is_open =
          other.step_begin <= begun.step_begin && begun.step_begin < other.step_end;
      if (other.voxel == begun.voxel && is_open) sum += other.exchange;
    }
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace makespan::calcium
