// SPDX-License-Identifier: Apache-2.0
// Chrome's trace events: JSON with complete events ("ph": "X"), whose nesting viewers work out from
// begin and length on one thread. Format: "Trace Event Format", the document of the Chromium
// project. Times are decimal microseconds, written out of whole ticks, never rounded; where the
// clock counts cycles, a nanosecond stands for one.
#include <fmt/format.h>

#include <array>
#include <iterator>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/export/labels.h"
#include "core/facts/headline.h"
#include "core/facts/timeline.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

constexpr int kProcess = 1;
constexpr int kExecutions = 1;  // threads: one for each track
constexpr int kBeside = 2;

class ChromeWriter {
 public:
  ChromeWriter(const ExportInput& input, Sink& sink)
      : input_(input),
        facts_(input.facts),
        sink_(sink),
        clock_(facts_.quantity().ticks),
        heads_(facts_.contribution_count()) {}

  void run() {
    const Headline head = headline(facts_);
    json_.begin_object();
    json_.field("displayTimeUnit", "ns");
    json_.key("otherData").begin_object();
    json_.field("generator", input_.generator);
    json_.field("dump", base_name(facts_.study().etdump_path));
    json_.field("selection", describe_selection(head));
    if (clock_ == TimeScale::Cycles) json_.field("clock", "cycles: one nanosecond is one cycle");
    json_.end_object();
    json_.key("traceEvents").begin_array();
    name_tracks(head);
    for (size_t i = 0; i < timeline_.size(); ++i) {
      for (const Slice& slice : timeline_.read(i)) {
        write(slice, i);
        drain(json_, sink_);
      }
    }
    for (const BesideSlice& slice : timeline_.beside()) {
      write(slice);
      drain(json_, sink_);
    }
    json_.end_array().end_object();
    sink_ << json_ << '\n';
  }

 private:
  void name_tracks(const Headline& head) {
    const auto name = [&](std::string_view what, int thread, std::string_view text) {
      json_.begin_object().field("ph", "M").field("name", what).field("pid", kProcess);
      json_.field("tid", thread).key("args").begin_object().field("name", text).end_object();
      json_.end_object();
    };
    name("process_name", kExecutions,
         fmt::format("{} {}", head.method.empty() ? "etlens" : head.method,
                     base_name(facts_.study().etdump_path)));
    name("thread_name", kExecutions, head.block);
    if (!timeline_.beside().empty()) name("thread_name", kBeside, "other blocks");
  }

  // Whole ticks as decimal microseconds.
  void append_microseconds(uint64_t ticks) {
    const uint64_t ns = nanoseconds(ticks, clock_);
    auto out = std::back_inserter(line_);
    if (ns % 1000 == 0) fmt::format_to(out, "{}", ns / 1000);
    else fmt::format_to(out, "{}.{:03}", ns / 1000, ns % 1000);
  }

  // What the slices of one event have in common, written once.
  const std::string& head_of(const Slice& slice) {
    std::string& head = heads_[slice.event.value][slice.is_in_order ? 1 : 0];
    if (!head.empty()) return head;
    JsonWriter json(JsonStyle::Compact);
    json.begin_object().field("ph", "X").field("pid", kProcess).field("tid", kExecutions);
    json.field("name", facts_.join().readable_name(slice.event));
    json.field("cat", category_of(facts_, slice.event));
    json.key("args").begin_object();
    const auto add = [&](const Label& label) {
      json.key(label.name);
      std::visit([&](const auto& value) { json.value(value); }, label.value);
    };
    for (const Label& label : labels_of(input_, slice.event)) add(label);
    if (slice.is_in_order) add(in_order_label(input_, timeline_.step_of(slice.event)));
    json.end_object();
    return head = "\n" + json.take();  // a line for each slice
  }

  void write(const Slice& slice, size_t index) {
    line_ = head_of(slice);
    if (slice.depth == 0) {
      // Behind the labels that all executions share: which one this is.
      line_.pop_back();
      fmt::format_to(std::back_inserter(line_), "{}\"execution\":{}}}",
                     line_.back() == '{' ? "" : ",", timeline_.number(index) + 1);
    }
    finish(slice.start, slice.length);
  }

  void write(const BesideSlice& slice) {
    JsonWriter json(JsonStyle::Compact);
    json.begin_object().field("ph", "X").field("pid", kProcess).field("tid", kBeside);
    json.field("name", slice.name).field("cat", "framework");
    json.key("args").begin_object().field("block", slice.block).end_object();
    line_ = "\n" + json.take();
    finish(slice.start, slice.length);
  }

  void finish(uint64_t start, Ticks length) {
    line_ += ",\"ts\":";
    append_microseconds(start);
    line_ += ",\"dur\":";
    append_microseconds(static_cast<uint64_t>(length.value));
    line_ += '}';
    json_.raw(line_);
  }

  const ExportInput& input_;
  const Facts& facts_;
  Sink& sink_;
  TimeScale clock_;
  Timeline timeline_{facts_};
  JsonWriter json_{JsonStyle::Compact};
  std::vector<std::array<std::string, 2>> heads_;  // per event: as logged, and in order
  std::string line_;
};

}  // namespace

void write_chrome(const ExportInput& input, Sink& sink) { ChromeWriter(input, sink).run(); }

}  // namespace etlens
