// SPDX-License-Identifier: Apache-2.0
#pragma once

// What it costs to go from one image of a job to another.

#include <atomic>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "makespan/base/quantity.hpp"
#include "makespan/pgas/endpoint.hpp"
#include "makespan/pgas/memory/global_ptr.hpp"
#include "makespan/pgas/memory/symmetric_array.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::pgas {

// Tables are by image, row by row: from the row's image to the column's. 0 is a pair that was not
// measured: an image with itself.
struct ImageCosts {
  std::vector<std::string> hosts;  // by image
  std::vector<double> latencies;   // [s], one way
  std::vector<double> bandwidths;  // [bytes/s]
  std::string transport;           // RuntimeDescription::transport
};

// The images of a job while one of them asks for measurements, and does other things before and
// after. The others use no core meanwhile that is worth mentioning: they look every few
// milliseconds.
//
//   ImageMeter meter;                 // all images
//   if (meter.image() == 0) {
//     …                               // whatever takes its time
//     costs = meter.measure(Seconds{3.0}, done);
//   } else {
//     meter.serve();
//   }
//   meter.finish_all();               // all images
//
// Tested by tests/pgas/measure/image_costs_test.cpp as several images.
class ImageMeter {
 public:
  // Collective. Throws as Runtime.
  ImageMeter();

  [[nodiscard]] int image() const { return static_cast<int>(runtime_.image().value()); }
  [[nodiscard]] int images() const { return runtime_.images(); }

  // On image 0, once. One pair of images at a time plays ping-pong with 16 bytes, put with a
  // signal: latency is half of the shortest round trip. Then one puts 1 MiB into the other's
  // memory, again and again, and then the other. The pairs share `budget`, in four passes.
  // `steps_done` counts up to steps(). Blocks. Asked to stop, it does so after the pair under way,
  // and what has not been measured is 0. Throws ImageFailed if an image is lost.
  [[nodiscard]] ImageCosts measure(Seconds budget, std::atomic<int>& steps_done,
                                   std::stop_token const& stop = {});
  [[nodiscard]] int steps() const;

  // On the others: until image 0 has called finish_all(). Blocks; throws ImageFailed if image 0 is
  // lost.
  void serve();

  // Collective: the end of the job. Also when image 0 has failed at something else.
  void finish_all();

 private:
  // What image 0 has another do.
  struct Order {
    std::int64_t first;  // -1: nothing more
    std::int64_t second;
    double time_s;
  };
  struct Found {
    double latency_s;
    double there;  // [bytes/s], from first to second
    double back;
  };
  // What two images send each other in a ping-pong.
  enum class Call : std::int64_t { answer, your_turn, my_rate };
  struct Message {
    Call call;
    double value;
  };
  // Each image's words, which count what has come for it.
  enum class Word : std::int64_t { order, message, found };

  [[nodiscard]] GlobalPtr<std::uint64_t> word(ImageId image, Word which) const {
    return words_.at(image, static_cast<std::int64_t>(which));
  }
  void post(ImageId image, Order const& order);
  [[nodiscard]] Order next_order();
  [[nodiscard]] Found measure_pair(Order const& order);
  [[nodiscard]] Found begin_ping_pong(ImageId other, Seconds time);
  void answer(ImageId other, Seconds time);
  void send_message(ImageId other, Message message);
  [[nodiscard]] Message awaited_message();
  [[nodiscard]] double rate_to(ImageId other, Seconds time);

  Runtime runtime_;
  Endpoint& here_;
  std::vector<std::string> hosts_;
  SymmetricArray<std::uint64_t> words_;
  SymmetricArray<Order> orders_;
  SymmetricArray<Message> messages_;
  SymmetricArray<Found> found_;  // on image 0
  SymmetricArray<std::byte> data_;
  std::uint64_t orders_taken_{0};
  std::uint64_t messages_taken_{0};
  std::uint64_t found_taken_{0};
};

}  // namespace makespan::pgas
