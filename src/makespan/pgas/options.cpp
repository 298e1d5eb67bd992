// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/options.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <span>

#include "makespan/base/error.hpp"
#include "makespan/pgas/job/job_options.hpp"

namespace makespan::pgas {

namespace {

template <class Value>
struct Named {
  std::string_view name;
  Value value;
};

constexpr std::array designs{Named{"per-thread", EndpointDesign::per_thread},
                             Named{"shared-global-lock", EndpointDesign::shared_global_lock},
                             Named{"shared-fine-lock", EndpointDesign::shared_fine_lock}};
constexpr std::array modes{Named{"manual", ProgressMode::manual}, Named{"nap", ProgressMode::nap},
                           Named{"event", ProgressMode::event}, Named{"spin", ProgressMode::spin}};
constexpr std::array switches{Named{"on", true}, Named{"off", false}};
constexpr std::array stealings{Named{"on", Stealing::on}, Named{"off", Stealing::off}};

constexpr std::array rma_uses{Named{"auto", RmaUse::automatic}, Named{"always", RmaUse::always},
                              Named{"never", RmaUse::never}};

template <class Names, class Value>
std::string_view name_in(Names const& names, Value value) {
  for (auto const& entry : names) {
    if (entry.value == value) return entry.name;
  }
  return "?";
}

// Also keeps clocks from running over.
constexpr Seconds silence_most{86400.0};

// One variable of the environment, and the option that it overrides.
class Override {
 public:
  Override(Variables const& environment, std::string_view name)
      : name_{name}, text_{environment(name)} {}

  template <class Names, class Value>
  void choose(Names const& names, Value& value) const {
    if (!text_) return;
    std::string known;
    for (auto const& entry : names) {
      if (entry.name == *text_) {
        value = entry.value;
        return;
      }
      known += (known.empty() ? "" : ", ") + std::string(entry.name);
    }
    refuse("there is no such choice", "it is one of " + known);
  }

  // Numbers of at least `least`, multiplied by `unit`.
  void count(std::int64_t& value, std::int64_t least, std::int64_t unit) const {
    if (!text_) return;
    // The limit is divided, so that the product fits.
    value = whole_number(least, std::numeric_limits<std::int64_t>::max() / unit) * unit;
  }

  void number(std::optional<int>& value) const {
    if (!text_) return;
    value = static_cast<int>(whole_number(0, std::numeric_limits<int>::max()));
  }

  void seconds(Seconds& value) const {
    if (!text_) return;
    double number = 0.0;
    auto const [end, error] = std::from_chars(text_->data(), text_->data() + text_->size(), number);
    // Not `number <= 0.0`, which lets NaN by.
    if (error != std::errc{} || end != text_->data() + text_->size() || !(number > 0.0)) {
      refuse("not a time", "give seconds, more than 0");
    }
    value = Seconds{number};
  }

  void text(std::string& value) const {
    if (text_) value = *text_;
  }

 private:
  [[nodiscard]] std::int64_t whole_number(std::int64_t least, std::int64_t most) const {
    std::int64_t number = 0;
    auto const [end, error] = std::from_chars(text_->data(), text_->data() + text_->size(), number);
    bool const is_whole = error == std::errc{} && end == text_->data() + text_->size();
    if (!is_whole || number < least || number > most) {
      refuse("not a usable number", "give a whole number from " + std::to_string(least));
    }
    return number;
  }

  [[noreturn]] void refuse(std::string_view why, std::string_view suggestion) const {
    throw InputError("environment: " + name_ + "=" + *text_, why, suggestion);
  }

  std::string name_;
  std::optional<std::string> text_;
};

void expect_range(std::string_view name, std::int64_t value, std::int64_t least,
                  std::int64_t most) {
  if (value >= least && value <= most) return;
  throw InputError("runtime option " + std::string(name) + " = " + std::to_string(value),
                   "it does not lie in its range",
                   "give " + std::to_string(least) + " to " + std::to_string(most));
}

}  // namespace

std::optional<std::string> process_environment(std::string_view name) {
  char const* const value = std::getenv(std::string(name).c_str());
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

RuntimeOptions with_environment(RuntimeOptions options, Variables const& environment) {
  Override(environment, "MAKESPAN_ENDPOINTS").choose(designs, options.design);
  Override(environment, "MAKESPAN_PROGRESS").choose(modes, options.progress);
  Override(environment, "MAKESPAN_PROGRESS_CORE").number(options.progress_core);
  Override(environment, "MAKESPAN_PROGRESS_STEALING").choose(stealings, options.progress_stealing);
  Override(environment, "MAKESPAN_STEALING").choose(stealings, options.stealing);
  Override(environment, "MAKESPAN_TRANSPORT").text(options.transport);
  Override(environment, "MAKESPAN_AGGREGATION").choose(switches, options.aggregates);
  Override(environment, "MAKESPAN_UCX_RMA").choose(rma_uses, options.ucx_rma);
  Override(environment, "MAKESPAN_HEAP_MIB").count(options.heap_bytes, 1, std::int64_t{1} << 20);
  Override(environment, "MAKESPAN_MESSAGE_KIB")
      .count(options.message_bytes_max, 1, std::int64_t{1} << 10);
  Override(environment, "MAKESPAN_SILENCE_S").seconds(options.silence);
  Override(environment, "MAKESPAN_WAIT_LIMIT_S").seconds(options.wait_limit);
  return options;
}

void check(RuntimeOptions const& options) {
  expect_range("threads", options.threads, 1, threads_most);
  expect_range("heap_bytes", options.heap_bytes, 4096, std::int64_t{1} << 46);
  // At least what the text of a refusal may have (refusal_bytes_max), and at most what am and ucx
  // take.
  expect_range("message_bytes_max", options.message_bytes_max, 1024, std::int64_t{16} << 20);
  expect_range("operations_max", options.operations_max, 1, 1 << 20);
  expect_range("calls_kept_max", options.calls_kept_max, 1, 1 << 20);
  Seconds const beat = JobOptions{}.beat_period;
  if (!(options.silence > beat && options.silence <= silence_most)) {
    throw InputError("runtime option silence = " + std::to_string(options.silence.value()) + " s",
                     "images send a heartbeat every " + std::to_string(beat.value()) + " s",
                     "give more than that, 1.25 by default, and a day at most");
  }
  if (!(options.wait_limit.value() > 0.0)) {
    throw InputError(
        "runtime option wait_limit = " + std::to_string(options.wait_limit.value()) + " s",
        "a limit of no time ends every wait at once", "give seconds, more than 0");
  }
}

std::string_view name_of(EndpointDesign design) {
  return name_in(designs, design);
}
std::string_view name_of(ProgressMode mode) {
  return name_in(modes, mode);
}
std::string_view name_of(Stealing stealing) {
  return name_in(stealings, stealing);
}

std::string_view name_of(RmaUse use) {
  return name_in(rma_uses, use);
}

}  // namespace makespan::pgas
