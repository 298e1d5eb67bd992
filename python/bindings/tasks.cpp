// SPDX-License-Identifier: Apache-2.0
// Bags of Python calls.
#include "bindings/tasks.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "bindings/left_items.hpp"
#include "bindings/python_thread.hpp"
#include "makespan/bag/dispatcher.hpp"
#include "makespan/bag/image/image_team.hpp"
#include "makespan/bag/image/message_parts.hpp"
#include "makespan/bag/image/own_devices.hpp"
#include "makespan/bag/item_list.hpp"
#include "makespan/bag/protocol/mode.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/machine/device_list.hpp"
#include "makespan/pgas/job/process_hold.hpp"
#include "makespan/pgas/job/run_job.hpp"

namespace bindings {

namespace nb = nanobind;
namespace bag = makespan::bag;

namespace {

using Costs = nb::ndarray<double const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Items = nb::ndarray<std::int64_t const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Calls a Python object that runs items, and packs and unpacks what came of them. It catches what
// items raise; true from run() or unpack() says that the bag should end.
class PythonRunner final : public bag::DistributedItemRunner, public bag::ImageService {
 public:
  PythonRunner(nb::object worker, int threads, std::int64_t items, std::vector<double> costs,
               bool has_limit)
      : worker_{std::move(worker)},
        has_limit_{has_limit},
        items_{items},
        costs_{std::move(costs)},
        left_{items},
        bag_{bag::bag_of_items(items, costs_)},
        kept_(static_cast<std::size_t>(threads)) {}

  // Of all items; before the first run.
  void run_only(LeftItems left) {
    std::vector<double> costs;
    if (!costs_.empty()) {
      left.each_stretch(0, left.count(), [&](std::int64_t first, std::int64_t end) {
        costs.insert(costs.end(), costs_.begin() + first, costs_.begin() + end);
        return true;
      });
    }
    bag_ = bag::bag_of_items(left.count(), costs);
    left_ = std::move(left);
  }

  MAKESPAN_CATCHES_FORCED_UNWIND void run(int thread, makespan::TaskId task,
                                          std::int64_t item_begin, std::int64_t item_end) override {
    std::int64_t const place = bag::index_of(!costs_.empty(), task, item_begin);
    // With a limit the thread may be interrupted when its item has ended already: Python's state of
    // the thread, which would raise that, ends with the piece then.
    if (auto& kept = kept_[static_cast<std::size_t>(thread)]; !has_limit_ && !kept) kept.emplace();
    LateGil const held;
    try {
      left_.each_stretch(place, place + (item_end - item_begin),
                         [&](std::int64_t first, std::int64_t end) {
                           nb::object const ends = worker_.attr("run")(thread, first, end);
                           // With a limit this thread may have been left behind, and has no say
                           // then: see keep().
                           if (!has_limit_) note(ends);
                           return !nb::cast<bool>(ends);
                         });
    } catch (nb::python_error const&) {
      // Its destructor takes the GIL, which a thread that was left behind cannot have any more when
      // the interpreter is ending: the last reference stays here.
      raised_.push_back(std::current_exception());
      throw;
    } catch (abi::__forced_unwind const&) {
      stay_until_the_process_ends();
    }
  }

  void leave(int thread) noexcept override { kept_[static_cast<std::size_t>(thread)].reset(); }

  void keep(int thread) override {
    // Only what counts can end the bag: of an item that two threads ran, one result is dropped.
    with_gil([&] { note(worker_.attr("keep")(thread)); });
  }
  void drop(int thread) override {
    with_gil([&] { worker_.attr("drop")(thread); });
  }
  void on_overdue(bag::OverduePiece const& piece) override {
    std::int64_t const first = place_of(piece);
    std::int64_t const last = first + piece.items.items() - 1;
    with_gil([&] {
      note(worker_.attr("on_overdue")(piece.thread,
                                      nb::make_tuple(left_.item(first), left_.item(last) + 1),
                                      piece.at_it.value(), piece.predicted.value(), piece.is_lost));
    });
  }

  void pack(int thread, std::vector<std::byte>& bytes) override {
    with_gil([&] {
      auto const packed = nb::cast<nb::bytes>(worker_.attr("pack")(thread));
      // A thread that has run nothing adds nothing, and unpack() calls no Python for it.
      if (packed.size() == 0) return;
      bag::append_part(bytes, {static_cast<std::byte const*>(packed.data()), packed.size()});
    });
  }

  void unpack(std::span<std::byte const> bytes) override {
    with_gil([&] {
      // One part for each thread of the worker that has run items, as they were packed.
      for (std::span<std::byte const> const part : bag::parts_of(bytes)) {
        note(worker_.attr("unpack")(nb::bytes(part.data(), part.size())));
      }
    });
  }

  void receive(std::span<std::byte const> message) override {
    with_gil([&] { worker_.attr("receive")(nb::bytes(message.data(), message.size())); });
  }
  bag::Bag begin(std::span<std::byte const> order) override {
    run_only(LeftItems::from_bytes(order, items_));
    return bag_;
  }
  [[nodiscard]] std::vector<std::byte> order() const { return left_.to_bytes(); }
  bag::DistributedItemRunner& runner() override { return *this; }

  [[nodiscard]] bag::Bag const& bag() const { return bag_; }
  [[nodiscard]] std::int64_t first_of(bag::OverduePiece const& piece) const {
    return left_.item(place_of(piece));
  }
  [[nodiscard]] std::stop_source& stop() { return stop_; }

 private:
  [[nodiscard]] std::int64_t place_of(bag::OverduePiece const& piece) const {
    return bag::index_of(!costs_.empty(), piece.task, piece.items.begin);
  }
  void note(nb::object const& ends) {
    if (nb::cast<bool>(ends)) stop_.request_stop();
  }

  nb::object worker_;
  bool has_limit_;
  std::int64_t items_;
  std::vector<double> costs_;  // of all items
  LeftItems left_;
  bag::Bag bag_;
  std::vector<std::optional<KeptPythonThread>> kept_;  // by thread, each touched by it alone
  std::vector<std::exception_ptr> raised_;             // of the GIL
  std::stop_source stop_;
};

// One bag of calls, in the background: on image 0 it is worked on, elsewhere helped with.
class TaskRun {
 public:
  TaskRun(bag::ImageTeam& team, nb::object worker, std::int64_t items,
          std::optional<Costs> const& costs, std::optional<Items> const& left)
      : team_{team},
        runner_{std::make_unique<PythonRunner>(
            std::move(worker), team.devices().threads(), items, copy_of(costs),
            std::isfinite(team.devices().overdue_rule().limit.value()))} {
    if (left) runner_->run_only(LeftItems{std::span{left->data(), left->size()}, items});
    driver_ = std::jthread([this] { drive(); });
  }
  // A thread that was left behind may be in the runner until the process ends, after Python has let
  // go of the run.
  ~TaskRun() {
    ReleasedGil const released;
    runner_->stop().request_stop();
    driver_ = {};
    if (team_.devices().has_left_threads_behind()) static_cast<void>(runner_.release());
  }
  TaskRun(TaskRun const&) = delete;
  TaskRun& operator=(TaskRun const&) = delete;

  bool wait(double seconds) {
    ReleasedGil const released;
    // Unlocked before the GIL is taken again: report() locks with the GIL held.
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                             [this] { return done_; });
  }
  void cancel() { runner_->stop().request_stop(); }

  nb::dict report() {
    std::unique_lock lock(mutex_);
    MAKESPAN_EXPECT(done_);
    // Nanobind gives what a Python call raised back to Python, and has it no more.
    MAKESPAN_EXPECT(!has_raised_);
    if (error_) {
      has_raised_ = true;
      std::rethrow_exception(error_);
    }
    nb::dict out;
    out["complete"] = report_.complete;
    out["makespan_s"] = report_.makespan.value();
    out["ideal_s"] = report_.ideal.value();
    out["claims"] = report_.claims;
    out["steals"] = report_.steals;
    return out;
  }
  // Of image 0's own threads the worker knows itself, and which of them had begun.
  nb::list lost_elsewhere() {
    std::unique_lock const lock(mutex_);
    MAKESPAN_EXPECT(done_);
    nb::list out;
    for (bag::OverduePiece const& piece : report_.overdue) {
      bool const is_elsewhere = piece.thread >= team_.devices().threads();
      if (piece.is_lost && is_elsewhere) out.append(runner_->first_of(piece));
    }
    return out;
  }

 private:
  static std::vector<double> copy_of(std::optional<Costs> const& costs) {
    if (!costs) return {};
    return {costs->data(), costs->data() + costs->size()};
  }

  void drive() {
    bag::TeamReport report;
    std::exception_ptr error;
    try {
      KeptPythonThread const kept;  // for the results that come
      if (team_.image() == 0) {
        std::vector<std::byte> const order = runner_->order();
        report = team_.run(runner_->bag(), *runner_, order, runner_->stop().get_token()).together;
      } else {
        team_.serve(*runner_, runner_->stop().get_token());
      }
    } catch (...) {
      error = std::current_exception();
      if (team_.image() == 0) report = team_.last_report().together;
    }
    std::scoped_lock const lock(mutex_);
    report_ = report;
    error_ = error;
    done_ = true;
    changed_.notify_all();
  }

  bag::ImageTeam& team_;
  std::unique_ptr<PythonRunner> runner_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  bool done_{false};
  bag::TeamReport report_;
  std::exception_ptr error_;
  bool has_raised_{false};
  std::jthread driver_;  // last: it uses all of the above
};

bag::TeamOptions team_options_from_all(nb::dict const& settings) {
  auto devices = makespan::machine::devices_from(nb::cast<std::string>(settings["devices"]));
  auto const threads = nb::cast<int>(settings["threads"]);
  {
    ReleasedGil const released;
    devices = bag::own_devices_all(devices);
  }
  bag::OverdueRule overdue;
  bag::PieceRule pieces;
  // Between two pieces go 12 to 16 us, most of them Python's (3.11, Zen 3): less than a hundredth.
  pieces.time = makespan::Seconds{2e-3};
  if (auto const limit = nb::cast<double>(settings["timeout"]); limit > 0) {
    overdue.limit = makespan::Seconds{limit};
    pieces.items_max = 1;  // the limit is an item's
  }
  bag::TeamOptions options{
      .devices = {},
      .policy = nb::cast<std::string>(settings["policy"]),
      .dispatcher = bag::dispatcher_named(nb::cast<std::string>(settings["dispatcher"])),
      .overdue = overdue};
  for (auto const& [name, value] :
       nb::cast<std::map<std::string, double>>(settings["policy_options"])) {
    options.policy_options[name] = value;
  }
  for (auto const& device : devices) {
    options.devices.push_back(
        {.threads = device.threads > 0 ? device.threads : threads,
         .cores = device.cores,
         .mode = device.mode.empty() ? bag::Mode::automatic : bag::mode_named(device.mode),
         .pieces = pieces});
  }
  return options;
}

}  // namespace

void bind_tasks(nb::module_& module) {
  using namespace nb::literals;
  using Released = nb::call_guard<ReleasedGil>;
  nb::class_<makespan::pgas::ProcessHold>(
      module, "ProcessHold", "Keeps the MPI of a launched process running between teams.")
      .def(nb::init<>(), Released())
      .def("finish", &makespan::pgas::ProcessHold::finish_all, Released(),
           "Collective: ends MPI. exit_without_finalize() must follow.");
  nb::class_<bag::ImageTeam>(module, "TaskTeam",
                             "Collective: threads of all images of a job, under one dispatcher.")
      .def(
          "__init__",
          [](bag::ImageTeam* team, nb::dict const& settings) {
            bag::TeamOptions const options = team_options_from_all(settings);
            ReleasedGil const released;
            new (team) bag::ImageTeam(options);
          },
          "settings"_a)
      .def_prop_ro("image", &bag::ImageTeam::image)
      .def_prop_ro("images", &bag::ImageTeam::images)
      .def_prop_ro("threads", [](bag::ImageTeam& team) { return team.devices().threads(); })
      .def_prop_ro(
          "has_left_threads_behind",
          [](bag::ImageTeam& team) { return team.devices().has_left_threads_behind(); },
          "Once a run is over: threads may still be in the function, and use the run.")
      .def(
          "share",
          [](bag::ImageTeam& team, nb::bytes const& message) {
            std::span const data{static_cast<std::byte const*>(message.data()), message.size()};
            ReleasedGil const released;
            team.send(data);
            team.shut_down();
          },
          "message"_a, "On image 0, after its run: sends it to the workers of the others.")
      .def("shut_down", &bag::ImageTeam::shut_down, "failure"_a, Released(),
           "On image 0: the others' runs end with this failure.")
      .def("finish", &bag::ImageTeam::finish_all, Released(), "Collective: the end of the team.");
  nb::class_<TaskRun>(module, "TaskRun", "A bag of calls on its way.")
      .def(nb::init<bag::ImageTeam&, nb::object, std::int64_t, std::optional<Costs> const&,
                    std::optional<Items> const&>(),
           "team"_a, "worker"_a, "items"_a, "costs"_a.none(), "left"_a = nb::none(),
           nb::keep_alive<1, 2>(),
           "Of `items`, on image 0: those that are left to do, in rising order; all by default.")
      .def("wait", &TaskRun::wait, "seconds"_a,
           "Blocks, without the GIL, until it is over or the time [s] has passed; whether it is.")
      .def("cancel", &TaskRun::cancel, "Asks for its end; does not wait.")
      .def("report", &TaskRun::report, "Once over; raises what it failed with, once.")
      .def("lost_elsewhere", &TaskRun::lost_elsewhere,
           "On image 0, once over: items at which threads of other images were lost, one of each.");
}

}  // namespace bindings
