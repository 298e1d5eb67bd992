// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/model/graph.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>

#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"

namespace makespan::graph {

namespace {

void expect_length(std::string_view column, std::size_t length, std::size_t expected) {
  if (length == expected) return;
  throw InputError(
      "column '" + std::string(column) + "' of a graph",
      "it has " + std::to_string(length) + " values, and others " + std::to_string(expected),
      "give one for each");
}

// From 0 to amount_max. `each` values belong to one of `what`.
void expect_amounts(std::string_view what, std::string_view column,
                    std::vector<double> const& values, std::size_t each = 1) {
  auto const wrong = std::ranges::find_if(
      values, [](double value) { return !(value >= 0.0 && value <= amount_max); });
  if (wrong == values.end()) return;
  auto const number = static_cast<std::size_t>(wrong - values.begin()) / each;
  throw InputError(numbered(what, number), std::string(column) + " " + short_text(*wrong),
                   "give a number from 0, 1e30 at most");
}

void expect_ends(GraphColumns const& columns) {
  auto const objects = static_cast<std::int32_t>(columns.place.size());
  for (std::size_t edge = 0; edge < columns.from.size(); ++edge) {
    for (auto const end : {columns.from[edge], columns.to[edge]}) {
      if (end >= 0 && end < objects) continue;
      throw InputError(numbered("edge", edge), "there is no object " + std::to_string(end),
                       "objects are 0 to " + std::to_string(objects - 1));
    }
  }
}

void expect_memory(GraphColumns const& columns) {
  std::size_t const objects = columns.place.size();
  auto const expect_column = [&](std::string_view name, auto const& values) {
    if (!values.empty()) expect_length(name, values.size(), objects);
  };
  expect_column("footprint", columns.footprint);
  expect_column("working", columns.working);
  expect_column("block", columns.block);
  expect_amounts("object", "footprint", columns.footprint);
  expect_amounts("object", "working bytes", columns.working);
  expect_amounts("block", "bytes", columns.block_bytes);
  auto const blocks = static_cast<std::int32_t>(columns.block_bytes.size());
  auto const wrong = std::ranges::find_if(
      columns.block, [&](std::int32_t block) { return block < -1 || block >= blocks; });
  if (wrong == columns.block.end()) return;
  throw InputError(numbered("object", static_cast<std::size_t>(wrong - columns.block.begin())),
                   "there is no block " + std::to_string(*wrong),
                   "give bytes for each block; -1 is none");
}

void expect_good(GraphColumns const& columns) {
  std::size_t const objects = columns.place.size();
  if (columns.kinds < 1)
    throw InputError("a graph", "its work is known for no kind of place", "give a kind at least");
  if (!(columns.noise >= 0.0 && columns.noise <= amount_max)) {
    throw InputError("noise of a graph", short_text(columns.noise),
                     "give a number from 0 on, 0 for work that is known");
  }
  expect_length("work", columns.work.size(), objects * static_cast<std::size_t>(columns.kinds));
  if (!columns.bytes.empty()) expect_length("bytes", columns.bytes.size(), objects);
  if (!columns.is_fixed.empty()) expect_length("is_fixed", columns.is_fixed.size(), objects);
  expect_length("to", columns.to.size(), columns.from.size());
  expect_length("messages", columns.messages.size(), columns.from.size());
  expect_length("edge_bytes", columns.edge_bytes.size(), columns.from.size());
  expect_amounts("object", "work", columns.work, static_cast<std::size_t>(columns.kinds));
  expect_amounts("object", "bytes", columns.bytes);
  expect_amounts("edge", "messages", columns.messages);
  expect_amounts("edge", "bytes", columns.edge_bytes);
  expect_ends(columns);
  expect_memory(columns);
}

// Traffic sorted by one end of the edges, in their order, and where each object's begins.
struct Adjacency {
  std::vector<Traffic> traffic;
  std::vector<std::int64_t> begin;
};

Adjacency by_end(GraphColumns const& columns, std::vector<std::int32_t> const& ends,
                 std::vector<std::int32_t> const& others) {
  std::size_t const objects = columns.place.size();
  Adjacency sorted{.traffic = {}, .begin = std::vector<std::int64_t>(objects + 1)};
  for (std::size_t edge = 0; edge < ends.size(); ++edge) {
    // A counting sort: edges of an object stay in their order. One place further on, so that the
    // sums are where each object's begin.
    if (ends[edge] != others[edge]) ++sorted.begin[static_cast<std::size_t>(ends[edge]) + 1];
  }
  std::partial_sum(sorted.begin.begin(), sorted.begin.end(), sorted.begin.begin());
  sorted.traffic.resize(static_cast<std::size_t>(sorted.begin.back()));
  std::vector<std::int64_t> next(sorted.begin.begin(), sorted.begin.end() - 1);
  for (std::size_t edge = 0; edge < ends.size(); ++edge) {
    if (ends[edge] == others[edge]) continue;
    auto const at = static_cast<std::size_t>(next[static_cast<std::size_t>(ends[edge])]++);
    sorted.traffic[at] = {.other = others[edge],
                          .messages = static_cast<float>(columns.messages[edge]),
                          .bytes = columns.edge_bytes[edge]};
  }
  return sorted;
}

}  // namespace

Graph::Graph(GraphColumns columns) : kinds_{columns.kinds}, noise_{columns.noise} {
  expect_good(columns);
  auto sent = by_end(columns, columns.from, columns.to);
  auto received = by_end(columns, columns.to, columns.from);
  sent_ = std::move(sent.traffic);
  sent_begin_ = std::move(sent.begin);
  received_ = std::move(received.traffic);
  received_begin_ = std::move(received.begin);
  now_ = std::move(columns.place);
  work_ = std::move(columns.work);
  bytes_ = std::move(columns.bytes);
  footprint_ = std::move(columns.footprint);
  working_ = std::move(columns.working);
  block_ = std::move(columns.block);
  block_bytes_ = std::move(columns.block_bytes);
  is_fixed_ = std::move(columns.is_fixed);
  bytes_.resize(now_.size());
  is_fixed_.resize(now_.size());
}

}  // namespace makespan::graph
