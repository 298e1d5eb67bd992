// SPDX-License-Identifier: Apache-2.0
// What a message to an object costs, and a phase that has nothing to do, with the places that the
// job has: alone, or under mpiexec.
//
//   message_bench [threads [rounds [phases]]]
//
// Prints a line of JSON for each round. `local`: to objects of the same place. `ring`:
// from place to place round all of them, one under way. `flood`: from each place to objects of the
// next, thousands under way. `phase`: that begins and is over. `measured`: `local` again, in phases
// that are measured, and after each of which all objects move; `late_over_early`: the same after as
// many phases as asked for, over that. `hub`: from one object to 80 000 others of its place;
// `hub_measured_over`: the same in phases in which it is noted who sends to whom, over that.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "makespan/graph/object/object_world.hpp"
#include "makespan/pgas/job/run_job.hpp"

namespace makespan::graph {
namespace {

struct Runner {
  std::int64_t taken{0};

  void take(ObjectPlace& /*here*/, std::int64_t what) { taken += what; }
  void pass(ObjectPlace& here, Collection<Runner> all, int self, int hops) {
    int const next = (self + 1) % all.count;
    if (hops > 0) here.send<&Runner::pass>(all, next, all, next, hops - 1);
  }

  void send_all(ObjectPlace& here, Collection<Runner> all) {
    for (int to = 1; to < all.count; ++to) here.send<&Runner::take>(all, to, std::int64_t{1});
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(taken);
  }
};

struct Figure {
  std::string name;
  double value;
};

class Bench {
 public:
  Bench(pgas::Runtime& runtime, int threads, std::int64_t phases)
      : runtime_(runtime), threads_(threads), phases_(phases) {}

  [[nodiscard]] std::vector<Figure> run() {
    int const places = threads_ * runtime_.images();
    constexpr int many = 200'000;
    std::vector<Figure> figures;
    figures.push_back({"local_ns", 1e9 * phase_s(sends(many, 0)) / many});
    figures.push_back({"ring_us", 1e6 * phase_s(ring(2'000)) / 2'000});
    figures.push_back(
        {"flood_ns", 1e9 * phase_s(sends(many / 4, places > 1 ? 1 : 0)) / (many / 4)});
    figures.push_back({"phase_us", 1e6 * phase_s([](ObjectPlace&, Collection<Runner>) {})});
    double const early_s = moved_s(many, 0);
    figures.push_back({"measured_ns", 1e9 * early_s / many});
    figures.push_back({"late_over_early", moved_s(many, phases_) / early_s});
    double const hub_s = this->hub_s(false);
    figures.push_back({"hub_ns", 1e9 * hub_s / hub_receivers});
    figures.push_back({"hub_measured_over", this->hub_s(true) / hub_s});
    return figures;
  }

 private:
  static constexpr int hub_receivers = 80'000;

  using Begin = std::function<void(ObjectPlace& here, Collection<Runner> all)>;

  // Each place to an object of the place so many further.
  [[nodiscard]] static Begin sends(int count, int further) {
    return [=](ObjectPlace& here, Collection<Runner> all) {
      int const to = (here.place() + further) % here.places();
      for (int message = 0; message < count; ++message) {
        here.send<&Runner::take>(all, to, std::int64_t{1});
      }
    };
  }
  [[nodiscard]] static Begin ring(int hops) {
    return [=](ObjectPlace& here, Collection<Runner> all) {
      if (here.place() == 0) here.send<&Runner::pass>(all, 0, all, 0, hops);
    };
  }

  // The median of some phases, each beginning so; an object for each place.
  [[nodiscard]] double phase_s(Begin const& begin) {
    return run_s({}, 7, [&](ObjectPlace& here, std::int64_t, auto all) { begin(here, all); });
  }

  // To objects of the same place, which have moved after each phase so far, and are measured.
  [[nodiscard]] double moved_s(int count, std::int64_t phases) {
    BalanceOptions balance{.trigger = {.when = BalanceWhen::periodic}, .balancer = "rotate"};
    return run_s(balance, phases + 7, [&](ObjectPlace& here, std::int64_t phase, auto all) {
      if (phase < phases) return;
      here.for_each(all, [&](int index, Runner const&) {
        for (int message = 0; message < count; ++message) {
          here.template send<&Runner::take>(all, index, std::int64_t{1});
        }
      });
    });
  }

  // All objects at place 0.
  [[nodiscard]] double hub_s(bool is_measured) {
    ObjectWorld world(runtime_,
                      {.threads = threads_, .balance = {.trigger = {.when = BalanceWhen::never}}});
    auto const all = world.add<Runner>("runners", hub_receivers + 1);
    std::vector<double> times;
    world.run_all({.create =
                       [&](ObjectPlace& here) {
                         for (int i = 0; here.place() == 0 && i < all.count; ++i) {
                           here.create(all, i, Runner{});
                         }
                       },
                   .begin =
                       [&](ObjectPlace& here, std::int64_t) {
                         if (here.place() == 0) here.send<&Runner::send_all>(all, 0, all);
                       },
                   .is_measured = [=](std::int64_t) { return is_measured; },
                   .after =
                       [&](PhaseReport const& report) {
                         times.push_back(report.time_s);
                         return Next::go_on;
                       },
                   .phases = 7});
    if (times.empty()) return 0.0;
    std::ranges::nth_element(times, times.begin() + 3);
    return times[3];
  }

  template <class BeginPhase>
  [[nodiscard]] double run_s(BalanceOptions const& balance, std::int64_t phases,
                             BeginPhase const& begin) {
    WorldOptions options{.threads = threads_, .balance = balance};
    if (balance.balancer == "makespan") options.balance.trigger.when = BalanceWhen::never;
    ObjectWorld world(runtime_, options);
    auto const all = world.add<Runner>("runners", world.places());
    std::vector<double> times;
    world.run_all({.create = [&](ObjectPlace& here) { here.create(all, here.place(), Runner{}); },
                   .begin = [&](ObjectPlace& here, std::int64_t phase) { begin(here, phase, all); },
                   .after =
                       [&](PhaseReport const& report) {
                         times.push_back(report.time_s);
                         return Next::go_on;
                       },
                   .phases = phases});
    if (times.empty()) return 0.0;
    auto const last = times.end() - 7;
    std::nth_element(last, last + 3, times.end());
    return *(last + 3);
  }

  pgas::Runtime& runtime_;
  int threads_;
  std::int64_t phases_;
};

int run(int threads, int rounds, std::int64_t phases) {
  pgas::Runtime runtime({.threads = threads});
  for (int round = 0; round < rounds; ++round) {
    std::vector<Figure> const figures = Bench(runtime, threads, phases).run();
    if (runtime.image() != ImageId{0}) continue;
    std::printf("{\"contestant\": \"images %d, threads %d\"", runtime.images(), threads);
    for (Figure const& figure : figures) {
      std::printf(", \"%s\": %.6g", figure.name.c_str(), figure.value);
    }
    std::printf("}\n");
    std::fflush(stdout);
  }
  runtime.finish_all();
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace makespan::graph

int main(int count, char** words) {
  auto const number = [&](int at, int otherwise) {
    return count > at ? std::atoi(words[at]) : otherwise;
  };
  return makespan::pgas::run_job(
      [&] { return makespan::graph::run(number(1, 1), number(2, 1), number(3, 0)); });
}
