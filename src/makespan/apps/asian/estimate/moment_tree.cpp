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
  for (Node& node : other.nodes_) add_node(std::move(node));
  other.nodes_.clear();
}

void MomentTree::add_node(Node node) {
  for (;;) {
    std::int64_t const neighbour = node.index ^ 1;
    auto const found = std::ranges::find_if(nodes_, [&](Node const& other) {
      return other.level == node.level && other.index == neighbour;
    });
    if (found == nodes_.end()) break;
    Node& left = neighbour < node.index ? *found : node;
    Node& right = neighbour < node.index ? node : *found;
    add_to(left.moments, right.moments);
    Node joined{node.level + 1, node.index / 2, std::move(left.moments)};
    // Their order in nodes_ says nothing: total() sorts.
    *found = std::move(nodes_.back());
    nodes_.pop_back();
    node = std::move(joined);
  }
  nodes_.push_back(std::move(node));
}

std::vector<double> MomentTree::total() const {
  MAKESPAN_EXPECT(!nodes_.empty());
  std::vector<Node const*> ordered;
  ordered.reserve(nodes_.size());
  for (Node const& node : nodes_) ordered.push_back(&node);
  // Of n blocks that are all there, one node is left for each bit of n: levels differ.
  std::ranges::sort(ordered, [](Node const* a, Node const* b) { return a->level > b->level; });
  std::vector<double> sum = ordered.front()->moments;
  for (std::size_t i = 1; i < ordered.size(); ++i) add_to(sum, ordered[i]->moments);
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
