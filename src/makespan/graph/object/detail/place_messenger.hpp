// SPDX-License-Identifier: Apache-2.0
#pragma once

// How one place reaches the others, as the place and the coordinator see it: what they send goes to
// mailboxes, here or on other images. Behind it are threads and the runtime (message_router.hpp),
// or a world in a test.

#include <cstdint>

#include "makespan/base/ids.hpp"
#include "makespan/graph/object/detail/idle_places.hpp"
#include "makespan/graph/object/load_clock.hpp"
#include "makespan/graph/object/message/envelope.hpp"
#include "makespan/graph/object/message/mailbox.hpp"

namespace makespan::graph {

// Places are threads of images, numbered image by image.
struct PlaceNumbers {
  int place{0};    // this one
  int threads{1};  // of each image
  int images{1};

  [[nodiscard]] int places() const { return threads * images; }
  [[nodiscard]] int image() const { return image_of(place); }
  [[nodiscard]] int image_of(int other) const { return other / threads; }
  [[nodiscard]] int thread() const { return place % threads; }
  // Whether it is a thread of this image.
  [[nodiscard]] bool is_near(int other) const { return image_of(other) == image(); }
};

// From so many bytes on a batch of envelopes goes although its sender has more to do: as a message
// between images holds, `message_bytes_max`, beside what else its call says.
constexpr std::int64_t batch_bytes(std::int64_t message_bytes_max) {
  return message_bytes_max - 256;
}

// Whose work it is that takes a place's time.
enum class Worker : std::uint8_t {
  program,      // methods of objects, and begin() of a phase
  coordinator,  // the end of phases, and decisions
};

// Where time is virtual: around what the place does that takes its processor's time there, too.
class PlaceWork {
 public:
  PlaceWork() = default;
  PlaceWork(PlaceWork const&) = delete;
  PlaceWork& operator=(PlaceWork const&) = delete;
  virtual ~PlaceWork() = default;
  // `object`: whose method it is; -1: of none.
  virtual void begin(Worker worker, int object) = 0;
  virtual void end() = 0;
  // Around what a method has the runtime do: to send.
  virtual void begin_send() = 0;
  virtual void end_send() = 0;
  // What has passed since begin(), which the place's clock does not show before end(); 0 outside.
  [[nodiscard]] virtual std::int64_t so_far_ns() = 0;
  // What the messages that have come take of the place; no object's load.
  virtual void receive() = 0;
  // As long as so many looks into an empty mailbox take.
  virtual void pause(int looks) = 0;
  // Its turn to change a word that all places of the image change.
  virtual void await_shared_word() = 0;
};

// For the place's own thread.
class PlaceMessenger {
 public:
  explicit PlaceMessenger(PlaceNumbers const& numbers) : numbers_{numbers} {}
  PlaceMessenger(PlaceMessenger const&) = delete;
  PlaceMessenger& operator=(PlaceMessenger const&) = delete;
  virtual ~PlaceMessenger() = default;

  [[nodiscard]] PlaceNumbers const& numbers() const { return numbers_; }
  [[nodiscard]] virtual Mailbox& mailbox() = 0;
  // Which places of the image are idle, by thread.
  [[nodiscard]] virtual IdlePlaces& idle_places() = 0;

  // A loose object goes to near places only.
  virtual void send(int place, Envelope&& envelope) = 0;

  // Sends what is gathered: all of it, or only where it is a message's worth. What is for lost
  // images is dropped.
  virtual void flush() = 0;
  virtual void flush_full() = 0;
  // For how many places something is gathered, and one more where something found no room.
  [[nodiscard]] virtual int receivers() const = 0;
  // For who works between calls: sends of what could not go yet what can now. Never waits.
  virtual void push_now_and_then() = 0;
  // Waits until all has been sent.
  virtual void drain() = 0;
  // Forgets what no receiver has a part of.
  virtual void drop_unsent() = 0;

  // Does for others what came, and does not wait. False if nothing did.
  virtual bool help() = 0;
  // Until the mailbox has a message. Throws ImageFailed on a loss that its image has not accepted.
  virtual void wait_for_message() = 0;
  virtual void accept_loss(ImageId image) = 0;

  // Null where time is real.
  [[nodiscard]] virtual PlaceWork* work() { return nullptr; }
  // What times are measured by.
  [[nodiscard]] virtual ThreadClocks clocks() const { return {}; }

 private:
  PlaceNumbers numbers_;
};

}  // namespace makespan::graph
