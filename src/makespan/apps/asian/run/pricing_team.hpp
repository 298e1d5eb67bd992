// SPDX-License-Identifier: Apache-2.0
// The devices of all images of a job, for pricing books.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "makespan/apps/asian/contract/contract_book.hpp"
#include "makespan/apps/asian/run/book_work.hpp"
#include "makespan/apps/asian/run/detail/worker_kind.hpp"
#include "makespan/apps/asian/run/pricing_settings.hpp"
#include "makespan/bag/device_team.hpp"
#include "makespan/bag/image/image_team.hpp"
#include "makespan/bag/team_state.hpp"

namespace makespan::asian {

// A device as summaries name it.
struct PricingDevice {
  std::string name;  // as in the list of devices
  std::string isa;
  std::string mode;
  int image{};
  int threads{};
  bool remembered{};  // the speeds of its workers were, when the team began
  int gpu{-1};        // its number, if it is one
};

// The devices of one image, whose team has just begun.
[[nodiscard]] std::vector<PricingDevice> pricing_devices(PricingSettings const& settings,
                                                         bag::DeviceTeam& team, int image);

// What each thread of an image makes blocks with.
[[nodiscard]] std::vector<PricingThread> pricing_threads(std::vector<PricingDevice> const& devices,
                                                         int image, BlockGpus const& gpus);

// Image 0 prices with PricingRun, to which it gives its team; the others serve. Each image takes
// its part of its node: of several devices as many as the others, of one its cores
// (machine/node_share).
//
// Tested by tests/apps/asian/run/pricing_team_test.cpp under several numbers of images.
class PricingTeam {
 public:
  // Collective; settings are to be the same on all images. Throws InputError on devices that cannot
  // be had here.
  explicit PricingTeam(PricingSettings const& settings);
  PricingTeam(PricingTeam const&) = delete;
  PricingTeam& operator=(PricingTeam const&) = delete;
  ~PricingTeam();

  [[nodiscard]] int image() const { return team_.image(); }
  [[nodiscard]] int images() const { return team_.images(); }
  // Of all images.
  [[nodiscard]] std::vector<PricingDevice> const& devices() const { return devices_; }
  [[nodiscard]] bag::ImageTeam& team() { return team_; }
  // What this image's workers have shown so far. Not during a run.
  [[nodiscard]] SpeedByKind speeds() {
    return speeds_by_kind(kinds_, team_.devices().state().speeds);
  }

  // On image 0: the book that the next bags are of.
  void begin_book(ContractBook const& book, PricingSettings const& settings);

  // On the others: blocks until image 0 calls finish_all(). Throws when image 0 is lost.
  void serve();

  // Collective, as ImageTeam::finish_all().
  void finish_all() { team_.finish_all(); }

 private:
  class Service;

  PricingTeam(std::in_place_t /*with own devices*/, PricingSettings const& settings);

  bag::ImageTeam team_;
  std::vector<PricingDevice> devices_;
  std::vector<std::string> kinds_;  // of this image's workers
  BlockGpus const& gpus_;
};

}  // namespace makespan::asian
