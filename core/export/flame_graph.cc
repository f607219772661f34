// SPDX-License-Identifier: Apache-2.0
#include "core/export/flame_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/export/export.h"
#include "core/export/labels.h"
#include "core/export/markup.h"
#include "core/facts/cost_tree.h"
#include "core/facts/headline.h"
#include "core/render/display_width.h"
#include "core/render/format.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

constexpr double kRow = 20;
constexpr double kNarrowest = 0.4;  // narrower frames, and what is below them, are not drawn
constexpr uint32_t kDeepest = 60;   // rows; likewise

std::string class_of(const CostNode& node) {
  switch (node.kind) {
    case CostNodeKind::Whole:
    case CostNodeKind::Module:
      return "m";
    case CostNodeKind::Part:
      return "p";
    case CostNodeKind::Line:
    case CostNodeKind::Operation:
      break;
  }
  return fmt::format("h{}", heat_level(node.cost.share));
}

class FlameGraph {
 public:
  FlameGraph(const Facts& facts, const FlameGraphOptions& options, Sink& sink)
      : facts_(facts),
        options_(options),
        sink_(sink),
        tree_(cost_tree(facts)),
        head_(headline(facts)) {}

  void run() {
    const double top = picture_top(options_.kind);
    begin_picture(options_.kind, top + kRow * (place() + 1) + 2, title(), sink_);
    for (const Frame& frame : frames_) draw(frame, top);
    end_picture(sink_);
  }

 private:
  struct Frame {
    uint32_t node = 0;
    double x = 0;
    double width = 0;
  };

  std::string title() const {
    return fmt::format("{}: {}, {}", head_.method.empty() ? "Method::execute" : head_.method,
                       format_cost(facts_, head_.total, options_.unit), describe_selection(head_));
  }

  // Lays the frames out; the depth of the deepest.
  uint32_t place() {
    frames_.push_back({0, 0, kPictureWidth});
    uint32_t deepest = 0;
    for (size_t f = 0; f < frames_.size(); ++f) {
      const Frame frame = frames_[f];
      const CostNode& node = tree_[frame.node];
      deepest = std::max(deepest, node.depth);
      if (node.depth >= kDeepest || node.cost.value <= 0) continue;
      double x = frame.x;
      for (const uint32_t child : node.children) {
        const double width = frame.width * tree_[child].cost.value / node.cost.value;
        if (width >= kNarrowest) frames_.push_back({child, x, width});
        x += width;
      }
    }
    return deepest;
  }

  // Of a module without what the one around it has already said.
  std::string name_of_module(const CostNode& node) const {
    const ModuleFacts module = facts_.module(node.module);
    const CostNode& around = tree_[node.parent];
    std::string_view name = module.path;
    if (around.kind == CostNodeKind::Module)
      name.remove_prefix(std::min(name.size(), facts_.module(around.module).path.size() + 1));
    const std::string_view type = module.type.substr(module.type.rfind('.') + 1);
    return type.empty() ? std::string(name) : fmt::format("{} {}", name, type);
  }

  std::string name_of(const CostNode& node) const {
    switch (node.kind) {
      case CostNodeKind::Whole:
        return head_.method.empty() ? "Method::execute" : std::string(head_.method);
      case CostNodeKind::Module:
        return name_of_module(node);
      case CostNodeKind::Part:
        return describe_part(facts_, node.part, node.partition);
      case CostNodeKind::Line: {
        const CodeLine& line = facts_.code().lines[node.line.value];
        return fmt::format("{}:{} {}", base_name(facts_.code().recorded_path(line.file)),
                           line.number, facts_.code().text(line.text));
      }
      case CostNodeKind::Operation:
        break;
    }
    return node.name;
  }

  std::string words(const CostNode& node) const {
    std::string text = node.kind == CostNodeKind::Module
                           ? fmt::format("{} ({})", facts_.module(node.module).path,
                                         facts_.module(node.module).type)
                           : name_of(node);
    return text + fmt::format("\n{}, {} of {}", format_cost(facts_, node.cost, options_.unit),
                              format_share(node.cost.share), name_of(tree_.front()));
  }

  void draw(const Frame& frame, double top) {
    const CostNode& node = tree_[frame.node];
    const double y = top + kRow * node.depth;
    sink_ << fmt::format(
        "<g class=\"{}\" data-ticks=\"{}\"><title>{}</title>"
        "<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" rx=\"2\"/>",
        class_of(node), node.cost.amount.value, escape_markup(words(node)), frame.x, y,
        std::max(frame.width - 1, kNarrowest), kRow - 1);
    if (const std::string text = fitted_text(printable(name_of(node)), frame.width);
        !text.empty()) {
      sink_ << fmt::format("<text x=\"{:.2f}\" y=\"{}\">{}</text>", frame.x + kPicturePadding,
                           y + 14, escape_markup(text));
    }
    sink_ << "</g>\n";
  }

  const Facts& facts_;
  FlameGraphOptions options_;
  Sink& sink_;
  std::vector<CostNode> tree_;
  Headline head_;
  std::vector<Frame> frames_;
};

}  // namespace

void write_flame_graph(const Facts& facts, const FlameGraphOptions& options, Sink& sink) {
  FlameGraph(facts, options, sink).run();
}

void write_svg(const ExportInput& input, Sink& sink) {
  write_flame_graph(input.facts, {input.unit, PictureKind::File}, sink);
}

}  // namespace etlens
