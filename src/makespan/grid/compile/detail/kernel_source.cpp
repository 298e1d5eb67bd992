// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/compile/detail/kernel_source.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/base/joined.hpp"
#include "makespan/grid/compile/detail/operation_source.hpp"
#include "makespan/grid/compile/detail/vector_source.hpp"

namespace makespan::grid {

namespace {

// The kernel of so many planes: the constants and rows of a call, then vectors along x.
class PlanesSource {
 public:
  PlanesSource(CheckedProgram const& program, int planes)
      : program_{program}, planes_{planes}, slots_{row_slots(program, planes)} {}

  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] std::string constants() const;
  [[nodiscard]] std::string rows() const;
  [[nodiscard]] std::string fetches() const;
  // Values of all points of a vector, and what is done with them by `put`.
  [[nodiscard]] std::string points(std::string_view put) const;
  void add_node(std::string& out, std::size_t at, int plane, std::set<std::size_t>& loaded) const;
  [[nodiscard]] std::string name(std::int32_t node, int plane) const;
  // The row's slot in the same plane at the points' own y, if it is read and is another one; then
  // the row lies as far from it as in all planes.
  [[nodiscard]] std::optional<std::size_t> base_of(std::size_t slot) const;
  // Of the row's point at x, as source.
  [[nodiscard]] std::string address(std::size_t slot) const;
  // Where x is in rows at other y, from the rows at the points' own.
  [[nodiscard]] std::string places() const;
  // One line for each row that points read beside where they stand.
  template <class Line>
  [[nodiscard]] std::string each_shifted(Line const& line) const {
    std::string out;
    for (std::size_t at = 0; at < slots_.size(); ++at) {
      if (!slots_[at].is_shifted) continue;
      out += joined("  ", line(std::to_string(at), std::to_string(slots_[at].field)), "\n");
    }
    return out;
  }

  CheckedProgram const& program_;
  int planes_;
  std::vector<RowSlot> slots_;
};

bool is_same_everywhere(PointOp op) {
  return op == PointOp::constant || op == PointOp::parameter || op == PointOp::index_y ||
         op == PointOp::step;
}

std::string PlanesSource::name(std::int32_t node, int plane) const {
  PointOp const op = program_.nodes()[static_cast<std::size_t>(node)].op;
  return is_same_everywhere(op) ? joined("c", node) : joined("n", node, "_", plane);
}

std::string PlanesSource::constants() const {
  std::string out;
  for (std::size_t at = 0; at < program_.nodes().size(); ++at) {
    PointNode const& node = program_.nodes()[at];
    if (!is_same_everywhere(node.op)) continue;
    std::string value = number_source(node.value);
    if (node.op == PointOp::parameter) value = joined("job->parameters[", node.field, "]");
    if (node.op == PointOp::index_y) value = "job->y";
    if (node.op == PointOp::step) value = "job->step";
    out += joined("  const V c", at, " = splat(", value, ");\n");
  }
  return out;
}

std::optional<std::size_t> PlanesSource::base_of(std::size_t slot) const {
  RowSlot const& of = slots_[slot];
  if (planes_ == 1 || of.dy == 0 || of.is_shifted) return std::nullopt;
  auto const at = std::ranges::find_if(slots_, [&](RowSlot const& one) {
    return one.field == of.field && one.dz == of.dz && one.dy == 0;
  });
  if (at == slots_.end()) return std::nullopt;
  return static_cast<std::size_t>(at - slots_.begin());
}

std::string offset_name(int dy) {
  return joined(dy < 0 ? "low" : "high", std::abs(dy));
}

std::string PlanesSource::address(std::size_t slot) const {
  std::optional<std::size_t> const base = base_of(slot);
  if (!base) return joined("in", slot, " + x");
  return joined("in", *base, " + at_", offset_name(slots_[slot].dy));
}

// A compiler that knew where they come from would make a pointer of each row again, of which there
// are more than registers.
std::string PlanesSource::places() const {
  std::string out;
  std::set<int> found;
  for (std::size_t at = 0; at < slots_.size(); ++at) {
    if (!base_of(at) || !found.insert(slots_[at].dy).second) continue;
    std::string const name = offset_name(slots_[at].dy);
    out += joined("    I at_", name, " = x + ", name, ";\n    __asm__(\"\" : \"+r\"(at_", name,
                  "));\n");
  }
  return out;
}

std::string PlanesSource::rows() const {
  std::string out;
  std::set<int> found;
  for (std::size_t at = 0; at < slots_.size(); ++at) {
    std::optional<std::size_t> const base = base_of(at);
    if (!base) {
      out += joined("  const D* const in", at, " = job->in[", at, "];\n");
      continue;
    }
    int const dy = slots_[at].dy;
    if (!found.insert(dy).second) continue;
    out += joined("  const I ", offset_name(dy), " = job->in[", at, "] - job->in[", *base, "];\n");
  }
  for (int at = 0; at < program_.fields() * planes_; ++at) {
    out += joined("  const D* const ahead", at, " = job->ahead[", at, "];\n");
  }
  std::size_t const outs = program_.updated().size() * static_cast<std::size_t>(planes_);
  for (std::size_t at = 0; at < outs; ++at) {
    out += joined("  D* const out", at, " = job->out[", at, "];\n");
  }
  return out;
}

// A row of each field comes nearer, from memory into the second cache; and the rest of the newest
// row of each plane from there into the first.
std::string PlanesSource::fetches() const {
  std::string out;
  for (int at = 0; at < program_.fields() * planes_; ++at) {
    out += joined("    __builtin_prefetch(ahead", at, " + x, 0, 2);\n");
  }
  for (std::size_t at = 0; at < slots_.size(); ++at) {
    bool const is_newest = at + 1 == slots_.size() || slots_[at + 1].field != slots_[at].field ||
                           slots_[at + 1].dz != slots_[at].dz;
    // 16 cache lines ahead (docs/decisions/0067).
    if (is_newest) out += joined("    __builtin_prefetch(", address(at), " + 128);\n");
  }
  return out;
}

void PlanesSource::add_node(std::string& out, std::size_t at, int plane,
                            std::set<std::size_t>& loaded) const {
  PointNode const& node = program_.nodes()[at];
  if (is_same_everywhere(node.op)) return;
  std::string value;
  if (node.op == PointOp::index_x) {
    value = "splat(job->x + (D)x) + ascending()";
  } else if (node.op == PointOp::index_z) {
    value = joined("splat(job->z + ", plane, ")");
  } else if (node.op == PointOp::load) {
    std::size_t const slot = slot_of(slots_, node.field, node.offset.y, node.offset.z + plane);
    if (!slots_[slot].is_shifted) {
      // Once for all planes that read it.
      if (loaded.insert(slot).second) {
        out += joined("    const V h", slot, " = load(", address(slot), ");\n");
      }
      value = joined("h", slot);
    } else if (node.offset.x == 0) {
      value = joined("h", slot);
    } else {
      value = joined("shifted<", node.offset.x, ">(b", slot, ", h", slot, ", a", slot, ")");
    }
  } else {
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(operands_of(node.op)));
    for (int i = 0; i < operands_of(node.op); ++i) {
      names.push_back(name(node.operands[static_cast<std::size_t>(i)], plane));
    }
    value = operation_source(node.op, names);
  }
  out += joined("    const ", is_truth(node.op) ? "M" : "V", " ",
                name(static_cast<std::int32_t>(at), plane), " = ", value, ";\n");
}

std::string PlanesSource::points(std::string_view put) const {
  std::string out;
  std::set<std::size_t> loaded;
  for (int plane = 0; plane < planes_; ++plane) {
    for (std::size_t at = 0; at < program_.nodes().size(); ++at) add_node(out, at, plane, loaded);
  }
  std::size_t number = 0;
  for (int const field : program_.updated()) {
    std::int32_t const update = program_.program().updates[static_cast<std::size_t>(field)];
    bool const spreads =
        program_.shape().fields[static_cast<std::size_t>(field)] == FieldRole::spreads;
    for (int plane = 0; plane < planes_; ++plane) {
      std::string const to = joined("out", number++);
      std::string const value = name(update, plane);
      if (put == "some") {
        out += joined("    put_some(", to, ", x, ", value, ", job->begin, job->end);\n");
      } else {
        // What is changed where it lies has just been read.
        out += joined("    put<", spreads ? "past_caches" : "false", ">(", to, " + x, ", value,
                      ");\n");
      }
    }
  }
  return out;
}

// Two functions. `some` computes the vector at x from points that are gathered one by one, at ends
// of rows where a vector or its neighbours would reach beyond, and stores those that are asked for.
// `rows` takes whole vectors between, and has the neighbours along x from the vector before and the
// one after.
std::string PlanesSource::text() const {
  std::int64_t const radius = std::max<std::int64_t>(1, program_.shape().halo.width);
  std::string out = joined("\nstatic __attribute__((noinline)) void some_", planes_,
                           "(const Rows* job, I x) {\n", constants(), rows());
  out += each_shifted([&](std::string const& at, std::string const& field) {
    return joined("const Around g", at, " = gathered<", radius, ">(in", at,
                  ", x, job, job->low_values[", field, "], job->high_values[", field,
                  "]);\n  const V b", at, " = g", at, ".before, h", at, " = g", at, ".here, a", at,
                  " = g", at, ".after;");
  });
  out += joined("  {\n", places(), points("some"), "  }\n}\n");
  out += joined("template <bool past_caches>\nstatic void rows_", planes_, "(const Rows* job) {\n",
                constants(), rows());
  out += joined(
      "  I x = job->begin & ~7LL;\n"
      "  if (x < job->begin || job->extent < 8) {\n"
      "    some_",
      planes_,
      "(job, x);\n    x += 8;\n  }\n"
      "  // The domain begins in the vector before.\n"
      "  if (job->low != 0 && job->domain_begin < x && job->domain_begin > x - ",
      radius, " && x < job->end) {\n    some_", planes_,
      "(job, x);\n    x += 8;\n  }\n"
      "  const bool low = job->low != 0 && x == job->domain_begin, high = job->high != 0;\n"
      "  I stop = job->end & ~7LL;\n"
      "  if (high && (job->domain_end & 7) != 0) {\n"
      "    const I last = (job->domain_end - 8) & ~7LL;  // after it whole vectors follow no more\n"
      "    stop = last < stop ? last : stop;\n  }\n"
      "  if (x < stop) {\n");
  out += each_shifted([](std::string const& at, std::string const& field) {
    return joined("V b", at, " = low ? low_end(in", at, ", x, job, job->low_values[", field,
                  "]) : load(in", at, " + x - 8), h", at, " = load(in", at, " + x);");
  });
  out +=
      "  for (; x < stop; x += 8) {\n"
      "    const bool is_last = high && x + 8 == job->domain_end;\n    (void)is_last;\n";
  out += each_shifted([](std::string const& at, std::string const& field) {
    return joined("  const V a", at, " = is_last ? high_end(in", at, ", x, job, job->high_values[",
                  field, "]) : load(in", at, " + x + 8);");
  });
  out += joined(places(), fetches(), points("all"));
  out += each_shifted([](std::string const& at, std::string const&) {
    return joined("  b", at, " = h", at, ", h", at, " = a", at, ";");
  });
  return joined(out, "  }\n  }\n  for (; x < job->end; x += 8) some_", planes_, "(job, x);\n}\n");
}

}  // namespace

int planes_at_once(CheckedProgram const& program) {
  // Planes side by side share what they load; with more operations their values do not fit into
  // registers.
  std::size_t const nodes = program.nodes().size();
  if (nodes <= 60) return 4;
  return nodes <= 100 ? 2 : 1;
}

std::string kernel_source(CheckedProgram const& program) {
  int const planes = planes_at_once(program);
  std::string out = joined("// Made by makespan from a program of ", program.nodes().size(),
                           " operations.", vector_source, PlanesSource(program, 1).text());
  if (planes > 1) out += PlanesSource(program, planes).text();
  out += joined("\nextern \"C\" __attribute__((visibility(\"default\"))) void ", kernel_symbol,
                "(int planes, int past_caches, const Rows* job) {\n");
  for (int const count : std::set<int>{1, planes}) {
    out += joined("  if (planes == ", count, ") {\n    if (past_caches) rows_", count,
                  "<true>(job);\n    else rows_", count, "<false>(job);\n  }\n");
  }
  return out + "  if (planes == 0) fence();\n}\n";
}

}  // namespace makespan::grid
