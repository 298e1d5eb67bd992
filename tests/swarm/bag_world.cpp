// SPDX-License-Identifier: Apache-2.0
#include "swarm/bag_world.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "makespan/bag/protocol/claim_word.hpp"
#include "makespan/base/image_errors.hpp"
#include "swarm/bag_scene.hpp"

namespace makespan::swarm {

namespace {

class BagWorld {
 public:
  BagWorld(BagPlan const& plan, Fault fault, Story story) : scene_{plan, fault, std::move(story)} {}

  Verdict run() {
    Verdict verdict;
    try {
      begin();
      scene_.world.run(second + latest_end());
      expect_ended();
    } catch (std::exception const& error) {
      verdict.broken = error.what();
    }
    verdict.events = scene_.world.events();
    return verdict;
  }

 private:
  void begin();
  [[nodiscard]] Nanoseconds latest_end() const;
  void expect_ended() const;

  // What an image's main thread does, and what helps it.
  void lead();
  void serve(int image);
  [[nodiscard]] bool is_given_up(int image) const;
  void guarded(int image, std::function<void()> const& what);
  void serve_job(int image, std::size_t bag);
  void lead_bag(std::size_t bag);
  void lead_alone(std::size_t bag);
  void poll(std::size_t bag);
  void stop_all(std::size_t bag);
  void post_order(std::size_t bag);
  void notice_losses();
  void expect_outcome(std::size_t bag, bool is_complete, bool has_worker_left);
  [[nodiscard]] bool has_worker_left() const;

  [[nodiscard]] bool loses_any() const { return !scene_.plan.weather.losses.empty(); }

  BagScene scene_;
  bool stop_asked_{false};
  bool stop_told_{false};
};

void BagWorld::begin() {
  for (int image = 0; image < scene_.world.images(); ++image) {
    scene_.at(image).main = scene_.world.spawn(
        image, "main of image " + std::to_string(image),
        [this, image] { guarded(image, [this, image] { image == 0 ? lead() : serve(image); }); });
  }
  scene_.world.on_notice([this](int from, int) { scene_.world.wake(scene_.at(from).main); });
  if (scene_.plan.stop < 0) return;
  scene_.world.at_image(0, second + scene_.plan.stop, [this] {
    scene_.world.tell("the bag is to stop");
    stop_asked_ = true;
    if (!scene_.at(0).runs.empty() && scene_.at(0).runs.back()->run) {
      scene_.at(0).runs.back()->stop.request_stop();
      scene_.at(0).runs.back()->run->halt();
    }
  });
}

// The others take it to be lost: whatever it does now counts for nothing.
bool BagWorld::is_given_up(int image) const {
  return std::ranges::any_of(scene_.plan.weather.losses, [&](Loss const& loss) {
    return loss.image == image && loss.is_false && scene_.world.now() >= second + loss.at;
  });
}

// Without image 0 there is nothing that an image could go on with.
void BagWorld::guarded(int image, std::function<void()> const& what) {
  try {
    what();
  } catch (std::exception const& error) {
    auto const* const failure = dynamic_cast<ImageFailed const*>(&error);
    bool const is_alone = failure != nullptr && image != 0 && failure->image() == ImageId{0};
    if (!is_alone && !is_given_up(image)) throw;
    scene_.world.tell("image " + std::to_string(image) + " gives up: " + error.what());
  }
}

// As if the slowest thread did all, several times over, at the worst of every delay.
Nanoseconds BagWorld::latest_end() const {
  double slowest = 16.0;
  Nanoseconds waits = second;
  for (ImagePlan const& image : scene_.plan.images) {
    for (DevicePlan const& device : image.devices) slowest = std::min(slowest, device.speed);
  }
  for (bag::Bag const& bag : scene_.bags) {
    waits += static_cast<Nanoseconds>(10.0 * bag.work().value() / slowest * 1e9);
    waits += bag.items() * (20 * scene_.plan.disk + 500 * scene_.plan.weather.latency);
  }
  for (Pause const& pause : scene_.plan.weather.pauses) waits += 10 * (pause.until - pause.from);
  for (ImagePlan const& image : scene_.plan.images) {
    for (DevicePlan const& device : image.devices) waits += 10 * device.hang;
  }
  return waits + 100 * scene_.plan.weather.notice;
}

void BagWorld::expect_ended() const {
  for (std::string const& name : scene_.world.unfinished()) {
    throw Broken("stalled: nothing will happen any more, but " + name + " waits");
  }
}

void BagWorld::lead() {
  for (std::size_t bag = 0; bag < scene_.bags.size(); ++bag) {
    if (scene_.world.images() == 1) {
      lead_alone(bag);
    } else {
      lead_bag(bag);
    }
    scene_.results[bag].close();
    if (!loses_any() && scene_.plan.look == 0) scene_.results[bag].expect_run_once();
    stop_asked_ = false;
  }
  for (int image = 1; image < scene_.world.images(); ++image) {
    scene_.world.at_image(image, scene_.world.now() + scene_.world.flight(0, image), [this, image] {
      scene_.at(image).is_shut_down = true;
      scene_.world.wake(scene_.at(image).main);
    });
  }
}

void BagWorld::lead_alone(std::size_t bag) {
  bag::ImageOutcome const own = scene_.outcome_of(0, bag, [] {});
  SceneImage const& its = scene_.at(0);
  bool const has_device = std::ranges::find(its.state.failed, false) != its.state.failed.end();
  expect_outcome(bag, own.report.complete, has_device);
}

void BagWorld::lead_bag(std::size_t bag) {
  notice_losses();
  scene_.memory.word = 0;
  bag::FirstClaims const first = scene_.way == bag::ClaimWay::by_tracker
                                     ? bag::FirstClaims::by_tracker
                                     : bag::FirstClaims::by_workers;
  scene_.server->open(scene_.bags[bag], *scene_.tracker_policy, first, scene_.roster.modes,
                      scene_.run_of(0, bag).runner);
  stop_told_ = false;
  post_order(bag);
  scene_.server->end(0, scene_.outcome_of(0, bag, [this, bag] { poll(bag); }));
  while (!scene_.server->others_have_ended()) {
    poll(bag);
    scene_.world.wait_at_most(scene_.world.draws().time(100 * microsecond, 5 * millisecond));
  }
  bool const is_complete = scene_.server->complete();
  bool const may_go_on = has_worker_left();
  auto const error = scene_.server->error();
  scene_.server->close();
  if (error) std::rethrow_exception(error);
  for (auto const& outcome : scene_.server->outcomes()) {
    if (outcome && !outcome->failure.empty()) throw Broken("an image failed: " + outcome->failure);
  }
  expect_outcome(bag, is_complete, may_go_on);
}

void BagWorld::expect_outcome(std::size_t bag, bool is_complete, bool has_worker_left) {
  scene_.world.tell("bag " + std::to_string(bag) +
                    (is_complete ? " is complete" : " ends before its end"));
  if (is_complete) return scene_.results[bag].expect_all();
  if (has_worker_left && !stop_asked_) {
    throw Broken("bag " + std::to_string(bag) + " ends incomplete, with devices left");
  }
}

bool BagWorld::has_worker_left() const {
  auto const outcomes = scene_.server->outcomes();
  for (int image = 0; image < scene_.world.images(); ++image) {
    auto const& outcome = outcomes[static_cast<std::size_t>(image)];
    auto const& devices = scene_.plan.images[static_cast<std::size_t>(image)].devices;
    if (outcome && outcome->report.failed_devices.size() < devices.size()) return true;
  }
  return false;
}

void BagWorld::post_order(std::size_t bag) {
  for (int image = 1; image < scene_.world.images(); ++image) {
    if (scene_.world.knows_loss(0, image)) continue;
    scene_.world.at_image(image, scene_.world.now() + scene_.world.flight(0, image),
                          [this, image, bag] {
                            scene_.at(image).ordered = bag + 1;
                            scene_.world.wake(scene_.at(image).main);
                          });
  }
}

void BagWorld::poll(std::size_t bag) {
  notice_losses();
  if (stop_asked_ || scene_.server->is_stopped()) stop_all(bag);
}

void BagWorld::notice_losses() {
  for (int image = 1; image < scene_.world.images(); ++image) {
    if (scene_.server->is_lost(image) || !scene_.world.knows_loss(0, image)) continue;
    scene_.server->lose(image);
    int const first = scene_.roster.first_worker[static_cast<std::size_t>(image)];
    for (int worker = 0; worker < scene_.roster.workers_of(image); ++worker) {
      scene_.memory.speeds[static_cast<std::size_t>(first + worker)] = bag::speed_of_the_gone;
    }
  }
}

void BagWorld::stop_all(std::size_t bag) {
  if (std::exchange(stop_told_, true)) return;
  scene_.server->stop();
  scene_.memory.word = bag::ClaimWord::spent(scene_.bags[bag].items()).bits();
  for (int image = 1; image < scene_.world.images(); ++image) {
    if (scene_.world.knows_loss(0, image)) continue;
    scene_.world.at_image(image, scene_.world.now() + scene_.world.flight(0, image),
                          [this, image, bag] {
                            SceneImage& its = scene_.at(image);
                            its.stopped = std::max(its.stopped, bag + 1);
                            if (its.runs.size() != bag + 1) return;
                            its.runs.back()->stop.request_stop();
                            if (its.runs.back()->run) its.runs.back()->run->halt();
                          });
  }
}

void BagWorld::serve(int image) {
  for (std::size_t served = 0;;) {
    SceneImage& its = scene_.at(image);
    if (served < its.ordered) {
      serve_job(image, served++);
      continue;
    }
    if (its.is_shut_down) return;
    scene_.world.expect_alive(image, 0);
    scene_.world.await(0);
  }
}

void BagWorld::serve_job(int image, std::size_t bag) {
  scene_.at(image).tracker->end(bag + 1, scene_.outcome_of(image, bag, [] {}));
}

}  // namespace

Verdict run_world(BagPlan const& plan, Fault fault, Story const& story) {
  BagWorld world(plan, fault, story);
  return world.run();
}

}  // namespace makespan::swarm
