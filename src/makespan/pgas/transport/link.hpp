// SPDX-License-Identifier: Apache-2.0
#pragma once

// One channel's way to the same channel of other images: messages out, messages in. What a
// transport must be able to do, and all that most of them do.

#include <cstddef>
#include <cstdint>
#include <span>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/message/wire.hpp"

namespace makespan::pgas {

// Takes the messages that a link delivers.
class MessageSink {
 public:
  // `payload` is valid during the call only. Of a call or its answer the header's last fields,
  // which say nothing, may come as anything (fits_into_header). Must not call the link's poll();
  // may call its send().
  virtual void deliver(WireHeader const& header, std::span<std::byte const> payload) = 0;

 protected:
  ~MessageSink() = default;
};

enum class SendOutcome {
  sent,  // the link has the message, and the payload may be reused
  busy,  // no room just now: nothing was taken; poll, and try again
};

enum class LinkThreading {
  serialized,  // callers take turns, with a lock of their own: the link needs none
  concurrent,  // callers may come at the same time: the link locks what it must, and no more
};

class Link {
 public:
  Link() = default;
  Link(Link const&) = delete;
  Link& operator=(Link const&) = delete;
  virtual ~Link() = default;

  // Sends to the same channel of image `to`. Never blocks; allocates nothing once warmed up.
  // `payload` has at most payload_bytes_max() bytes. Two messages to one image arrive in the order
  // in which they were sent by one thread.
  [[nodiscard]] virtual SendOutcome send(ImageId to, WireHeader const& header,
                                         std::span<std::byte const> payload) = 0;

  // Moves what is under way and delivers what has arrived, at most a bounded number of messages.
  // Returns how many things happened: 0 means that the caller may look elsewhere.
  virtual int poll(MessageSink& sink) = 0;

  [[nodiscard]] virtual std::int64_t payload_bytes_max() const = 0;

  // Whether everything that was sent has left this image: its buffers may go.
  [[nodiscard]] virtual bool is_drained() const = 0;

  // A descriptor that becomes readable when poll() has something to do, for the event helper;
  // -1 if this link has none. It tells only after arm().
  [[nodiscard]] virtual int event_descriptor() const { return -1; }

  // Asks for one event. False: something is there already, poll instead. Called like poll().
  [[nodiscard]] virtual bool arm() { return false; }

  // Nothing more is sent to `image` or expected from it; what was on its way is forgotten. A poll()
  // that begins afterwards delivers nothing of it.
  virtual void abandon(ImageId image) { static_cast<void>(image); }
};

}  // namespace makespan::pgas
