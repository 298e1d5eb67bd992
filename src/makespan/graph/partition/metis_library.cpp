// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/partition/metis_library.hpp"

#include <fcntl.h>
#include <metis.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

static_assert(std::is_same_v<idx_t, std::int32_t>, "METIS of 32 bits, as Debian's");

namespace {

// METIS reads its arrays through pointers to what is not const.
idx_t* metis_pointer(std::vector<std::int32_t> const& column) {
  return const_cast<idx_t*>(column.data());
}

// Printed where a part comes out empty, as with fewer vertices than parts, or one that outweighs
// all others; what METIS answers then is as good as ever, and it has no option to keep silent.
constexpr std::string_view complaint =
    "\t***Cannot bisect a graph with 0 vertices!\n"
    "\t***You are trying to partition a graph into too many parts!\n";

// While this lives, what the process writes to standard output is kept in memory, and then goes to
// where it would have gone, but for the complaint (docs/decisions/0155).
class StandardOutputKept {
 public:
  StandardOutputKept() : kept_(::memfd_create("makespan-metis", MFD_CLOEXEC)) {
    static_cast<void>(std::fflush(stdout));
    out_ = kept_ < 0 ? -1 : ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (out_ >= 0) ::dup2(kept_, STDOUT_FILENO);
  }
  StandardOutputKept(StandardOutputKept const&) = delete;
  StandardOutputKept& operator=(StandardOutputKept const&) = delete;
  ~StandardOutputKept() {
    if (out_ >= 0) {
      static_cast<void>(std::fflush(stdout));
      ::dup2(out_, STDOUT_FILENO);
      ::close(out_);
      pass_on();
    }
    if (kept_ >= 0) ::close(kept_);
  }

 private:
  void pass_on() const {
    std::string text(static_cast<std::size_t>(std::max<off_t>(0, ::lseek(kept_, 0, SEEK_END))),
                     '\0');
    if (text.empty() || ::pread(kept_, text.data(), text.size(), 0) < 0) return;
    for (std::size_t at = 0; (at = text.find(complaint, at)) != std::string::npos;) {
      text.erase(at, complaint.size());
    }
    for (std::size_t done = 0; done < text.size();) {
      ssize_t const some = ::write(STDOUT_FILENO, text.data() + done, text.size() - done);
      if (some <= 0) return;
      done += static_cast<std::size_t>(some);
    }
  }

  int kept_;
  int out_{-1};  // standard output as it was; -1: it is as it was
};

}  // namespace

void expect_metis() {
}

std::vector<std::int32_t> metis_parts(MetisTask const& task) {
  MAKESPAN_EXPECT(task.graph.vertices() > 0);
  std::array<idx_t, METIS_NOPTIONS> options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = task.seed;
  // In thousandths, 1 at least.
  options[METIS_OPTION_UFACTOR] =
      static_cast<idx_t>(std::max(1.0, std::round(task.imbalance * 1000)));
  std::vector<real_t> shares(task.shares.size());
  std::ranges::transform(task.shares, shares.begin(),
                         [](double share) { return static_cast<real_t>(share); });

  auto vertices = static_cast<idx_t>(task.graph.vertices());
  auto parts = static_cast<idx_t>(shares.size());
  idx_t constraints = 1;
  idx_t cut = 0;
  std::vector<std::int32_t> part(static_cast<std::size_t>(vertices));
  StandardOutputKept const kept;
  int const outcome = METIS_PartGraphKway(
      &vertices, &constraints, metis_pointer(task.graph.begin), metis_pointer(task.graph.other),
      metis_pointer(task.graph.vertex_weight), nullptr, metis_pointer(task.graph.edge_weight),
      &parts, shares.data(), nullptr, options.data(), &cut, part.data());
  if (outcome != METIS_OK) throw std::runtime_error("METIS: PartGraphKway failed");
  return part;
}

}  // namespace makespan::graph
