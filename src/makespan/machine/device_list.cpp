// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/device_list.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "makespan/base/error.hpp"

namespace makespan::machine {

namespace {

constexpr std::string_view example =
    "write cpu, cpu[cores=0-3+8,isa=avx2,threads=4,mode=mt], cuda:0, or cuda for every GPU, with "
    "spaces between devices";

// More than any machine has; without a limit a range like 0-999999999 would fill the memory.
constexpr int core_max = 1 << 16;

[[noreturn]] void refuse(std::string_view device, std::string_view why) {
  throw InputError("device '" + std::string(device) + "'", why, example);
}

std::optional<int> number_in(std::string_view text) {
  int value{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

// The parts of `text` between marks; none of an empty text.
std::vector<std::string_view> parts_of(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    auto const at = text.find(mark);
    parts.push_back(text.substr(0, at));
    text = at == std::string_view::npos ? std::string_view{} : text.substr(at + 1);
  }
  return parts;
}

// "0-3+8"
std::vector<int> cores_in(std::string_view text, std::string_view device) {
  // Ranges may overlap: each core once, and rising.
  std::set<int> cores;
  for (std::string_view const part : parts_of(text, '+')) {
    auto const dash = part.find('-');
    auto const first = number_in(part.substr(0, dash));
    auto const last = dash == std::string_view::npos ? first : number_in(part.substr(dash + 1));
    if (!first || !last || *first > *last || *last > core_max) {
      refuse(device, "cores are numbers and rising ranges, joined by +");
    }
    for (int core = *first; core <= *last; ++core) cores.insert(core);
  }
  if (cores.empty()) refuse(device, "no core is named");
  return {cores.begin(), cores.end()};
}

void read_option(DeviceSpec& device, std::string_view option) {
  auto const equals = option.find('=');
  std::string_view const name = option.substr(0, equals);
  std::string_view const value =
      equals == std::string_view::npos ? std::string_view{} : option.substr(equals + 1);
  if (value.empty()) refuse(device.text, "'" + std::string(option) + "' has no value");
  if (name == "cores") {
    device.cores = cores_in(value, device.text);
  } else if (name == "threads") {
    auto const threads = number_in(value);
    if (!threads || *threads == 0) refuse(device.text, "threads are a number from 1");
    device.threads = *threads;
  } else if (name == "isa") {
    device.isa = value;
  } else if (name == "mode") {
    device.mode = value;
  } else {
    refuse(device.text, "there is no option '" + std::string(name) + "'");
  }
}

DeviceSpec device_in(std::string_view text) {
  DeviceSpec device{.text = std::string(text)};
  constexpr std::string_view cuda = "cuda:";
  if (text == cuda.substr(0, cuda.size() - 1)) {
    device.kind = DeviceKind::cuda;
    device.index = every_gpu;
    return device;
  }
  if (text.starts_with(cuda)) {
    auto const index = number_in(text.substr(cuda.size()));
    if (!index) refuse(text, "a GPU is its number, from 0");
    device.kind = DeviceKind::cuda;
    device.index = *index;
    return device;
  }
  auto const bracket = text.find('[');
  if (text.substr(0, bracket) != "cpu") refuse(text, "it is neither cpu nor cuda:NUMBER");
  if (bracket == std::string_view::npos) return device;
  if (!text.ends_with(']')) refuse(text, "a bracket is not closed");
  for (std::string_view const option :
       parts_of(text.substr(bracket + 1, text.size() - bracket - 2), ',')) {
    read_option(device, option);
  }
  return device;
}

// Two devices on one core would each look half as fast as they are.
void expect_apart(std::vector<DeviceSpec> const& devices) {
  std::set<int> taken;
  std::set<int> taken_gpus;
  for (DeviceSpec const& device : devices) {
    for (int const core : device.cores) {
      if (!taken.insert(core).second) {
        refuse(device.text, "core " + std::to_string(core) + " belongs to an earlier device");
      }
    }
    if (device.kind != DeviceKind::cuda) continue;
    // `cuda` stands for every GPU, so beside it no GPU may be named, before it or behind it.
    bool const is_taken = !taken_gpus.insert(device.index).second;
    if (is_taken || (taken_gpus.contains(every_gpu) && taken_gpus.size() > 1)) {
      refuse(device.text, "it is named twice");
    }
  }
  auto const has_all_cores = [](DeviceSpec const& device) {
    return device.kind == DeviceKind::cpu && device.cores.empty() && device.threads == 0;
  };
  auto const everywhere = std::ranges::find_if(devices, has_all_cores);
  auto const cpus = std::ranges::count(devices, DeviceKind::cpu, &DeviceSpec::kind);
  if (everywhere != devices.end() && cpus > 1) {
    refuse(
        everywhere->text,
        "it has all cores, and there is another CPU device: give it cores, or a count of threads");
  }
}

}  // namespace

std::vector<DeviceSpec> devices_from(std::string_view text) {
  std::vector<DeviceSpec> devices;
  for (std::string_view const part : parts_of(text, ' ')) {
    if (!part.empty()) devices.push_back(device_in(part));
  }
  if (devices.empty()) refuse(text, "no device is named");
  expect_apart(devices);
  return devices;
}

}  // namespace makespan::machine
