// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/stencil4d/stencil_run.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "makespan/apps/stencil4d/detail/block.hpp"
#include "makespan/apps/stencil4d/detail/initial_values.hpp"
#include "makespan/base/fnv1a.hpp"
#include "makespan/graph/object/create_mapped.hpp"

namespace makespan::stencil4d {

namespace {

// What is found of blocks in the end, by block; 0 for those that are on other images. Places write
// to different elements.
struct Findings {
  explicit Findings(int blocks)
      : checksums(static_cast<std::size_t>(blocks)),
        sums_first(checksums.size()),
        sums_last(checksums.size()),
        deviations(checksums.size()),
        faces(checksums.size()) {}

  std::vector<std::uint64_t> checksums;
  std::vector<double> sums_first;
  std::vector<double> sums_last;
  std::vector<double> deviations;
  std::vector<std::int64_t> faces;
};

struct Sums {
  double first{0.0};
  double last{0.0};
  double deviation_max{0.0};
};

// Values that should be `factor` times what they were first.
Sums compare(std::span<double const> first, std::span<double const> last, int side, double factor) {
  Sums sums;
  for_each_row(last, side, [&](std::span<double const> row) {
    double const* const then = first.data() + (row.data() - last.data());
    for (std::size_t at = 0; at < row.size(); ++at) {
      sums.first += then[at];
      sums.last += row[at];
      sums.deviation_max = std::max(sums.deviation_max, std::abs(row[at] - factor * then[at]));
    }
  });
  return sums;
}

std::uint64_t checksum_of(std::span<double const> halo, int side) {
  std::vector<double> own;
  own.reserve(static_cast<std::size_t>(own_points(side)));
  for_each_row(halo, side,
               [&](std::span<double const> row) { own.insert(own.end(), row.begin(), row.end()); });
  return fnv1a(std::as_bytes(std::span(own)));
}

// One run: what the callbacks of all places of this image share.
class Run {
 public:
  Run(graph::ObjectHost& world, Settings const& settings)
      : settings_(settings),
        values_(settings),
        world_(world),
        blocks_(world_.add<Block>("blocks", settings.blocks())),
        found_(settings.blocks()) {}

  Outcome run_all() {
    graph::PhaseLog log;
    world_.run_all(
        log.watching({.create =
                          [this](graph::ObjectPlace& here) {
                            graph::create_mapped(here, blocks_, settings_.map,
                                                 [this](int index) { return block(index); });
                          },
                      .begin =
                          [this](graph::ObjectPlace& here, std::int64_t) {
                            here.for_each(blocks_, [&](int index, Block const&) {
                              here.send<&Block::start>(blocks_, index, settings_.steps_per_phase);
                            });
                          },
                      .end = [this](graph::ObjectPlace& here) { end(here); },
                      .phases = settings_.steps / settings_.steps_per_phase}));
    return outcome_all(log);
  }

 private:
  [[nodiscard]] Block block(int index) {
    BlockPlan const plan{.all = blocks_,
                         .index = index,
                         .grid = settings_.grid(),
                         .side = settings_.side,
                         .work = work_of(settings_, index),
                         .low_faces = settings_.low_faces};
    return Block(plan, values_.block(index));
  }

  void end(graph::ObjectPlace& here) {
    double const factor = std::pow(decay(settings_), static_cast<double>(settings_.steps));
    here.for_each(blocks_, [&](int index, Block const& block) {
      auto const at = static_cast<std::size_t>(index);
      Sums const sums = compare(values_.block(index), block.halo(), settings_.side, factor);
      found_.checksums[at] = checksum_of(block.halo(), settings_.side);
      found_.sums_first[at] = sums.first;
      found_.sums_last[at] = sums.last;
      found_.deviations[at] = sums.deviation_max;
      found_.faces[at] = block.faces();
    });
    free_scratch();
  }

  // Of each block one image has said something, the others 0: no sum is rounded.
  template <class T>
  std::vector<T> gathered_all(std::vector<T> const& mine) {
    std::vector<T> all = mine;
    world_.sum_all(std::span<T>(all));
    return all;
  }

  Outcome outcome_all(graph::PhaseLog const& log) {
    Outcome outcome{
        {.reports = log.reports(), .total_s = log.total_s(), .machine = world_.machine()}};
    outcome.checksums = gathered_all(found_.checksums);
    for (double const sum : gathered_all(found_.sums_first)) outcome.sum_first += sum;
    for (double const sum : gathered_all(found_.sums_last)) outcome.sum_last += sum;
    for (std::int64_t const faces : gathered_all(found_.faces)) outcome.faces += faces;
    outcome.face_bytes = static_cast<double>(outcome.faces) * sizeof(double) *
                         static_cast<double>(face_points(settings_.side));
    auto const deviations = gathered_all(found_.deviations);
    if (settings_.initial != Initial::random && settings_.low_faces == LowFaces::kept) {
      outcome.deviation_max = std::ranges::max(deviations);
    }
    return outcome;
  }

  Settings settings_;
  InitialValues values_;
  graph::ObjectHost& world_;
  graph::Collection<Block> blocks_;
  Findings found_;
};

}  // namespace

Outcome run_all(graph::ObjectHost& world, Settings const& settings) {
  check_settings(settings);
  return Run(world, settings).run_all();
}

}  // namespace makespan::stencil4d
