// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/detail/device_lines.hpp"

#include <sstream>
#include <utility>

#include "makespan/base/error.hpp"

namespace makespan::asian {

namespace {

PricingDevice device_from(std::string const& line, int image) {
  std::istringstream fields(line);
  PricingDevice device;
  device.image = image;
  std::getline(fields, device.name, '\t');
  std::getline(fields, device.isa, '\t');
  std::getline(fields, device.mode, '\t');
  fields >> device.threads >> device.remembered >> device.gpu;
  // A flag that is neither 0 nor 1 fails, too; and nothing may follow the last field.
  if (fields.fail() || !(fields >> std::ws).eof() || device.threads < 1 || device.gpu < -1) {
    throw InputError("devices of image " + std::to_string(image),
                     "what it tells of one is \"" + line +
                         "\", in place of name, instruction set, mode, threads, 0 or 1, and a GPU",
                     "start the same executable on all images");
  }
  return device;
}

}  // namespace

std::string device_lines(std::vector<PricingDevice> const& devices) {
  std::ostringstream text;
  for (PricingDevice const& device : devices) {
    text << device.name << '\t' << device.isa << '\t' << device.mode << '\t' << device.threads
         << '\t' << device.remembered << '\t' << device.gpu << '\n';
  }
  return text.str();
}

std::vector<PricingDevice> devices_from_lines(std::string_view text, int image) {
  std::vector<PricingDevice> devices;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) devices.push_back(device_from(line, image));
  return devices;
}

}  // namespace makespan::asian
