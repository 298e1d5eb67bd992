// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/ucx_probe.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_link.hpp"
#include "makespan/pgas/transport/ucx/ucx_transport.hpp"

namespace makespan::pgas {

namespace {

constexpr std::chrono::seconds probe_limit{5};

// All images in a ring, in which neighbours are on different hosts as far as that goes: first the
// first image of each host, then the second of each, …. The same on all images.
std::vector<ImageId> ring_over_hosts(Job const& job) {
  std::map<std::string, int> seen;
  std::vector<std::pair<int, ImageId>> places;
  places.reserve(static_cast<std::size_t>(job.images()));
  for (int image = 0; image < job.images(); ++image) {
    places.emplace_back(seen[job.host(ImageId{image})]++, ImageId{image});
  }
  std::ranges::sort(places);
  std::vector<ImageId> ring;
  ring.reserve(places.size());
  for (auto const& place : places) ring.push_back(place.second);
  return ring;
}

class Greetings final : public MessageSink {
 public:
  void deliver(WireHeader const& /*header*/, std::span<std::byte const> /*payload*/) override {
    ++count_;
  }
  [[nodiscard]] int count() const { return count_; }

 private:
  int count_{0};
};

// Whether a greeting has come. Ours may still be here afterwards.
bool greet(Link& link, Greetings& greetings, Job const& job) {
  std::vector<ImageId> const ring = ring_over_hosts(job);
  auto const here = std::ranges::find(ring, job.image()) - ring.begin();
  ImageId const next = ring[static_cast<std::size_t>(here + 1) % ring.size()];
  WireHeader const header{.source = static_cast<std::int32_t>(job.image().value())};
  bool is_sent = false;
  auto const deadline = std::chrono::steady_clock::now() + probe_limit;
  // Both, since a greeting that came says nothing of the one that left. Whether ours has arrived is
  // the neighbour's to say.
  while (greetings.count() == 0 || !is_sent) {
    if (std::chrono::steady_clock::now() > deadline) break;
    if (!is_sent) is_sent = link.send(next, header, {}) == SendOutcome::sent;
    if (link.poll(greetings) == 0) std::this_thread::yield();
  }
  return greetings.count() > 0;
}

[[noreturn]] void throw_lost(Job const& job) {
  ImageId lost{0};
  while (job.loss_of(lost).empty()) lost = ImageId{lost.value() + 1};
  throw ImageFailed(lost, job.loss_of(lost), "the trial of UCX");
}

// Waits until all images have tried, and helps them meanwhile: what was sent here may need this
// image to be taken, and what was sent from here to leave.
// Throws ImageFailed if one is lost before it comes.
void meet_all(Link& link, Greetings& greetings, Collectives& images, Job const& job) {
  Collectives::Operation const barrier = images.barrier();
  while (!barrier->test()) {
    if (job.lost_images() > 0) throw_lost(job);
    if (link.poll(greetings) == 0) std::this_thread::yield();
  }
}

bool is_true_everywhere_all(Job& job, bool mine) {
  std::array<bool, 1> const answer{mine};
  auto const all = job.exchange_all(std::as_bytes(std::span(answer)));
  return std::ranges::all_of(
      all, [](auto const& theirs) { return theirs.size() == 1 && theirs[0] == std::byte{1}; });
}

}  // namespace

bool ucx_probe_all(Job& job) {
  try {
    UcxTransport transport(job, {.message_bytes_max = 64});
    std::unique_ptr<Link> link = transport.open_link_all(0, LinkThreading::serialized);
    // An image that UCX does not reach is not lost: another transport will reach it.
    dynamic_cast<UcxLink&>(*link).port().retire();
    // Before the greetings, since what is collective and blocks would hold them up.
    std::unique_ptr<Collectives> const images = job.world_collectives_all();
    Greetings greetings;
    bool works = false;
    try {
      works = greet(*link, greetings, job);
    } catch (std::exception const&) {
      works = false;  // the others are waiting below
    }
    meet_all(*link, greetings, *images, job);
    works = is_true_everywhere_all(job, works);
    link.reset();
    transport.close_all();
    return works;
  } catch (InputError const&) {
    return false;  // on all images: see UcxTransport
  }
}

}  // namespace makespan::pgas
