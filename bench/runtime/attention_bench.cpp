// SPDX-License-Identifier: Apache-2.0
// How soon an endpoint answers whose owner computes and looks at it now and then: by who drives it
// meanwhile. Beside it, the same endpoint with an owner that waits.
//
//   mpiexec -n 2 attention_bench --rounds 9 --block-s 0.5 --compute-ms 10 --threads 2 --gap-us 200
//
// MAKESPAN_PROGRESS and MAKESPAN_PROGRESS_STEALING say who: a helper, or, with --threads 2, the
// other thread of the image, which waits. The passive image is tied to one core and the active one
// to another.

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "computation.hpp"
#include "contestant.hpp"
#include "ours.hpp"

namespace makespan::bench {
namespace {

enum class Owner { waits, computes };

struct Shape {
  double block_s;
  double compute_s;  // between two looks of an owner that computes
  long gap_us;       // between two requests
  int threads;
};

double quantile(std::vector<double>& values, double share) {
  if (values.empty()) return 0.0;
  auto const at =
      values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, at);
  return *at;
}

// Figures: "seconds" that an answer takes, the median, and "p99"; how many answers "per_second".
Figures ask(Ours& ours, Shape const& shape) {
  std::vector<double> seconds;
  double const begin_s = now_s();
  while (now_s() < begin_s + shape.block_s) {
    double const asked_s = now_s();
    keep(fetch_add(ours.here(), ours.counter(), 1));
    seconds.push_back(now_s() - asked_s);
    nap_us(shape.gap_us);
  }
  double const per_second = static_cast<double>(seconds.size()) / (now_s() - begin_s);
  double const p99 = quantile(seconds, 0.99);
  return {{"seconds", quantile(seconds, 0.5)}, {"p99", p99}, {"per_second", per_second}};
}

// The passive image's part; returns units of work per second, 0 of an owner that waits.
double answer(Ours& ours, Shape const& shape, Owner owner) {
  if (owner == Owner::waits) {
    ours.wait_for_end();
    return 0.0;
  }
  std::uint64_t const ends = ours.take_end();
  std::jthread other;
  if (shape.threads > 1) {
    other = std::jthread(
        [&] { ours.here(1).wait_until_word(ours.ends(), pgas::Comparison::at_least, ends); });
  }
  double units = 0.0;
  double const begin_s = now_s();
  while (ours.here().get(ours.ends()) < ends) {
    units += shape.compute_s * compute_for(shape.compute_s);
    ours.here().progress();
  }
  return units / (now_s() - begin_s);
}

Figures block(Ours& ours, Shape const& shape, Owner owner) {
  MpiSession const& session = ours.session();
  double units_per_second = 0.0;
  Figures figures;
  if (session.is_active()) {
    figures = ask(ours, shape);
    ours.tell_end();
  } else {
    units_per_second = answer(ours, shape, owner);
  }
  figures.push_back({"compute_per_second", session.exchanged(units_per_second)});
  return figures;
}

// The passive image computes, and no image asks it anything.
Figures undisturbed_block(MpiSession const& session, Shape const& shape) {
  double const units_per_second = session.is_active() ? 0.0 : compute_for(shape.block_s);
  return {{"compute_per_second", session.exchanged(units_per_second)}};
}

void measure(MpiSession const& session, Arguments const& arguments) {
  Shape const shape{.block_s = arguments.number("block-s"),
                    .compute_s = 1e-3 * arguments.number("compute-ms"),
                    .gap_us = arguments.integer("gap-us"),
                    .threads = arguments.integer("threads")};
  Ours ours(session, {.threads = shape.threads});
  std::vector<Contestant> const contestants{
      {"undisturbed", [&] { return undisturbed_block(session, shape); }},
      {"owner_waits", [&] { return block(ours, shape, Owner::waits); }},
      {"owner_computes", [&] { return block(ours, shape, Owner::computes); }}};
  run_interleaved(session, contestants, arguments.integer("rounds"));
  session.barrier();
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  using namespace makespan::bench;
  want_exact_naps();
  return run_bench(argc, argv, [](MpiSession const& session, Arguments const& arguments) {
    pin_to_core(session.is_active() ? 0 : 1);
    measure(session, arguments);
  });
}
