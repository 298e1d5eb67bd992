// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/image_team.hpp"

#include "makespan/bag/image/detail/image_team_core.hpp"

namespace makespan::bag {

ImageTeam::ImageTeam(TeamOptions const& options) : core_(std::make_unique<ImageTeamCore>(options)) {
}

ImageTeam::~ImageTeam() = default;

int ImageTeam::image() const {
  return core_->image();
}

int ImageTeam::images() const {
  return core_->images();
}

int ImageTeam::devices_of(int image) const {
  return core_->roster().devices_of(image);
}

int ImageTeam::threads_of(int image) const {
  return core_->roster().threads_of(image);
}

pgas::RuntimeDescription ImageTeam::describe() const {
  return core_->describe();
}

DeviceTeam& ImageTeam::devices() {
  return core_->devices();
}

std::vector<std::string> ImageTeam::exchange_all(std::string const& text) {
  return core_->exchange_all(text);
}

void ImageTeam::send(std::span<std::byte const> message) {
  core_->send(message);
}

JobReport ImageTeam::run(Bag const& bag, DistributedItemRunner& runner,
                         std::span<std::byte const> order, std::stop_token const& stop,
                         trace::Trace* trace) {
  return core_->run(bag, runner, order, stop, trace);
}

JobReport const& ImageTeam::last_report() const {
  return core_->last_report();
}

void ImageTeam::shut_down(std::string const& failure) {
  core_->shut_down(failure);
}

void ImageTeam::serve(ImageService& service, std::stop_token const& leave) {
  core_->serve(service, leave);
}

void ImageTeam::finish_all() {
  core_->finish_all();
}

}  // namespace makespan::bag
