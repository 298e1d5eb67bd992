// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/own_devices.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>

#include "makespan/bag/image/node_place.hpp"
#include "makespan/bag/team_layout.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/machine/node_share.hpp"
#include "makespan/pgas/job/open_job.hpp"
#include "makespan/pgas/job/process_hold.hpp"

namespace makespan::bag {

namespace {

// Numbers of cores, and behind them perhaps that of GPUs.
std::vector<int> numbers_in(std::span<std::byte const> bytes, ImageId from) {
  if (bytes.empty() || bytes.size() % sizeof(int) != 0) {
    throw BadMessage(from, "numbers of cores, of " + std::to_string(bytes.size()) + " bytes");
  }
  std::vector<int> numbers(bytes.size() / sizeof(int));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

// What the images of a host have sent each other, and which of them this one is.
struct HostExchange {
  std::vector<std::vector<int>> numbers{};
  std::size_t mine{0};
};

HostExchange exchange_within_host_all(std::vector<int> const& numbers) {
  // The job that is opened here must not end MPI, which cannot begin again.
  pgas::ProcessHold const hold;
  auto const job = pgas::open_job_all();
  auto const sent = job->exchange_all(std::as_bytes(std::span(numbers)));
  // By host, since a launcher may not say who shares a node, or may have been sent not to look.
  HostExchange on_host;
  for (int image = 0; image < job->images(); ++image) {
    if (job->host(ImageId{image}) != job->host(job->image())) continue;
    if (ImageId{image} == job->image()) on_host.mine = on_host.numbers.size();
    on_host.numbers.push_back(numbers_in(sent[static_cast<std::size_t>(image)], ImageId{image}));
  }
  job->finish_all();
  return on_host;
}

// Where this image is among those of its host that may use the same cores.
machine::NodePlace place_on_cores_all(std::vector<int> const& cores) {
  HostExchange const on_host = exchange_within_host_all(cores);
  return machine::place_among_equals(on_host.numbers, on_host.mine);
}

// What is wrong with named devices is the same on all images. It is thrown before they meet: MPI
// runs from then on, and a process that leaves without ending it is one that its launcher kills
// others for, so that the code of the job would not be what they return.
void expect_usable(std::vector<machine::DeviceSpec> const& devices) {
  std::vector<TeamDevice> alike;
  alike.reserve(devices.size());
  for (machine::DeviceSpec const& device : devices) {
    alike.push_back({.threads = device.threads, .cores = device.cores});
  }
  static_cast<void>(TeamLayout(alike));
}

}  // namespace

std::vector<machine::DeviceSpec> own_devices_all(std::vector<machine::DeviceSpec> const& devices) {
  std::vector<int> const cores = machine::allowed_cores();
  expect_usable(machine::share_of_node(devices, node_place(), {.numbers = cores, .place = {}}));
  auto const on_cores = images_launched() > 1 ? place_on_cores_all(cores) : machine::NodePlace{};
  return machine::share_of_node(devices, node_place(), {.numbers = cores, .place = on_cores});
}

int gpus_on_own_cores_all(std::vector<machine::DeviceSpec> const& own) {
  auto const mine = static_cast<int>(
      std::ranges::count(own, machine::DeviceKind::cuda, &machine::DeviceSpec::kind));
  if (images_launched() == 1) return mine;
  // Cores, and behind them the number of GPUs.
  std::vector<int> sent = machine::allowed_cores();
  sent.push_back(mine);
  HostExchange on_host = exchange_within_host_all(sent);
  std::vector<int> gpus;
  for (std::vector<int>& numbers : on_host.numbers) {
    // Of one image: the sum of all is an int, too.
    constexpr int gpus_max = 1024;
    if (numbers.back() < 0 || numbers.back() > gpus_max) {
      throw BadMessage(ImageId{}, "a number of GPUs, " + std::to_string(numbers.back()));
    }
    gpus.push_back(numbers.back());
    numbers.pop_back();
  }
  return machine::gpus_among_equals(on_host.numbers, gpus, on_host.mine);
}

}  // namespace makespan::bag
