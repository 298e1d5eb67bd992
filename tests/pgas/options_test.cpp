// SPDX-License-Identifier: Apache-2.0
// Goal: the environment overrides each option, and invalid values are refused with a message
// that names the variable, its value and what would be right. Method: variables from a table.
#include "makespan/pgas/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::pgas {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Variables variables(std::map<std::string, std::string, std::less<>> const& table) {
  return [table](std::string_view name) -> std::optional<std::string> {
    auto const found = table.find(name);
    if (found == table.end()) return std::nullopt;
    return found->second;
  };
}

RuntimeOptions with(std::string const& name, std::string const& value) {
  return with_environment({}, variables({{name, value}}));
}

// What with_environment() says of one variable; empty if it takes it.
std::string refusal(std::string const& name, std::string const& value) {
  try {
    static_cast<void>(with(name, value));
  } catch (InputError const& error) {
    return error.what();
  }
  return {};
}

std::string refusal(RuntimeOptions const& options) {
  try {
    check(options);
  } catch (InputError const& error) {
    return error.what();
  }
  return {};
}

TEST(OptionsTest, Environment_overrides_each_option) {
  EXPECT_EQ(with("MAKESPAN_UCX_RMA", "auto").ucx_rma, RmaUse::automatic);
  EXPECT_EQ(with("MAKESPAN_UCX_RMA", "always").ucx_rma, RmaUse::always);
  EXPECT_EQ(with("MAKESPAN_UCX_RMA", "never").ucx_rma, RmaUse::never);
  EXPECT_EQ(with("MAKESPAN_ENDPOINTS", "per-thread").design, EndpointDesign::per_thread);
  EXPECT_EQ(with("MAKESPAN_ENDPOINTS", "shared-global-lock").design,
            EndpointDesign::shared_global_lock);
  EXPECT_EQ(with("MAKESPAN_ENDPOINTS", "shared-fine-lock").design,
            EndpointDesign::shared_fine_lock);
  EXPECT_EQ(with("MAKESPAN_PROGRESS", "nap").progress, ProgressMode::nap);
  EXPECT_EQ(with("MAKESPAN_PROGRESS", "event").progress, ProgressMode::event);
  EXPECT_FALSE(with("MAKESPAN_AGGREGATION", "off").aggregates);
  EXPECT_EQ(with("MAKESPAN_PROGRESS", "spin").progress, ProgressMode::spin);
  EXPECT_EQ(with("MAKESPAN_PROGRESS_CORE", "3").progress_core, 3);
  EXPECT_EQ(with("MAKESPAN_PROGRESS_STEALING", "off").progress_stealing, Stealing::off);
  EXPECT_EQ(with("MAKESPAN_STEALING", "off").stealing, Stealing::off);
  EXPECT_EQ(with("MAKESPAN_TRANSPORT", "shm+am").transport, "shm+am");
  EXPECT_EQ(with("MAKESPAN_HEAP_MIB", "3").heap_bytes, 3 * 1024 * 1024);
  EXPECT_EQ(with("MAKESPAN_MESSAGE_KIB", "2").message_bytes_max, 2048);
  EXPECT_EQ(with("MAKESPAN_SILENCE_S", "0.5").silence, Seconds{0.5});
  EXPECT_EQ(with("MAKESPAN_WAIT_LIMIT_S", "1e3").wait_limit, Seconds{1000.0});
}

TEST(OptionsTest, Environment_without_variables_changes_nothing) {
  RuntimeOptions const asked{.threads = 3,
                             .design = EndpointDesign::shared_fine_lock,
                             .progress = ProgressMode::nap,
                             .progress_core = 1,
                             .progress_stealing = Stealing::off,
                             .stealing = Stealing::off,
                             .transport = "am",
                             .ucx_rma = RmaUse::never,
                             .aggregates = false,
                             .heap_bytes = 8192,
                             .message_bytes_max = 4096,
                             .operations_max = 7,
                             .calls_kept_max = 9,
                             .silence = Seconds{2.0},
                             .wait_limit = Seconds{3.0}};

  RuntimeOptions const options = with_environment(asked, variables({}));

  EXPECT_EQ(options.threads, 3);
  EXPECT_EQ(options.design, asked.design);
  EXPECT_EQ(options.progress, asked.progress);
  EXPECT_EQ(options.progress_core, asked.progress_core);
  EXPECT_EQ(options.progress_stealing, asked.progress_stealing);
  EXPECT_EQ(options.stealing, asked.stealing);
  EXPECT_EQ(options.transport, "am");
  EXPECT_EQ(options.ucx_rma, asked.ucx_rma);
  EXPECT_FALSE(options.aggregates);
  EXPECT_EQ(options.heap_bytes, 8192);
  EXPECT_EQ(options.message_bytes_max, 4096);
  EXPECT_EQ(options.operations_max, 7);
  EXPECT_EQ(options.calls_kept_max, 9);
  EXPECT_EQ(options.silence, asked.silence);
  EXPECT_EQ(options.wait_limit, asked.wait_limit);
}

TEST(OptionsTest, Environment_refuses_unknown_choices) {
  EXPECT_THAT(refusal("MAKESPAN_UCX_RMA", "sometimes"),
              AllOf(HasSubstr("MAKESPAN_UCX_RMA=sometimes"), HasSubstr("auto, always, never")));
  EXPECT_THAT(refusal("MAKESPAN_ENDPOINTS", "shared"),
              AllOf(HasSubstr("MAKESPAN_ENDPOINTS=shared"), HasSubstr("there is no such choice"),
                    HasSubstr("per-thread, shared-global-lock, shared-fine-lock")));
  EXPECT_THAT(refusal("MAKESPAN_PROGRESS", "auto"),
              AllOf(HasSubstr("MAKESPAN_PROGRESS=auto"), HasSubstr("manual, nap, event")));
  EXPECT_THAT(refusal("MAKESPAN_STEALING", "yes"),
              AllOf(HasSubstr("MAKESPAN_STEALING=yes"), HasSubstr("on, off")));
}

TEST(OptionsTest, Environment_refuses_what_is_no_number) {
  for (std::string const text :
       {"0", "-1", "1.5", "12k", "x", " 1", "9223372036854775807", "99999999999999999999"}) {
    EXPECT_THAT(refusal("MAKESPAN_HEAP_MIB", text),
                AllOf(HasSubstr("MAKESPAN_HEAP_MIB=" + text), HasSubstr("whole number from 1")))
        << text;
  }
  EXPECT_THAT(refusal("MAKESPAN_MESSAGE_KIB", "0"), HasSubstr("MAKESPAN_MESSAGE_KIB=0"));
}

TEST(OptionsTest, Environment_refuses_what_is_no_time) {
  for (std::string const text : {"0", "-0.5", "1s", "nan", "soon"}) {
    EXPECT_THAT(refusal("MAKESPAN_SILENCE_S", text),
                AllOf(HasSubstr("MAKESPAN_SILENCE_S=" + text), HasSubstr("seconds, more than 0")))
        << text;
    EXPECT_THAT(refusal("MAKESPAN_WAIT_LIMIT_S", text), HasSubstr("MAKESPAN_WAIT_LIMIT_S"));
  }
}

TEST(OptionsTest, Check_takes_defaults_and_ends_of_ranges) {
  EXPECT_EQ(refusal(RuntimeOptions{}), "");
  EXPECT_EQ(refusal({.threads = 4096, .heap_bytes = 4096, .message_bytes_max = 1024}), "");
  EXPECT_EQ(refusal({.message_bytes_max = 16 << 20, .operations_max = 1, .calls_kept_max = 1}), "");
}

TEST(OptionsTest, Check_names_option_value_and_range) {
  EXPECT_THAT(refusal({.threads = 0}), AllOf(HasSubstr("threads = 0"), HasSubstr("1 to 4096")));
  EXPECT_THAT(refusal({.threads = 4097}), HasSubstr("threads = 4097"));
  EXPECT_THAT(refusal({.heap_bytes = 4095}), HasSubstr("heap_bytes = 4095"));
  EXPECT_THAT(refusal({.message_bytes_max = 1023}), HasSubstr("message_bytes_max = 1023"));
  EXPECT_THAT(refusal({.message_bytes_max = (16 << 20) + 1}), HasSubstr("message_bytes_max"));
  EXPECT_THAT(refusal({.operations_max = 0}), HasSubstr("operations_max = 0"));
  EXPECT_THAT(refusal({.calls_kept_max = 0}), HasSubstr("calls_kept_max = 0"));
}

TEST(OptionsTest, Check_refuses_limits_that_are_no_time) {
  double const infinite = std::numeric_limits<double>::infinity();
  // Less than the time from one heartbeat to the next, too.
  for (double const seconds :
       {0.0, -1.0, 0.2, 0.25, std::numeric_limits<double>::quiet_NaN(), infinite}) {
    EXPECT_THAT(refusal({.silence = Seconds{seconds}}), HasSubstr("silence")) << seconds;
  }
  for (double const seconds : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THAT(refusal({.wait_limit = Seconds{seconds}}), HasSubstr("wait_limit")) << seconds;
  }
  // A program may wait for ever.
  EXPECT_EQ(refusal({.wait_limit = Seconds{infinite}}), "");
}

TEST(OptionsTest, Process_environment_takes_empty_for_unset) {
  constexpr char const* name = "MAKESPAN_OPTIONS_TEST";
  ASSERT_EQ(::unsetenv(name), 0);
  EXPECT_FALSE(process_environment(name).has_value());
  ASSERT_EQ(::setenv(name, "", 1), 0);
  EXPECT_FALSE(process_environment(name).has_value());
  ASSERT_EQ(::setenv(name, "word", 1), 0);
  EXPECT_EQ(process_environment(name), "word");
  ASSERT_EQ(::unsetenv(name), 0);
}

TEST(OptionsTest, Names_are_those_of_the_environment) {
  EXPECT_EQ(name_of(EndpointDesign::per_thread), "per-thread");
  EXPECT_EQ(name_of(EndpointDesign::shared_global_lock), "shared-global-lock");
  EXPECT_EQ(name_of(EndpointDesign::shared_fine_lock), "shared-fine-lock");
  EXPECT_EQ(name_of(ProgressMode::manual), "manual");
  EXPECT_EQ(name_of(ProgressMode::nap), "nap");
  EXPECT_EQ(name_of(ProgressMode::event), "event");
  EXPECT_EQ(name_of(Stealing::on), "on");
  EXPECT_EQ(name_of(Stealing::off), "off");
}

}  // namespace
}  // namespace makespan::pgas
