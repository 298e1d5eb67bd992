// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/objects/melt_run.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "makespan/apps/melt/atoms_digest.hpp"
#include "makespan/apps/melt/filled_cells.hpp"
#include "makespan/apps/melt/lattice.hpp"
#include "makespan/apps/melt/objects/detail/cell_object.hpp"
#include "makespan/apps/melt/objects/detail/compute_object.hpp"
#include "makespan/apps/melt/objects/detail/melt_place.hpp"
#include "makespan/base/error.hpp"
#include "makespan/graph/object/create_mapped.hpp"
#include "makespan/graph/object/initial_map.hpp"
#include "makespan/graph/object/object_world.hpp"

namespace makespan::melt {

namespace {

using graph::Next;
using graph::ObjectPlace;

void expect_finite(Thermo const& line) {
  if (std::isfinite(line.shifted_energy) && std::isfinite(line.pressure)) return;
  throw InputError("energies are no numbers at step " + std::to_string(line.step),
                   "atoms have come too close to each other",
                   "take a smaller time_step or temperature");
}

// Phase 0 brings the first forces, the last one the loads, and those between steps.
class MeltRun {
 public:
  MeltRun(graph::ObjectHost& world, MeltSettings const& settings, MeltOptions const& options)
      : settings_(settings),
        options_(options),
        kernels_(Kernels::named(options.isa)),
        grid_(settings),
        world_(world),
        collections_{.cells = world_.add<CellObject>("cells", grid_.cells()),
                     .computes = world_.add<ComputeObject>("computes", grid_.computes()),
                     .recorder = world_.add<Recorder>("recorder", 1, graph::Mobility::fixed)},
        last_phase_((settings.steps + options.phase_steps - 1) / options.phase_steps + 1) {}

  MeltReport run() {
    world_.run_all({.prepare = [this](ObjectPlace& here) { prepare(here); },
                    .create = [this](ObjectPlace& here) { create(here); },
                    .begin = [this](ObjectPlace& here, std::int64_t phase) { begin(here, phase); },
                    .is_measured = [this](std::int64_t phase) { return is_measured(phase); },
                    .after = [this](graph::PhaseReport const& phase) { return after(phase); },
                    .end = [this](ObjectPlace& here) { end(here); },
                    .phases = last_phase_ + 1});
    return std::move(report_);
  }

 private:
  void prepare(ObjectPlace& here) {
    if (here.place() == 0) first_place_ = &here;
    here.set_common(
        std::make_shared<MeltPlace>(settings_, collections_, kernels_, options_.frame_steps));
  }

  void create(ObjectPlace& here) const {
    // Each place draws all atoms, since velocities have a mean of 0 over all, and keeps its own:
    // all places of a host together need the memory of the system once.
    std::vector<bool> is_here(static_cast<std::size_t>(grid_.cells()));
    graph::for_each_first(options_.first_map, here.place(), grid_.cells(), here.places(),
                          [&](int index) { is_here[static_cast<std::size_t>(index)] = true; });
    std::vector<Atom> const atoms = initial_atoms(settings_, [&](Vector3 const& position) {
      return is_here[static_cast<std::size_t>(grid_.cell_of(position))];
    });
    std::vector<std::vector<Atom>> shares = atoms_by_cell(grid_, atoms);
    graph::create_mapped(here, collections_.cells, options_.first_map, [&](int index) {
      return CellObject(Cell(grid_, index, std::move(shares[static_cast<std::size_t>(index)])));
    });
    graph::create_mapped(here, collections_.computes, options_.first_map,
                         [&](int index) { return ComputeObject(grid_, settings_, index); });
    if (here.place() == 0) here.create(collections_.recorder, 0, Recorder{});
  }

  [[nodiscard]] std::int64_t steps_after(std::int64_t phase) const {
    // Before the last phase of steps there are fewer than all, so that the product does not run
    // over.
    return phase < last_phase_ - 1 ? phase * options_.phase_steps : settings_.steps;
  }

  void begin(ObjectPlace& here, std::int64_t phase) {
    if (Recorder* const recorder = here.find(collections_.recorder, 0)) {
      begin_with(*recorder, phase);
    }
    // In the phase after, so that what they say is complete, and costs the phase itself nothing.
    send_shares(here, phase - 1);
    if (phase == last_phase_) return send_digests(here);
    here.for_each(collections_.cells, [&](int index, CellObject const&) {
      here.send<&CellObject::go_on>(collections_.cells, index, steps_after(phase));
    });
  }

  // The first phase of steps, and the last; in between, when the balancer wants to know.
  bool is_measured(std::int64_t phase) {
    if (phase > 0 && first_measured_ < 0) first_measured_ = phase;
    return phase == first_measured_ || phase == last_phase_ - 1;
  }

  // At place 0: where the run is, is written down for checkpoints.
  void begin_with(Recorder& recorder, std::int64_t phase) {
    RunMark const mark = mark_of(phase);
    if (is_taken_up() && !std::exchange(is_mark_checked_, true)) {
      check_goes_on(recorder.mark(), mark, phase);
      report_.first_step = report_.steps = recorder.mark().step;
    }
    recorder.set_mark(mark);
  }

  [[nodiscard]] bool is_taken_up() const { return !options_.world.checkpoint.from.empty(); }
  [[nodiscard]] RunMark mark_of(std::int64_t phase) const {
    return {.settings = settings_, .phase_steps = options_.phase_steps, .step = steps_after(phase)};
  }

  // What objects took here in phase `phase` if it was measured, those too that have left since.
  void send_shares(ObjectPlace& here, std::int64_t phase) const {
    std::vector<ObjectShare> shares = new_shares(here);
    if (shares.empty() || phase < 1) return;  // the first forces are no step
    here.send<&Recorder::take_shares>(collections_.recorder, 0, phase, std::move(shares));
  }

  [[nodiscard]] std::vector<ObjectShare> new_shares(ObjectPlace& here) const {
    std::vector<ObjectShare> shares;
    auto const add = [&](auto const& collection, int first) {
      for (int index = 0; index < collection.count; ++index) {
        double& told_s =
            here.common<MeltPlace>()
                .told_s[static_cast<std::size_t>(first) + static_cast<std::size_t>(index)];
        // All that it ever took here, less what was told: objects that have left since are not
        // forgotten.
        double const now_s = here.whole_cpu_s(collection, index);
        if (now_s > told_s) shares.push_back({first + index, here.place(), now_s - told_s});
        told_s = now_s;
      }
    };
    add(collections_.cells, 0);
    add(collections_.computes, collections_.cells.count);
    return shares;
  }

  void send_digests(ObjectPlace& here) const {
    here.for_each(collections_.cells, [&](int index, CellObject const& object) {
      here.send<&Recorder::take_digest>(collections_.recorder, 0, index,
                                        atoms_digest(object.cell().atoms()));
    });
  }

  // Before the checkpoint of this moment: who goes on from that one tells what comes after it.
  Next after(graph::PhaseReport const& phase) {
    tell_what_is_complete();
    if (phase.phase == 0 || phase.phase == last_phase_) return Next::go_on;
    report_.phases.push_back(phase);
    report_.seconds += phase.time_s;
    report_.steps = steps_after(phase.phase);
    return options_.on_phase ? options_.on_phase(report_.steps) : Next::go_on;
  }

  // After the loss of an image steps are done again, and told once.
  void tell_what_is_complete() {
    Recorder& recorder = *first_place_->find(collections_.recorder, 0);
    // Kept here: the recorder that comes back after a loss has no shares.
    if (report_.first_shares.phase < 0) report_.first_shares = recorder.first_shares();
    for (Thermo const& line : recorder.take_lines()) {
      if (line.step <= std::exchange(line_step_, std::max(line_step_, line.step))) continue;
      expect_finite(line);
      report_.lines.push_back(line);
      if (options_.on_thermo) options_.on_thermo(line);
    }
    for (Frame const& frame : recorder.take_frames()) {
      if (frame.step <= std::exchange(frame_step_, std::max(frame_step_, frame.step))) continue;
      if (options_.on_frame) options_.on_frame(frame);
    }
  }

  void end(ObjectPlace& here) {
    Recorder* const recorder = here.find(collections_.recorder, 0);
    if (recorder == nullptr) return;
    // No phase was left to check it in: the checkpoint says why.
    if (is_taken_up() && !is_mark_checked_) {
      check_goes_on(recorder->mark(), mark_of(last_phase_), last_phase_);
    }
    tell_what_is_complete();
    report_.last_shares = recorder->last_shares();
    for (PhaseShares* const each : {&report_.first_shares, &report_.last_shares}) {
      std::ranges::sort(each->shares, {}, &ObjectShare::index);
    }
    report_.digests = recorder->digests();
    report_.places = here.places();
    report_.machine = world_.machine();
  }

  MeltSettings settings_;
  MeltOptions const& options_;
  Kernels const& kernels_;
  CellGrid grid_;
  graph::ObjectHost& world_;
  MeltCollections collections_;
  std::int64_t last_phase_;
  ObjectPlace* first_place_{};  // this and what follows at place 0 only
  MeltReport report_{};
  bool is_mark_checked_{false};
  std::int64_t first_measured_{-1};
  std::int64_t line_step_{-1};  // told last
  std::int64_t frame_step_{-1};
};

}  // namespace

void check(MeltOptions const& options) {
  if (options.phase_steps < 1) {
    throw InputError("phase_steps = " + std::to_string(options.phase_steps),
                     "a phase has at least one step", "20 steps are usual");
  }
  check_steps("phase_steps", options.phase_steps);
  if (options.frame_steps < 0) {
    throw InputError("frame_steps = " + std::to_string(options.frame_steps),
                     "there are no negative steps", "0 is for no frames");
  }
}

MeltReport run_melt_all(pgas::Runtime& runtime, MeltSettings const& settings,
                        MeltOptions const& options) {
  check(settings);
  check(options);
  graph::ObjectWorld world(runtime, options.world);
  return run_melt_all(world, settings, options);
}

MeltReport run_melt_all(graph::ObjectHost& world, MeltSettings const& settings,
                        MeltOptions const& options) {
  check(settings);
  check(options);
  return MeltRun(world, settings, options).run();
}

}  // namespace makespan::melt
