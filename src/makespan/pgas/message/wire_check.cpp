// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/message/wire_check.hpp"

namespace makespan::pgas {

namespace {

// A function and not an operator of unsigned numbers: neither sum may go round.
bool is_range(WireBounds const& bounds, std::uint64_t offset, std::uint64_t bytes) {
  return bytes <= bounds.heap_bytes && offset <= bounds.heap_bytes - bytes;
}

bool is_word(WireBounds const& bounds, std::uint64_t offset, std::uint64_t bytes) {
  return is_range(bounds, offset, bytes) && offset % bytes == 0;
}

bool is_operation(AtomicOp op) {
  return op <= AtomicOp::compare_swap;
}

bool is_token(WireBounds const& bounds, WireToken token) {
  return token.channel < bounds.channels && token.slot < bounds.operations;
}

// A call to the image itself takes no link.
bool is_from_another(WireBounds const& bounds, WireHeader const& header) {
  return header.source != bounds.here;
}

bool is_request_within(WireBounds const& bounds, WireHeader const& header,
                       std::uint64_t payload_bytes) {
  switch (header.kind) {
    case WireKind::put:
      return is_range(bounds, header.offset, payload_bytes);
    case WireKind::put_signal:
      return is_range(bounds, header.offset, payload_bytes) &&
             is_word(bounds, header.word_offset, 8) && is_operation(header.op);
    case WireKind::get:
      // The answer is one message.
      return header.operand <= bounds.payload_bytes_max &&
             is_range(bounds, header.offset, header.operand);
    case WireKind::atomic:
      return (header.width == 4 || header.width == 8) &&
             is_word(bounds, header.offset, header.width) && is_operation(header.op);
    case WireKind::rpc:
      // Its answer goes over the channel that the token names. The slot is the caller's: how many
      // it has is not known here.
      // What it calls is looked up when it is run (CodeMap::decode).
      return is_from_another(bounds, header) && header.thread < bounds.threads &&
             header.token.channel < bounds.channels;
    default:
      return false;
  }
}

std::string place_in_heap(WireBounds const& bounds, std::uint64_t offset, std::uint64_t bytes) {
  return std::to_string(bytes) + " bytes at " + std::to_string(offset) + " of a heap of " +
         std::to_string(bounds.heap_bytes);
}

// The end of the text on a call or an answer that no other image can have sent.
std::string sender_of(WireBounds const& bounds, WireHeader const& header) {
  return is_from_another(bounds, header) ? "" : ", which says that it is of this image itself";
}

std::string defect_of_request(WireBounds const& bounds, WireHeader const& header,
                              std::uint64_t payload_bytes) {
  switch (header.kind) {
    case WireKind::put:
      return "a put of " + place_in_heap(bounds, header.offset, payload_bytes);
    case WireKind::put_signal:
      return "a put of " + place_in_heap(bounds, header.offset, payload_bytes) +
             ", with a signal of operation " + std::to_string(static_cast<int>(header.op)) +
             " to the word at " + std::to_string(header.word_offset);
    case WireKind::get:
      return "a get of " + place_in_heap(bounds, header.offset, header.operand) +
             ", and a message holds " + std::to_string(bounds.payload_bytes_max);
    case WireKind::atomic:
      return "an atomic operation " + std::to_string(static_cast<int>(header.op)) + " on " +
             place_in_heap(bounds, header.offset, header.width);
    case WireKind::rpc:
      return "a call for thread " + std::to_string(header.thread) + " of " +
             std::to_string(bounds.threads) + " over channel " +
             std::to_string(header.token.channel) + " of " + std::to_string(bounds.channels) +
             sender_of(bounds, header);
    default:
      return "its kind is " + std::to_string(static_cast<int>(header.kind)) +
             ", which this build does not know";
  }
}

}  // namespace

bool is_within(WireBounds const& bounds, WireHeader const& header, std::uint64_t payload_bytes) {
  if (header.source < 0 || header.source >= bounds.images) return false;
  if (payload_bytes > bounds.payload_bytes_max) return false;
  switch (header.kind) {
    case WireKind::ack:
      // A count that is too high ends a flush of its sender too early, and touches no memory here.
      return true;
    case WireKind::reply:
      return is_token(bounds, header.token);
    case WireKind::call_reply:
    case WireKind::refusal:
      return is_from_another(bounds, header) && is_token(bounds, header.token);
    default:
      return is_request_within(bounds, header, payload_bytes);
  }
}

std::string defect_of(WireBounds const& bounds, WireHeader const& header,
                      std::uint64_t payload_bytes) {
  if (header.source < 0 || header.source >= bounds.images) {
    return "it says that image " + std::to_string(header.source) + " sent it, and there are " +
           std::to_string(bounds.images);
  }
  if (payload_bytes > bounds.payload_bytes_max) {
    return "it carries " + std::to_string(payload_bytes) + " bytes, and a message holds " +
           std::to_string(bounds.payload_bytes_max);
  }
  switch (header.kind) {
    case WireKind::ack:
    case WireKind::reply:
    case WireKind::call_reply:
    case WireKind::refusal:
      return "an answer to operation " + std::to_string(header.token.slot) + " of " +
             std::to_string(bounds.operations) + " of channel " +
             std::to_string(header.token.channel) + " of " + std::to_string(bounds.channels) +
             sender_of(bounds, header);
    default:
      return defect_of_request(bounds, header, payload_bytes);
  }
}

}  // namespace makespan::pgas
