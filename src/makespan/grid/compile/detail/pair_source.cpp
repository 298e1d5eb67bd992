// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/compile/detail/pair_source.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "makespan/base/joined.hpp"
#include "makespan/grid/compile/detail/column_queues.hpp"
#include "makespan/grid/compile/detail/operation_source.hpp"

namespace makespan::grid {

namespace {

// Of a plane and a half: with more of them in flight threads have too many registers.
constexpr int doubles_in_flight = 16;

// Where in a pair: a place along x is in pair place / 2, rounded down.
int pair_of(int place) {
  return place >= 0 ? place / 2 : (place - 1) / 2;
}

class PairSource {
 public:
  explicit PairSource(CheckedProgram const& program);

  [[nodiscard]] std::string text() const;

 private:
  // A row of a field beside the two points; places along x from the first of them on.
  struct Row {
    int field;
    int y;
    int z;
    auto operator<=>(Row const&) const = default;
  };

  [[nodiscard]] bool is_in_queue(Row const& row, int place) const;
  [[nodiscard]] std::string place_in(Row const& row, int place) const;
  [[nodiscard]] std::string value_at(Row const& row, int place) const;
  [[nodiscard]] std::string node_of(PointNode const& node, int lane) const;
  [[nodiscard]] std::string near() const;
  [[nodiscard]] std::string lane(int lane) const;
  [[nodiscard]] std::string step() const;
  [[nodiscard]] std::string pairs() const;
  // What a queue's array is called, for each of them.
  template <class Text>
  [[nodiscard]] std::string for_queues(Text&& text) const;

  CheckedProgram const& program_;
  std::vector<std::optional<ColumnQueue>> queues_;
  std::map<Row, std::set<int>> rows_;
  // What is loaded for a plane: a member's name by row and place, two places of a pair having one.
  std::map<std::pair<Row, int>, std::string> members_;
  std::string declared_;
  std::string loads_;
  int doubles_{0};
};

PairSource::PairSource(CheckedProgram const& program)
    : program_{program}, queues_{column_queues(program)} {
  for (PointNode const& node : program.nodes()) {
    if (node.op != PointOp::load) continue;
    std::set<int>& places = rows_[{node.field, node.offset.y, node.offset.z}];
    places.insert({node.offset.x, node.offset.x + 1});
  }
  for (auto const& [row, places] : rows_) {
    for (int const place : places) {
      if (is_in_queue(row, place) || members_.contains({row, place})) continue;
      int const first = 2 * pair_of(place);
      bool const is_pair = places.contains(first) && places.contains(first + 1);
      std::string const name = joined("v", members_.size());
      declared_ += joined(is_pair ? "  P " : "  D ", name, ";\n");
      loads_ += joined("  near.", name, " = ", is_pair ? "pair_at(" : "*(",
                       place_in(row, is_pair ? first : place), ");\n");
      std::string_view const half = place == first ? ".low" : ".high";
      members_[{row, place}] = joined(name, is_pair ? half : "");
      if (is_pair) members_[{row, first + 1}] = joined(name, ".high");
      doubles_ += is_pair ? 2 : 1;
    }
  }
  declared_ += for_queues([&](std::string const& name, int, ColumnQueue const&) {
    doubles_ += 2;
    return joined("  P ", name, ";\n");
  });
  loads_ += for_queues([&](std::string const& name, int field, ColumnQueue const& queue) {
    return joined("  near.", name, " = pair_at(", place_in({field, 0, queue.high}, 0), ");\n");
  });
}

template <class Text>
std::string PairSource::for_queues(Text&& text) const {
  std::string out;
  for (std::size_t field = 0; field < queues_.size(); ++field) {
    if (queues_[field]) out += text(joined("q", field), static_cast<int>(field), *queues_[field]);
  }
  return out;
}

bool PairSource::is_in_queue(Row const& row, int place) const {
  auto const& queue = queues_[static_cast<std::size_t>(row.field)];
  return queue && row.y == 0 && row.z >= queue->low && row.z <= queue->high &&
         (place == 0 || place == 1);
}

// A pointer, from that to the first of the two points.
std::string PairSource::place_in(Row const& row, int place) const {
  std::string out = joined("at.now[", row.field, "]");
  auto const move = [&](int by, std::string_view pitch) {
    if (by != 0) out += joined(" + (", by, ") * job.fields[", row.field, "].", pitch);
  };
  move(row.z, "plane_pitch");
  move(row.y, "row_pitch");
  return out += joined(" + (", place, ")");
}

std::string PairSource::value_at(Row const& row, int place) const {
  if (!is_in_queue(row, place)) return joined("near.", members_.at({row, place}));
  auto const& queue = queues_[static_cast<std::size_t>(row.field)];
  return joined("q", row.field, "[", row.z - queue->low, "]", place == 0 ? ".low" : ".high");
}

std::string PairSource::node_of(PointNode const& node, int lane) const {
  if (node.op == PointOp::load) {
    return value_at({node.field, node.offset.y, node.offset.z}, node.offset.x + lane);
  }
  return node_source(node, lane == 0 ? "x" : "(x + 1)");
}

// What both points read of one plane's neighbours, all loaded before any of it is used.
std::string PairSource::near() const {
  int const fields = program_.fields();
  return joined(
      "\nstruct Place {\n  const D* now[", fields, "];\n  D* next[", fields,
      "];\n};\nstruct Near {\n", declared_,
      "};\nDEVICE Near near_of(const Job& job, const Place& at) {\n  Near near;\n", loads_,
      "  return near;\n}\nDEVICE void go_up(const Job& job, Place& at) {\n"
      "  UNROLL for (int field = 0; field < ",
      fields, "; ++field) {\n    at.now[field] += job.fields[field].plane_pitch;\n  }\n}\n");
}

// All values at one of the two points.
std::string PairSource::lane(int lane) const {
  std::string out = "  {\n";
  for (std::size_t at = 0; at < program_.nodes().size(); ++at) {
    PointNode const& node = program_.nodes()[at];
    out += joined("    const ", is_truth(node.op) ? "bool" : "D", " n", at, " = ",
                  node_of(node, lane), ";\n");
  }
  for (int const field : program_.updated()) {
    out += joined("    new", field, lane == 0 ? ".low" : ".high", " = n",
                  program_.program().updates[static_cast<std::size_t>(field)], ";\n");
  }
  return out + "  }\n";
}

// The queues take the new plane, then each point is computed, then both are stored.
std::string PairSource::step() const {
  std::string out = "DEVICE void step(const Job& job, const Near& near, I x, I y, I z, Place& at";
  out += for_queues(
      [](std::string const& name, int, ColumnQueue const&) { return joined(", P* ", name); });
  out += ") {\n";
  out += for_queues([](std::string const& name, int, ColumnQueue const& queue) {
    std::string moves;
    for (int plane = 1; plane < queue.planes(); ++plane) {
      moves += joined("  ", name, "[", plane - 1, "] = ", name, "[", plane, "];\n");
    }
    return joined(moves, "  ", name, "[", queue.planes() - 1, "] = near.", name, ";\n");
  });
  for (int const field : program_.updated()) out += joined("  P new", field, ";\n");
  out += joined(lane(0), lane(1));
  for (int const field : program_.updated()) {
    out += joined("  *(P*)at.next[", field, "] = new", field, ";\n  at.next[", field,
                  "] += job.fields[", field, "].plane_pitch;\n");
  }
  return out + "}\n";
}

std::string PairSource::pairs() const {
  std::string names;
  std::string out = joined(
      "DEVICE void pairs(const Job& job, I x, I y, I begin, I end) {\n"
      "  if (begin >= end) return;\n"
      "  Place at;\n"
      "  UNROLL for (int field = 0; field < ",
      program_.fields(),
      "; ++field) {\n"
      "    const Field& of = job.fields[field];\n"
      "    const I first = begin * of.plane_pitch + y * of.row_pitch + x;\n"
      "    at.now[field] = of.now + first;\n"
      "    at.next[field] = of.next + first;\n"
      "  }\n");
  out += for_queues([&](std::string const& name, int field, ColumnQueue const& queue) {
    names += joined(", ", name);
    std::string loads = joined("  P ", name, "[", queue.planes(), "];\n");
    for (int plane = 1; plane < queue.planes(); ++plane) {
      loads += joined("  ", name, "[", plane, "] = pair_at(",
                      place_in({field, 0, queue.low + plane - 1}, 0), ");\n");
    }
    return loads;
  });
  out += joined("  enum { at_once = ", doubles_ > doubles_in_flight ? 1 : 2, R"source( };
  I z = begin;
  for (; z + at_once <= end; z += at_once) {
    Near near[at_once];
    UNROLL for (int i = 0; i < at_once; ++i) {
      near[i] = near_of(job, at);
      go_up(job, at);
    }
    UNROLL for (int i = 0; i < at_once; ++i) step(job, near[i], x, y, z + i, at)source",
                names);
  return out += joined(R"source();
  }
  for (; z < end; ++z) {
    const Near near = near_of(job, at);
    go_up(job, at);
    step(job, near, x, y, z, at)source",
                       names, ");\n  }\n}\n");
}

std::string PairSource::text() const {
  return joined(near(), step(), pairs());
}

}  // namespace

std::string pair_source(CheckedProgram const& program) {
  return PairSource(program).text();
}

}  // namespace makespan::grid
