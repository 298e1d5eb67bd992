// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/shm/shm_transport.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/transport/shm/detail/doorbell.hpp"
#include "makespan/pgas/transport/shm/detail/shm_link.hpp"

namespace makespan::pgas {

namespace {

// What stands in the way of this image's doorbell; empty if nothing does.
using Trouble = std::string;

std::string suggestion() {
  return "set MAKESPAN_PROGRESS=nap or manual, which need no events, or raise the limit on open "
         "files (ulimit -n)";
}

// All images exchange their errors, so that all throw if one does, and no image waits for one that
// has left.
void agree_all(Job& job, Trouble const& mine) {
  std::vector<std::vector<std::byte>> const troubles =
      job.exchange_all(std::as_bytes(std::span(mine)));
  for (std::size_t image = 0; image < troubles.size(); ++image) {
    if (troubles[image].empty()) continue;
    std::string const why(reinterpret_cast<char const*>(troubles[image].data()),
                          troubles[image].size());
    throw InputError("events between the images of a node",
                     "image " + std::to_string(image) + " on host " +
                         job.host(ImageId{static_cast<std::int64_t>(image)}) + ": " + why,
                     suggestion());
  }
}

// Collects where the doorbells of this node are, and tries them.
Trouble reach(Job const& job, std::vector<std::vector<std::byte>> const& addresses,
              std::vector<DoorbellAddress>& reached) {
  for (ImageId const image : job.node_images()) {
    std::optional<DoorbellAddress> const address =
        DoorbellAddress::from_bytes(addresses[static_cast<std::size_t>(image.value())]);
    if (!address) continue;  // it says itself why it has none, or expect_all() refuses it
    if (!Doorbell::can_reach(*address)) {
      return "cannot reach the socket of image " + std::to_string(image.value()) +
             ", which is in another network namespace or gone";
    }
    reached.push_back(*address);
  }
  return {};
}

// After all images have said that they have one.
void expect_all(Job const& job, std::vector<std::vector<std::byte>> const& addresses) {
  for (ImageId const image : job.node_images()) {
    auto const& bytes = addresses[static_cast<std::size_t>(image.value())];
    if (DoorbellAddress::from_bytes(bytes)) continue;
    throw BadMessage(image, "the address of a socket, of " + std::to_string(bytes.size()) +
                                " bytes, " + std::to_string(sizeof(sockaddr_un)) + " at most");
  }
}

Doorbells open_doorbells_all(Job& job) {
  std::optional<Doorbell> own;
  std::vector<DoorbellAddress> others;
  Trouble trouble;
  try {
    own.emplace();
  } catch (std::system_error const& error) {
    trouble = error.what();
  }
  std::vector<std::vector<std::byte>> const addresses =
      job.exchange_all(own ? own->address().bytes() : std::span<std::byte const>{});
  try {
    if (own) trouble = reach(job, addresses, others);
  } catch (std::system_error const& error) {
    trouble = error.what();
  }
  agree_all(job, trouble);
  expect_all(job, addresses);
  return {std::move(*own), std::move(others)};
}

}  // namespace

ShmTransport::ShmTransport(Job& job, NodeMemory const& memory, ShmLayout const& layout,
                           ShmOptions const& options)
    : job_{job}, memory_{memory}, layout_{layout}, options_{options} {
  MAKESPAN_EXPECT(options.area_offset >= 0);
  MAKESPAN_EXPECT(options.area_offset % ShmLayout::alignment == 0);
  MAKESPAN_EXPECT(layout.node_images() == static_cast<int>(job.node_images().size()));
  std::int64_t const segment_bytes = static_cast<std::int64_t>(memory.segment(job.image()).size());
  MAKESPAN_EXPECT(options.area_offset + layout.bytes_per_image() <= segment_bytes);
}

std::unique_ptr<Link> ShmTransport::open_link_all(int channel, LinkThreading threading) {
  MAKESPAN_EXPECT(channel == links_opened_);
  MAKESPAN_EXPECT(channel < layout_.channels());
  ++links_opened_;
  std::optional<Doorbells> doorbells;
  if (options_.wakeup == Wakeup::doorbell) doorbells = open_doorbells_all(job_);
  ShmPlace const place{.image = job_.image(),
                       .node_images = job_.node_images(),
                       .memory = &memory_,
                       .area_offset = options_.area_offset,
                       .layout = layout_};
  return std::make_unique<ShmLink>(place, channel, threading, std::move(doorbells));
}

}  // namespace makespan::pgas
