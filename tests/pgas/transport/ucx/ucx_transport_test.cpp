// SPDX-License-Identifier: Apache-2.0
// Goal: what cannot work is refused on all images, at the start, and says why. Method: options and
// UCX_… variables that cannot work; what is wrong on one image only, is told to all.
#include "makespan/pgas/transport/ucx/ucx_transport.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/transport/ucx/detail/agreed_exchange.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_port_key.hpp"
#include "makespan/pgas/transport/ucx/ucx_probe.hpp"
#include "test_job.hpp"

namespace makespan::pgas {
namespace {

// Sets an environment variable for a while.
class WithVariable {
 public:
  WithVariable(std::string name, std::string const& value) : name_{std::move(name)} {
    if (char const* const before = ::getenv(name_.c_str())) before_ = before;
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  WithVariable(WithVariable const&) = delete;
  WithVariable& operator=(WithVariable const&) = delete;
  ~WithVariable() {
    if (before_) {
      ::setenv(name_.c_str(), before_->c_str(), 1);
    } else {
      ::unsetenv(name_.c_str());
    }
  }

 private:
  std::string name_;
  std::optional<std::string> before_;
};

class UcxTransportTest : public testing::Test {
 protected:
  void TearDown() override { job->finish_all(); }

  [[nodiscard]] bool is_last() const { return job->image().value() == job->images() - 1; }

  std::unique_ptr<Job> job{open_test_job_all()};
};

TEST_F(UcxTransportTest, Transport_has_a_name) {
  UcxTransport transport(*job, {});
  EXPECT_EQ(transport.name(), "ucx");
  transport.close_all();
}

TEST_F(UcxTransportTest, Transport_refuses_invalid_options) {
  EXPECT_THROW(UcxTransport(*job, {.message_bytes_max = 0}), InputError);
  EXPECT_THROW(UcxTransport(*job, {.message_bytes_max = ucx_payload_bytes_limit + 1}), InputError);
  EXPECT_THROW(UcxTransport(*job, {.heap_bytes = -1}), InputError);
}

TEST_F(UcxTransportTest, Exchange_gives_all_images_what_all_made) {
  auto const all = exchange_or_throw_all(
      *job, [&] { return std::vector(1, static_cast<std::byte>(job->image().value() + 5)); });

  ASSERT_EQ(std::ssize(all), job->images());
  for (int image = 0; image < job->images(); ++image) {
    EXPECT_EQ(all[static_cast<std::size_t>(image)],
              std::vector(1, static_cast<std::byte>(image + 5)));
  }
}

TEST_F(UcxTransportTest, Exchange_tells_all_what_went_wrong_on_one) {
  std::string text;
  try {
    static_cast<void>(exchange_or_throw_all(*job, [&] {
      if (is_last()) throw std::runtime_error("out of luck");
      return std::vector<std::byte>{};
    }));
  } catch (InputError const& error) {
    text = error.what();
  }

  EXPECT_NE(text.find("out of luck"), std::string::npos) << text;
  EXPECT_NE(text.find("image " + std::to_string(job->images() - 1)), std::string::npos) << text;
}

TEST_F(UcxTransportTest, Transport_refuses_transports_that_are_not_there_on_all_images) {
  std::optional<WithVariable> variable;
  if (is_last()) variable.emplace("UCX_TLS", "no_such_transport");

  EXPECT_THROW(UcxTransport(*job, {}), InputError);
}

// Images that never come, and are lost as soon as others wait for them.
class NeverMet final : public Collectives {
 public:
  explicit NeverMet(bool& is_awaited) : is_awaited_{is_awaited} {}

  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] std::span<ImageId const> members() const override { return {}; }
  [[nodiscard]] Operation barrier() override {
    is_awaited_ = true;
    return std::make_unique<Unfinished>();
  }
  [[nodiscard]] Operation broadcast(std::span<std::byte>, int) override { return {}; }
  [[nodiscard]] Operation reduce(ElementType, ReduceOp, std::span<std::byte const>,
                                 std::span<std::byte>, int) override {
    return {};
  }
  [[nodiscard]] Operation all_reduce(ElementType, ReduceOp, std::span<std::byte const>,
                                     std::span<std::byte>) override {
    return {};
  }
  [[nodiscard]] Operation inclusive_scan(ElementType, ReduceOp, std::span<std::byte const>,
                                         std::span<std::byte>) override {
    return {};
  }
  [[nodiscard]] Operation gather(std::span<std::byte const>, std::span<std::byte>, int) override {
    return {};
  }
  [[nodiscard]] Operation all_gather(std::span<std::byte const>, std::span<std::byte>) override {
    return {};
  }
  [[nodiscard]] std::unique_ptr<Collectives> split_all(int, int) override { return nullptr; }
  [[nodiscard]] std::unique_ptr<Collectives> split_by_node_all() override { return nullptr; }
  [[nodiscard]] std::unique_ptr<Collectives> shrink_all() override { return nullptr; }

 private:
  class Unfinished final : public CollectiveOperation {
   public:
    [[nodiscard]] bool test() override { return false; }
  };

  bool& is_awaited_;
};

// What a test does not change of a job.
class JobBehind : public Job {
 public:
  explicit JobBehind(Job& job) : job_{job} {}

  [[nodiscard]] ImageId image() const override { return job_.image(); }
  [[nodiscard]] int images() const override { return job_.images(); }
  [[nodiscard]] std::span<ImageId const> node_images() const override { return job_.node_images(); }
  [[nodiscard]] int nodes() const override { return job_.nodes(); }
  [[nodiscard]] std::string const& host(ImageId image) const override { return job_.host(image); }
  [[nodiscard]] std::string const& launcher() const override { return job_.launcher(); }
  [[nodiscard]] std::vector<std::vector<std::byte>> exchange_all(
      std::span<std::byte const> mine) override {
    return job_.exchange_all(mine);
  }
  [[nodiscard]] std::unique_ptr<NodeMemory> allocate_node_memory_all(std::int64_t bytes) override {
    return job_.allocate_node_memory_all(bytes);
  }
  [[nodiscard]] std::unique_ptr<Collectives> world_collectives_all() override {
    return job_.world_collectives_all();
  }
  [[nodiscard]] std::string loss_of(ImageId image) const override { return job_.loss_of(image); }
  [[nodiscard]] int lost_images() const override { return job_.lost_images(); }
  void report_loss(ImageId image, std::string const& why) override { job_.report_loss(image, why); }
  void finish_all() override {}

 private:
  Job& job_;
};

// A job of one image that turns out to be lost in a barrier.
class LosingJob final : public JobBehind {
 public:
  using JobBehind::JobBehind;

  [[nodiscard]] std::unique_ptr<Collectives> world_collectives_all() override {
    return std::make_unique<NeverMet>(is_awaited_);
  }
  [[nodiscard]] std::string loss_of(ImageId) const override { return is_awaited_ ? "gone" : ""; }
  [[nodiscard]] int lost_images() const override { return is_awaited_ ? 1 : 0; }
  void report_loss(ImageId, std::string const&) override {}

 private:
  bool is_awaited_{false};
};

// Keeps what all images told each other last.
class ListeningJob final : public JobBehind {
 public:
  using JobBehind::JobBehind;

  [[nodiscard]] std::vector<std::vector<std::byte>> exchange_all(
      std::span<std::byte const> mine) override {
    return heard = JobBehind::exchange_all(mine);
  }

  std::vector<std::vector<std::byte>> heard;
};

TEST_F(UcxTransportTest, Ports_of_all_images_have_keys_of_their_own) {
  ListeningJob listening(*job);
  UcxTransport transport(listening, {});
  std::vector<std::unique_ptr<Link>> links;
  std::set<UcxPortKey> keys;

  for (int channel = 0; channel < 2; ++channel) {
    links.push_back(transport.open_link_all(channel, LinkThreading::serialized));
    for (auto const& told : listening.heard) {
      // Behind the byte that says that it could be made.
      keys.insert(port_card_of({told.begin() + 1, told.end()}).key);
    }
  }

  EXPECT_EQ(std::ssize(keys), 2 * job->images());
  EXPECT_FALSE(keys.contains(0));
  links.clear();
  transport.close_all();
}

TEST_F(UcxTransportTest, Probe_ends_where_an_image_is_lost) {
  if (job->images() > 1) GTEST_SKIP() << "the others would take part";
  LosingJob losing(*job);

  EXPECT_THROW(static_cast<void>(ucx_probe_all(losing)), ImageFailed);
}

TEST_F(UcxTransportTest, Probe_finds_that_ucx_works) {
  EXPECT_TRUE(ucx_probe_all(*job));
}

TEST_F(UcxTransportTest, Probe_finds_that_ucx_does_not_work_on_one_image) {
  std::optional<WithVariable> variable;
  if (is_last()) variable.emplace("UCX_TLS", "no_such_transport");

  EXPECT_FALSE(ucx_probe_all(*job));
}

// Each image has a transport, but they do not reach each other: no image hangs, and none is lost
// for that.
TEST_F(UcxTransportTest, Probe_finds_that_images_do_not_reach_each_other) {
  if (job->images() == 1) GTEST_SKIP() << "an image that is alone reaches itself";
  {
    WithVariable const variable("UCX_TLS", is_last() ? "tcp,self" : "posix,self");
    EXPECT_FALSE(ucx_probe_all(*job));
  }
  EXPECT_EQ(job->lost_images(), 0);
  EXPECT_TRUE(ucx_probe_all(*job));
}

}  // namespace
}  // namespace makespan::pgas
