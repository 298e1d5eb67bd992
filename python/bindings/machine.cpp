// SPDX-License-Identifier: Apache-2.0
// Machines: their trees, costs between their places, and measuring them.
#include "bindings/machine.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

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

#include "makespan/bag/image/node_place.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/machine/device_list.hpp"
#include "makespan/machine/machine.hpp"
#include "makespan/machine/measure.hpp"
#include "makespan/machine/measure_plan.hpp"
#include "makespan/machine/node_share.hpp"
#include "makespan/machine/nuco.hpp"
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
    bool const is_latency = matrix.kind == machine::CostKind::latency;
    out["nuco"] = is_latency ? nb::cast(machine::nuco_factors(one.topology(), matrix)) : nb::none();
    matrices.append(out);
  }
  return matrices;
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
    nb::gil_scoped_release const released;
    driver_ = {};
  }
  Measurement(Measurement const&) = delete;
  Measurement& operator=(Measurement const&) = delete;

  bool wait(double seconds) {
    nb::gil_scoped_release const released;
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                             [this] { return done_; });
  }
  void cancel() { driver_.request_stop(); }
  void rethrow() {
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

// Of a machine's own places.
class MachineMeasurement {
 public:
  MachineMeasurement(machine::Machine& one, double seconds)
      : machine_{one},
        plan_{machine::plan_of(one.topology(), machine::allowed_cores())},
        run_{[this, seconds](std::stop_token const& stop) {
          matrices_ = machine::measure(machine_, plan_, {.budget = makespan::Seconds{seconds}},
                                       board_, stop);
        }} {}

  bool wait(double seconds) { return run_.wait(seconds); }
  void cancel() { run_.cancel(); }
  [[nodiscard]] std::pair<int, int> steps() const {
    return {board_.steps_done, board_.steps_total};
  }
  [[nodiscard]] std::string sampling() const { return plan_.sampling; }
  void keep() {
    run_.rethrow();
    for (machine::CostMatrix const& matrix : matrices_) machine_.add(matrix);
  }

 private:
  machine::Machine& machine_;
  machine::MeasurePlan plan_;
  machine::MeasureBoard board_;
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
    auto const images = static_cast<int>(costs_.hosts.size());
    nb::dict out;
    out["transport"] = nb::cast(costs_.transport);
    out["hosts"] = nb::cast(costs_.hosts);
    out["latencies"] = nb::cast(costs_.latencies);
    out["bandwidths"] = nb::cast(costs_.bandwidths);
    out["nuco"] = nb::cast(machine::nuco_factors(
        costs_.latencies, machine::least_latencies(costs_.latencies, images)));
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

std::vector<int> own_cores() {
  auto const allowed = machine::allowed_cores();
  auto const mine = machine::share_of_node(
      machine::devices_from("cpu"), makespan::bag::node_place(), allowed, machine::cores_online());
  auto const& share = mine.front().cores;
  return share.empty() ? allowed : share;
}

}  // namespace

void bind_machine(nb::module_& module) {
  using namespace nb::literals;
  using Released = nb::call_guard<nb::gil_scoped_release>;
  module.def("own_cores", &own_cores,
             "Numbers of this process's cores; under mpiexec of its share of the node's.");
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
      .def("matrices", &matrices_of,
           "Costs between places, row by row; of latencies the NUCO factors, too. 0 is unknown.")
      .def("xml", &machine::Machine::xml, "What a file of it holds.");
  nb::class_<MachineMeasurement>(module, "MachineMeasurement",
                                 "Measures this machine in the background.")
      .def(nb::init<machine::Machine&, double>(), "machine"_a, "seconds"_a, nb::keep_alive<1, 2>())
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
