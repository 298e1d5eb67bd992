// SPDX-License-Identifier: Apache-2.0
// Goal: a runtime says what it is, gives out memory that is alike on all images, and begins and
// ends any number of times in a process.
#include "makespan/pgas/runtime.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cereal/types/string.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/job/open_job.hpp"
#include "runtime_fixture.hpp"

namespace makespan::pgas {
namespace {

using testing::AnyOf;

class RuntimeTest : public SharedRuntimeTest {};

TEST_F(RuntimeTest, Description_is_that_of_the_fabric) {
  RuntimeDescription const description = runtime().describe();

  EXPECT_EQ(description.images, images());
  EXPECT_EQ(description.nodes, std::ssize(images_of_hosts(here().fabric().job())));
  EXPECT_EQ(description.threads, 2);
  EXPECT_EQ(description.heap_bytes, std::int64_t{1} << 20);
  EXPECT_THAT(description.transport, AnyOf("shm", "am", "rma", "ucx", "shm+am", "shm+ucx"));
  EXPECT_THAT(std::string(description.design),
              AnyOf("per-thread", "shared-global-lock", "shared-fine-lock"));
  EXPECT_EQ(here().fabric().channels(), description.design == "per-thread" ? 2 : 1);
  EXPECT_FALSE(description.launcher.empty());
}

TEST_F(RuntimeTest, Environment_is_heard) {
  for (auto const& [name, said] : std::vector<std::pair<char const*, std::string>>{
           {"MAKESPAN_ENDPOINTS", std::string(runtime().describe().design)},
           {"MAKESPAN_STEALING", std::string(runtime().describe().stealing)}}) {
    if (auto const asked = process_environment(name)) {
      EXPECT_EQ(said, *asked) << name;
    }
  }
  auto const transport = process_environment("MAKESPAN_TRANSPORT");
  if (transport && images() > 1) {
    EXPECT_EQ(runtime().describe().transport, *transport);
  }
}

TEST_F(RuntimeTest, Memory_is_zero_and_at_the_same_offset) {
  auto const a = runtime().allocate_all<std::int32_t>(5, "a");
  auto const b = runtime().allocate_all<double>(7, "b");

  for (auto const array : {a.offset(), b.offset()}) {
    std::vector<std::uint64_t> const mine{array};
    for (std::uint64_t const theirs : team().all_gather_all(std::span<std::uint64_t const>(mine))) {
      EXPECT_EQ(theirs, array);
    }
  }
  EXPECT_TRUE(std::ranges::all_of(runtime().local(a), [](auto value) { return value == 0; }));
  EXPECT_TRUE(std::ranges::all_of(runtime().local(b), [](auto value) { return value == 0.0; }));
  EXPECT_EQ(runtime().local(b).size(), 7U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(runtime().local(b).data()) % 64, 0U);
  runtime().free_all(a);
  runtime().free_all(b);
}

TEST_F(RuntimeTest, Memory_that_is_used_again_is_zero_again) {
  auto const first = runtime().allocate_all<std::int64_t>(100, "first");
  std::vector<std::int64_t> const ones(100, 1);
  here().put(first.at(next()), ones);
  here().flush_all();
  runtime().free_all(first);

  auto const second = runtime().allocate_all<std::int64_t>(100, "second");
  std::vector<std::int64_t> read(100);
  here().get(second.at(me()), read);

  EXPECT_EQ(second.offset(), first.offset());
  EXPECT_EQ(read, std::vector<std::int64_t>(100));
  team().barrier_all();
  runtime().free_all(second);
}

TEST_F(RuntimeTest, Array_of_nothing_is_allowed) {
  auto const nothing = runtime().allocate_all<double>(0, "nothing");
  EXPECT_EQ(nothing.count(), 0);
  EXPECT_TRUE(runtime().local(nothing).empty());
  runtime().free_all(nothing);
}

TEST_F(RuntimeTest, All_images_are_alive) {
  for (int image = 0; image < images(); ++image) {
    EXPECT_TRUE(runtime().is_alive(ImageId{image}));
    EXPECT_EQ(runtime().loss_of(ImageId{image}), "");
  }
}

TEST_F(RuntimeTest, Freeing_twice_is_a_mistake) {
  auto const array = runtime().allocate_all<double>(1, "array");
  runtime().free_all(array);
  EXPECT_THROW(runtime().free_all(array), ContractViolated);
}

TEST(RuntimeLifeTest, Runtimes_follow_each_other) {
  for (int round = 0; round < 3; ++round) {
    Runtime runtime(small_options());
    auto const word = runtime.allocate_all<std::int64_t>(1, "word");
    static_cast<void>(fetch_add(runtime.endpoint(0), word.at(ImageId{0}), 1));
    runtime.team().barrier_all();
    EXPECT_EQ(load(runtime.endpoint(0), word.at(ImageId{0})), runtime.images());
    runtime.finish_all();
  }
}

// Of a word of this image's heap, which stays when the runtime has given that back. None where the
// memory is not shared, so that the system shows it nowhere else.
class SecondView {
 public:
  explicit SecondView(std::int64_t* word) {
    if (word == nullptr) return;
    auto const address = reinterpret_cast<std::uintptr_t>(word);
    std::uintptr_t const within = address % page_;
    void* const page = reinterpret_cast<void*>(address - within);
    // Of length 0: pages that are shared are mapped once more (man 2 mremap).
    void* const again = ::mremap(page, 0, page_, MREMAP_MAYMOVE);
    if (again == MAP_FAILED) return;
    page_again_ = again;
    value_ = reinterpret_cast<std::int64_t*>(static_cast<std::byte*>(again) + within);
  }
  SecondView(SecondView const&) = delete;
  SecondView& operator=(SecondView const&) = delete;
  ~SecondView() {
    if (page_again_ != nullptr) ::munmap(page_again_, page_);
  }

  [[nodiscard]] std::int64_t const* value() const { return value_; }

 private:
  std::uintptr_t page_{static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE))};
  void* page_again_{nullptr};
  std::int64_t const* value_{nullptr};
};

// What was begun and not waited for is carried out before the job ends.
TEST(RuntimeLifeTest, End_waits_for_what_is_under_way) {
  Runtime runtime(small_options());
  auto const word = runtime.allocate_all<std::int64_t>(1, "word");
  std::int64_t* const seen = runtime.endpoint(0).direct(word.at(runtime.image()));
  for (int round = 0; round < 200; ++round) {
    for (int image = 0; image < runtime.images(); ++image) {
      add(runtime.endpoint(round % 2), word.at(ImageId{image}), 1);
      static_cast<void>(add_async(runtime.endpoint(0), word.at(ImageId{image}), 1));
    }
  }
  runtime.endpoint(0).flush_all();
  runtime.endpoint(1).flush_all();
  runtime.team().barrier_all();

  if (seen != nullptr) {
    EXPECT_EQ(std::atomic_ref(*seen).load(), 400 * runtime.images());
  }
  runtime.team().barrier_all();
  SecondView const view(seen);
  for (int round = 0; round < 100; ++round) {
    for (int image = 0; image < runtime.images(); ++image) {
      add(runtime.endpoint(round % 2), word.at(ImageId{image}), 1);
    }
  }
  int const images = runtime.images();
  runtime.finish_all();  // flushes itself
  if (view.value() != nullptr) {
    EXPECT_EQ(*view.value(), 500 * images);
  }
}

std::atomic<int> calls_run{0};

// Futures are dropped, and no thread runs the calls to threads 1: the end does. In the next runtime
// nothing of the last is left.
TEST(RuntimeLifeTest, End_waits_for_calls_whose_futures_are_dropped) {
  ScopedVariable const off("MAKESPAN_STEALING", "off");
  calls_run = 0;
  constexpr int each = 20;
  constexpr int rounds = 10;
  for (int round = 0; round < rounds; ++round) {
    Runtime runtime(small_options());
    ImageId const next{(runtime.image().value() + 1) % runtime.images()};
    for (int call = 0; call < each; ++call) {
      static_cast<void>(
          runtime.endpoint(0).rpc(EndpointAddress{next, call % 2}, [] { ++calls_run; }));
    }
    runtime.finish_all();
    EXPECT_EQ(calls_run, each * (round + 1));
  }
}

Runtime* ending{nullptr};
constexpr int calls_at_end = 100;

void be_called_back() {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ++calls_run;
}

void call_back() {
  for (int call = 0; call < calls_at_end; ++call) {
    static_cast<void>(
        ending->endpoint(0).rpc(EndpointAddress{ImageId{0}, 0}, function<&be_called_back>));
  }
}

// The others are at the end already when image 0 sends its call, and run it there.
TEST(RuntimeLifeTest, End_waits_for_calls_that_calls_have_begun) {
  calls_run = 0;
  RuntimeOptions options = small_options();
  options.threads = 1;
  options.operations_max = 256;  // so that no call waits for room to send
  Runtime runtime(options);
  ending = &runtime;
  ImageId const last{runtime.images() - 1};
  runtime.team().barrier_all();
  bool const is_caller = runtime.image() == ImageId{0};
  if (is_caller) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    static_cast<void>(runtime.endpoint(0).rpc(EndpointAddress{last, 0}, function<&call_back>));
  }

  runtime.finish_all();

  ending = nullptr;
  EXPECT_EQ(calls_run, is_caller ? calls_at_end : 0);
}

// Each call has been answered, and no thread has run what follows it. That of thread 1 is left to
// the end as well.
TEST(RuntimeLifeTest, End_waits_for_calls_that_continuations_begin) {
  calls_run = 0;
  Runtime runtime(small_options());
  ImageId const me = runtime.image();
  for (int thread = 0; thread < 2; ++thread) {
    Endpoint& here = runtime.endpoint(thread);
    Future<void> const first = here.rpc(me, [] {});
    static_cast<void>(first.then([&here, me] {
      static_cast<void>(here.rpc(me, [] { ++calls_run; }).then([] { ++calls_run; }));
    }));
    // Runs the call, after its round of progress: the future is ready then, and nothing follows.
    here.help();
    EXPECT_TRUE(first.is_ready());
  }
  EXPECT_EQ(calls_run, 0);

  runtime.finish_all();

  EXPECT_EQ(calls_run, 4);
}

// As an exception leaves it: what is under way is given up, on all images, and a new one can be
// made. On a node: MPI and UCX do not forgive what was left with them, and go with the process.
TEST(RuntimeLifeTest, Runtime_may_be_left_in_the_middle) {
  for (int round = 0; round < 2; ++round) {
    Runtime runtime(small_options());
    if (runtime.describe().transport != "shm") {
      runtime.finish_all();
      GTEST_SKIP() << "another transport";
    }
    ImageId const next{(runtime.image().value() + 1) % runtime.images()};
    for (int call = 0; call < 10; ++call) {
      static_cast<void>(runtime.endpoint(0).rpc(
          EndpointAddress{next, 1}, [](std::string const& text) { return text; },
          std::string(1000, 'x')));
    }
  }
  Runtime runtime(small_options());
  EXPECT_EQ(runtime.team().all_reduce_all(ReduceOp::sum, std::int64_t{1}), runtime.images());
  runtime.finish_all();
}

TEST(RuntimeLifeTest, One_thread_is_enough) {
  RuntimeOptions options = small_options();
  options.threads = 1;
  Runtime runtime(options);
  EXPECT_EQ(runtime.describe().threads, 1);
  EXPECT_EQ(runtime.endpoint(0).fabric().channels(), 1);
  runtime.finish_all();
}

// Image i asks for i + 1; a call to the last thread arrives on the image that asked for least.
TEST(RuntimeLifeTest, Images_get_as_many_threads_as_the_one_that_asks_for_most) {
  RuntimeOptions options = small_options();
  auto const job = open_job_all();
  options.threads = static_cast<int>(job->image().value()) + 1;
  job->finish_all();
  Runtime runtime(options);
  int const threads = runtime.images();
  EXPECT_EQ(runtime.describe().threads, threads);
  Endpoint& last = runtime.endpoint(threads - 1);

  Future<int> answer =
      last.rpc(EndpointAddress{ImageId{0}, 0}, [](int value) { return value + 1; }, 6);
  while (!answer.is_ready()) {
    runtime.endpoint(0).help();
    last.progress();
  }
  EXPECT_EQ(answer.get(), 7);
  // Image 0 answers until all have asked.
  runtime.team().barrier_all();
  runtime.finish_all();
}

TEST(RuntimeLifeTest, Many_threads_have_endpoints_of_their_own) {
  RuntimeOptions options = small_options();
  options.threads = 5;
  Runtime runtime(options);
  auto const word = runtime.allocate_all<std::int64_t>(1, "word");

  std::vector<std::unique_ptr<TestThread>> threads;
  for (int thread = 1; thread < 5; ++thread) {
    threads.push_back(std::make_unique<TestThread>([&runtime, word, thread] {
      Endpoint& here = runtime.endpoint(thread);
      for (int round = 0; round < 50; ++round)
        static_cast<void>(fetch_add(here, word.at(ImageId{0}), 1));
    }));
  }
  threads.clear();
  runtime.team().barrier_all();

  EXPECT_EQ(load(runtime.endpoint(0), word.at(ImageId{0})), 200 * runtime.images());
  runtime.team().barrier_all();
  runtime.finish_all();
}

}  // namespace
}  // namespace makespan::pgas
