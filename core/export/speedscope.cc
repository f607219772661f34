// SPDX-License-Identifier: Apache-2.0
// speedscope's own format (https://www.speedscope.app/file-format-schema.json): the same costs
// twice, once by the source lines that were called and once by the modules that own them. A weight
// is what an event takes in one execution, in ticks of the dump's clock.
#include <fmt/format.h>

#include <map>
#include <tuple>

#include "core/base/path.h"
#include "core/export/labels.h"
#include "core/facts/cost_tree.h"
#include "core/facts/headline.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

std::string_view unit_of(TimeScale clock) {
  switch (clock) {
    case TimeScale::Nanoseconds:
      return "nanoseconds";
    case TimeScale::Microseconds:
      return "microseconds";
    case TimeScale::Milliseconds:
      return "milliseconds";
    case TimeScale::Seconds:
      return "seconds";
    case TimeScale::Cycles:
      break;
  }
  return "none";
}

class SpeedscopeWriter {
 public:
  SpeedscopeWriter(const ExportInput& input, Sink& sink)
      : input_(input), facts_(input.facts), sink_(sink) {
    for (size_t c = 0; c < facts_.contribution_count(); ++c) {
      EventFacts event = facts_.event(ContributionId(c));
      if (event.self.amount != Amount()) events_.push_back(std::move(event));
    }
  }

  void run() {
    const Headline head = headline(facts_);
    const std::string what = fmt::format("{} ({})", head.method.empty() ? head.block : head.method,
                                         name_of(head.statistic));
    json_.begin_object();
    json_.field("$schema", "https://www.speedscope.app/file-format-schema.json");
    json_.field("exporter", input_.generator);
    json_.field("name", fmt::format("{}: {}", base_name(facts_.study().etdump_path),
                                    describe_selection(head)));
    json_.field("activeProfileIndex", 0);
    // Frames stand in front of the stacks that name them, so they are numbered first.
    for (const EventFacts& event : events_) {
      frames_by_line(event);
      frames_by_module(event);
    }
    json_.key("shared").begin_object().key("frames").begin_array();
    for (const Frame& frame : frames_) {
      json_.begin_object().field("name", frame.name);
      if (!frame.file.empty()) json_.field("file", frame.file).field("line", frame.line);
      json_.end_object();
      drain(json_, sink_);
    }
    json_.end_array().end_object();
    json_.key("profiles").begin_array();
    profile("by source line: " + what, head, &SpeedscopeWriter::frames_by_line);
    profile("by module: " + what, head, &SpeedscopeWriter::frames_by_module);
    json_.end_array().end_object();
    sink_ << json_ << '\n';
  }

 private:
  struct Frame {
    std::string name;
    std::string file;
    uint32_t line = 0;
    auto key() const { return std::tie(name, file, line); }
    friend bool operator<(const Frame& a, const Frame& b) { return a.key() < b.key(); }
  };
  using Stack = std::vector<size_t> (SpeedscopeWriter::*)(const EventFacts&);

  size_t frame(Frame row) {
    const auto [at, is_new] = known_.try_emplace(row, frames_.size());
    if (is_new) frames_.push_back(std::move(row));
    return at->second;
  }

  size_t line_frame(LineId line) {
    const auto [at, is_new] = frame_of_line_.try_emplace(line, 0);
    if (!is_new) return at->second;
    const SourcePlace place = source_place(input_, line);
    const CodeLine& row = facts_.code().lines[line.value];
    return at->second = frame({fmt::format("{} ({}:{})", facts_.code().text(row.function),
                                           base_name(place.path), place.line),
                               place.path, place.line});
  }

  size_t module_frame(ModuleId module) {
    const auto [at, is_new] = frame_of_module_.try_emplace(module, 0);
    if (is_new) at->second = frame({facts_.code().modules[module.value].path, "", 0});
    return at->second;
  }

  size_t leaf(const EventFacts& event) { return frame({event.name, "", 0}); }

  size_t part_frame(const EventFacts& event) {
    return frame({"[" + describe_part(facts_, event.part, event.partition) + "]", "", 0});
  }

  // Outermost first.
  std::vector<size_t> frames_by_line(const EventFacts& event) {
    std::vector<size_t> stack;
    for (const LineId line : lines_of(facts_, event.id)) stack.push_back(line_frame(line));
    if (stack.empty()) stack.push_back(part_frame(event));
    stack.push_back(leaf(event));
    return stack;
  }

  std::vector<size_t> frames_by_module(const EventFacts& event) {
    std::vector<size_t> stack;
    for (const ModuleId module : modules_of(facts_, event.id))
      stack.push_back(module_frame(module));
    stack.push_back(event.line.valid() ? line_frame(event.line) : part_frame(event));
    stack.push_back(leaf(event));
    return stack;
  }

  void profile(std::string_view name, const Headline& head, Stack stack_of) {
    json_.begin_object().field("type", "sampled").field("name", name);
    json_.field("unit", unit_of(facts_.quantity().ticks));
    json_.field("startValue", 0).field("endValue", head.total.value);
    json_.key("samples").begin_array();
    for (const EventFacts& event : events_) {
      json_.begin_array();
      for (const size_t row : (this->*stack_of)(event)) json_.value(row);
      json_.end_array();
      drain(json_, sink_);
    }
    json_.end_array().key("weights").begin_array();
    for (const EventFacts& event : events_) {
      json_.value(event.self.value);
      drain(json_, sink_);
    }
    json_.end_array().end_object();
  }

  const ExportInput& input_;
  const Facts& facts_;
  Sink& sink_;
  JsonWriter json_{JsonStyle::Message};
  std::vector<EventFacts> events_;  // that cost something, in the order of execution
  std::vector<Frame> frames_;
  std::map<Frame, size_t> known_;
  std::map<LineId, size_t> frame_of_line_;
  std::map<ModuleId, size_t> frame_of_module_;
};

}  // namespace

void write_speedscope(const ExportInput& input, Sink& sink) { SpeedscopeWriter(input, sink).run(); }

}  // namespace etlens
