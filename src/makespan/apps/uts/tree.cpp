// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/uts/tree.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/base/named_entry.hpp"
#include "makespan/base/number_text.hpp"

namespace makespan::uts {

namespace {

constexpr int children_max = 100;
// Depths whose logarithms are kept; what is deeper is computed.
constexpr int depths_kept = 256;

void put_big_endian(std::byte* to, std::uint32_t value) {
  for (unsigned at = 0; at < 4; ++at) {
    to[at] = static_cast<std::byte>((value >> (24U - 8U * at)) & 0xFFU);
  }
}

// The last four bytes without their sign, as a number from 0 to 1.
double uniform_of(Node const& node) {
  std::uint32_t word = 0;
  for (std::size_t at = 16; at < 20; ++at) {
    word = (word << 8U) | std::to_integer<std::uint32_t>(node.state[at]);
  }
  return static_cast<double>(word & 0x7FFF'FFFFU) / 2147483648.0;
}

[[noreturn]] void refuse(std::string const& what, double value, char const* right) {
  throw InputError("a tree of UTS: " + what + " " + short_text(value), right, "give one");
}

}  // namespace

std::vector<KnownTree> const& known_trees() {
  using enum TreeKind;
  using enum TreeShape;
  static std::vector<KnownTree> const trees{
      {"T1", {.branching = 4, .seed = 19, .shape = fixed, .depth = 10}, 4'130'071, 3'305'118, 10},
      {"T5", {.branching = 4, .seed = 34, .shape = linear, .depth = 20}, 4'147'582, 2'181'318, 20},
      {"T2", {.branching = 6, .seed = 502, .shape = cyclic, .depth = 16}, 4'117'769, 2'342'762, 81},
      {"T3",
       {.kind = binomial, .branching = 2000, .seed = 42, .probability = 0.124875, .children = 8},
       4'112'897,
       3'599'034,
       1572},
      {"T1L",
       {.branching = 4, .seed = 29, .shape = fixed, .depth = 13},
       102'181'082,
       81'746'377,
       13},
      {"T3L",
       {.kind = binomial, .branching = 2000, .seed = 7, .probability = 0.200014, .children = 5},
       111'345'631,
       89'076'904,
       17844},
  };
  return trees;
}

KnownTree const& known_tree(std::string_view name) {
  return entry_named("tree", std::span(known_trees()), name);
}

Tree::Tree(TreeSettings const& settings) : settings_{settings} {
  if (!(settings.branching >= 0.0 && settings.branching <= 1e6)) {
    refuse("branching", settings.branching, "it is from 0 to 1e6");
  }
  if (settings.kind == TreeKind::binomial) {
    if (!(settings.probability >= 0.0 && settings.probability <= 1.0)) {
      refuse("probability", settings.probability, "it is from 0 to 1");
    }
    if (settings.children < 0 || settings.children > children_max) {
      refuse("children", settings.children, "there are from 0 to 100");
    }
    double const mean = settings.probability * settings.children;
    if (mean > 1.0) refuse("children on average", mean, "above 1 the tree is infinite");
    return;
  }
  if (settings.depth < 1) refuse("depth", settings.depth, "it is 1 at least");
  if (settings.shape == TreeShape::exponential) {
    // The mean is 1 at the depth, which log(depth) divides by, and falls towards it.
    if (settings.depth < 2) refuse("depth", settings.depth, "it is 2 at least, exponential");
    if (settings.branching < 1.0) {
      refuse("branching", settings.branching, "it is from 1 to 1e6, exponential");
    }
  }
  for (int depth = 0; depth < depths_kept; ++depth) {
    // Of mean m, a geometric number goes on with probability 1 - 1 / (1 + m).
    log_not_.push_back(std::log(1.0 - 1.0 / (1.0 + mean_children(depth))));
  }
}

// Of a geometric tree.
double Tree::mean_children(int depth) const {
  double const branching = settings_.branching;
  if (depth == 0) return branching;
  auto const d = static_cast<double>(depth);
  auto const end = static_cast<double>(settings_.depth);
  switch (settings_.shape) {
    case TreeShape::linear:
      return branching * (1.0 - d / end);
    case TreeShape::exponential:
      return branching * std::pow(d, -std::log(branching) / std::log(end));
    case TreeShape::cyclic:
      if (depth > 5 * settings_.depth) return 0.0;
      return std::pow(branching, std::sin(2.0 * std::numbers::pi * d / end));
    case TreeShape::fixed:
      break;
  }
  return depth < settings_.depth ? branching : 0.0;
}

Node Tree::root() const {
  std::array<std::byte, 20> message{};
  put_big_endian(message.data() + 16, static_cast<std::uint32_t>(settings_.seed));
  return {.state = sha1_of(message)};
}

int Tree::children(Node const& node) const {
  if (settings_.kind == TreeKind::binomial) {
    if (node.depth == 0) return static_cast<int>(std::floor(settings_.branching));
    return uniform_of(node) < settings_.probability ? settings_.children : 0;
  }
  auto const depth = static_cast<std::size_t>(node.depth);
  double const log_not = depth < log_not_.size()
                             ? log_not_[depth]
                             : std::log(1.0 - 1.0 / (1.0 + mean_children(node.depth)));
  // The inverse of the geometric distribution; of mean 0 its logarithm is infinite, and none come.
  double const count = std::floor(std::log(1.0 - uniform_of(node)) / log_not);
  return static_cast<int>(std::clamp(count, 0.0, static_cast<double>(children_max)));
}

Node Tree::child(Node const& node, int number) {
  std::array<std::byte, 24> message;
  std::ranges::copy(node.state, message.begin());
  put_big_endian(message.data() + 20, static_cast<std::uint32_t>(number));
  return {.state = sha1_of(message), .depth = node.depth + 1};
}

}  // namespace makespan::uts
