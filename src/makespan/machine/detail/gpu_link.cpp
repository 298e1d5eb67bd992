// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/detail/gpu_link.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <optional>
#include <thread>

#include "makespan/cuda/error.hpp"
#include "makespan/cuda/gpu.hpp"
#include "makespan/cuda/memory.hpp"
#include "makespan/cuda/stream.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/machine/detail/timed_rounds.hpp"

namespace makespan::machine {

namespace {

constexpr int link_rounds_min = 3;
constexpr std::size_t word_bytes = 8;
constexpr std::size_t block_bytes = std::size_t{64} << 20U;
constexpr double numbers = 3.0;

// Letters of hexadecimal digits are large for some and small for others.
bool is_same_bus(std::string const& a, std::string const& b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::optional<int> find_gpu(std::string const& bus) {
  auto const& gpus = cuda::discover().gpus;
  auto const found =
      std::ranges::find_if(gpus, [&](cuda::Gpu const& gpu) { return is_same_bus(gpu.bus, bus); });
  if (found == gpus.end()) return std::nullopt;
  return static_cast<int>(found - gpus.begin());
}

class Link {
 public:
  Link() {
    here_.reserve(block_bytes);
    there_.reserve(block_bytes);
  }

  [[nodiscard]] Seconds round_trip() const {
    return time_of([this] {
      stream_.upload(there_.data(), here_.data(), word_bytes);
      stream_.download(here_.data(), there_.data(), word_bytes);
    });
  }
  [[nodiscard]] Seconds upload() const {
    return time_of([this] { stream_.upload(there_.data(), here_.data(), block_bytes); });
  }
  [[nodiscard]] Seconds download() const {
    return time_of([this] { stream_.download(here_.data(), there_.data(), block_bytes); });
  }

 private:
  template <class Ask>
  Seconds time_of(Ask const& ask) const {
    auto const begin = std::chrono::steady_clock::now();
    ask();
    // Awake: a thread that sleeps would add the time of its wake to each number.
    while (!stream_.is_done()) {
    }
    return Seconds{std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
  }

  cuda::Stream stream_;
  cuda::Memory here_{cuda::MemorySpace::pinned};
  cuda::Memory there_{cuda::MemorySpace::gpu};
};

LinkCosts measure_link(int gpu, Seconds budget) {
  cuda::use_gpu(gpu);
  Link const link;
  auto const shortest = [&](auto const& round) {
    return shortest_round(budget / numbers, link_rounds_min, round);
  };
  constexpr auto bytes = static_cast<double>(block_bytes);
  return {.latency = shortest([&] { return link.round_trip(); }) / 2.0,
          .upload = bytes / shortest([&] { return link.upload(); }).value(),
          .download = bytes / shortest([&] { return link.download(); }).value()};
}

}  // namespace

LinkCosts gpu_link_costs(std::string const& bus, int cpu, Seconds budget) {
  auto const gpu = find_gpu(bus);
  LinkCosts costs{};
  if (!gpu) return costs;
  // A thread of its own is tied, and its GPU chosen; the caller's stay as they were.
  std::jthread([&] {
    if (pin_this_thread(cpu) != PinOutcome::pinned) return;
    try {
      costs = measure_link(*gpu, budget);
    } catch (cuda::CudaFailed const&) {
      costs = {};  // as if it was not there
    }
  }).join();
  return costs;
}

}  // namespace makespan::machine
