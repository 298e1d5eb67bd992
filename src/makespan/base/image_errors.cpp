// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/image_errors.hpp"

namespace makespan {

namespace {

std::string name_of(ImageId image) {
  return image < ImageId{0} ? "an image" : "image " + std::to_string(image.value());
}

}  // namespace

ImageFailed::ImageFailed(ImageId image, std::string_view why, std::string_view call)
    : std::runtime_error(name_of(image) + " is lost (" + std::string(why) +
                         "): " + std::string(call) + " cannot be carried out"),
      image_{image} {
}

MpiError::MpiError(std::string_view call, int code, int error_class, std::string_view text,
                   ImageId image)
    : std::runtime_error(name_of(image) + ": " + std::string(call) + " failed (code " +
                         std::to_string(code) + ", class " + std::to_string(error_class) +
                         "): " + std::string(text)),
      call_{call},
      code_{code},
      error_class_{error_class},
      image_{image} {
}

RemoteError::RemoteError(ImageId image, std::string_view text)
    : std::runtime_error("a call on " + name_of(image) + " threw: " + std::string(text)),
      image_{image} {
}

BadMessage::BadMessage(ImageId source, std::string_view defect)
    : std::runtime_error(
          "a message from " + name_of(source) + " that cannot be (" + std::string(defect) +
          "): another build of makespan, or something that is not of this job, sends "
          "to it: start the same executable on all images, on a network of its own "
          "(SECURITY.md)") {
}

}  // namespace makespan
