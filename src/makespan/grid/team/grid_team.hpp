// SPDX-License-Identifier: Apache-2.0
#pragma once

// The images of a job, one of which has a grid to run; the others lend it their cores.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/grid/grid.hpp"
#include "makespan/grid/phase_clock.hpp"
#include "makespan/grid/team/detail/team_command.hpp"
#include "makespan/grid/team/grid_model.hpp"
#include "makespan/pgas/job/process_hold.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::grid {

// Of one device, since the grid was made.
struct DeviceReport {
  int image{};
  int device{};
  std::int64_t planes{};  // along z; of a host without its layers beside other devices
  std::int64_t points{};  // all of them
  DeviceTimes times{};
  HaloCounts halos{};
  std::vector<PhaseSpan> phases{};  // that were kept, oldest first
};

struct TeamReport {
  std::vector<DeviceReport> devices{};  // by image, then device
  int rebalances{};
  std::int64_t planes_moved{};
};

// Functions but for those that say otherwise are for image 0, while the others serve(); they block,
// and throw as Grid's do, and InputError, on all images, where there is no grid. Tested by
// tests/grid/team/grid_team_test.cpp and grid_team_orders_test.cpp, as several images.
class GridTeam {
 public:
  // Collective over the job; blocks. This image gives a thread on each of `cores`, which are at
  // least one; a core may be given twice. Throws as Runtime's constructor.
  GridTeam(std::vector<int> cores, std::vector<GridModelKind> kinds);
  GridTeam(GridTeam const&) = delete;
  GridTeam& operator=(GridTeam const&) = delete;
  ~GridTeam();

  // On any image.
  [[nodiscard]] int image() const { return image_; }
  [[nodiscard]] int images() const { return images_; }
  [[nodiscard]] int threads() const { return static_cast<int>(cores_.size()); }  // of this image

  // Makes the grid, of values 0, instead of the one before. Throws InputError, on all images, for
  // what the model or the grid refuses.
  void open(ModelOrder const& order, TeamOptions const& options);
  // To what the model has at the beginning.
  void start();
  // `later` steps will be asked for afterwards. Throws InputError for numbers below 0 or above
  // 2^53, as set_step().
  void run(std::int64_t steps, std::int64_t later = 0);
  void heed(std::span<std::byte const> word);
  [[nodiscard]] std::vector<double> gather(int field, Box const& box);
  void scatter(int field, Box const& box, std::span<double const> values);
  [[nodiscard]] std::optional<BadValue> find_bad_value();
  [[nodiscard]] FieldSummary summary(int field, Box const& box);
  [[nodiscard]] std::vector<Digest> digests();
  [[nodiscard]] TeamReport report();
  [[nodiscard]] std::int64_t step() const { return grid().step(); }
  void set_step(std::int64_t step);

  // On the others: until image 0 finishes. What went wrong on all, or was told to all, image 0
  // throws; this throws what else went wrong here, and ImageFailed when an image is lost.
  void serve();
  // Collective: the end of the job.
  void finish_all();

 private:
  [[nodiscard]] bool has_lost_image() const;
  void tell_all(TeamCommand const& command);
  void carry_out_all(TeamCommand const& command);
  void obey_all(TeamCommand const& command);
  [[noreturn]] void reopen_after(std::exception_ptr const& refusal);
  void make_model_all(ModelOrder const& order);
  void open_all(TeamCommand const& command);
  void make_runtime_all(int endpoints, std::int64_t heap_bytes);
  void keeping_runtime(std::function<void()> const& work);
  void drop_grid_all();
  [[nodiscard]] std::vector<DeviceReport> reports_all();
  void add_phases_all(std::vector<DeviceReport>& reports);
  [[nodiscard]] std::unique_ptr<GridModel> model_of(ModelOrder const& order) const;
  [[nodiscard]] std::vector<GridDevice> devices_of(TeamOptions const& options) const;
  [[nodiscard]] GridDevice gpu_device(int gpu, int core) const;
  [[nodiscard]] std::int64_t planes_in(std::int64_t bytes) const;
  [[nodiscard]] Grid& grid() const;

  std::vector<int> cores_;
  std::vector<GridModelKind> kinds_;
  pgas::ProcessHold hold_{};  // from one runtime to the next
  int image_{};
  int images_{};
  std::optional<pgas::Runtime> runtime_{};  // none once it could not be made anew
  int endpoints_{0};  // of a runtime that a grid can have; 0: it only hears what is to be done
  std::int64_t heap_bytes_{0};
  std::unique_ptr<GridModel> model_{};
  std::unique_ptr<Grid> grid_{};
  std::int64_t phases_kept_{0};
};

}  // namespace makespan::grid
