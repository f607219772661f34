// SPDX-License-Identifier: Apache-2.0
#include "core/render/flame_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/path.h"
#include "core/render/format.h"
#include "core/render/hover_words.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

constexpr uint32_t kDeepest = 60;  // rows

FlameKind kind_of(CostNodeKind kind) {
  switch (kind) {
    case CostNodeKind::Module:
      return FlameKind::Module;
    case CostNodeKind::Part:
      return FlameKind::Part;
    case CostNodeKind::Line:
      return FlameKind::Line;
    case CostNodeKind::Operation:
      return FlameKind::Operation;
    case CostNodeKind::Whole:
      break;
  }
  return FlameKind::Whole;
}

std::string name_of_whole(const Headline& head) {
  return head.method.empty() ? "Method::execute" : std::string(head.method);
}

class FrameLayout {
 public:
  FrameLayout(const Facts& facts, const FlameOptions& options)
      : facts_(facts),
        options_(options),
        tree_(cost_tree(facts, options.tree)),
        head_(headline(facts)) {}

  FlameGraph run() {
    const double whole = head_.total.value;
    const double beyond = std::max(head_.disturbance, 0.0);
    const double width = whole <= 0 ? 1 : whole / (whole + beyond);
    FlameGraph graph;
    graph.title = fmt::format(
        "{}: {}, {}", name_of_whole(head_), format_cost(facts_, head_.total, options_.unit),
        facts_.quantity().is_sampled() ? describe_samples(head_) : facts_.quantity().label);
    graph.found = tree_.front().found;
    place(0, std::nullopt, 0, width);
    if (1 - width > options_.narrowest) add_disturbance(width);
    for (size_t f = 0; f < frames_.size(); ++f) place_children(static_cast<uint32_t>(f));
    graph.frames = std::move(frames_);
    return graph;
  }

 private:
  void place(uint32_t row, std::optional<uint32_t> parent, double left, double width) {
    const CostNode& node = tree_[row];
    FlameFrame& frame = frames_.emplace_back();
    frame.kind = kind_of(node.kind);
    frame.parent = parent;
    frame.depth = node.depth;
    frame.left = left;
    frame.width = width;
    frame.name = name_of(node);
    frame.words = words(node);
    frame.cost = node.cost;
    frame.found = node.cost.value <= 0 ? 0 : node.found.value / node.cost.value;
    if (node.kind == CostNodeKind::Module) {
      const ModuleFacts first = facts_.module(node.modules.front());
      frame.module = first.path;
      frame.line = first.line;
    }
    if (node.kind == CostNodeKind::Line) frame.line = node.line;
    if (node.kind == CostNodeKind::Operation) frame.line = tree_[node.parent].line;
    if (node.kind == CostNodeKind::Line || node.kind == CostNodeKind::Operation)
      frame.heat = heat_level(node.cost.share);
    rows_.push_back(row);
  }

  // What executions had beyond the statistic is nobody's: it stands beside the whole. Its share is
  // of the mean, as everywhere, since it is no part of the statistic that all other shares are of.
  void add_disturbance(double left) {
    Cost cost = facts_.cost(head_.total.disturbance);
    cost.share = head_.disturbance_share;
    FlameFrame& frame = frames_.emplace_back();
    frame.kind = FlameKind::Disturbance;
    frame.left = left;
    frame.width = 1 - left;
    frame.name = "noise";
    frame.words = fmt::format(
        "noise: what executions took beyond that, {} on average, {} of "
        "their mean",
        format_value(facts_, head_.disturbance, options_.unit),
        format_share(head_.disturbance_share));
    frame.cost = cost;
    rows_.push_back(kNone);
  }

  void place_children(uint32_t f) {
    if (rows_[f] == kNone) return;
    const CostNode& node = tree_[rows_[f]];
    if (node.depth >= kDeepest || node.cost.value <= 0) return;
    const double width_of_cost = frames_[f].width / node.cost.value;
    double x = frames_[f].left;
    for (const uint32_t child : node.children) {
      const double width = std::max(tree_[child].cost.value, 0.0) * width_of_cost;
      if (width > 0 && width >= options_.narrowest) place(child, f, x, width);
      x += width;
    }
  }

  std::string type_of(const CostNode& node) const {
    const std::string_view type = facts_.module(node.modules.front()).type;
    return std::string(type.substr(type.rfind('.') + 1));
  }

  std::string name_of(const CostNode& node) const {
    switch (node.kind) {
      case CostNodeKind::Whole:
        return name_of_whole(head_);
      case CostNodeKind::Module: {
        const std::string type = type_of(node);
        return type.empty() ? node.name : fmt::format("{} {}", node.name, type);
      }
      case CostNodeKind::Part:
        return describe_part(facts_, node.part, node.partition);
      case CostNodeKind::Line: {
        const CodeLine& line = facts_.code().lines[node.line.value];
        return fmt::format("L{} {}", line.number, facts_.code().text(line.text));
      }
      case CostNodeKind::Operation:
        break;
    }
    return short_kernel(node.name);
  }

  // "layers.0–31.attn": with all that is around it.
  std::string path_of(const CostNode& node) const {
    std::string path = node.name;
    const CostNode* around = &tree_[node.parent];
    for (; around->kind == CostNodeKind::Module; around = &tree_[around->parent])
      path = fmt::format("{}.{}", around->name, path);
    return path;
  }

  std::string long_name_of(const CostNode& node) const {
    if (node.kind == CostNodeKind::Module) {
      const std::string_view type = facts_.module(node.modules.front()).type;
      std::string name = path_of(node);
      if (!type.empty()) name += fmt::format(" ({})", type);
      if (node.modules.size() > 1) name += fmt::format(", {} modules", node.modules.size());
      return name;
    }
    if (node.kind == CostNodeKind::Line) {
      const CodeLine& line = facts_.code().lines[node.line.value];
      return fmt::format("{}:{} {}", base_name(facts_.code().recorded_path(line.file)), line.number,
                         facts_.code().text(line.text));
    }
    if (node.kind == CostNodeKind::Operation && !node.where.empty())
      return fmt::format("{}, {}", node.name, node.where);
    return name_of(node);
  }

  std::string words(const CostNode& node) const {
    return fmt::format("{}\n{}, {} of {}", long_name_of(node),
                       format_cost(facts_, node.cost, options_.unit), format_share(node.cost.share),
                       name_of_whole(head_));
  }

  const Facts& facts_;
  const FlameOptions& options_;
  const std::vector<CostNode> tree_;
  const Headline head_;
  std::vector<FlameFrame> frames_;
  std::vector<uint32_t> rows_;  // of the tree, per frame
};

}  // namespace

FlameGraph flame_graph(const Facts& facts, const FlameOptions& options) {
  return FrameLayout(facts, options).run();
}

std::string_view name_of(FlameKind kind) {
  switch (kind) {
    case FlameKind::Whole:
      return "whole";
    case FlameKind::Module:
      return "module";
    case FlameKind::Part:
      return "part";
    case FlameKind::Line:
      return "line";
    case FlameKind::Operation:
      return "operation";
    case FlameKind::Disturbance:
      break;
  }
  return "disturbance";
}

}  // namespace etlens
