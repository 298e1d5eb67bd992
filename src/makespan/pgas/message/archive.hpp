// SPDX-License-Identifier: Apache-2.0
#pragma once

// Values into bytes and back, by cereal: whatever cereal can serialise can be an argument or a
// result of a remote call. Include <cereal/types/vector.hpp> and the like for standard containers.
//
// The bytes are those of this machine: images of one job run the same build on one byte order.

#include <cereal/cereal.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "makespan/pgas/message/plain_bytes.hpp"

namespace makespan::pgas {

// Appends to a vector of bytes.
class ByteWriter final : public cereal::OutputArchive<ByteWriter, cereal::AllowEmptyClassElision>,
                         public PlainWriter {
 public:
  explicit ByteWriter(std::vector<std::byte>& bytes) : OutputArchive(this), PlainWriter(bytes) {}
};

// Counts the bytes that ByteWriter would append, and writes none: what it costs to send a value is
// known before it is sent. Allocates: no, other than what a user's serialize() does. Never throws
// by itself.
class ByteCounter final
    : public cereal::OutputArchive<ByteCounter, cereal::AllowEmptyClassElision> {
 public:
  ByteCounter() : OutputArchive(this) {}

  void write(void const* /*data*/, std::size_t size) { bytes_ += size; }

  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_{0};
};

// Reads from bytes; throws std::out_of_range when they end too early.
class ByteReader final : public cereal::InputArchive<ByteReader, cereal::AllowEmptyClassElision>,
                         public PlainReader {
 public:
  explicit ByteReader(std::span<std::byte const> bytes) : InputArchive(this), PlainReader(bytes) {}
};

// The archives that take values, which must not differ in what they do with one.
template <class Archive>
concept ByteOutput = std::same_as<Archive, ByteWriter> || std::same_as<Archive, ByteCounter>;
template <class Archive>
concept ByteArchive = ByteOutput<Archive> || std::same_as<Archive, ByteReader>;

// How cereal writes and reads numbers and arrays of numbers with those above.
template <ByteOutput Output, class T>
  requires std::is_arithmetic_v<T>
void CEREAL_SAVE_FUNCTION_NAME(Output& writer, T const& value) {
  writer.write(&value, sizeof value);
}
template <class T>
  requires(std::is_arithmetic_v<T> && !std::same_as<T, bool>)
void CEREAL_LOAD_FUNCTION_NAME(ByteReader& reader, T& value) {
  reader.read(&value, sizeof value);
}
inline void CEREAL_LOAD_FUNCTION_NAME(ByteReader& reader, bool& value) {
  value = reader.read_bool();
}
// Rows of plain data in one piece, whatever serialize() of theirs says. Vectors of numbers cereal
// takes in one piece by itself.
template <ByteOutput Output, PlainData T>
  requires(!std::is_arithmetic_v<T>)
void CEREAL_SAVE_FUNCTION_NAME(Output& writer, std::vector<T> const& rows) {
  std::uint64_t const count = rows.size();
  writer.write(&count, sizeof count);
  writer.write(rows.data(), rows.size() * sizeof(T));
}
template <PlainData T>
  requires(!std::is_arithmetic_v<T>)
void CEREAL_LOAD_FUNCTION_NAME(ByteReader& reader, std::vector<T>& rows) {
  std::uint64_t count = 0;
  reader.read(&count, sizeof count);
  reader.expect(count, sizeof(T));
  rows.resize(static_cast<std::size_t>(count));
  reader.read(rows.data(), rows.size() * sizeof(T));
}
template <ByteArchive Archive, class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(Archive& archive, cereal::NameValuePair<T>& pair) {
  archive(pair.value);
}
// A container has room made for as many elements as it says: none is without a byte.
template <ByteArchive Archive, class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(Archive& archive, cereal::SizeTag<T>& tag) {
  archive(tag.size);
  if constexpr (std::same_as<Archive, ByteReader>) archive.expect(tag.size, 1);
}
template <ByteOutput Output, class T>
void CEREAL_SAVE_FUNCTION_NAME(Output& writer, cereal::BinaryData<T> const& data) {
  writer.write(data.data, static_cast<std::size_t>(data.size));
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(ByteReader& reader, cereal::BinaryData<T>& data) {
  reader.read(data.data, static_cast<std::size_t>(data.size));
}

}  // namespace makespan::pgas

CEREAL_REGISTER_ARCHIVE(makespan::pgas::ByteWriter)
CEREAL_REGISTER_ARCHIVE(makespan::pgas::ByteCounter)
CEREAL_REGISTER_ARCHIVE(makespan::pgas::ByteReader)
CEREAL_SETUP_ARCHIVE_TRAITS(makespan::pgas::ByteReader, makespan::pgas::ByteWriter)

// The macro above makes pairs; what is counted is read by the same archive as what is written.
template <>
struct cereal::traits::detail::get_input_from_output<makespan::pgas::ByteCounter>
    : get_input_from_output<makespan::pgas::ByteWriter> {};

namespace makespan::pgas {

// A value as bytes, and back. Throws std::out_of_range when they end too early.
template <class T>
[[nodiscard]] std::vector<std::byte> packed(T const& value) {
  std::vector<std::byte> bytes;
  ByteWriter writer(bytes);
  writer(value);
  return bytes;
}
template <class T>
[[nodiscard]] T unpacked(std::span<std::byte const> bytes) {
  T value{};
  ByteReader reader(bytes);
  reader(value);
  return value;
}

}  // namespace makespan::pgas
