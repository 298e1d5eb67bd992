// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/detail/trace_file.hpp"

#include <array>
#include <charconv>

#include "makespan/base/error.hpp"
#include "makespan/base/joined.hpp"
#include "makespan/base/output_file.hpp"

namespace makespan::graph {

namespace fs = std::filesystem;

namespace {

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view digits = "0123456789abcdef";
      auto const code = static_cast<unsigned char>(c);
      out += "\\u00";
      out += digits[code / 16U];
      out += digits[code % 16U];
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string microseconds(std::int64_t ns) {
  std::array<char, 64> text{};
  auto const end = std::to_chars(text.data(), text.data() + text.size(),
                                 1e-3 * static_cast<double>(ns), std::chars_format::fixed, 3);
  return {text.data(), end.ptr};
}

std::string ids_of(TraceSource const& source) {
  return joined(R"(, "pid": )", source.image, R"(, "tid": )", source.place);
}

std::string line_of(PlaceSpan const& span, TraceSource const& source, WorldPlan const& plan) {
  std::string const where =
      joined(ids_of(source), R"(, "ts": )", microseconds(span.begin_ns - source.origin_ns));
  std::string const length = joined(R"(, "dur": )", microseconds(span.end_ns - span.begin_ns));
  auto const object = [&] { return plan.name_of(static_cast<int>(span.number)); };
  switch (span.kind) {
    case PlaceSpan::Kind::method:
      return joined(R"({"ph": "X", "cat": "method", "name": )", json_text(object()), where, length,
                    R"(, "args": {"messages": )", span.count, "}},\n");
    case PlaceSpan::Kind::decision:
      return joined(R"({"ph": "X", "cat": "coordinator", "name": "coordinator")", where, length,
                    "},\n");
    case PlaceSpan::Kind::phase:
      return joined(R"({"ph": "i", "s": "t", "cat": "phase", "name": "phase )", span.number, "\"",
                    where, "},\n");
    case PlaceSpan::Kind::arrival:
      break;
  }
  return joined(R"({"ph": "i", "s": "t", "cat": "arrival", "name": )",
                json_text(joined(object(), " comes")), where, "},\n");
}

void expect_none(OutputRefusal const& refusal, fs::path const& file) {
  if (!refusal) return;
  throw InputError(file.string(), "the trace cannot be written there (" + *refusal + ")",
                   "name a file in a folder that you may write to");
}

}  // namespace

std::string trace_events(PlaceTrace const& trace, TraceSource const& source,
                         WorldPlan const& plan) {
  std::string const ids = ids_of(source);
  std::string text =
      joined(R"({"ph": "M", "name": "process_name")", ids, R"(, "args": {"name": "image )",
             source.image, "\"}},\n", R"({"ph": "M", "name": "thread_name")", ids,
             R"(, "args": {"name": "place )", source.place, "\"}},\n");
  for (PlaceSpan const& span : trace.spans()) text += line_of(span, source, plan);
  if (trace.dropped() == 0) return text;
  std::int64_t const last_ns =
      trace.spans().empty() ? source.origin_ns : trace.spans().back().end_ns;
  return text + joined(R"({"ph": "i", "s": "t", "cat": "trace", "name": ")", trace.dropped(),
                       R"( more spans are not in the trace")", ids, R"(, "ts": )",
                       microseconds(last_ns - source.origin_ns), "},\n");
}

void expect_trace_file(fs::path const& file) {
  expect_none(check_output(file), file);
}

void write_trace_file(fs::path const& file, std::string_view events) {
  std::string_view constexpr last = ",\n";
  if (events.ends_with(last)) events.remove_suffix(last.size());
  expect_none(
      write_output(file, {"{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n", events, "\n]}\n"}),
      file);
}

}  // namespace makespan::graph
