// SPDX-License-Identifier: Apache-2.0
#pragma once

// What can go wrong between images. Bad use (an image that is not there, a pointer past the heap,
// …) is an InputError; see base/error.hpp.

#include <stdexcept>
#include <string>
#include <string_view>

#include "makespan/base/ids.hpp"

namespace makespan {

// An image that a thread waited for is lost: it died, or was silent for too long. Final: an image
// that comes back is not taken in again.
class ImageFailed : public std::runtime_error {
 public:
  // Says "image 3 is lost (…): get cannot be carried out".
  ImageFailed(ImageId image, std::string_view why, std::string_view call);

  [[nodiscard]] ImageId image() const { return image_; }

 private:
  ImageId image_;
};

// An MPI call failed. The job cannot go on: see run_job.hpp.
class MpiError : public std::runtime_error {
 public:
  MpiError(std::string_view call, int code, int error_class, std::string_view text, ImageId image);

  [[nodiscard]] std::string const& call() const { return call_; }
  [[nodiscard]] int code() const { return code_; }
  [[nodiscard]] int error_class() const { return error_class_; }
  [[nodiscard]] ImageId image() const { return image_; }

 private:
  std::string call_;
  int code_;
  int error_class_;
  ImageId image_;
};

// Nothing came for longer than the limit on waits, though all images are alive.
class WaitTimeout : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What has arrived cannot be a message of this job: another build, or something else, sends to it.
class BadMessage : public std::runtime_error {
 public:
  // Says "a message from image 1 that cannot be (a get of …): …".
  BadMessage(ImageId source, std::string_view defect);
};

// A remote call threw; this is the text of its exception.
class RemoteError : public std::runtime_error {
 public:
  RemoteError(ImageId image, std::string_view text);

  [[nodiscard]] ImageId image() const { return image_; }

 private:
  ImageId image_;
};

}  // namespace makespan
