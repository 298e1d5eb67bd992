// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/partition/clusters.hpp"

#include <numeric>
#include <utility>

#include "makespan/graph/partition/mean_costs.hpp"

namespace makespan::graph {

namespace {

constexpr int label_passes = 3;

// Sums by label that are cheap to empty.
class LabelSums {
 public:
  explicit LabelSums(std::size_t labels) : sums_(labels), is_used_(labels) {}

  void add(std::int32_t label, double value) {
    auto const at = static_cast<std::size_t>(label);
    if (is_used_[at] == 0) {
      is_used_[at] = 1;
      used_.push_back(label);
    }
    sums_[at] += value;
  }
  [[nodiscard]] std::vector<std::int32_t> const& used() const { return used_; }
  [[nodiscard]] double of(std::int32_t label) const {
    return sums_[static_cast<std::size_t>(label)];
  }
  void clear() {
    for (std::int32_t const label : used_) {
      sums_[static_cast<std::size_t>(label)] = 0.0;
      is_used_[static_cast<std::size_t>(label)] = 0;
    }
    used_.clear();
  }

 private:
  std::vector<double> sums_;
  std::vector<std::uint8_t> is_used_;
  std::vector<std::int32_t> used_;
};

class Propagation {
 public:
  Propagation(Graph const& graph, Places const& places, double work_max_s)
      : graph_{graph},
        costs_{mean_costs(places)},
        work_max_s_{work_max_s},
        times_s_{mean_times_s(graph, places)},
        label_(static_cast<std::size_t>(graph.objects())),
        work_s_{times_s_},
        sums_(label_.size()) {
    std::iota(label_.begin(), label_.end(), 0);
  }

  std::vector<std::int32_t> run() {
    for (int pass = 0; pass < label_passes; ++pass) {
      for (int object = 0; object < graph_.objects(); ++object) {
        if (graph_.may_move(object)) visit(object);
      }
    }
    return std::move(label_);
  }

 private:
  void visit(int object) {
    for (Traffic const& in : graph_.received(object)) add(in);
    for (Traffic const& out : graph_.sent(object)) add(out);
    auto const at = static_cast<std::size_t>(object);
    std::int32_t const own = label_[at];
    std::int32_t best = own;
    double most = sums_.of(own);
    for (std::int32_t const label : sums_.used()) {
      bool const fits = work_s_[static_cast<std::size_t>(label)] + times_s_[at] <= work_max_s_;
      if (label == own || !fits || sums_.of(label) <= most) continue;
      most = sums_.of(label);
      best = label;
    }
    sums_.clear();
    if (best == own) return;
    work_s_[static_cast<std::size_t>(own)] -= times_s_[at];
    work_s_[static_cast<std::size_t>(best)] += times_s_[at];
    label_[at] = best;
  }

  void add(Traffic const& traffic) {
    sums_.add(label_[static_cast<std::size_t>(traffic.other)], costs_.of(traffic));
  }

  Graph const& graph_;
  MeanCosts costs_;
  double work_max_s_;
  std::vector<double> times_s_;  // by object
  std::vector<std::int32_t> label_;
  std::vector<double> work_s_;  // by label
  LabelSums sums_;
};

// Numbers from 0 instead of labels, in the order of the objects; returns how many.
std::int32_t renumber(std::vector<std::int32_t>& label) {
  std::vector<std::int32_t> number(label.size(), -1);
  std::int32_t next = 0;
  for (std::int32_t& one : label) {
    std::int32_t& known = number[static_cast<std::size_t>(one)];
    if (known < 0) known = next++;
    one = known;
  }
  return next;
}

// Objects in the order of their clusters, and where each cluster's begin.
struct Grouped {
  std::vector<std::int32_t> objects;
  std::vector<std::size_t> begin;
};

Grouped grouped(std::vector<std::int32_t> const& number, std::int32_t clusters) {
  Grouped all{.objects = std::vector<std::int32_t>(number.size()),
              .begin = std::vector<std::size_t>(static_cast<std::size_t>(clusters) + 1)};
  for (std::int32_t const one : number) ++all.begin[static_cast<std::size_t>(one) + 1];
  std::partial_sum(all.begin.begin(), all.begin.end(), all.begin.begin());
  std::vector<std::size_t> next(all.begin.begin(), all.begin.end() - 1);
  for (std::size_t object = 0; object < number.size(); ++object) {
    all.objects[next[static_cast<std::size_t>(number[object])]++] =
        static_cast<std::int32_t>(object);
  }
  return all;
}

// Sums of objects; a cluster is where its first object is, or the one that may not move.
void add_objects(Graph const& graph, std::vector<std::int32_t> const& number,
                 GraphColumns& columns) {
  auto const kinds = static_cast<std::size_t>(graph.kinds());
  // Backwards, so that the first object of a cluster says last where the cluster is.
  for (int object = graph.objects() - 1; object >= 0; --object) {
    auto const cluster = static_cast<std::size_t>(number[static_cast<std::size_t>(object)]);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      columns.work[cluster * kinds + kind] += graph.work(object, static_cast<int>(kind)).value();
    }
    columns.bytes[cluster] += graph.bytes(object);
    if (columns.is_fixed[cluster] != 0) continue;
    columns.place[cluster] = graph.now()[static_cast<std::size_t>(object)];
    columns.is_fixed[cluster] = graph.may_move(object) ? 0 : 1;
  }
}

void add_edges(Graph const& graph, std::vector<std::int32_t> const& number, std::int32_t clusters,
               GraphColumns& columns) {
  Grouped const all = grouped(number, clusters);
  LabelSums messages(static_cast<std::size_t>(clusters));
  LabelSums bytes(static_cast<std::size_t>(clusters));
  for (std::int32_t cluster = 0; cluster < clusters; ++cluster) {
    auto const at = static_cast<std::size_t>(cluster);
    for (std::size_t i = all.begin[at]; i < all.begin[at + 1]; ++i) {
      for (Traffic const& out : graph.sent(all.objects[i])) {
        std::int32_t const other = number[static_cast<std::size_t>(out.other)];
        if (other == cluster) continue;
        messages.add(other, static_cast<double>(out.messages));
        bytes.add(other, out.bytes);
      }
    }
    // One edge for all that two clusters say to each other: that is what makes the graph smaller.
    for (std::int32_t const other : messages.used()) {
      columns.from.push_back(cluster);
      columns.to.push_back(other);
      columns.messages.push_back(messages.of(other));
      columns.edge_bytes.push_back(bytes.of(other));
    }
    messages.clear();
    bytes.clear();
  }
}

}  // namespace

Mapping Clusters::spread(Mapping const& of_clusters) const {
  Mapping mapping;
  mapping.reserve(number.size());
  for (std::int32_t const cluster : number) {
    mapping.push_back(of_clusters[static_cast<std::size_t>(cluster)]);
  }
  return mapping;
}

Clusters clusters_of(Graph const& graph, Places const& places, double work_max_s) {
  std::vector<std::int32_t> number = Propagation(graph, places, work_max_s).run();
  std::int32_t const clusters = renumber(number);
  auto const size = static_cast<std::size_t>(clusters);
  GraphColumns columns;
  columns.kinds = graph.kinds();
  columns.work.resize(size * static_cast<std::size_t>(graph.kinds()));
  columns.bytes.resize(size);
  columns.place.resize(size);
  columns.is_fixed.resize(size);
  add_objects(graph, number, columns);
  add_edges(graph, number, clusters, columns);
  return {.graph = Graph(std::move(columns)), .number = std::move(number)};
}

}  // namespace makespan::graph
