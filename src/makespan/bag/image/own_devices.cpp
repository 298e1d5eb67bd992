// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/own_devices.hpp"

#include <cstddef>
#include <cstring>
#include <span>

#include "makespan/bag/image/node_place.hpp"
#include "makespan/bag/team_layout.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/machine/node_share.hpp"
#include "makespan/pgas/job/open_job.hpp"
#include "makespan/pgas/job/process_hold.hpp"

namespace makespan::bag {

namespace {

std::vector<int> numbers_in(std::span<std::byte const> bytes) {
  std::vector<int> numbers(bytes.size() / sizeof(int));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

// Where this image is among those of its host that may use the same cores.
machine::NodePlace place_on_cores_all(std::vector<int> const& cores) {
  // The job that is opened here must not end MPI, which cannot begin again.
  pgas::ProcessHold const hold;
  auto const job = pgas::open_job_all();
  auto const told = job->exchange_all(std::as_bytes(std::span(cores)));
  // By host, since a launcher may not say who shares a node, or may have been told not to look.
  std::vector<std::vector<int>> on_host;
  std::size_t mine = 0;
  for (int image = 0; image < job->images(); ++image) {
    if (job->host(ImageId{image}) != job->host(job->image())) continue;
    if (ImageId{image} == job->image()) mine = on_host.size();
    on_host.push_back(numbers_in(told[static_cast<std::size_t>(image)]));
  }
  job->finish_all();
  return machine::place_among_equals(on_host, mine);
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

}  // namespace makespan::bag
