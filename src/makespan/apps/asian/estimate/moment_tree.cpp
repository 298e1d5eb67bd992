// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/estimate/moment_tree.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "makespan/apps/asian/kernel/moment_job.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::asian {

namespace {

void add_to(std::vector<double>& sum, std::vector<double> const& more) {
  MAKESPAN_EXPECT(sum.size() == more.size());
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
}

}  // namespace

void MomentTree::add(std::int64_t block, std::span<double const> moments) {
  add_node({0, block, {moments.begin(), moments.end()}});
}

void MomentTree::add_all(MomentTree&& other) {
  while (!other.nodes_.empty()) {
    add_node(std::move(other.nodes_.extract(other.nodes_.begin()).value()));
  }
}

void MomentTree::add_node(Node node) {
  Nodes::node_type place;  // of the neighbour, for what the two become
  for (;;) {
    auto const found = nodes_.find(Node{node.level, node.index ^ 1, {}});
    if (found == nodes_.end()) break;
    place = nodes_.extract(found);
    Node& other = place.value();
    Node& left = other.index < node.index ? other : node;
    Node& right = other.index < node.index ? node : other;
    add_to(left.moments, right.moments);
    node = {node.level + 1, node.index / 2, std::move(left.moments)};
  }
  if (place.empty()) {
    nodes_.insert(std::move(node));
  } else {
    place.value() = std::move(node);
    nodes_.insert(std::move(place));
  }
}

std::vector<double> MomentTree::total() const {
  MAKESPAN_EXPECT(!nodes_.empty());
  // Of n blocks that are all there, one node is left for each bit of n: levels differ, and fall.
  auto node = nodes_.begin();
  std::vector<double> sum = node->moments;
  while (++node != nodes_.end()) add_to(sum, node->moments);
  return sum;
}

void add_up_strands(std::span<double const> strands, std::span<double> moments) {
  MAKESPAN_EXPECT(strands.size() == moments.size() * strand_count);
  for (std::size_t m = 0; m < moments.size(); ++m) {
    std::array<double, strand_count> sum;
    std::copy_n(strands.begin() + static_cast<std::ptrdiff_t>(m * strand_count), strand_count,
                sum.begin());
    for (std::size_t width = strand_count / 2; width > 0; width /= 2) {
      for (std::size_t i = 0; i < width; ++i) sum[i] += sum[i + width];
    }
    moments[m] = sum[0];
  }
}

}  // namespace makespan::asian
