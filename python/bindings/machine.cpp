// SPDX-License-Identifier: Apache-2.0
// Machines: their trees, costs between their places, and measuring them.
#include "bindings/machine.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bindings/python_thread.hpp"
#include "makespan/bag/image/own_devices.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/graph/object/core_messages.hpp"
#include "makespan/graph/places_of_machine.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/machine/device_list.hpp"
#include "makespan/machine/machine.hpp"
#include "makespan/machine/measure.hpp"
#include "makespan/machine/measure_plan.hpp"
#include "makespan/pgas/measure/image_costs.hpp"

namespace bindings {

namespace nb = nanobind;
namespace machine = makespan::machine;
namespace pgas = makespan::pgas;

namespace {

nb::list places_of(machine::Machine const& one) {
  machine::Topology const& topology = one.topology();
  nb::list places;
  for (int i = 0; i < std::ssize(topology.places); ++i) {
    machine::TopologyObject const& place = topology.places[static_cast<std::size_t>(i)];
    nb::dict out;
    out["place"] = i;
    out["parent"] = place.parent < 0 ? nb::none() : nb::cast(place.parent);
    out["kind"] = nb::cast(machine::name_of(place.kind));
    out["type"] = nb::cast(place.type);
    out["label"] = nb::cast(machine::label_of(topology, i));
    out["os_index"] = place.os_index < 0 ? nb::none() : nb::cast(place.os_index);
    out["name"] = nb::cast(place.name);
    out["bus"] = place.bus;
    out["bytes"] = place.bytes;
    places.append(out);
  }
  return places;
}

nb::list matrices_of(machine::Machine const& one) {
  nb::list matrices;
  for (machine::CostMatrix const& matrix : one.topology().matrices) {
    nb::dict out;
    out["name"] = nb::cast(matrix.name);
    out["kind"] = nb::cast(machine::name_of(matrix.kind));
    out["in_si_units"] = machine::has_unit(matrix);
    out["from"] = nb::cast(matrix.from);
    out["to"] = nb::cast(matrix.to);
    out["values"] = nb::cast(matrix.values);
    matrices.append(out);
  }
  return matrices;
}

// The domains of its cores, as balancers see them; none of a machine that knows no cores.
nb::object domains_of(machine::Machine const& one) {
  namespace graph = makespan::graph;
  graph::PlaceTable table;
  try {
    table = graph::places_of_machine(one.topology(), {});
  } catch (makespan::InputError const&) {
    return nb::none();
  }
  graph::Places const places = table.to_places();
  std::vector<double> nuco;
  for (int from = 0; from < places.domains(); ++from) {
    for (int to = 0; to < places.domains(); ++to) nuco.push_back(places.nuco_factor(from, to));
  }
  nb::dict out;
  out["labels"] = nb::cast(table.domain_labels);
  out["latencies"] = nb::cast(table.costs.latency_s);
  out["receive_s"] = nb::cast(table.costs.receive_s);
  out["bandwidths"] = nb::cast(table.costs.bandwidth_bytes_s);
  out["nuco"] = nb::cast(nuco);
  out["latency_source"] = table.latency_source;
  out["bandwidth_source"] = table.bandwidth_source;
  return out;
}

// Work in the background that can be waited for and stopped.
class Measurement {
 public:
  using Work = std::function<void(std::stop_token const&)>;

  explicit Measurement(Work work)
      : driver_{[this, work = std::move(work)](std::stop_token const& stop) {
          std::exception_ptr error;
          try {
            work(stop);
          } catch (...) {
            error = std::current_exception();
          }
          std::scoped_lock const lock(mutex_);
          error_ = error;
          done_ = true;
          changed_.notify_all();
        }} {}
  ~Measurement() {
    ReleasedGil const released;
    // Asks for its end, and waits for it: the step under way may take long, and other threads of
    // Python go on meanwhile.
    driver_ = {};
  }
  Measurement(Measurement const&) = delete;
  Measurement& operator=(Measurement const&) = delete;

  bool wait(double seconds) {
    ReleasedGil const released;
    // Unlocked before the GIL is taken again: rethrow() locks with the GIL held.
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                             [this] { return done_; });
  }
  void cancel() { driver_.request_stop(); }
  void rethrow() {
    // The lock also brings in what the driver wrote before it was done.
    std::scoped_lock const lock(mutex_);
    MAKESPAN_EXPECT(done_);
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  bool done_{false};
  std::exception_ptr error_;
  std::jthread driver_;  // last: it uses all of the above
};

// Of a machine's own places: messages between cores, then cores, memory and GPUs.
class MachineMeasurement {
 public:
  // `messages`: as an image of a job, whose runtime is in use, it cannot send itself any.
  MachineMeasurement(machine::Machine& one, double seconds, bool messages)
      : machine_{one},
        plan_{machine::plan_of(one.topology(), machine::allowed_cores())},
        classes_{messages ? makespan::graph::classes_between(one.topology(), plan_.cores) : 0},
        run_{[this, seconds](std::stop_token const& stop) {
          auto const budget = makespan::Seconds{seconds};
          // First, since a runtime may be refused: for what variables say of its transport.
          std::vector<machine::CostMatrix> messages;
          if (classes_ > 0) {
            messages = makespan::graph::core_messages(machine_.topology(), plan_.cores,
                                                      budget * message_share, classes_done_, stop);
          }
          matrices_ = machine::measure(machine_, plan_, {.budget = budget}, board_, stop);
          matrices_.insert(matrices_.end(), messages.begin(), messages.end());
          // As a machine's file has them: between places of one kind first.
          std::ranges::stable_partition(
              matrices_, [](machine::CostMatrix const& one) { return one.from == one.to; });
        }} {}

  bool wait(double seconds) { return run_.wait(seconds); }
  void cancel() { run_.cancel(); }
  [[nodiscard]] std::pair<int, int> steps() const {
    return {board_.steps_done + classes_done_, machine::measure_steps(plan_) + classes_};
  }
  [[nodiscard]] std::string sampling() const { return plan_.sampling; }
  void keep() {
    run_.rethrow();
    for (machine::CostMatrix const& matrix : matrices_) machine_.add(matrix);
  }

 private:
  machine::Machine& machine_;
  // Of what all the rest takes.
  static constexpr double message_share = 0.25;

  machine::MeasurePlan plan_;
  machine::MeasureBoard board_;
  int classes_;
  std::atomic<int> classes_done_{0};
  std::vector<machine::CostMatrix> matrices_;
  Measurement run_;  // last: it uses all of the above
};

// Of the images of a job.
class ImageMeasurement {
 public:
  ImageMeasurement(pgas::ImageMeter& meter, double seconds)
      : steps_total_{meter.steps()}, run_{[this, &meter, seconds](std::stop_token const& stop) {
          costs_ = meter.measure(makespan::Seconds{seconds}, steps_done_, stop);
        }} {}

  bool wait(double seconds) { return run_.wait(seconds); }
  void cancel() { run_.cancel(); }
  [[nodiscard]] std::pair<int, int> steps() const { return {steps_done_, steps_total_}; }
  nb::dict costs() {
    run_.rethrow();
    nb::dict out;
    out["transport"] = nb::cast(costs_.transport);
    out["hosts"] = nb::cast(costs_.hosts);
    out["latencies"] = nb::cast(costs_.latencies);
    out["bandwidths"] = nb::cast(costs_.bandwidths);
    return out;
  }

 private:
  std::atomic<int> steps_done_{0};
  int steps_total_;
  pgas::ImageCosts costs_;
  Measurement run_;  // last: it uses all of the above
};

nb::tuple step_pair(std::pair<int, int> steps) {
  return nb::make_tuple(steps.first, steps.second);
}

std::vector<int> own_cores_all() {
  auto const mine = makespan::bag::own_devices_all(machine::devices_from("cpu"));
  auto const& share = mine.front().cores;
  return share.empty() ? machine::allowed_cores() : share;
}

}  // namespace

void bind_machine(nb::module_& module) {
  using namespace nb::literals;
  using Released = nb::call_guard<ReleasedGil>;
  module.def("own_cores", &own_cores_all, Released(),
             "Collective over the job, before a team is made: numbers of this process's cores; "
             "under mpiexec of its share of the node's.");
  nb::class_<machine::Machine>(module, "Machine",
                               "A machine as hwloc knows it; raises NotImplementedError in a build "
                               "without.")
      .def_static("this_one", &machine::Machine::this_one, Released())
      .def_static("synthetic", &machine::Machine::synthetic, "description"_a, Released(),
                  "From hwloc's synthetic description; raises ValueError on others.")
      .def_static("from_xml", &machine::Machine::from_xml, "text"_a, "source"_a, Released(),
                  "From the content of a file, named in messages; raises ValueError.")
      .def_prop_ro("is_this_one", &machine::Machine::is_this_one)
      .def("places", &places_of, "The tree: each place before all that is below it.")
      .def("matrices", &matrices_of, "Costs between places, row by row; 0 is unknown.")
      .def("domains", &domains_of,
           "Of its cores, with what messages between them cost, row by row from the sender's; None "
           "of a machine without cores.")
      .def("xml", &machine::Machine::xml, "What a file of it holds.");
  nb::class_<MachineMeasurement>(module, "MachineMeasurement",
                                 "Measures this machine in the background.")
      .def(nb::init<machine::Machine&, double, bool>(), "machine"_a, "seconds"_a, nb::kw_only(),
           "messages"_a, nb::keep_alive<1, 2>())
      .def("wait", &MachineMeasurement::wait, "seconds"_a,
           "Blocks, without the GIL, until it is over or the time [s] has passed; whether it is.")
      .def("cancel", &MachineMeasurement::cancel, "Asks for its end; does not wait.")
      .def(
          "steps", [](MachineMeasurement const& one) { return step_pair(one.steps()); },
          "Done, and in all.")
      .def_prop_ro("sampling", &MachineMeasurement::sampling, "Which cores were taken, if not all.")
      .def("keep", &MachineMeasurement::keep,
           "Once over: the machine has the matrices; raises what it failed with.");
  nb::class_<pgas::ImageMeter>(module, "ImageMeter",
                               "Collective: the images of a job, for measurements between them.")
      .def(nb::init<>(), Released())
      .def_prop_ro("image", &pgas::ImageMeter::image)
      .def_prop_ro("images", &pgas::ImageMeter::images)
      .def("serve", &pgas::ImageMeter::serve, Released(),
           "On images other than 0: until image 0 finishes.")
      .def("finish", &pgas::ImageMeter::finish_all, Released(), "Collective: the end of the job.");
  nb::class_<ImageMeasurement>(module, "ImageMeasurement",
                               "On image 0: measures in the background.")
      .def(nb::init<pgas::ImageMeter&, double>(), "meter"_a, "seconds"_a, nb::keep_alive<1, 2>())
      .def("wait", &ImageMeasurement::wait, "seconds"_a,
           "Blocks, without the GIL, until it is over or the time [s] has passed; whether it is.")
      .def("cancel", &ImageMeasurement::cancel, "Asks for its end; does not wait.")
      .def(
          "steps", [](ImageMeasurement const& one) { return step_pair(one.steps()); },
          "Done, and in all.")
      .def("costs", &ImageMeasurement::costs, "Once over; raises what it failed with.");
}

}  // namespace bindings
