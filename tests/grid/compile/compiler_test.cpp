// SPDX-License-Identifier: Apache-2.0
// Goal: a source is compiled once, what fails says why, and nothing half written is ever loaded.
// Method: small sources, and programs that stand in for a compiler.
#include "makespan/grid/compile/compiler.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "files_up_to.hpp"
#include "makespan/base/error.hpp"
#include "makespan/grid/compile/detail/library_build.hpp"
#include "scratch_folder.hpp"
#include "stand_in.hpp"

namespace makespan::grid {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr char const* answer = "extern \"C\" int answer() { return 42; }\n";

int answer_of(KernelLibrary const& library) {
  auto* const function = reinterpret_cast<int (*)()>(library.symbol("answer"));
  return function == nullptr ? -1 : function();
}

std::vector<fs::path> files_in(fs::path const& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (auto const& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  return files;
}

class Compiler : public testing::Test {
 protected:
  void SetUp() override {
    if (find_compiler().empty()) GTEST_SKIP() << "no C++ compiler";
  }
  ScratchFolder folder_;
};

TEST_F(Compiler, compiles_once) {
  CompilerOptions const options{.cache = folder_.path() / "cache"};
  EXPECT_EQ(answer_of(compiled(answer, options)), 42);
  auto const files = files_in(folder_.path() / "cache" / "kernels");
  ASSERT_EQ(files.size(), 1U);
  auto const time = fs::last_write_time(files[0]);
  EXPECT_EQ(answer_of(compiled(answer, options)), 42);
  EXPECT_EQ(fs::last_write_time(files_in(folder_.path() / "cache" / "kernels")[0]), time);
  // Other flags make another library.
  CompilerOptions other = options;
  other.flags = {"-O1"};
  EXPECT_EQ(answer_of(compiled(answer, other)), 42);
  EXPECT_EQ(files_in(folder_.path() / "cache" / "kernels").size(), 2U);
}

TEST_F(Compiler, needs_no_cache) {
  EXPECT_EQ(answer_of(compiled(answer, {.cache = {}})), 42);
  std::ofstream(folder_.path() / "file") << "no folder";
  EXPECT_EQ(answer_of(compiled(answer, {.cache = folder_.path() / "file"})), 42);
}

// One that loads, with its checksum behind it: nothing but whose it is tells it from ours.
class PlantedLibrary : public Compiler {
 protected:
  void SetUp() override {
    Compiler::SetUp();
    if (IsSkipped()) return;
    static_cast<void>(compiled(answer, options_));
    place_ = files_in(options_.cache / "kernels")[0];
    CompilerOptions const theirs{.cache = folder_.path() / "theirs"};
    static_cast<void>(compiled("extern \"C\" int answer() { return 43; }\n", theirs));
    other_ = files_in(theirs.cache / "kernels")[0];
  }

  // In place of ours, and not into it: a loader knows a file again that it has loaded.
  void plant() const {
    fs::path const draft = folder_.path() / "draft";
    fs::copy_file(other_, draft);
    fs::rename(draft, place_);
  }

  CompilerOptions options_{.cache = folder_.path() / "ours"};
  fs::path place_;
  fs::path other_;
};

TEST_F(PlantedLibrary, is_loaded_where_its_user_alone_could_have_put_it) {
  plant();
  EXPECT_EQ(answer_of(compiled(answer, options_)), 43);
}

TEST_F(PlantedLibrary, is_not_loaded_where_others_may_write_it) {
  for (fs::perms const others : {fs::perms::group_write, fs::perms::others_write}) {
    plant();
    fs::permissions(place_, fs::perms::owner_all | others);
    EXPECT_EQ(answer_of(compiled(answer, options_)), 42);
  }
}

TEST_F(PlantedLibrary, is_not_loaded_over_a_link) {
  fs::remove(place_);
  fs::create_symlink(other_, place_);
  EXPECT_EQ(answer_of(compiled(answer, options_)), 42);
}

TEST_F(PlantedLibrary, is_not_loaded_where_another_user_has_put_it) {
  plant();
  if (::lchown(place_.c_str(), 4711, 4711) != 0) GTEST_SKIP() << "only root makes their files";
  EXPECT_EQ(answer_of(compiled(answer, options_)), 42);
}

TEST_F(Compiler, keeps_nothing_where_others_may_write) {
  fs::create_directories(folder_.path() / "kernels");
  fs::permissions(folder_.path() / "kernels", fs::perms::all);
  EXPECT_EQ(answer_of(compiled(answer, {.cache = folder_.path()})), 42);
  EXPECT_TRUE(files_in(folder_.path() / "kernels").empty());
}

TEST_F(Compiler, keeps_nothing_where_a_link_leads) {
  fs::create_directories(folder_.path() / "elsewhere");
  fs::create_directory_symlink("elsewhere", folder_.path() / "kernels");
  EXPECT_EQ(answer_of(compiled(answer, {.cache = folder_.path()})), 42);
  EXPECT_TRUE(files_in(folder_.path() / "elsewhere").empty());
}

TEST_F(Compiler, keeps_nothing_in_the_folder_of_another_user) {
  fs::path const kernels = folder_.path() / "kernels";
  fs::create_directories(kernels);
  fs::permissions(kernels, fs::perms::owner_all);
  if (::lchown(kernels.c_str(), 4711, 4711) != 0) GTEST_SKIP() << "only root makes their folders";
  EXPECT_EQ(answer_of(compiled(answer, {.cache = folder_.path()})), 42);
  EXPECT_TRUE(files_in(kernels).empty());
}

TEST_F(Compiler, compiles_again_what_does_not_load) {
  CompilerOptions const options{.cache = folder_.path()};
  static_cast<void>(compiled(answer, options));
  fs::path const file = files_in(folder_.path() / "kernels")[0];
  std::ofstream(file) << "cut short";  // with the rights that it had
  EXPECT_EQ(answer_of(compiled(answer, options)), 42);
  EXPECT_EQ(answer_of(KernelLibrary(file)), 42);
}

// A number of the program, which loads as well as the right one.
TEST_F(Compiler, compiles_again_what_was_changed_by_a_bit) {
  CompilerOptions const options{.cache = folder_.path()};
  static_cast<void>(compiled(answer, options));
  fs::path const file = files_in(folder_.path() / "kernels")[0];
  std::string bytes = text_of(file);
  std::string const number("\xb8\x2a\0\0\0", 5);  // mov eax, 42
  std::size_t const place = bytes.find(number);
  if (place == std::string::npos) GTEST_SKIP() << "no x86-64";
  bytes[place + 1] ^= 1;
  std::ofstream(file, std::ios::binary) << bytes;
  ASSERT_EQ(answer_of(KernelLibrary(file)), 43);

  EXPECT_EQ(answer_of(compiled(answer, options)), 42);
  EXPECT_EQ(answer_of(KernelLibrary(file)), 42);
}

TEST_F(Compiler, says_what_the_compiler_says) {
  CompilerOptions const options{.cache = folder_.path()};
  EXPECT_THAT([&] { static_cast<void>(compiled("int f() { return none; }", options)); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("failed to compile an update"), HasSubstr("none"))));
  EXPECT_TRUE(files_in(folder_.path() / "kernels").empty());
}

TEST_F(Compiler, is_not_given_a_source_that_was_cut_short) {
  std::string const source = std::string(answer) + "// " + std::string(100, '.');
  CompilerOptions const options{
      .command = stand_in(folder_.path() / "compiler", "echo it was started; exit 1\n").string(),
      .cache = {}};
  FilesUpTo const limit(static_cast<rlim_t>(source.size() - 1));

  EXPECT_THAT([&] { static_cast<void>(compiled(source, options)); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("no room for a compiler to work in"), HasSubstr("set TMPDIR"))));
}

TEST_F(Compiler, ends_one_that_does_not_end) {
  CompilerOptions const options{
      .command = stand_in(folder_.path() / "compiler", "sleep 60\n").string(),
      .cache = folder_.path() / "cache",
      .limit = Seconds{0.2}};
  auto const begin = std::chrono::steady_clock::now();
  EXPECT_THAT([&] { static_cast<void>(compiled(answer, options)); },
              ThrowsMessage<InputError>(HasSubstr("did not end within 0.2 s")));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST_F(Compiler, refuses_what_is_no_library) {
  std::string const text = "while [ \"$1\" != -o ]; do shift; done; echo nothing > \"$2\"\n";
  CompilerOptions const options{.command = stand_in(folder_.path() / "compiler", text).string(),
                                .cache = folder_.path() / "cache"};
  EXPECT_THROW(static_cast<void>(compiled(answer, options)), InputError);
}

TEST_F(Compiler, is_the_one_that_is_named) {
  EXPECT_TRUE(find_compiler({.command = "no-such-compiler"}).empty());
  EXPECT_THROW(static_cast<void>(compiled(answer, {.command = "no-such-compiler"})), NotConfigured);
  ::setenv("MAKESPAN_CXX", "/no/such/compiler", 1);
  EXPECT_THAT([] { static_cast<void>(find_compiler()); },
              ThrowsMessage<InputError>(HasSubstr("MAKESPAN_CXX=/no/such/compiler")));
  ::unsetenv("MAKESPAN_CXX");
}

}  // namespace
}  // namespace makespan::grid
