// SPDX-License-Identifier: Apache-2.0
#include "core/render/edge_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/display_width.h"
#include "core/render/format.h"

namespace etlens {
namespace {

constexpr size_t kRemarkColumn = 72;
constexpr size_t kMaxInputs = 8;
constexpr int kMaxDepth = 8;  // of graphs in graphs

// A recorded string in one line.
std::string in_line(std::string_view text) {
  std::string line = valid_utf8(text);
  std::replace_if(
      line.begin(), line.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  return line;
}

class EdgeProgramWriter {
 public:
  EdgeProgramWriter(const PreparedProfile& prepared, std::optional<TimeScale> unit)
      : snapshot_(*prepared.snapshot), profile_(snapshot_.profile), unit_(unit) {
    for (size_t e = 0; e < profile_.events.size(); ++e) {
      const EventRow& event = profile_.events[e];
      if (event.node.valid()) events_of_node_[event.node].emplace_back(e);
    }
    for (size_t l = 0; l < profile_.lines.size(); ++l) {
      const LineRow& line = profile_.lines[l];
      lines_.try_emplace({profile_.files[line.file.value].recorded_path, line.line}, LineId(l));
    }
  }

  EdgeProgram run() {
    if (!profile_.record || !profile_.method) {
      remark("no ETRecord: there is no graph to show", 0);
      return std::move(program_);
    }
    const EtRecord& record = *profile_.record;
    remark(fmt::format("edge program of {}, {}", in_line(snapshot_.method_name()),
                       profile_.execution_count() == 1
                           ? "1 execution"
                           : fmt::format("average of {} executions", profile_.execution_count())),
           0);
    if (!profile_.method->edge.valid()) {
      remark("the record holds no graph of this method", 0);
      return std::move(program_);
    }
    for (size_t g = 0; g < record.graphs.size(); ++g) {
      if (record.graphs[g].parent.valid()) children_[record.graphs[g].parent_node].emplace_back(g);
    }
    graph(profile_.method->edge, 0);
    return std::move(program_);
  }

 private:
  std::string time(uint64_t ticks) const {
    return format_time(snapshot_.average(ticks), {snapshot_.time_scale, unit_});
  }

  void remark(const std::string& text, int depth) {
    program_.lines.push_back({fmt::format("{:{}}# {}", "", 2 * depth, text), {}, {}, {}});
  }

  void graph(GraphId id, int depth) {
    if (depth > kMaxDepth) return;
    for (const NodeId node : profile_.record->graphs[id.value].nodes) {
      append_node(node, depth);
      const auto below = children_.find(node);
      if (below == children_.end()) continue;
      for (const GraphId child : below->second) graph(child, depth + 1);
    }
  }

  void append_node(NodeId id, int depth) {
    const EtRecord& record = *profile_.record;
    const Node& node = record.nodes[id.value];
    EdgeProgramLine line;
    line.node = id;
    line.line = line_of(node);
    std::string text(static_cast<size_t>(2 * depth), ' ');
    text += fmt::format("%{} = {}({})", in_line(record.text(node.name)),
                        in_line(record.text(node.target)), inputs(node));
    if (node.shape.valid()) (text += ' ') += in_line(record.text(node.shape));
    std::vector<std::string> remarks;
    if (const auto events = events_of_node_.find(id); events != events_of_node_.end()) {
      line.sum = roll_up(profile_, events->second);
      remarks.push_back(fmt::format("{} {}", time(line.sum.self_ticks),
                                    format_share(profile_.share(line.sum.self_ticks))));
    }
    if (const std::string call = partition_of(node); !call.empty()) remarks.push_back(call);
    if (line.line.valid()) {
      const LineRow& row = profile_.lines[line.line.value];
      remarks.push_back(
          fmt::format("{}:{}", base_name(snapshot_.recorded_path(row.file)), row.line));
    }
    if (!remarks.empty()) {
      const size_t width = display_width(text);
      text += fmt::format("{:{}}# {}", "", width < kRemarkColumn ? kRemarkColumn - width : 2,
                          join(remarks, "  "));
    }
    line.text = std::move(text);
    program_.lines.push_back(std::move(line));
  }

  std::string inputs(const Node& node) const {
    std::vector<std::string> names;
    const std::span<const StringId> inputs = profile_.record->inputs_of(node);
    for (size_t i = 0; i < std::min(inputs.size(), kMaxInputs); ++i) {
      names.push_back(fmt::format("%{}", in_line(profile_.record->text(inputs[i]))));
    }
    if (inputs.size() > kMaxInputs) names.push_back("…");
    return join(names, ", ");
  }

  // "XNNPACK #2 5.00 ms" for a delegate call.
  std::string partition_of(const Node& node) const {
    if (!node.lowered.valid()) return "";
    const EtRecord& record = *profile_.record;
    const GraphId lowered = record.lowered[node.lowered.value].graph;
    for (const PartitionRow& partition : profile_.partitions) {
      if (partition.nodes.empty() || record.nodes[partition.nodes.front().value].graph != lowered)
        continue;
      const std::string backend = partition.backend.valid()
                                      ? profile_.backends.label(record.text(partition.backend))
                                      : "delegate call";
      return fmt::format("{} #{} {}", backend, partition.number, time(partition.total_ticks));
    }
    return "";
  }

  // The innermost recorded frame that is a line of the profile.
  LineId line_of(const Node& node) const {
    if (!node.stack.valid()) return {};
    const std::span<const FrameId> frames = profile_.record->frames_of(node.stack);
    for (size_t i = frames.size(); i-- > 0;) {
      const Frame& frame = profile_.record->frames[frames[i].value];
      const auto at = lines_.find({frame.file, frame.line});
      if (at != lines_.end()) return at->second;
    }
    return {};
  }

  const ProfileSnapshot& snapshot_;
  const Profile& profile_;
  std::optional<TimeScale> unit_;
  std::unordered_map<NodeId, std::vector<EventId>> events_of_node_;
  std::unordered_map<NodeId, std::vector<GraphId>> children_;
  std::map<std::pair<StringId, uint32_t>, LineId> lines_;
  EdgeProgram program_;
};

}  // namespace

std::string EdgeProgram::text() const {
  std::string text;
  for (const EdgeProgramLine& line : lines) (text += line.text) += '\n';
  return text;
}

EdgeProgram edge_program(const PreparedProfile& prepared, std::optional<TimeScale> unit) {
  return EdgeProgramWriter(prepared, unit).run();
}

}  // namespace etlens
