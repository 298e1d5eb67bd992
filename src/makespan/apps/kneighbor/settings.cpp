// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/kneighbor/settings.hpp"

#include <cmath>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/graph/object/phase_steps.hpp"

namespace makespan::kneighbor {

namespace {

constexpr std::int64_t bytes_max = std::int64_t{1} << 30;
constexpr int objects_max = 1 << 24;

// Of object `index`, to be scaled.
double weight(Settings const& settings, int index) {
  if (settings.law == WorkLaw::uniform) return 1.0;
  if (settings.law == WorkLaw::ramp) return 1.0 + index;
  std::int64_t const edge = std::int64_t{index} * index / settings.objects;
  return static_cast<double>(edge * edge);
}

double weight_mean(Settings const& settings) {
  double sum = 0.0;
  for (int index = 0; index < settings.objects; ++index) sum += weight(settings, index);
  return sum / settings.objects;
}

void check_ring(Settings const& settings) {
  if (settings.objects < 2 || settings.objects > objects_max) {
    throw InputError("objects = " + std::to_string(settings.objects),
                     "a ring has 2 to " + std::to_string(objects_max), "the benchmark's has 400");
  }
  if (settings.neighbours < 1 || settings.neighbours >= settings.objects) {
    throw InputError("neighbours = " + std::to_string(settings.neighbours),
                     "an object has 1 or more, and is none of its own",
                     "give less than there are objects");
  }
}

}  // namespace

void check_settings(Settings const& settings) {
  check_ring(settings);
  if (settings.bytes < 0 || settings.bytes > bytes_max || settings.bytes % 8 != 0) {
    throw InputError("bytes = " + std::to_string(settings.bytes), "messages are made of words of 8",
                     "give a multiple of 8, 2^30 at most");
  }
  graph::check_steps(settings.steps, settings.steps_per_phase);
  if (settings.iterations < 1 || settings.iterations > 1'000'000) {
    throw InputError("iterations = " + std::to_string(settings.iterations), "a step has 1 to 10^6",
                     "the benchmark's has 100");
  }
  if (settings.work_turns < 0 || settings.work_turns > 1'000'000'000) {
    throw InputError("work_turns = " + std::to_string(settings.work_turns),
                     "a loop turns 0 to 10^9 times", "0 is for messages alone");
  }
}

// Two objects with the quadratic law have no weight at all: they get no turns.
WorkTurns::WorkTurns(Settings const& settings) : settings_(settings) {
  double const mean = weight_mean(settings);
  if (mean > 0.0) scale_ = static_cast<double>(settings.work_turns) / mean;
}

std::int64_t WorkTurns::of(int index) const {
  return std::llround(scale_ * weight(settings_, index));
}

int neighbour(Settings const& settings, int index, int number) {
  int const below = settings.neighbours / 2;
  // Offset 0 would be the object itself.
  int const offset = number < below ? number - below : number - below + 1;
  return (index + offset + settings.objects) % settings.objects;
}

std::int64_t messages_of(Settings const& settings) {
  std::int64_t const there =
      std::int64_t{settings.neighbours} * settings.objects * settings.rounds();
  return settings.echo == Echo::on ? 2 * there : there;
}

}  // namespace makespan::kneighbor
