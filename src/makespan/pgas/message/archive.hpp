// SPDX-License-Identifier: Apache-2.0
#pragma once

// Values into bytes and back, by cereal: whatever cereal can serialise can be an argument or a
// result of a remote call. Include <cereal/types/vector.hpp> and the like for standard containers.
//
// The bytes are those of this machine: images of one job run the same build on one byte order.

#include <algorithm>
#include <cereal/cereal.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace makespan::pgas {

// Appends to a vector of bytes.
class ByteWriter final : public cereal::OutputArchive<ByteWriter, cereal::AllowEmptyClassElision> {
 public:
  explicit ByteWriter(std::vector<std::byte>& bytes) : OutputArchive(this), bytes_{bytes} {}

  void write(void const* data, std::size_t size) {
    std::size_t const at = bytes_.size();
    bytes_.resize(at + size);
    if (size > 0) std::memcpy(bytes_.data() + at, data, size);
  }

 private:
  std::vector<std::byte>& bytes_;
};

// Reads from bytes; throws std::out_of_range when they end too early.
class ByteReader final : public cereal::InputArchive<ByteReader, cereal::AllowEmptyClassElision> {
 public:
  explicit ByteReader(std::span<std::byte const> bytes) : InputArchive(this), rest_{bytes} {}

  void read(void* data, std::size_t size) {
    if (size > rest_.size()) throw std::out_of_range("a message ends before its last argument");
    std::ranges::copy(rest_.first(size), static_cast<std::byte*>(data));
    rest_ = rest_.subspan(size);
  }

  [[nodiscard]] bool is_at_end() const { return rest_.empty(); }

 private:
  std::span<std::byte const> rest_;
};

// How cereal writes and reads numbers and arrays of numbers with the two above.
template <class T>
  requires std::is_arithmetic_v<T>
void CEREAL_SAVE_FUNCTION_NAME(ByteWriter& writer, T const& value) {
  writer.write(&value, sizeof value);
}
template <class T>
  requires std::is_arithmetic_v<T>
void CEREAL_LOAD_FUNCTION_NAME(ByteReader& reader, T& value) {
  reader.read(&value, sizeof value);
}
template <class Archive, class T>
  requires(std::same_as<Archive, ByteWriter> || std::same_as<Archive, ByteReader>)
void CEREAL_SERIALIZE_FUNCTION_NAME(Archive& archive, cereal::NameValuePair<T>& pair) {
  archive(pair.value);
}
template <class Archive, class T>
  requires(std::same_as<Archive, ByteWriter> || std::same_as<Archive, ByteReader>)
void CEREAL_SERIALIZE_FUNCTION_NAME(Archive& archive, cereal::SizeTag<T>& tag) {
  archive(tag.size);
}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(ByteWriter& writer, cereal::BinaryData<T> const& data) {
  writer.write(data.data, static_cast<std::size_t>(data.size));
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(ByteReader& reader, cereal::BinaryData<T>& data) {
  reader.read(data.data, static_cast<std::size_t>(data.size));
}

}  // namespace makespan::pgas

CEREAL_REGISTER_ARCHIVE(makespan::pgas::ByteWriter)
CEREAL_REGISTER_ARCHIVE(makespan::pgas::ByteReader)
CEREAL_SETUP_ARCHIVE_TRAITS(makespan::pgas::ByteReader, makespan::pgas::ByteWriter)
