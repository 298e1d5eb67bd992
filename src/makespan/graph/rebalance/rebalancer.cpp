// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/rebalance/rebalancer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"
#include "makespan/graph/balancer/balancer_registry.hpp"
#include "makespan/graph/balancer/within_memory.hpp"
#include "makespan/graph/model/migration.hpp"
#include "makespan/graph/model/phase_time.hpp"
#include "makespan/graph/protocol/load_noise.hpp"
#include "makespan/graph/protocol/place_speeds.hpp"

namespace makespan::graph {

namespace {

std::vector<double> first_speeds(std::vector<double> const& given, std::size_t places) {
  if (given.empty()) return std::vector<double>(places, 1.0);
  if (given.size() != places) {
    throw InputError(std::to_string(given.size()) + " speeds of places",
                     "the job has " + std::to_string(places) + " places",
                     "give one for each, or none");
  }
  for (std::size_t place = 0; place < places; ++place) {
    // Far within what Places takes: what is learned of speeds, and availability, come on top.
    if (given[place] >= 1e-15 && given[place] <= 1e15) continue;
    throw InputError("speed of place " + std::to_string(place) + " = " + short_text(given[place]),
                     "a speed is above 0, 1e-15 to 1e15", "1 is as fast as most, 0.5 half as fast");
  }
  return given;
}

// Where places decide together each knows loads of its own objects alone: kinds are one then.
std::vector<int> kinds_for(Balancer const& balancer, PlaceLayout const& layout) {
  bool const is_distributed = dynamic_cast<DistributedBalancer const*>(&balancer) != nullptr;
  if (is_distributed || layout.kind.empty()) return std::vector<int>(layout.domain.size());
  return layout.kind;
}

std::vector<std::int32_t> groups_of(BalancedObjects const& objects) {
  MAKESPAN_EXPECT(objects.group.empty() || objects.group.size() == objects.is_fixed.size());
  if (!objects.group.empty()) return objects.group;
  return std::vector<std::int32_t>(objects.is_fixed.size());
}

}  // namespace

double availability_of(double measured) {
  constexpr double least = 0.02;
  return std::clamp(measured, least, 1.0);
}

Rebalancer::Rebalancer(BalanceOptions const& options, BalancedObjects const& objects,
                       PlaceLayout layout)
    : is_fixed_(objects.is_fixed),
      layout_(std::move(layout)),
      is_lost_(layout_.domain.size()),
      balancer_(make_balancer(options.balancer, options.balancer_options)),
      load_model_(make_load_model(options.load_model, options.load_model_options)),
      speeds_(first_speeds(options.speeds, is_lost_.size())),
      kind_factors_(kinds_for(*balancer_, layout_), groups_of(objects)),
      image_memory_bytes_{options.image_memory_bytes},
      noise_(options.load_noise) {
  if (!(options.load_noise >= 0.0) || !std::isfinite(options.load_noise)) {
    throw InputError("load_noise = " + std::to_string(options.load_noise),
                     "it is the part by which measured loads err",
                     "give a number such as 0.02, or 0 where loads are known");
  }
  if (distributed() != nullptr && options.load_model != load_models().front().name) {
    throw InputError("load model " + options.load_model + " with balancer " + options.balancer,
                     "its places decide together, and each knows loads of the last phase only",
                     "leave the load model out, or take a balancer that decides at one place");
  }
  if (image_memory_bytes_ == std::numeric_limits<double>::infinity()) return;
  if (!(image_memory_bytes_ > 0.0)) {
    throw InputError("memory of an image for objects: " + std::to_string(image_memory_bytes_),
                     "there is room for none", "give a number of bytes above 0");
  }
  if (distributed() != nullptr) {
    throw InputError("a memory limit with balancer " + options.balancer,
                     "its places decide together, and none knows what an image holds",
                     "leave the limit out, or take a balancer that decides at one place");
  }
  MAKESPAN_EXPECT(layout_.memory.size() == layout_.domain.size());
}

Rebalancer::~Rebalancer() = default;

// Objects that have moved since tell how fast places are, others how well loads are known.
void Rebalancer::learn(ObjectTimes const& times, std::int64_t phase) {
  std::vector<double> now_s;
  // First speeds, from moves within a kind: what kinds differ in is told beside them.
  speeds_ = learned_speeds(speeds_, kind_factors_.within_kinds(times, now_s));
  if (kinds() > 1) kind_factors_.learn(speeds_, times);
  double const noise = load_noise(times, static_cast<int>(speeds_.size()), noise_);
  // Later on work may have changed, and not only what was measured of it.
  bool const is_next = phase == last_phase_ + 1;
  noise_ = is_next ? noise : std::min(noise, noise_);
  last_phase_ = phase;
}

void Rebalancer::learn(Look const& now, std::int64_t phase) {
  if (last_.place.empty()) return;
  learn({.before_s = last_.cpu_s,
         .now_s = now.cpu_s,
         .place_before = last_.place,
         .place_now = now.place},
        phase);
}

Proposal Rebalancer::propose(std::span<PlaceLoads const> places, std::int64_t phase) {
  Look look = read(places);
  // Before the graph is made: work is time by the speeds that are known by then.
  learn(look, phase);
  last_phase_ = phase;
  last_ = std::move(look);
  before_ = last_.place;
  sent_to_.assign(before_.size(), -1);

  std::vector<int> objects;
  for (std::size_t object = 0; object < before_.size(); ++object) {
    if (before_[object] >= 0) objects.push_back(static_cast<int>(object));
  }
  Proposal proposal;
  std::vector<int> const numbers = live_numbers();
  if (objects.empty() || numbers.size() < 2) return proposal;
  // Lost places are no places of this graph: numbers translate between the two.
  Graph const graph = graph_of(places, objects);
  Places const live = live_places(places);
  // Most balancers know of no limits of memory (docs/decisions/0114).
  Mapping const next = within_memory(graph, live, balancer_->map_again(graph, live, past_looks_));

  // By one model, whatever the balancer minimises: the trigger takes the ratio of the two.
  proposal.predicted_now_s = phase_times(graph, live, graph.now()).longest_s();
  proposal.predicted_new_s = phase_times(graph, live, next).longest_s();
  std::vector<std::uint32_t> moves(is_fixed_.size());
  for (PlaceLoads const& place : places) {
    for (ObjectLoad const& load : place.loads.objects) {
      moves[static_cast<std::size_t>(load.object)] = load.moves;
    }
  }
  Migration const migration = migration_of(graph, live, graph.now(), next);
  proposal.migrate_s = migration.longest_s();
  proposal.moved_bytes = migration.bytes;
  for (std::int32_t const at : migration.objects) {
    int const object = objects[static_cast<std::size_t>(at)];
    int const place = numbers[static_cast<std::size_t>(next[static_cast<std::size_t>(at)])];
    sent_to_[static_cast<std::size_t>(object)] = place;
    proposal.moves.push_back({.object = object,
                              // Each move has a number, by which later news of an object is told
                              // from older (docs/decisions/0061).
                              .moves = moves[static_cast<std::size_t>(object)] + 1,
                              .place = place});
  }
  return proposal;
}

std::vector<Target> Rebalancer::way_back(std::span<PlaceLoads const> places) const {
  std::vector<Target> moves;
  std::vector<double> room = room_of_images(places);
  for (std::size_t place = 0; place < places.size(); ++place) {
    for (ObjectLoad const& load : places[place].loads.objects) {
      auto const object = static_cast<std::size_t>(load.object);
      if (sent_to_.empty() || sent_to_[object] != static_cast<std::int32_t>(place)) continue;
      std::int32_t const home = before_[object];
      if (is_lost_[static_cast<std::size_t>(home)]) continue;
      if (!room.empty()) {
        auto const image_of = [&](std::size_t at) {
          return static_cast<std::size_t>(layout_.memory[at]);
        };
        std::size_t const there = image_of(static_cast<std::size_t>(home));
        bool const is_near = there == image_of(place);
        if (!is_near && room[there] < load.bytes) continue;
        room[there] -= load.bytes;
        // For those that are asked about after this one.
        room[image_of(place)] += load.bytes;
      }
      moves.push_back({.object = load.object, .moves = load.moves + 1, .place = home});
    }
  }
  return moves;
}

// By image, what its objects may take more of its memory; empty without a limit.
std::vector<double> Rebalancer::room_of_images(std::span<PlaceLoads const> places) const {
  if (!std::isfinite(image_memory_bytes_)) return {};
  std::size_t const images = static_cast<std::size_t>(std::ranges::max(layout_.memory)) + 1;
  std::vector<double> room(images, image_memory_bytes_);
  for (std::size_t place = 0; place < places.size(); ++place) {
    double& here = room[static_cast<std::size_t>(layout_.memory[place])];
    for (ObjectLoad const& load : places[place].loads.objects) here -= load.bytes;
  }
  return room;
}

Rebalancer::Look Rebalancer::read(std::span<PlaceLoads const> places) const {
  Look look{.cpu_s = std::vector<double>(is_fixed_.size(), -1.0),
            .place = std::vector<std::int32_t>(is_fixed_.size(), -1)};
  for (std::size_t place = 0; place < places.size(); ++place) {
    for (ObjectLoad const& load : places[place].loads.objects) {
      look.cpu_s[static_cast<std::size_t>(load.object)] = load.cpu_s;
      look.place[static_cast<std::size_t>(load.object)] = static_cast<std::int32_t>(place);
    }
  }
  return look;
}

std::vector<int> Rebalancer::live_numbers() const {
  std::vector<int> numbers;
  for (std::size_t place = 0; place < is_lost_.size(); ++place) {
    if (!is_lost_[place]) numbers.push_back(static_cast<int>(place));
  }
  return numbers;
}

Places Rebalancer::live_places(std::span<PlaceLoads const> places) const {
  Places live = live_places_without_memories(places);
  if (!std::isfinite(image_memory_bytes_)) return live;
  PlaceMemories memories;
  for (int const number : live_numbers()) {
    memories.of.push_back(layout_.memory[static_cast<std::size_t>(number)]);
  }
  // Lost images keep their numbers, so there may be limits that no place has.
  int const most = std::ranges::max(memories.of);
  memories.limit_bytes.assign(static_cast<std::size_t>(most) + 1, image_memory_bytes_);
  return live.with_memories(std::move(memories));
}

Places Rebalancer::live_places_without_memories(std::span<PlaceLoads const> places) const {
  std::vector<Place> live;
  for (int const number : live_numbers()) {
    auto const at = static_cast<std::size_t>(number);
    // What others take of a core counts for the next phase, and is not learned as the place's
    // speed.
    live.push_back({.kind = kind_of(at),
                    .speed = Speed{speeds_[at] * availability_of(places[at].availability)},
                    .domain = layout_.domain[at]});
  }
  return Places(std::move(live), layout_.domains, layout_.costs);
}

std::vector<double> Rebalancer::work_next() {
  MeasuredWork phase = last_.cpu_s;
  for (std::size_t object = 0; object < phase.size(); ++object) {
    if (last_.place[object] < 0) continue;
    // Seconds of different places do not add up over looks; work on one kind of place does.
    phase[object] *= speeds_[static_cast<std::size_t>(last_.place[object])];
  }
  history_.push_back(std::move(phase));
  history_place_.push_back(last_.place);
  if (std::ssize(history_) > load_model_->phases()) {
    history_.erase(history_.begin());
    history_place_.erase(history_place_.begin());
  }
  int const objects = static_cast<int>(is_fixed_.size());
  if (kinds() == 1) return next_work(history_, objects, *load_model_);
  // On kind 0, by what is known of kinds by now.
  std::vector<MeasuredWork> on_first = history_;
  for (std::size_t look = 0; look < on_first.size(); ++look) {
    for (int object = 0; object < objects; ++object) {
      std::int32_t const place = history_place_[look][static_cast<std::size_t>(object)];
      if (place < 0) continue;
      on_first[look][static_cast<std::size_t>(object)] /=
          kind_factors_.factor(object, kind_of(static_cast<std::size_t>(place)));
    }
  }
  return next_work(on_first, objects, *load_model_);
}

Graph Rebalancer::graph_of(std::span<PlaceLoads const> places, std::vector<int> const& objects) {
  std::vector<int> const numbers = live_numbers();
  std::vector<std::int32_t> place_at(is_lost_.size(), -1);
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    place_at[static_cast<std::size_t>(numbers[at])] = static_cast<std::int32_t>(at);
  }
  std::vector<std::int32_t> vertex(is_fixed_.size(), -1);
  std::vector<double> const work = work_next();
  GraphColumns columns{.kinds = kinds(), .noise = noise_};
  for (int const object : objects) {
    auto const at = static_cast<std::size_t>(object);
    vertex[at] = static_cast<std::int32_t>(columns.place.size());
    for (int kind = 0; kind < kinds(); ++kind) {
      columns.work.push_back(work[at] * kind_factors_.factor(object, kind));
    }
    columns.place.push_back(place_at[static_cast<std::size_t>(before_[at])]);
    columns.is_fixed.push_back(is_fixed_[at] ? 1 : 0);
  }
  columns.bytes.resize(columns.place.size());
  for (PlaceLoads const& place : places) {
    for (ObjectLoad const& load : place.loads.objects) {
      columns.bytes[static_cast<std::size_t>(vertex[static_cast<std::size_t>(load.object)])] =
          load.bytes;
    }
    for (ObjectTraffic const& edge : place.loads.traffic) {
      std::int32_t const to = vertex[static_cast<std::size_t>(edge.to)];
      // To an object that no place has named, and which cannot be placed.
      if (to < 0) continue;
      columns.from.push_back(vertex[static_cast<std::size_t>(edge.from)]);
      columns.to.push_back(to);
      columns.messages.push_back(edge.messages);
      columns.edge_bytes.push_back(edge.bytes);
    }
  }
  return Graph(std::move(columns));
}

}  // namespace makespan::graph
