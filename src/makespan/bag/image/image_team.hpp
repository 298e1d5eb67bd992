// SPDX-License-Identifier: Apache-2.0
#pragma once

// The devices of all images of a job as one team that works on bags.
//
// Image 0 gives the orders, and gets the results. The others serve: they make the same bag
// of what image 0 sends, and their devices claim from it. Only the beginning and the end are
// collective, so an image that dies in between loses only its devices and the results that it had
// not yet reported (completion_tracker.hpp). If image 0 dies, the others end with
// ImageFailed.

#include <concepts>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "makespan/bag/device_team.hpp"
#include "makespan/bag/image/distributed_item_runner.hpp"
#include "makespan/bag/image/job_report.hpp"
#include "makespan/bag/item_failed.hpp"
#include "makespan/bag/team_options.hpp"
#include "makespan/pgas/runtime_description.hpp"

namespace makespan::bag {

class ImageTeamCore;

// What an application does on the images that serve.
class ImageService {
 public:
  virtual ~ImageService() = default;

  // What image 0 gave to send(). Throws if the message is invalid: image 0 gets the text with its
  // next run(), and serve() throws it here when image 0 shuts down.
  virtual void receive(std::span<std::byte const> message) = 0;
  // The bag of image 0's next run, from what it gave to run().
  virtual Bag begin(std::span<std::byte const> order) = 0;
  virtual DistributedItemRunner& runner() = 0;
};

// Tested by tests/bag/image/image_team_test.cpp under several numbers of images, with images that
// die too.
class ImageTeam {
 public:
  // Collective. This image's devices, and the dispatcher and policy of all: those are to be the
  // same on all images. Numbers of devices in injections count through all images. Throws
  // InputError, on the images where it applies.
  explicit ImageTeam(TeamOptions const& options);
  ImageTeam(ImageTeam const&) = delete;
  ImageTeam& operator=(ImageTeam const&) = delete;
  // After finish_all() nothing is left to do.
  ~ImageTeam();

  [[nodiscard]] int image() const;
  [[nodiscard]] int images() const;
  [[nodiscard]] pgas::RuntimeDescription describe() const;
  // This image's.
  [[nodiscard]] DeviceTeam& devices();
  // Of any image.
  [[nodiscard]] int devices_of(int image) const;
  [[nodiscard]] int threads_of(int image) const;

  // Collective: what each image gives, up to its first zero byte, by image.
  [[nodiscard]] std::vector<std::string> exchange_all(std::string const& text);

  // --- on image 0, from the thread that made the team

  // To all others.
  void send(std::span<std::byte const> message);

  // Every item runs, here or there, and its result is in the runner when this returns: see
  // DeviceTeam::run(), which it is like. `order` tells the others which bag it is. An image that
  // dies is named in the report; what fails elsewhere comes out as RemoteError. A trace is of
  // the threads of all images, by image 0's clock.
  JobReport run(Bag const& bag, DistributedItemRunner& runner, std::span<std::byte const> order,
                std::stop_token const& stop, trace::Trace* trace = nullptr);
  // Of the last run, also where that threw what ended it; an empty one before the first.
  [[nodiscard]] JobReport const& last_report() const;

  // Lets the others return from serve(). With a failure they throw it.
  void shut_down(std::string const& failure = {});

  // --- on the others, from the thread that made the team

  // Blocks until image 0 has called shut_down() or finish_all(). Throws ImageFailed when
  // image 0 is lost, and RemoteError with the text that it shut down them with. Once `leave`
  // is asked, this image's devices claim no more items, which the others do.
  void serve(ImageService& service, std::stop_token const& leave = {});

  // Collective, on all images: image 0 does its part, whose result, as bytes, the others receive();
  // they serve meanwhile. What it throws there, they throw too, as RemoteError.
  template <std::invocable Produce>
  void share(ImageService& service, Produce&& produce);

  // Collective: the end. Image 0 calls it when there is no more to do, also when it has failed; the
  // others when serve() has returned. If an image is lost, it does not wait for the others.
  void finish_all();

 private:
  std::unique_ptr<ImageTeamCore> core_;
};

template <std::invocable Produce>
void ImageTeam::share(ImageService& service, Produce&& produce) {
  if (image() != 0) {
    serve(service);
    return;
  }
  try {
    std::vector<std::byte> const result = produce();
    send(result);
  } catch (std::exception const& error) {
    shut_down(error.what());
    throw;
  } catch (...) {
    shut_down(no_exception);
    throw;
  }
  shut_down();
}

}  // namespace makespan::bag
