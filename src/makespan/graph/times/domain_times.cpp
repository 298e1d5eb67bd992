// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/times/domain_times.hpp"

#include <algorithm>
#include <limits>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

namespace {

constexpr double never_s = std::numeric_limits<double>::infinity();

}  // namespace

DomainTimes::DomainTimes(Places const& places)
    : places_(&places), row_of_place_(static_cast<std::size_t>(places.count())) {
  for (int domain = 0; domain < places.domains(); ++domain) {
    if (places.in(domain).empty()) {
      heap_of_domain_.push_back(-1);
      continue;
    }
    heap_of_domain_.push_back(static_cast<std::int32_t>(heaps_.size()));
    heaps_.emplace_back(places, places.in(domain));
    add_to_rows(domain);
  }
}

void DomainTimes::add_to_rows(int domain) {
  auto const at = static_cast<std::size_t>(domain);
  auto const domains = static_cast<std::size_t>(places_->domains());
  for (int const place : places_->in(domain)) {
    Place const& here = (*places_)[place];
    double const seconds_per_work = 1.0 / here.speed.value();
    // A row holds one speed of each domain: the first in which this domain has none yet, or this
    // one.
    auto row = std::ranges::find_if(rows_, [&](Row const& one) {
      return one.kind == here.kind &&
             (one.least_s[at] == never_s || one.seconds_per_work[at] == seconds_per_work);
    });
    if (row == rows_.end()) {
      row = rows_.insert(row, {.kind = here.kind,
                               .least_s = std::vector<double>(domains, never_s),
                               .seconds_per_work = std::vector<double>(domains)});
    }
    row->least_s[at] = 0.0;
    row->seconds_per_work[at] = seconds_per_work;
    row_of_place_[static_cast<std::size_t>(place)] = static_cast<std::int32_t>(row - rows_.begin());
  }
}

void DomainTimes::add(int place, double time_s) {
  auto const domain = static_cast<std::size_t>((*places_)[place].domain);
  PlaceHeap& heap = heaps_[static_cast<std::size_t>(heap_of_domain_[domain])];
  heap.add(place, time_s);
  auto const row = static_cast<std::size_t>(row_of_place_[static_cast<std::size_t>(place)]);
  rows_[row].least_s[domain] = heap.least_like_s(place);
}

void DomainTimes::ends(Graph const& graph, int object, std::span<double> ends_s) const {
  MAKESPAN_EXPECT(std::ssize(ends_s) == places_->domains());
  std::ranges::fill(ends_s, never_s);
  std::size_t const domains = ends_s.size();
  double* const ends = ends_s.data();
  for (Row const& row : rows_) {
    double const work = graph.work(object, row.kind).value();
    double const* const least = row.least_s.data();
    double const* const slowness = row.seconds_per_work.data();
    // Rows are contiguous and nothing branches, so that this loop is vector instructions.
    for (std::size_t domain = 0; domain < domains; ++domain) {
      double const end = least[domain] + work * slowness[domain];
      ends[domain] = end < ends[domain] ? end : ends[domain];
    }
  }
}

int DomainTimes::first_to_end(Graph const& graph, int object, int domain) const {
  std::int32_t const heap = heap_of_domain_[static_cast<std::size_t>(domain)];
  MAKESPAN_EXPECT(heap >= 0);
  return heaps_[static_cast<std::size_t>(heap)].first_to_end(graph, object);
}

}  // namespace makespan::graph
