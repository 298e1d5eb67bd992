// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/image_outcome.hpp"

#include <cstdint>

#include "makespan/pgas/message/archive.hpp"

namespace makespan::bag {

namespace {

// Plain values, as they lie in memory: all images run the same program.
template <class T>
void write(pgas::ByteWriter& writer, std::span<T const> values) {
  auto const count = static_cast<std::uint64_t>(values.size());
  writer.write(&count, sizeof count);
  writer.write(values.data(), values.size_bytes());
}

template <class Container>
void read(pgas::ByteReader& reader, Container& values) {
  std::uint64_t count = 0;
  reader.read(&count, sizeof count);
  values.resize(count);
  reader.read(values.data(), count * sizeof(typename Container::value_type));
}

}  // namespace

std::vector<std::byte> bytes_of(ImageOutcome const& outcome) {
  std::vector<std::byte> bytes;
  pgas::ByteWriter writer(bytes);
  TeamReport const& report = outcome.report;
  write<Seconds>(writer, report.busy);
  write<Work>(writer, report.work);
  write<int>(writer, report.failed_devices);
  for (double const value :
       {report.makespan.value(), report.ideal.value(), report.work_done.value()}) {
    writer.write(&value, sizeof value);
  }
  for (std::int64_t const count : {report.claims, report.steals}) writer.write(&count, sizeof count);
  writer.write(&report.complete, sizeof report.complete);
  write<char>(writer, outcome.failure);
  return bytes;
}

ImageOutcome outcome_from(std::span<std::byte const> bytes) {
  pgas::ByteReader reader(bytes);
  ImageOutcome outcome;
  TeamReport& report = outcome.report;
  read(reader, report.busy);
  read(reader, report.work);
  read(reader, report.failed_devices);
  reader.read(&report.makespan, sizeof report.makespan);
  reader.read(&report.ideal, sizeof report.ideal);
  reader.read(&report.work_done, sizeof report.work_done);
  reader.read(&report.claims, sizeof report.claims);
  reader.read(&report.steals, sizeof report.steals);
  reader.read(&report.complete, sizeof report.complete);
  read(reader, outcome.failure);
  return outcome;
}

}  // namespace makespan::bag
