// SPDX-License-Identifier: Apache-2.0
#include "bindings/pricing.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bindings/pricing_book.hpp"
#include "bindings/pricing_summary.hpp"
#include "bindings/pricing_timeline.hpp"
#include "bindings/python_thread.hpp"
#include "makespan/apps/asian/run/book_work.hpp"
#include "makespan/apps/asian/run/pricing_run.hpp"
#include "makespan/apps/asian/run/pricing_team.hpp"
#include "makespan/bag/image/node_place.hpp"
#include "makespan/base/error.hpp"

namespace bindings {

namespace nb = nanobind;
namespace asian = makespan::asian;

namespace {

constexpr std::array<char const*, asian::output_count> output_names{
    "price", "delta", "gamma", "vega", "rho", "dividend_rho", "theta"};

template <class T>
T setting(nb::dict const& settings, char const* name, T fallback) {
  if (!settings.contains(name)) return fallback;
  T value{};
  if (nb::try_cast(settings[name], value)) return value;
  throw makespan::InputError("setting '" + std::string(name) + "' has a value of the wrong type",
                             "the engine cannot convert it",
                             "see makespan._core in docs/reference/python.md");
}

asian::PrecisionChoice precision_named(std::string const& name) {
  if (name == "auto") return asian::PrecisionChoice::automatic;
  if (name == "single") return asian::PrecisionChoice::fp32;
  if (name == "double") return asian::PrecisionChoice::fp64;
  throw makespan::InputError("unknown precision '" + name + "'",
                             "paths are in single or in double precision",
                             "use auto, single or double");
}

void refuse_unknown(nb::dict const& settings) {
  constexpr std::array<std::string_view, 17> known{
      "method",  "greeks",     "replicates", "precision",  "rounds", "devices",
      "threads", "isa",        "mode",       "dispatcher", "policy", "policy_options",
      "perturb", "confidence", "timeline",   "speeds",     "timeout"};
  for (auto const& [key, value] : settings) {
    auto const name = nb::cast<std::string>(key);
    bool found = false;
    for (std::string_view const one : known) found = found || one == name;
    if (!found)
      throw makespan::InputError("unknown setting '" + name + "'",
                                 "the engine has none of that name", "leave it out");
  }
}

asian::PricingSettings pricing_settings_from(nb::dict const& given) {
  refuse_unknown(given);
  asian::PricingSettings out;
  out.method = asian::method_named(setting<std::string>(given, "method", "auto"));
  out.greeks = setting<bool>(given, "greeks", out.greeks);
  out.replicates = setting<int>(given, "replicates", out.replicates);
  out.precision = precision_named(setting<std::string>(given, "precision", "auto"));
  out.philox_rounds = setting<int>(given, "rounds", out.philox_rounds);
  if (auto const devices = setting<std::string>(given, "devices", ""); !devices.empty())
    out.devices = makespan::machine::devices_from(devices);
  out.dispatcher =
      makespan::bag::dispatcher_named(setting<std::string>(given, "dispatcher", "steal"));
  out.injections = makespan::bag::injections_from(setting<std::string>(given, "perturb", ""));
  out.threads = setting<int>(given, "threads", out.threads);
  out.isa = setting<std::string>(given, "isa", out.isa);
  out.mode = makespan::bag::mode_named(setting<std::string>(given, "mode", "auto"));
  out.policy = setting<std::string>(given, "policy", out.policy);
  for (auto const& [name, value] :
       setting<std::map<std::string, double>>(given, "policy_options", {})) {
    out.policy_options[name] = value;
  }
  out.trace = setting<bool>(given, "timeline", out.trace);
  for (auto const& [kind, speed] : setting<std::map<std::string, double>>(given, "speeds", {})) {
    out.speeds[kind] = makespan::Speed{speed};
  }
  out.confidence = setting<double>(given, "confidence", out.confidence);
  out.device_timeout =
      makespan::Seconds{setting<double>(given, "timeout", out.device_timeout.value())};
  return out;
}

nb::dict speeds_by_kind(asian::SpeedByKind const& speeds) {
  nb::dict out;
  for (auto const& [kind, speed] : speeds) out[kind.c_str()] = speed.value();
  return out;
}

nb::dict copy_of(nb::dict const& given) {
  PyObject* const copy = PyDict_Copy(given.ptr());
  if (copy == nullptr) nb::raise_python_error();
  return nb::steal<nb::dict>(copy);
}

// Keeps the arrays of a book alive for as long as the engine reads them.
class PricingRun {
 public:
  // A copy of the dictionary: in its own the caller may replace an array that the engine reads.
  PricingRun(nb::dict const& book, nb::dict const& settings, asian::PricingTeam* team)
      : book_{copy_of(book)}, greeks_{setting<bool>(settings, "greeks", false)} {
    asian::ContractBook const columns = book_from(book_);
    asian::PricingSettings const given = pricing_settings_from(settings);
    taken_.assign(columns.option_key.size(), false);
    // Threads begin to price here; checks of a long book take a while, too.
    ReleasedGil const released;
    run_ = std::make_unique<asian::PricingRun>(columns, given, team);
  }
  ~PricingRun() {
    ReleasedGil const released;
    // It waits for its threads, and other threads of Python go on meanwhile.
    run_.reset();
  }
  PricingRun(PricingRun const&) = delete;
  PricingRun& operator=(PricingRun const&) = delete;

  nb::dict wait(double seconds) {
    asian::RunProgress progress{};
    {
      ReleasedGil const released;
      progress = run_->wait_for(std::chrono::duration<double>(seconds));
    }
    nb::dict out;
    out["done"] = progress.done;
    out["work_done"] = progress.work_done.value();
    out["work_total"] = progress.work_total.value();
    out["rows_finished"] = progress.rows_finished;
    out["path_steps"] = progress.path_steps;
    out["elapsed_s"] = progress.elapsed.value();
    return out;
  }

  nb::object take_finished() {
    std::vector<std::int64_t> rows = run_->take_finished();
    for (std::int64_t const row : rows) taken_[static_cast<std::size_t>(row)] = true;
    return owned(std::move(rows));
  }
  void cancel() { run_->cancel(); }

  nb::list take_overdue() {
    nb::list out;
    for (asian::OverdueNote const& note : run_->take_overdue()) out.append(plain(note));
    return out;
  }
  [[nodiscard]] bool has_left_threads_behind() const { return run_->has_left_threads_behind(); }

  nb::dict speeds() {
    asian::SpeedByKind speeds;
    {
      ReleasedGil const released;
      speeds = run_->speeds();
    }
    return speeds_by_kind(speeds);
  }

  using Rows = nb::ndarray<std::int64_t const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  nb::dict columns(Rows const& rows) const {
    asian::ResultBook const& results = run_->results();
    std::span<std::int64_t const> const chosen{rows.data(), rows.size()};
    // Rows that are not taken may be written to by a thread at this moment.
    for (std::int64_t const row : chosen) {
      if (row < 0 || row >= static_cast<std::int64_t>(results.status.size()))
        throw nb::index_error("row out of range");
      if (!taken_[static_cast<std::size_t>(row)])
        throw nb::index_error("take_finished() has not returned this row");
    }
    auto const pick = [&](auto const& values) {
      std::vector<typename std::decay_t<decltype(values)>::value_type> out;
      out.reserve(chosen.size());
      for (std::int64_t const row : chosen) out.push_back(values[static_cast<std::size_t>(row)]);
      return out;
    };
    nb::dict out;
    std::vector<std::int8_t> status;
    status.reserve(chosen.size());
    for (asian::RowStatus const one : pick(results.status))
      status.push_back(static_cast<std::int8_t>(one));
    out["status"] = owned(std::move(status));
    std::size_t const outputs = greeks_ ? output_names.size() : 1;
    for (std::size_t k = 0; k < outputs; ++k) {
      std::string const name = output_names[k];
      out[name.c_str()] = owned(pick(results.value[k]));
      std::string const of = k == 0 ? "" : name + "_";
      out[(of + "std_error").c_str()] = owned(pick(results.std_error[k]));
      out[(of + "error_bound").c_str()] = owned(pick(results.error_bound[k]));
    }
    out["ci_low"] = owned(pick(results.ci_low));
    out["ci_high"] = owned(pick(results.ci_high));
    out["paths_used"] = owned(pick(results.paths_used));
    out["replicates"] = owned(pick(results.replicates));
    out["control_beta"] = owned(pick(results.control_beta));
    out["variance_reduction"] = owned(pick(results.variance_reduction));
    out["method_price"] = owned(pick(results.method_price));
    std::vector<std::int8_t> method;
    method.reserve(chosen.size());
    for (asian::Method const one : pick(results.method))
      method.push_back(static_cast<std::int8_t>(one));
    out["method"] = owned(std::move(method));
    out["seconds"] = owned(pick(results.seconds));
    return out;
  }

  nb::dict timeline() { return columns_of(run_->timeline()); }
  nb::list rounds() {
    nb::list out;
    for (asian::PricingRun::Round const& round : run_->rounds())
      out.append(columns_of(round, run_->timeline().begin));
    return out;
  }

  nb::dict summary() {
    asian::RunSummary summary;
    {
      ReleasedGil const released;
      summary = run_->summary();
    }
    return plain(summary);
  }

 private:
  nb::dict book_;
  bool greeks_;
  std::vector<bool>
      taken_;  // rows that take_finished() has returned: their results do not change any more
  std::unique_ptr<asian::PricingRun> run_;
};

nb::dict first_bag(nb::dict const& columns, nb::dict const& given) {
  asian::ContractBook const book = book_from(columns);
  asian::PricingSettings const settings = pricing_settings_from(given);
  check(settings);
  check(book);
  asian::BookWork work(book, settings, {});
  std::vector<asian::BookRound> rounds;
  rounds.reserve(static_cast<std::size_t>(work.rows()));
  for (std::int64_t row = 0; row < work.rows(); ++row) rounds.push_back(work.first_round_of(row));
  return columns_of(work.begin(rounds).segments());
}

using namespace nb::literals;

void bind_first_bag(nb::module_& module) {
  module.def("first_bag", &first_bag, "columns"_a, "settings"_a,
             "What a run of this book begins with, all rows for which the paths are given, and of "
             "others the first round: columns row, items, and cost, predicted, of an item in "
             "path-steps. ValueError as for PricingRun.");
  module.def("images_launched", &makespan::bag::images_launched,
             "Processes of the job that this one was launched as a part of (mpiexec); 1 if it was "
             "not.");
}

void bind_team(nb::module_& module) {
  nb::class_<asian::PricingTeam>(module, "PricingTeam",
                                 "Collective: the devices of all images of a job, under one "
                                 "dispatcher. Settings as for PricingRun, the same on all images.")
      .def(
          "__init__",
          [](asian::PricingTeam* team, nb::dict const& settings) {
            asian::PricingSettings const given = pricing_settings_from(settings);
            ReleasedGil const released;
            new (team) asian::PricingTeam(given);
          },
          "settings"_a)
      .def_prop_ro("image", &asian::PricingTeam::image, "Which image this is, from 0.")
      .def_prop_ro("images", &asian::PricingTeam::images, "How many there are.")
      .def("serve", &asian::PricingTeam::serve, nb::call_guard<ReleasedGil>(),
           "On images other than 0: works for image 0's runs; blocks until that calls finish(). "
           "Raises RuntimeError when image 0 is lost.")
      .def(
          "speeds", [](asian::PricingTeam& team) { return speeds_by_kind(team.speeds()); },
          "What this image's workers have shown so far, in path-steps per second, by kind; not "
          "during a run.")
      .def("finish", &asian::PricingTeam::finish_all, nb::call_guard<ReleasedGil>(),
           "Collective: the end of the job.");
}

void bind_run(nb::module_& module) {
  nb::class_<PricingRun>(module, "PricingRun",
                         "A book on its way: threads price it in the background. Columns and "
                         "settings as in docs/reference/python.md; "
                         "raises ValueError if they cannot be priced.")
      .def(nb::init<nb::dict const&, nb::dict const&, asian::PricingTeam*>(), "book"_a,
           "settings"_a, "team"_a = nb::none(), nb::keep_alive<1, 4>())
      .def("wait", &PricingRun::wait, "seconds"_a,
           "Blocks, without the GIL, until the run is done or the time [s] has passed; returns the "
           "progress.")
      .def("take_overdue", &PricingRun::take_overdue,
           "Pieces found overdue since the last call: device, image, row, seconds, predicted_s, "
           "lost.")
      .def_prop_ro("has_left_threads_behind", &PricingRun::has_left_threads_behind,
                   "Once over: threads may still use the columns, and the run.")
      .def("take_finished", &PricingRun::take_finished,
           "Rows finished since the last call, in any order.")
      .def("columns", &PricingRun::columns, "rows"_a, "Result columns of these finished rows.")
      .def("cancel", &PricingRun::cancel,
           "Asks the threads to stop after the blocks under way; does not wait.")
      .def("timeline", &PricingRun::timeline,
           "Once done: spans of what each thread did, as columns; empty unless setting 'timeline' "
           "was given. Kinds count in the order of span_kinds().")
      .def("rounds", &PricingRun::rounds,
           "Likewise: the bags that were run, in turn. Each has begin_s and end_s, and as columns, "
           "dearest first, row, items, and cost, predicted, of an item in path-steps.")
      .def("speeds", &PricingRun::speeds,
           "Blocks until the run is done: what the workers of this image have shown, in path-steps "
           "per second, by kind; for setting 'speeds' of another run.")
      .def("summary", &PricingRun::summary,
           "Blocks until the run is done; re-raises what a thread raised.");
}

}  // namespace

void bind_pricing(nb::module_& module) {
  bind_first_bag(module);
  bind_team(module);
  bind_run(module);
}

}  // namespace bindings
