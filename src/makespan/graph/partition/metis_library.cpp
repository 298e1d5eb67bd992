// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/partition/metis_library.hpp"

#include <metis.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include "makespan/base/contracts.hpp"
#include "makespan/base/sifted_output.hpp"

namespace makespan::graph {

static_assert(std::is_same_v<idx_t, std::int32_t>, "METIS of 32 bits, as Debian's");

namespace {

// METIS reads its arrays through pointers to what is not const.
idx_t* metis_pointer(std::vector<std::int32_t> const& column) {
  return const_cast<idx_t*>(column.data());
}

// Printed where a part comes out empty, as with fewer vertices than parts, or one that outweighs
// all others; what METIS answers then is as good as ever, and it has no option to keep silent.
constexpr std::string_view complaint =
    "\t***Cannot bisect a graph with 0 vertices!\n"
    "\t***You are trying to partition a graph into too many parts!\n";

}  // namespace

bool has_metis() {
  return true;
}

std::vector<std::int32_t> metis_parts(MetisTask const& task) {
  MAKESPAN_EXPECT(task.graph.vertices() > 0);
  std::array<idx_t, METIS_NOPTIONS> options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = task.seed;
  // In thousandths, 1 at least.
  options[METIS_OPTION_UFACTOR] =
      static_cast<idx_t>(std::max(1.0, std::round(task.imbalance * 1000)));
  std::vector<real_t> shares(task.shares.size());
  std::ranges::transform(task.shares, shares.begin(),
                         [](double share) { return static_cast<real_t>(share); });

  auto vertices = static_cast<idx_t>(task.graph.vertices());
  auto parts = static_cast<idx_t>(shares.size());
  idx_t constraints = 1;
  idx_t cut = 0;
  std::vector<std::int32_t> part(static_cast<std::size_t>(vertices));
  SiftedOutput const sifted(complaint);
  int const outcome = METIS_PartGraphKway(
      &vertices, &constraints, metis_pointer(task.graph.begin), metis_pointer(task.graph.other),
      metis_pointer(task.graph.vertex_weight), nullptr, metis_pointer(task.graph.edge_weight),
      &parts, shares.data(), nullptr, options.data(), &cut, part.data());
  if (outcome != METIS_OK) throw std::runtime_error("METIS: PartGraphKway failed");
  return part;
}

}  // namespace makespan::graph
