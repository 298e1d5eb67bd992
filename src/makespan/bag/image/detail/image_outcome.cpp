// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/detail/image_outcome.hpp"

#include <cstdint>
#include <cstring>

#include "makespan/pgas/message/archive.hpp"

namespace makespan::bag {

namespace {

// Plain values, as they lie in memory: all images run the same program.
void append(std::vector<std::byte>& bytes, void const* data, std::size_t size) {
  std::size_t const at = bytes.size();
  bytes.resize(at + size);
  if (size > 0) std::memcpy(bytes.data() + at, data, size);
}

template <class T>
void append(std::vector<std::byte>& bytes, std::span<T const> values) {
  auto const count = static_cast<std::uint64_t>(values.size());
  append(bytes, &count, sizeof count);
  append(bytes, values.data(), values.size_bytes());
}

template <class Container>
void read(pgas::ByteReader& reader, Container& values) {
  std::uint64_t count = 0;
  reader.read(&count, sizeof count);
  // Before memory is taken for them: a damaged count may be any number.
  reader.expect(count, sizeof(typename Container::value_type));
  values.resize(count);
  reader.read(values.data(), count * sizeof(typename Container::value_type));
}

// A byte that is neither is no bool.
bool read_bool(pgas::ByteReader& reader) {
  std::uint8_t value = 0;
  reader.read(&value, sizeof value);
  return value != 0;
}

// An OverduePiece in members without gaps between them and without a bool, so that any bytes are
// one.
struct OverdueWords {
  std::int64_t task;
  std::int64_t begin;
  std::int64_t end;
  double at_it;
  double predicted;
  std::int32_t thread;
  std::int32_t is_lost;
};

std::vector<OverdueWords> words_of(std::span<OverduePiece const> pieces) {
  std::vector<OverdueWords> words;
  for (OverduePiece const& piece : pieces) {
    words.push_back({.task = piece.task.value(),
                     .begin = piece.items.begin,
                     .end = piece.items.end,
                     .at_it = piece.at_it.value(),
                     .predicted = piece.predicted.value(),
                     .thread = piece.thread,
                     .is_lost = piece.is_lost ? 1 : 0});
  }
  return words;
}

std::vector<OverduePiece> pieces_of(std::span<OverdueWords const> words) {
  std::vector<OverduePiece> pieces;
  for (OverdueWords const& piece : words) {
    pieces.push_back({.thread = piece.thread,
                      .task = TaskId{piece.task},
                      .items = {piece.begin, piece.end},
                      .at_it = Seconds{piece.at_it},
                      .predicted = Seconds{piece.predicted},
                      .is_lost = piece.is_lost != 0});
  }
  return pieces;
}

}  // namespace

std::vector<std::byte> bytes_of(ImageOutcome const& outcome) {
  TeamReport const& report = outcome.report;
  std::vector<std::byte> bytes;
  append<Seconds>(bytes, report.busy);
  append<Work>(bytes, report.work);
  append<int>(bytes, report.failed_devices);
  append<OverdueWords>(bytes, words_of(report.overdue));
  append(bytes, &report.makespan, sizeof report.makespan);
  append(bytes, &report.ideal, sizeof report.ideal);
  append(bytes, &report.speed, sizeof report.speed);
  append(bytes, &report.work_done, sizeof report.work_done);
  append(bytes, &report.claims, sizeof report.claims);
  append(bytes, &report.steals, sizeof report.steals);
  append(bytes, &report.complete, sizeof report.complete);
  append<char>(bytes, outcome.failure);
  append<char>(bytes, outcome.device_failure);
  auto const threads = static_cast<std::uint64_t>(outcome.spans.size());
  append(bytes, &threads, sizeof threads);
  for (auto const& spans : outcome.spans) append<trace::Span>(bytes, spans);
  return bytes;
}

ImageOutcome outcome_from(std::span<std::byte const> bytes) {
  pgas::ByteReader reader(bytes);
  ImageOutcome outcome;
  TeamReport& report = outcome.report;
  read(reader, report.busy);
  read(reader, report.work);
  read(reader, report.failed_devices);
  std::vector<OverdueWords> overdue;
  read(reader, overdue);
  report.overdue = pieces_of(overdue);
  reader.read(&report.makespan, sizeof report.makespan);
  reader.read(&report.ideal, sizeof report.ideal);
  reader.read(&report.speed, sizeof report.speed);
  reader.read(&report.work_done, sizeof report.work_done);
  reader.read(&report.claims, sizeof report.claims);
  reader.read(&report.steals, sizeof report.steals);
  report.complete = read_bool(reader);
  read(reader, outcome.failure);
  read(reader, outcome.device_failure);
  std::uint64_t threads = 0;
  reader.read(&threads, sizeof threads);
  reader.expect(threads, sizeof threads);  // each begins with a count
  outcome.spans.resize(threads);
  for (auto& spans : outcome.spans) read(reader, spans);
  return outcome;
}

}  // namespace makespan::bag
