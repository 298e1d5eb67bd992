// SPDX-License-Identifier: Apache-2.0
#include "swarm/bag_scene.hpp"

#include <algorithm>
#include <exception>
#include <string>

#include "makespan/bag/detail/local_dispatcher.hpp"
#include "makespan/bag/device_failed.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::swarm {

namespace {

constexpr double swallowed = 0.2;  // of notifications, where that fault is planted

bag::TeamOptions options_of(BagPlan const& plan, ImagePlan const& image) {
  bag::TeamOptions options;
  options.devices.clear();
  for (DevicePlan const& device : image.devices) {
    options.devices.push_back({.threads = device.threads, .mode = device.mode});
  }
  options.policy = plan.policy;
  options.dispatcher = plan.dispatcher;
  return bag::with_choices_of_dispatcher(options);
}

}  // namespace

BagScene::BagScene(BagPlan const& its_plan, Fault its_fault, Story story)
    : plan{its_plan},
      fault{its_fault},
      world{static_cast<int>(plan.images.size()), plan.weather, plan.seed, std::move(story)},
      clock{world,
            [this] { return fault == Fault::lost_wake && world.draws().chance(swallowed); }} {
  make_images();
  for (auto const& tasks : plan.bags) {
    bags.emplace_back(tasks);
    results.emplace_back(world, tasks);
  }
}

void BagScene::make_images() {
  roster = {.first_worker = {0}, .first_device = {0}, .first_thread = {0}, .modes = {}};
  bag::TeamOptions options;
  for (ImagePlan const& image : plan.images) {
    options = options_of(plan, image);
    bag::TeamLayout const& layout =
        images.emplace_back(std::make_unique<SceneImage>(options))->layout;
    roster.first_worker.push_back(roster.first_worker.back() + layout.workers());
    roster.first_device.push_back(roster.first_device.back() + layout.devices());
    roster.first_thread.push_back(roster.first_thread.back() + layout.threads());
    roster.modes.insert(roster.modes.end(), layout.modes().begin(), layout.modes().end());
    memory.boards.push_back(std::make_unique<bag::WorkerBoard>(layout.workers()));
  }
  memory.speeds.resize(static_cast<std::size_t>(roster.workers()));
  remember_speeds();
  server.emplace(roster, clock);
  tracker_policy = bag::make_policy(options.policy, options.policy_options);
  way = bag::claim_way(plan.dispatcher, bag::policy_entry(options.policy).form, roster.modes);
  for (int image = 0; image < world.images(); ++image) make_links(image);
}

// What an earlier run has measured, told to image 0 before the first bag.
void BagScene::remember_speeds() {
  for (int image = 0; image < world.images(); ++image) {
    SceneImage& its = at(image);
    for (int worker = 0; worker < its.layout.workers(); ++worker) {
      auto const device =
          static_cast<std::size_t>(its.layout.role(its.layout.claiming_thread(worker)).device);
      DevicePlan const& its_plan = plan.images[static_cast<std::size_t>(image)].devices[device];
      if (!its_plan.is_remembered) continue;
      Speed const speed{its_plan.speed * its.layout.threads_of_worker(worker)};
      its.state.speeds.remember(worker, speed);
      memory.speeds[static_cast<std::size_t>(roster.first_worker[static_cast<std::size_t>(image)] +
                                             worker)] = speed;
    }
  }
}

void BagScene::make_links(int image) {
  SceneImage& its = at(image);
  its.bag_state = std::make_unique<SwarmBagState>(world, image, roster, memory, fault);
  its.tracker = std::make_unique<SwarmTracker>(world, image, its.layout.threads(), *server,
                                               plan.part_bytes, fault);
  its.tracker->on_hand_out([this](bag::ItemRange items) { expect_without_result(items); });
  if (plan.dispatcher != bag::Dispatcher::hierarchical) return;
  auto const node = static_cast<std::size_t>(plan.images[static_cast<std::size_t>(image)].node);
  if (node == pools.size()) {
    pools.push_back(std::make_unique<PoolMemory>(PoolMemory{.image = image}));
    pools.back()->speeds.resize(memory.speeds.size());
  }
  for (int worker = 0; worker < its.layout.workers(); ++worker) {
    pools[node]->members.push_back(roster.first_worker[static_cast<std::size_t>(image)] + worker);
  }
  its.pool = std::make_unique<SwarmPool>(world, image, *pools[node]);
}

// Where images are lost, or late, items may be run twice, but not once their result is there.
void BagScene::expect_without_result(bag::ItemRange items) {
  std::size_t const number = at(0).runs.size() - 1;
  bag::Bag const& its = bags[number];
  while (!items.empty()) {
    std::int64_t const segment = its.segment_of(items.begin);
    auto const [task, part] = its.task_items(segment, items);
    for (std::int64_t item = part.begin; item < part.end; ++item) {
      results[number].expect_open(results[number].number_of(task, item));
    }
    items.begin = std::min(its.segment_items(segment).end, items.end);
  }
}

std::unique_ptr<bag::ClaimSource> BagScene::make_source(int image, std::size_t bag) {
  SceneImage& its = at(image);
  if (world.images() == 1) {
    bag::TeamBoard const shared{
        .state = its.state, .board = *memory.boards.front(), .clock = clock};
    return std::make_unique<bag::LocalDispatcher>(bags[bag], its.runs.back()->runner, its.layout,
                                                  plan.dispatcher, shared);
  }
  if (its.pool) its.pool->begin(bag);
  its.tracker->begin(its.runs.back()->runner);
  return std::make_unique<bag::ImageDispatcher>(bags[bag],
                                                bag::ImageContext{.image = image,
                                                                  .bag_state = *its.bag_state,
                                                                  .roster = roster,
                                                                  .tracker = *its.tracker,
                                                                  .pool = its.pool.get(),
                                                                  .clock = clock,
                                                                  .layout = its.layout,
                                                                  .modes = roster.modes,
                                                                  .dispatcher = plan.dispatcher,
                                                                  .way = way},
                                                its.state);
}

BagRun& BagScene::run_of(int image, std::size_t bag) {
  auto& runs = at(image).runs;
  while (runs.size() <= bag) {
    runs.push_back(std::make_unique<BagRun>(SwarmRunner(
        world, plan, results, {.image = image, .bag = bag, .begin = second, .fault = fault})));
  }
  return *runs.back();
}

bag::ImageOutcome BagScene::outcome_of(int image, std::size_t bag,
                                       std::function<void()> const& meanwhile) {
  BagRun& run = run_of(image, bag);
  if (at(image).stopped > bag) run.stop.request_stop();
  bag::ImageOutcome outcome{.report = idle_report(at(image)), .failure = {}};
  try {
    outcome.report = run_team(image, bag, meanwhile);
  } catch (bag::DeviceFailed const&) {
    outcome.report = idle_report(at(image));
  } catch (ImageFailed const& failure) {
    if (image == 0 || failure.image() == ImageId{0}) throw;
    outcome.failure = failure.what();
  }
  return outcome;
}

bag::TeamReport BagScene::idle_report(SceneImage const& image) {
  bag::TeamReport report;
  for (int device = 0; device < image.layout.devices(); ++device) {
    if (image.state.failed[static_cast<std::size_t>(device)]) {
      report.failed_devices.push_back(device);
    }
  }
  return report;
}

// As DeviceTeam::run() does.
bag::TeamReport BagScene::run_team(int image, std::size_t bag,
                                   std::function<void()> const& meanwhile) {
  SceneImage& its = at(image);
  if (std::ranges::find(its.state.failed, false) == its.state.failed.end()) {
    throw bag::DeviceFailed("every device of the team has failed in an earlier run");
  }
  BagRun& run = *its.runs.back();
  run.source = make_source(image, bag);
  static std::vector<bag::Injection> const no_injections;
  run.run.emplace(
      bag::TeamJob{.bag = bags[bag], .runner = run.runner, .stop = run.stop.get_token()},
      *run.source, *memory.boards[static_cast<std::size_t>(image)],
      bag::TeamParts{.layout = its.layout,
                     .injections = no_injections,
                     .overdue = plan.overdue,
                     .state = its.state,
                     .clock = clock});
  for (int thread = 0; thread < its.layout.threads(); ++thread) {
    if (its.state.is_lost(thread)) continue;
    ++run.inside;
    world.spawn(image, "thread " + std::to_string(thread) + " of image " + std::to_string(image),
                [this, &run, thread, main = its.main] {
                  if (run.run->take_part(thread) && --run.inside == 0) world.wake(main);
                });
  }
  while (run.inside > 0 || !run.run->is_over()) {
    meanwhile();
    if (plan.look > 0) {
      world.wait_at_most(plan.look);
      look_for_overdue(image, run);
    } else if (image == 0 && world.images() > 1) {
      world.wait_at_most(world.draws().time(100 * microsecond, 5 * millisecond));
    } else {
      world.wait();
    }
  }
  bag::TeamReport report = run.run->report();
  for (int const device : report.failed_devices) {
    its.state.failed[static_cast<std::size_t>(device)] = true;
  }
  if (run.run->error()) std::rethrow_exception(run.run->error());
  return report;
}

void BagScene::look_for_overdue(int image, BagRun& run) {
  int const left = run.run->look_for_overdue(Seconds{static_cast<double>(plan.look) * 1e-9});
  if (left == 0) return;
  run.inside -= left;
  SceneImage& its = at(image);
  its.state.lost.resize(static_cast<std::size_t>(its.layout.threads()));
  for (int thread = 0; thread < its.layout.threads(); ++thread) {
    if (run.run->is_left_behind(thread)) its.state.lost[static_cast<std::size_t>(thread)] = true;
  }
}

}  // namespace makespan::swarm
