// SPDX-License-Identifier: Apache-2.0
// All targets without a fuzzer:
//
//   makespan_fuzz_seeds TARGET PATH...     feeds it the files named, those in the folders named,
//   and
//                                          what its own writers write today: that it must take
//   makespan_fuzz_seeds --write FOLDER     writes the latter to FOLDER/TARGET/made-N
//   makespan_fuzz_seeds                    lists targets
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "fuzz/fuzz_target.hpp"

namespace {

namespace fs = std::filesystem;
using makespan::fuzz::Bytes;
using makespan::fuzz::bytes_of;
using makespan::fuzz::FuzzTarget;

Bytes content_of(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw fs::filesystem_error("cannot be read", path, {});
  std::string const text(std::istreambuf_iterator<char>(file), {});
  return bytes_of(text);
}

int feed_file(FuzzTarget const& target, fs::path const& path) {
  std::printf("%s\n", path.c_str());
  std::fflush(stdout);  // the one that ends the program is the last one named
  target.feed(content_of(path));
  return 1;
}

int feed_all(FuzzTarget const& target, fs::path const& path) {
  if (!fs::is_directory(path)) return feed_file(target, path);
  int fed = 0;
  for (fs::directory_entry const& entry : fs::directory_iterator(path)) {
    fed += feed_file(target, entry.path());
  }
  return fed;
}

int feed_seeds(FuzzTarget const& target) {
  int fed = 0;
  for (Bytes const& seed : target.seeds()) {
    std::printf("made-%d, of today\n", ++fed);
    std::fflush(stdout);
    target.feed_good(seed);
  }
  return fed;
}

void write_seeds(fs::path const& folder) {
  for (FuzzTarget const* const target : FuzzTarget::all()) {
    fs::create_directories(folder / target->name());
    int number = 0;
    for (Bytes const& seed : target->seeds()) {
      fs::path const path = folder / target->name() / ("made-" + std::to_string(++number));
      std::ofstream(path, std::ios::binary)
          .write(reinterpret_cast<char const*>(seed.data()), std::ssize(seed));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string_view const name = argc > 1 ? argv[1] : "";
  if (name == "--write" && argc == 3) {
    write_seeds(argv[2]);
    return 0;
  }
  auto const& all = FuzzTarget::all();
  auto const found = std::ranges::find(all, name, &FuzzTarget::name);
  if (found == all.end()) {
    for (FuzzTarget const* const target : all) std::printf("%s\n", target->name().data());
    return argc == 1 ? 0 : 2;
  }
  int fed = 0;
  for (int at = 2; at < argc; ++at) fed += feed_all(**found, argv[at]);
  fed += feed_seeds(**found);
  std::printf("%s: %d inputs\n", name.data(), fed);
  return fed > 0 ? 0 : 1;
}
