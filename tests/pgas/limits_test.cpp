// SPDX-License-Identifier: Apache-2.0
// Goal: bad use gives an error that names image, call, value and limit, and leaves the runtime fit
// for use. Method: each misuse, its message, and something right after it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/detail/network_transport.hpp"
#include "makespan/pgas/event.hpp"
#include "makespan/pgas/job/open_job.hpp"
#include "runtime_fixture.hpp"

namespace makespan::pgas {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// What `use` says, as `Error`; empty if it says nothing.
template <class Error = InputError>
std::string refusal(std::function<void()> const& use) {
  try {
    use();
  } catch (Error const& error) {
    return error.what();
  }
  return {};
}

class LimitsTest : public SharedRuntimeTest {
 protected:
  void SetUp() override { words = runtime().allocate_all<std::uint64_t>(4, "words"); }
  void TearDown() override {
    if (HasFatalFailure()) return;
    // Everything still works.
    static_cast<void>(fetch_add(here(), words.at(next(), 3), 1));
    team().barrier_all();
    EXPECT_EQ(load(here(), words.at(me(), 3)), 1U);
    runtime().free_all(words);
  }
  [[nodiscard]] static std::string who() { return "image " + std::to_string(me().value()) + ": "; }

  SymmetricArray<std::uint64_t> words;
};

TEST_F(LimitsTest, Unknown_image_is_named_by_every_call) {
  ImageId const unknown{images()};
  GlobalPtr<std::uint64_t> const word{unknown, 0};
  std::array<std::uint64_t, 2> values{};
  std::vector<std::pair<std::string, std::function<void()>>> const uses{
      {"put", [&] { here().put(word, 1); }},
      {"put", [&] { here().put(word, values); }},
      {"put_async", [&] { static_cast<void>(here().put_async(word, values)); }},
      {"put_signal", [&] { here().put_signal(word, values, word); }},
      {"get", [&] { static_cast<void>(here().get(word)); }},
      {"get", [&] { here().get(word, values); }},
      {"get_async", [&] { static_cast<void>(here().get_async(word)); }},
      {"atomic", [&] { static_cast<void>(fetch_add(here(), word, 1)); }},
      {"atomic", [&] { add(here(), word, 1); }},
      {"atomic", [&] { static_cast<void>(add_async(here(), word, 1)); }},
      {"rpc", [&] { static_cast<void>(here().rpc(unknown, [] {})); }},
      {"flush", [&] { here().flush(unknown); }},
      {"direct", [&] { static_cast<void>(here().direct(word)); }},
      {"is_alive", [&] { static_cast<void>(runtime().is_alive(unknown)); }},
      {"loss_of", [&] { static_cast<void>(runtime().loss_of(unknown)); }},
      {"accept_loss", [&] { runtime().accept_loss(unknown); }},
  };
  for (auto const& [call, use] : uses) {
    EXPECT_THAT(refusal(use), AllOf(HasSubstr(who()), HasSubstr(call),
                                    HasSubstr("image " + std::to_string(images())),
                                    HasSubstr("has " + std::to_string(images()) + " images")))
        << call;
  }
  EXPECT_THAT(refusal([&] { here().flush(ImageId{}); }), HasSubstr("image -1"));
}

TEST_F(LimitsTest, Null_pointer_is_refused) {
  EXPECT_THAT(refusal([&] { here().put(GlobalPtr<double>{}, 1.0); }), HasSubstr("image -1"));
}

TEST_F(LimitsTest, Pointer_outside_the_heap_is_refused) {
  auto const heap = static_cast<std::uint64_t>(runtime().describe().heap_bytes);
  GlobalPtr<std::uint64_t> const last{next(), heap - 8};
  GlobalPtr<std::uint64_t> const past{next(), heap};
  GlobalPtr<std::uint64_t> const far{next(), ~std::uint64_t{7}};
  std::array<std::uint64_t, 2> values{};

  EXPECT_EQ(refusal([&] { static_cast<void>(here().get(last)); }), "");
  EXPECT_EQ(refusal([&] { here().get(past, std::span<std::uint64_t>{}); }), "");
  for (auto const& use : std::vector<std::function<void()>>{
           [&] { here().put(last, values); }, [&] { here().get(last, values); },
           [&] { static_cast<void>(here().put_async(last, values)); },
           [&] { here().put_signal(last, values, last); },
           [&] { here().put_signal(words.at(next()), values, past); }, [&] { here().put(past, 1); },
           [&] { here().put(far, 1); }, [&] { static_cast<void>(fetch_add(here(), past, 1)); },
           [&] { static_cast<void>(here().get_async(far)); },
           [&] { static_cast<void>(here().direct(last, 2)); },
           [&] { static_cast<void>(here().direct(last, -1)); },
           // Whose bytes are 0 as numbers of 64 bits.
           [&] { static_cast<void>(here().direct(words.at(next()), std::int64_t{1} << 61)); },
           [&] { static_cast<void>(here().direct(words.at(next()), -(std::int64_t{1} << 61))); }}) {
    EXPECT_THAT(refusal(use), AllOf(HasSubstr(who()), HasSubstr("bytes at offset"),
                                    HasSubstr("image " + std::to_string(next().value())),
                                    HasSubstr("heap of " + std::to_string(heap) + " bytes")));
  }
}

// Nothing is done before the whole box is known to be inside.
TEST_F(LimitsTest, Box_that_leaves_the_heap_is_refused_at_once) {
  auto const heap = static_cast<std::uint64_t>(runtime().describe().heap_bytes);
  GlobalPtr<std::byte> const last{next(), heap - 16};
  std::array<std::uint64_t, 4> values{7, 7, 7, 7};
  StridedBox box{.element_bytes = 8};
  box.dimensions[2] = {2, 16, 16};
  box.dimensions[3] = {1, 8, 8};
  here().put(GlobalPtr<std::uint64_t>{next(), heap - 16}, 0);
  here().flush(next());

  EXPECT_THAT(refusal([&] { here().put_strided(last, std::as_bytes(std::span(values)), box); }),
              HasSubstr("put_strided"));
  EXPECT_THAT(
      refusal([&] { here().get_strided(last, std::as_writable_bytes(std::span(values)), box); }),
      HasSubstr("get_strided"));

  EXPECT_EQ(here().get(GlobalPtr<std::uint64_t>{next(), heap - 16}), 0U);
  EXPECT_EQ(values[0], 7U);
  StridedBox const whole{.element_bytes = 64};
  EXPECT_THROW(
      here().put_strided(words.at(next()).as_bytes(), std::as_bytes(std::span(values)), whole),
      ContractViolated);
}

TEST_F(LimitsTest, Signal_goes_to_the_image_of_its_data) {
  if (images() == 1) return;
  std::array<std::uint64_t, 1> const value{};
  EXPECT_THROW(here().put_signal(words.at(next()), value, words.at(me())), ContractViolated);
}

TEST_F(LimitsTest, Heap_that_is_exhausted_is_named) {
  std::string const text =
      refusal([&] { static_cast<void>(runtime().allocate_all<double>(1 << 20, "a large field")); });

  EXPECT_THAT(text,
              AllOf(HasSubstr(who() + "allocate_all"), HasSubstr("a large field"),
                    HasSubstr("1048576 elements of 8 bytes"), HasSubstr("heap of 1048576 bytes"),
                    HasSubstr("left in one piece"), HasSubstr("MAKESPAN_HEAP_MIB")));
}

TEST_F(LimitsTest, Invalid_counts_are_refused) {
  EXPECT_THAT(refusal([&] { static_cast<void>(runtime().allocate_all<double>(-1, "x")); }),
              HasSubstr("-1 elements"));
  // It has no negative of the same size.
  EXPECT_THAT(refusal([&] {
                static_cast<void>(
                    runtime().allocate_all<double>(std::numeric_limits<std::int64_t>::min(), "x"));
              }),
              HasSubstr("no such number"));
  EXPECT_THAT(refusal([&] {
                static_cast<void>(runtime().allocate_all<double>(std::int64_t{1} << 62, "x"));
              }),
              HasSubstr("no such number"));
}

TEST_F(LimitsTest, Sizes_that_differ_between_images_are_refused) {
  if (images() == 1) return;
  std::int64_t const mine = 10 + me().value();

  EXPECT_THAT(refusal([&] { static_cast<void>(runtime().allocate_all<double>(mine, "field")); }),
              AllOf(HasSubstr(who()), HasSubstr("field"),
                    HasSubstr("10 to " + std::to_string(9 + images()) + " elements")));
}

TEST_F(LimitsTest, Thread_without_endpoint_is_refused) {
  for (int const thread : {-1, 2}) {
    EXPECT_THAT(refusal([&] { static_cast<void>(runtime().endpoint(thread)); }),
                AllOf(HasSubstr(who()), HasSubstr("thread " + std::to_string(thread)),
                      HasSubstr("2 threads"), HasSubstr("0 to 1")));
  }
}

// --- the end

TEST(LimitsOfLifeTest, Calls_after_the_end_are_refused) {
  Runtime runtime(small_options());
  auto const word = runtime.allocate_all<std::uint64_t>(1, "word");
  Endpoint& here = runtime.endpoint(0);
  std::string const who = "image " + std::to_string(runtime.image().value()) + ": ";
  GlobalPtr<std::uint64_t> const own = word.at(runtime.image());
  runtime.finish_all();

  std::vector<std::pair<std::string, std::function<void()>>> const uses{
      {"endpoint", [&] { static_cast<void>(runtime.endpoint(0)); }},
      {"team", [&] { static_cast<void>(runtime.team()); }},
      {"node_team", [&] { static_cast<void>(runtime.node_team()); }},
      {"allocate_all", [&] { static_cast<void>(runtime.allocate_all<double>(1, "late")); }},
      {"free_all", [&] { runtime.free_all(word); }},
      {"finish_all", [&] { runtime.finish_all(); }},
      {"put", [&] { here.put(own, 1); }},
      {"get", [&] { static_cast<void>(here.get(own)); }},
      {"atomic", [&] { static_cast<void>(fetch_add(here, own, 1)); }},
      {"rpc", [&] { static_cast<void>(here.rpc(runtime.image(), [] {})); }},
      {"flush", [&] { here.flush(runtime.image()); }},
      {"progress", [&] { here.progress(); }},
      {"local", [&] { static_cast<void>(runtime.local(word)); }},
      {"is_alive", [&] { static_cast<void>(runtime.is_alive(runtime.image())); }},
      {"loss_of", [&] { static_cast<void>(runtime.loss_of(runtime.image())); }},
  };
  for (auto const& [call, use] : uses) {
    EXPECT_THAT(refusal(use), AllOf(HasSubstr(who), HasSubstr(call), HasSubstr("after finish_all")))
        << call;
  }
}

// --- waits that end

// Long enough for images that share cores to meet in it, as they do at the end of each test.
constexpr double short_limit_s = 1.0;

TEST(LimitsOfWaitsTest, Wait_that_never_ends_times_out) {
  ScopedVariable const limit("MAKESPAN_WAIT_LIMIT_S", std::to_string(short_limit_s));
  Runtime runtime(small_options());
  Endpoint& here = runtime.endpoint(0);
  auto const words = runtime.allocate_all<std::uint64_t>(1, "words");
  auto const events = runtime.allocate_all<EventWord>(1, "events");
  std::string const who = "image " + std::to_string(runtime.image().value());

  EXPECT_THAT(refusal<WaitTimeout>(
                  [&] { here.wait_until_word(words.at(runtime.image()), Comparison::equal, 1); }),
              AllOf(HasSubstr(who + ", wait_until_word"), HasSubstr("MAKESPAN_WAIT_LIMIT_S")));
  EXPECT_THAT(refusal<WaitTimeout>([&] { wait(here, events.at(runtime.image())); }),
              HasSubstr(who));
  runtime.team().barrier_all();
  runtime.finish_all();
}

// A call to a thread that runs none: the image that has not answered is named, and a late answer is
// dropped.
TEST(LimitsOfWaitsTest, Call_that_is_never_run_times_out_and_is_forgotten) {
  ScopedVariable const off("MAKESPAN_STEALING", "off");
  RuntimeOptions options = small_options();
  options.wait_limit = Seconds{short_limit_s};
  Runtime runtime(options);
  Endpoint& here = runtime.endpoint(0);
  ImageId const next{(runtime.image().value() + 1) % runtime.images()};

  auto const future = here.rpc(EndpointAddress{next, 1}, [] { return 5; });
  EXPECT_THAT(
      refusal<WaitTimeout>([&] { static_cast<void>(future.get()); }),
      AllOf(HasSubstr("image " + std::to_string(runtime.image().value()) + ", a remote call"),
            HasSubstr("image " + std::to_string(next.value()) + " has not answered")));
  runtime.team().barrier_all();
  // Now that thread runs it, and the future is ready after all.
  TestThread other([&](std::stop_token const& stop) {
    while (!stop.stop_requested()) runtime.endpoint(1).help();
  });
  EXPECT_EQ(future.get(), 5);
  runtime.team().barrier_all();
  other.stop();
  runtime.finish_all();
}

// --- options

TEST(LimitsOfOptionsTest, Invalid_options_are_refused_by_all) {
  RuntimeOptions options = small_options();
  options.threads = 0;
  EXPECT_THAT(refusal([&] { Runtime const runtime(options); }), HasSubstr("threads = 0"));

  options = small_options();
  options.transport = "pigeons";
  EXPECT_THAT(refusal([&] {
                ScopedVariable const transport("MAKESPAN_TRANSPORT", "pigeons");
                Runtime const runtime(options);
              }),
              HasSubstr("transport pigeons"));
}

TEST(LimitsOfOptionsTest, Options_that_differ_are_refused_by_all) {
  auto const job = open_job_all();
  bool const is_alone = job->images() == 1;
  bool const differs = job->image() == ImageId{job->images() - 1};
  job->finish_all();
  if (is_alone) return;

  std::vector<std::pair<std::string, std::function<void(RuntimeOptions&)>>> const changes{
      {"heap", [](RuntimeOptions& options) { options.heap_bytes *= 2; }},
      {"message", [](RuntimeOptions& options) { options.message_bytes_max *= 2; }},
      {"calls", [](RuntimeOptions& options) { options.calls_kept_max = 5; }},
      {"operations", [](RuntimeOptions& options) { options.operations_max *= 2; }},
      {"stealing off", [](RuntimeOptions& options) { options.stealing = Stealing::off; }},
      {"stealing of progress off",
       [](RuntimeOptions& options) { options.progress_stealing = Stealing::off; }},
      {"aggregation off", [](RuntimeOptions& options) { options.aggregates = false; }},
      {"silence", [](RuntimeOptions& options) { options.silence = Seconds{20.0}; }}};
  for (auto const& [name, change] : changes) {
    RuntimeOptions options = small_options();
    if (differs) change(options);
    EXPECT_THAT(refusal([&] { Runtime const runtime(options); }),
                AllOf(HasSubstr(name), HasSubstr("image 0 runs with"),
                      HasSubstr("same options and MAKESPAN_")))
        << name;
  }
  // Those that runs of this program are given, by what the last image and the others hear.
  struct Variable {
    std::string name;
    std::string last;
    std::string others;
    std::string said;
  };
  for (auto const& [name, last, others, said] : std::vector<Variable>{
           {"MAKESPAN_PROGRESS", "nap", "event", "progress nap"},
           {"MAKESPAN_TRANSPORT", "am", "shm", "transport am"},
           {"MAKESPAN_ENDPOINTS", "shared-fine-lock", "per-thread", "endpoints shared-fine-lock"},
           {"MAKESPAN_UCX_RMA", "always", "never", "RMA of UCX always"}}) {
    ScopedVariable const variable(name, differs ? last : others);
    EXPECT_THAT(refusal([&] { Runtime const runtime(small_options()); }),
                AllOf(HasSubstr(said), HasSubstr("image 0 runs with")))
        << name;
  }
}

// The last image tells what no build of ours does, in the exchange that a runtime begins with.
TEST(LimitsOfOptionsTest, Numbers_of_threads_that_cannot_be_name_their_image) {
  auto const job = open_job_all();
  int const last = job->images() - 1;
  bool const is_last = job->image() == ImageId{last};
  job->finish_all();
  if (last == 0) return;

  auto const bytes_of = [](int threads) {
    auto const bytes = std::as_bytes(std::span(&threads, 1));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  for (auto const& [told, said] : std::vector<std::pair<std::vector<std::byte>, std::string>>{
           {std::vector<std::byte>(3), "its number of threads of 3 bytes, which has 4"},
           {bytes_of(0), "it says that it has 0 threads"},
           {bytes_of(4097), "it says that it has 4097 threads, 4096 at most"}}) {
    if (is_last) {
      static_cast<void>(open_job_all()->exchange_all(told));
      continue;
    }
    EXPECT_THAT(refusal<BadMessage>([&] { Runtime const runtime(small_options()); }),
                AllOf(HasSubstr("a message from image " + std::to_string(last)), HasSubstr(said)));
  }
}

// It says how long this image waits, which is no matter of the others.
TEST(LimitsOfOptionsTest, Limit_of_waits_may_differ) {
  auto const job = open_job_all();
  bool const differs = job->image() == ImageId{job->images() - 1};
  job->finish_all();
  RuntimeOptions options = small_options();
  if (differs) options.wait_limit = Seconds{20.0};

  Runtime runtime(options);
  runtime.finish_all();
}

// An invalid value on one image only: the others must not wait for it.
TEST(LimitsOfOptionsTest, Options_invalid_on_one_image_are_refused_by_all) {
  auto const job = open_job_all();
  bool const is_wrong = job->image() == ImageId{job->images() - 1};
  job->finish_all();
  RuntimeOptions options = small_options();
  if (is_wrong) options.heap_bytes = 1;

  EXPECT_THAT(refusal([&] { Runtime const runtime(options); }), HasSubstr("heap"));

  ScopedVariable const mode("MAKESPAN_STEALING", is_wrong ? "perhaps" : "on");
  EXPECT_THAT(refusal([&] { Runtime const runtime(small_options()); }),
              HasSubstr("MAKESPAN_STEALING=perhaps"));
}

TEST(LimitsOfOptionsTest, Plan_of_a_job_is_refused_where_it_cannot_be) {
  auto const job = open_job_all();
  EXPECT_THAT(refusal([&] { static_cast<void>(plan_transport_all("tcp", *job)); }),
              HasSubstr("transport tcp"));
  EXPECT_EQ(name_of(plan_transport_all("auto", *job)) == "shm", images_of_hosts(*job).size() == 1);
  job->finish_all();
}

}  // namespace
}  // namespace makespan::pgas
