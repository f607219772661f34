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

constexpr double kWidth = 1200;
constexpr double kRow = 20;
constexpr double kTop = 26;         // the title's, of a file
constexpr double kLetter = 6.7;     // width of an average letter, generously
constexpr double kPadding = 4;      // before a frame's text
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

// As much of the text as fits; "" if that says nothing.
std::string shortened(std::string_view text, double width) {
  const double room = (width - 2 * kPadding) / kLetter;
  const auto letters = room > 0 ? static_cast<size_t>(room) : 0;
  if (display_width(text) <= letters) return std::string(text);
  if (letters < 3) return "";
  std::string out;
  size_t taken = 0;
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    taken += display_width(text.substr(0, length));
    if (taken > letters - 1) break;
    out += text.substr(0, length);
    text.remove_prefix(length);
  }
  return out + "…";
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
    const double top = options_.is_file ? kTop : 0;
    const double height = top + kRow * (place() + 1) + 2;
    sink_ << fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame\" viewBox=\"0 0 {} {}\" "
        "font-family=\"ui-sans-serif, system-ui, sans-serif\" font-size=\"12\" role=\"img\" "
        "aria-label=\"{}\"",
        kWidth, height, escape_markup(title()));
    if (options_.is_file) sink_ << fmt::format(" width=\"{}\" height=\"{}\"", kWidth, height);
    sink_ << ">\n";
    if (options_.is_file) {
      sink_ << "<style>" << kFlameGraphStyle << "</style>\n";
      sink_ << fmt::format("<rect class=\"ground\" width=\"{}\" height=\"{}\"/>\n", kWidth, height);
      sink_ << fmt::format("<text class=\"title\" x=\"{}\" y=\"17\">{}</text>\n", kPadding,
                           escape_markup(shortened(title(), kWidth)));
    }
    for (const Frame& frame : frames_) draw(frame, top);
    sink_ << "</svg>\n";
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
    frames_.push_back({0, 0, kWidth});
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
    if (const std::string text = shortened(printable(name_of(node)), frame.width); !text.empty()) {
      sink_ << fmt::format("<text x=\"{:.2f}\" y=\"{}\">{}</text>", frame.x + kPadding, y + 14,
                           escape_markup(text));
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

const std::string_view kFlameGraphStyle =
    ".flame .ground{fill:#fff}.flame text{fill:#1c1c1c}"
    ".flame .m rect{fill:#c9d6e6}.flame .p rect{fill:#dcdcdc}"
    ".flame .h0 rect{fill:#f2efe9}.flame .h1 rect{fill:#fbe3b6}.flame .h2 rect{fill:#fbcb7d}"
    ".flame .h3 rect{fill:#f8ab58}.flame .h4 rect{fill:#f58a5c}"
    "@media (prefers-color-scheme:dark){.flame .ground{fill:#16181c}.flame text{fill:#f2f2f2}"
    ".flame .m rect{fill:#33475e}.flame .p rect{fill:#43464b}"
    ".flame .h0 rect{fill:#38342d}.flame .h1 rect{fill:#57431c}.flame .h2 rect{fill:#6b4710}"
    ".flame .h3 rect{fill:#804312}.flame .h4 rect{fill:#973a1d}}"
    "@media print{.flame .ground{fill:#fff}.flame text{fill:#1c1c1c}"
    ".flame .m rect{fill:#c9d6e6}.flame .p rect{fill:#dcdcdc}"
    ".flame .h0 rect{fill:#f2efe9}.flame .h1 rect{fill:#fbe3b6}.flame .h2 rect{fill:#fbcb7d}"
    ".flame .h3 rect{fill:#f8ab58}.flame .h4 rect{fill:#f58a5c}}";

void write_flame_graph(const Facts& facts, const FlameGraphOptions& options, Sink& sink) {
  FlameGraph(facts, options, sink).run();
}

void write_svg(const ExportInput& input, Sink& sink) {
  write_flame_graph(input.facts, {input.unit, true}, sink);
}

}  // namespace etlens
