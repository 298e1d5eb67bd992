// SPDX-License-Identifier: Apache-2.0
// Arguments of remote calls, of the types that there are in messages of ours and of users.
#include <array>
#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/tuple.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "fuzz/fuzz_input.hpp"
#include "fuzz/typed_seed.hpp"
#include "makespan/pgas/message/archive.hpp"

namespace makespan::fuzz::archive_target {
namespace {

struct Row {
  std::int32_t number{};
  double value{};
};

template <class T>
void read_as(std::span<std::byte const> bytes) {
  // What was read can be written, and is then as long as what was read, or shorter.
  static_cast<void>(pgas::packed(pgas::unpacked<T>(bytes)));
}

using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;
using Table = std::vector<std::vector<std::int32_t>>;
using Named = std::map<std::string, double>;
using Mixed = std::tuple<std::int64_t, std::optional<std::string>, std::array<float, 3>,
                         std::vector<Row>, std::pair<std::uint8_t, std::vector<std::byte>>>;

void unpack(std::span<std::byte const> bytes) {
  FuzzInput input(bytes);
  int const type = input.small(4);
  auto const rest = input.rest();
  if (type == 0) return read_as<Texts>(rest);
  if (type == 1) return read_as<Numbers>(rest);
  if (type == 2) return read_as<Table>(rest);
  if (type == 3) return read_as<Named>(rest);
  read_as<Mixed>(rest);
}

std::vector<Bytes> seeds() {
  return {typed_seed(0, Texts{"a", "bc", ""}), typed_seed(1, Numbers{1, 2, 3}),
          typed_seed(2, Table{{1, 2}, {}, {3}}), typed_seed(3, Named{{"a", 1.0}, {"b", 2.0}}),
          typed_seed(4, Mixed{7, "text", {1, 2, 3}, {{1, 2.0}}, {3, Bytes(4)}})};
}

FuzzTarget const target("archive", &unpack, &seeds);

}  // namespace
}  // namespace makespan::fuzz::archive_target
