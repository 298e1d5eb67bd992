// SPDX-License-Identifier: Apache-2.0
// Goal: an image whose devices or results are not those of the job ends it with a sentence, and no
// price is made of them. Method: the last image joins with the parts that PricingTeam is made of,
// and tells something else. As 2 images and more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "apps/asian/mixed_book.hpp"
#include "makespan/apps/asian/run/book_work.hpp"
#include "makespan/apps/asian/run/detail/book_piece.hpp"
#include "makespan/apps/asian/run/detail/book_wire.hpp"
#include "makespan/apps/asian/run/detail/device_lines.hpp"
#include "makespan/apps/asian/run/pricing_run.hpp"
#include "makespan/apps/asian/run/pricing_team.hpp"
#include "makespan/bag/image/image_team.hpp"
#include "makespan/bag/image/node_place.hpp"
#include "makespan/bag/image/own_devices.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::asian {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

// One device on each image, all of which fail but the last image's: it has the whole book.
PricingSettings on_the_last_image() {
  PricingSettings settings = settings_of(Method::mc, false);
  settings.threads = 1;
  for (int image = 0; image + 1 < bag::images_launched(); ++image) {
    settings.injections.push_back({.kind = bag::Injection::Kind::fail, .device = image, .item = 0});
  }
  return settings;
}

std::vector<PricingThread> one_thread() {
  std::vector<PricingThread> threads;
  threads.push_back({&Kernels::named("auto"), nullptr});
  return threads;
}

// What an image sends of the pieces that it has, instead of these.
using Falsify = std::function<void(std::vector<BookPiece> const&, std::vector<std::byte>&)>;

class FalseService final : public bag::ImageService, public bag::DistributedItemRunner {
 public:
  explicit FalseService(Falsify falsify) : falsify_{std::move(falsify)} {}

  void receive(std::span<std::byte const> message) override {
    work_.reset();
    book_.emplace(message);
    work_.emplace(book_->book(), book_->settings(), one_thread());
  }

  bag::Bag begin(std::span<std::byte const> order) override {
    return work_->begin(rounds_from(order, work_->rows()));
  }

  bag::DistributedItemRunner& runner() override { return *this; }

  void run(int thread, TaskId task, std::int64_t begin, std::int64_t end) override {
    add_to(pieces_, work_->run(thread, task.value(), begin, end, {}));
  }

  void drop(int /*thread*/) override { pieces_.clear(); }

  void pack(int /*thread*/, std::vector<std::byte>& bytes) override {
    falsify_(pieces_, bytes);
    pieces_.clear();
  }

  void unpack(std::span<std::byte const> /*bytes*/) override { FAIL() << "results go to image 0"; }

 private:
  Falsify falsify_;
  std::optional<ReceivedBook> book_{};
  std::optional<BookWork> work_{};
  std::vector<BookPiece> pieces_{};
};

// Prices a book on all images, of which the last falsifies what it has; on image 0 `look` at it.
void price_beside(Falsify const& falsify, std::function<void(PricingRun&)> const& look) {
  PricingSettings const settings = on_the_last_image();
  BookColumns const columns = mixed_book();
  PricingTeam team(settings);
  if (team.image() == 0) {
    PricingRun run(columns.book(), settings, &team);
    look(run);
  } else if (team.image() + 1 < team.images()) {
    team.serve();
  } else {
    FalseService service(falsify);
    team.team().serve(service);
  }
  team.finish_all();
}

void expect_refused(Falsify const& falsify, std::string const& what) {
  price_beside(falsify, [&](PricingRun& run) {
    EXPECT_THAT([&] { run.summary(); },
                ThrowsMessage<InputError>(
                    AllOf(HasSubstr(what), HasSubstr("start the same executable on all images"))));
  });
}

// That it is refused by what it sends, and not because the test joins as it does.
TEST(ForeignResults, are_taken_where_they_are_right) {
  price_beside(
      [](std::vector<BookPiece> const& pieces, std::vector<std::byte>& bytes) {
        for (BookPiece const& piece : pieces) append(piece, bytes);
      },
      [](PricingRun& run) { EXPECT_TRUE(run.summary().complete); });
}

TEST(ForeignResults, that_do_not_come_end_the_run) {
  expect_refused([](std::vector<BookPiece> const&, std::vector<std::byte>&) {},
                 "results of it have not come from the image that had them");
}

TEST(ForeignResults, that_come_twice_end_the_run) {
  expect_refused(
      [](std::vector<BookPiece> const& pieces, std::vector<std::byte>& bytes) {
        for (BookPiece const& piece : pieces) {
          append(piece, bytes);
          append(piece, bytes);
        }
      },
      "of row");
}

TEST(ForeignResults, of_rows_that_the_book_has_not_end_the_run) {
  expect_refused(
      [](std::vector<BookPiece> const& pieces, std::vector<std::byte>& bytes) {
        for (BookPiece piece : pieces) {
          piece.row += 1000;
          append(piece, bytes);
        }
      },
      "row 10");
}

// The last of this program's tests: an image that is not there in the end is lost, and its process
// has no further job (docs/decisions/0161).
TEST(ForeignDevices, are_refused_where_they_are_not_those_of_the_job) {
  PricingSettings settings = on_the_last_image();
  int const images = bag::images_launched();
  if (bag::node_place().rank + 1 < images) {
    std::string const named = "image " + std::to_string(images - 1);
    EXPECT_THAT([&] { PricingTeam const team(settings); },
                ThrowsMessage<BadMessage>(
                    AllOf(HasSubstr(named),
                          HasSubstr("its 1 devices, of which 1 with 1 threads share the work"))));
    return;
  }
  settings.devices = bag::own_devices_all(listed_devices(settings));
  bag::ImageTeam team(team_options(settings));
  PricingDevice const of_two_threads{.name = "cpu", .isa = "avx2", .mode = "shared", .threads = 2};
  static_cast<void>(team.exchange_all(device_lines({of_two_threads})));
}

}  // namespace
}  // namespace makespan::asian
