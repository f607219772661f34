// SPDX-License-Identifier: Apache-2.0
// Chrome's trace events: JSON with a begin ("ph": "B") and an end ("E") for each slice, in the
// order in which they are nested. Viewers read times as doubles: begin and length added up there
// would let some slices end after what is around them. Format: "Trace Event Format", the document
// of the Chromium project. Times are decimal microseconds, written out of whole ticks, never
// rounded; where the clock counts cycles, a nanosecond stands for one.
#include <fmt/format.h>

#include <array>
#include <charconv>

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
        heads_(facts_.contribution_count()),
        tails_(facts_.contribution_count()) {}

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
    sink_ << json_;
    for (size_t i = 0; i < timeline_.size(); ++i) {
      for (const Slice& slice : timeline_.read(i)) {
        close(slice.depth);
        begin(slice, i);
        open_.push_back({slice.event, slice.end()});
      }
      close(0);
    }
    for (const BesideSlice& slice : timeline_.beside()) write(slice);
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

  // Whole ticks as decimal microseconds; valid until the next call.
  std::string_view microseconds(uint64_t ticks) {
    const uint64_t ns = nanoseconds(ticks, clock_);
    std::array<char, 32>& text = digits_;
    char* at = std::to_chars(text.data(), text.data() + text.size(), ns / 1000).ptr;
    if (const auto rest = static_cast<unsigned>(ns % 1000); rest != 0) {
      *at++ = '.';
      for (const unsigned digit : {rest / 100, rest / 10 % 10, rest % 10})
        *at++ = static_cast<char>('0' + digit);
    }
    return {text.data(), static_cast<size_t>(at - text.data())};
  }

  // An event up to its time, behind another.
  static std::string up_to_time(JsonWriter& json) { return ",\n" + json.take() + ",\"ts\":"; }

  static constexpr std::string_view kBehindLabels = "},\"ts\":";

  // What the begins of one event have in common, written once, up to the time.
  const std::string& head_of(const Slice& slice) {
    std::string& head = heads_[slice.event.value][slice.is_in_order ? 1 : 0];
    if (!head.empty()) return head;
    JsonWriter json(JsonStyle::Message);
    json.begin_object().field("ph", "B").field("pid", kProcess).field("tid", kExecutions);
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
    return head = up_to_time(json);
  }

  void begin(const Slice& slice, size_t index) {
    std::string_view head = head_of(slice);
    if (slice.depth == 0) {
      // Behind the labels that all executions share: which one this is.
      head.remove_suffix(kBehindLabels.size());
      sink_ << head << (head.back() == '{' ? "" : ",")
            << fmt::format("\"execution\":{}", timeline_.number(index) + 1);
      head = kBehindLabels;
    }
    sink_ << head << microseconds(slice.start) << '}';
  }

  // Ends what is open at this depth and below it, the innermost first.
  void close(size_t depth) {
    for (; open_.size() > depth; open_.pop_back()) {
      std::string& tail = tails_[open_.back().event.value];
      if (tail.empty()) {
        JsonWriter json(JsonStyle::Message);
        json.begin_object().field("ph", "E").field("pid", kProcess).field("tid", kExecutions);
        json.field("name", facts_.join().readable_name(open_.back().event));
        tail = up_to_time(json);
      }
      sink_ << tail;
      sink_ << microseconds(open_.back().end) << '}';
    }
  }

  // Nothing is inside it: begin and length are enough.
  void write(const BesideSlice& slice) {
    JsonWriter json(JsonStyle::Message);
    json.begin_object().field("ph", "X").field("pid", kProcess).field("tid", kBeside);
    json.field("name", slice.name).field("cat", "framework");
    json.key("args").begin_object().field("block", slice.block).end_object();
    json.key("dur").raw(microseconds(static_cast<uint64_t>(slice.length.value)));
    sink_ << up_to_time(json);
    sink_ << microseconds(slice.start) << '}';
  }

  struct Open {
    ContributionId event;
    uint64_t end = 0;
  };

  const ExportInput& input_;
  const Facts& facts_;
  Sink& sink_;
  TimeScale clock_;
  Timeline timeline_{facts_};
  JsonWriter json_{JsonStyle::Message};
  std::vector<std::array<std::string, 2>> heads_;  // per event: as logged, and in order
  std::vector<std::string> tails_;                 // per event
  std::array<char, 32> digits_{};                  // more than 64 bits have, and a dot
  std::vector<Open> open_;                         // the slices that are open
};

}  // namespace

void write_chrome(const ExportInput& input, Sink& sink) { ChromeWriter(input, sink).run(); }

}  // namespace etlens
