// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstddef>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"
#include "makespan/grid/cut/host_layers.hpp"
#include "makespan/sim/grids/detail/grid_check.hpp"

namespace makespan::sim {

namespace {

constexpr std::int64_t devices_max = std::int64_t{1} << 20;

void expect(bool holds, std::string const& what, double value, char const* right) {
  if (!holds) throw InputError(what + " = " + short_text(value), right, "give one");
}

void expect_time(std::string const& what, Seconds time) {
  expect(std::isfinite(time.value()) && time >= Seconds{}, what, time.value(),
         "a time is 0 s or more");
}

void expect_rate(std::string const& what, double rate) {
  expect(rate > 0.0, what, rate, "a rate is above 0");
}

void check_link(std::string const& who, LinkModel const& link) {
  expect_time(who + ": latency", link.latency);
  expect_rate(who + ": bandwidth", link.bandwidth);
  expect_rate(who + ": bandwidth of a message", link.message_bandwidth);
  expect(std::isfinite(link.burst) && link.burst >= 0.0, who + ": burst", link.burst,
         "it is 0 bytes or more");
}

void check_device(std::string const& who, GridDeviceModel const& device) {
  expect(device.speed > Speed{} && std::isfinite(device.speed.value()), who + ": speed",
         device.speed.value(), "it is above 0 points a second, and finite");
  expect_time(who + ": start", device.start);
  expect_time(who + ": time for a message", device.message);
  expect_rate(who + ": bytes packed a second", device.pack_bandwidth);
  for (double const factor : device.boundary_factor) {
    expect(factor > 0.0 && std::isfinite(factor), who + ": factor of boundary layers", factor,
           "it is above 0");
  }
  expect(device.planes_max >= 0, who + ": planes at most", static_cast<double>(device.planes_max),
         "it is 0 or more");
  expect(device.peer_bandwidth >= 0.0, who + ": bandwidth between devices", device.peer_bandwidth,
         "it is 0 or more");
  check_link(who + ": link to its host", device.to_host);
  check_link(who + ": link from its host", device.to_device);
}

void check_machine(GridJob const& job) {
  if (job.images.empty()) throw InputError("no images", "a grid needs one", "describe a node");
  std::int64_t devices = 0;
  int node = 0;
  for (std::size_t image = 0; image < job.images.size(); ++image) {
    GridImageModel const& model = job.images[image];
    std::string const who = numbered("image", image);
    expect(model.node == node || model.node == node + 1 || image == 0, who + ": node", model.node,
           "images are given node by node, from 0 on");
    node = model.node;
    if (model.devices.empty()) {
      throw InputError(who + " without a device", "each has one at least", "give it one");
    }
    for (std::size_t device = 0; device < model.devices.size(); ++device) {
      check_device(who + ", " + numbered("device", device), model.devices[device]);
    }
    devices += std::ssize(model.devices);
  }
  expect(job.images.front().node == 0, "node of the first image", job.images.front().node,
         "nodes count from 0");
  expect(devices <= devices_max, "devices", static_cast<double>(devices),
         "they are 1048576 at most");
  for (GridSpeedChange const& change : job.changes) {
    expect(change.device >= 0 && change.device < devices, "device of a change", change.device,
           "devices count from 0");
    expect_time("time of a change", change.at);
    expect(change.factor > 0.0 && std::isfinite(change.factor), "factor of a change", change.factor,
           "it is above 0");
  }
}

void check_network(GridNetworkModel const& network) {
  check_link("network, out of a node", network.out);
  check_link("network, into a node", network.in);
  expect(network.piece_bytes > 0, "bytes of a piece", static_cast<double>(network.piece_bytes),
         "they are 1 or more");
  expect_time("time to send a piece", network.send);
  expect_time("time to receive a piece", network.receive);
  expect_time("time to relay a message", network.relay);
  expect_rate("bytes that a processor sends a second", network.copy_bandwidth);
  expect_rate("bytes that a host copies a second", network.relay_bandwidth);
}

void check_grid(GridJob const& job) {
  grid::Point const size = job.box.extent();
  constexpr std::int64_t points_max = std::int64_t{1} << 40;
  if (job.box.is_empty() || size.x > points_max || size.y > points_max / size.x ||
      size.z > points_max / size.x / size.y) {
    throw InputError("a grid of " + std::to_string(size.x) + " x " + std::to_string(size.y) +
                         " x " + std::to_string(size.z) + " points",
                     "it has one at least along each axis, and 2^40 at most", "give it some");
  }
  // As wide as any that is real, and steps as can be counted. `width` below, a product of two such
  // counts, is within 64 bits.
  constexpr std::int64_t halo_max = std::int64_t{1} << 20;
  constexpr std::int64_t steps_max = 100'000'000;
  expect(job.halo_width >= 1 && job.halo_width <= halo_max, "width of halos",
         static_cast<double>(job.halo_width), "it is 1 to 2^20");
  // The bytes of all of them at 2^40 points are within 64 bits.
  constexpr std::int64_t fields_max = std::int64_t{1} << 16;
  expect(job.fields >= 1 && job.fields <= fields_max, "fields", static_cast<double>(job.fields),
         "they are 1 to 2^16");
  expect(job.fields_all >= job.fields && job.fields_all <= fields_max, "all fields",
         static_cast<double>(job.fields_all),
         "they are as many as those whose halos travel, or more, and 2^16 at most");
  expect(job.steps >= 1 && job.steps <= steps_max, "steps", static_cast<double>(job.steps),
         "they are 1 to 10^8");
  expect(job.steps_at_once >= 1 && job.steps_at_once <= halo_max, "steps at once",
         job.steps_at_once, "they are 1 to 2^20");
  expect(job.rebalance_steps >= 0, "steps between two looks",
         static_cast<double>(job.rebalance_steps), "they are 0, for never, or more");
  if (job.schedule == grid::Schedule::pipeline) {
    throw InputError("schedule pipeline", "blocks sent one by one are not simulated",
                     "take overlap or none");
  }
  grid::check_layers(job.layers, job.steps_at_once);
  std::int64_t const width = job.halo_width * job.steps_at_once;
  bool const is_wide = (job.wraps.x && width > size.x) || (job.wraps.y && width > size.y) ||
                       (job.wraps.z && width > size.z);
  expect(!is_wide, "width of a halo", static_cast<double>(width),
         "it is no wider than a grid that wraps");
  if (!job.images_along) return;
  grid::Point const& along = *job.images_along;
  // Of three counts of images the product is within 64 bits.
  auto const counts_images = [&](std::int64_t count) {
    return count >= 1 && count <= std::ssize(job.images);
  };
  expect(counts_images(along.x) && counts_images(along.y) && counts_images(along.z) &&
             along.x * along.y * along.z == std::ssize(job.images),
         "images along all axes",
         static_cast<double>(along.x) * static_cast<double>(along.y) * static_cast<double>(along.z),
         "their product is the number of images");
}

}  // namespace

void check(GridJob const& job) {
  check_machine(job);
  check_network(job.network);
  check_grid(job);
}

}  // namespace makespan::sim
