// SPDX-License-Identifier: Apache-2.0
#include "core/export/graph_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/export/layered_layout.h"
#include "core/export/markup.h"
#include "core/render/display_width.h"
#include "core/render/graph_text.h"

namespace etlens {
namespace {

constexpr size_t kMostBoxes = 3000;
constexpr double kLetter = 6.8;  // width of an average letter, generously
constexpr double kBoldLetter = 7.7;
constexpr double kLineHeight = 15;
constexpr double kInset = 7;
constexpr double kMargin = 8;

struct Box {
  std::vector<std::string> lines;
  std::string_view style;
  uint32_t call = kNone;  // the node of a delegate call, which has a picture of its own
};

std::string_view style_of(GraphNodeKind kind) {
  switch (kind) {
    case GraphNodeKind::Input:
    case GraphNodeKind::Output:
      return "io";
    case GraphNodeKind::State:
    case GraphNodeKind::Constant:
      return "st";
    case GraphNodeKind::Operator:
      return "op";
    case GraphNodeKind::DelegateCall:
    case GraphNodeKind::ControlFlow:
      return "call";
    case GraphNodeKind::Kernel:
      return "cpu";
    default:
      return "jump";
  }
}

class GraphPicture {
 public:
  GraphPicture(const ProgramGraph& graph, uint32_t group, const std::vector<bool>& folded)
      : graph_(graph), group_(group), folded_(folded), box_of_(graph.nodes.size(), kNone) {}

  bool write(Sink& sink) {
    add_boxes();
    if (boxes_.size() > kMostBoxes || boxes_.empty()) return false;
    std::vector<BoxSize> sizes;
    for (const Box& box : boxes_) sizes.push_back(size_of(box));
    const std::vector<BoxLink> links(links_.begin(), links_.end());
    const LayeredLayout layout = lay_out(sizes, links);
    const double width = layout.width + 2 * kMargin;
    const double height = layout.height + 2 * kMargin;
    sink << fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"program\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" viewBox=\"{2} {2} {0:.0f} {1:.0f}\" role=\"group\" aria-label=\"{3}\">\n",
        width, height, -kMargin, escape_markup(title()));
    for (size_t l = 0; l < links.size(); ++l) draw_link(layout.links[l], links[l], sink);
    for (uint32_t b = 0; b < boxes_.size(); ++b) draw_box(b, sizes[b], layout.boxes[b], sink);
    sink << "</svg>\n";
    return true;
  }

 private:
  std::string title() const {
    return group_ == kNone ? graph_.method : graph_node_title(graph_.nodes[group_]);
  }

  // What is read from outside of the group stands in front, what is read of it outside at the end.
  // Constants are words in the boxes of their readers.
  void add_boxes() {
    if (group_ != kNone) add_given();
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n) {
      const GraphNode& node = graph_.nodes[n];
      if (node.group != group_ || folded_[n] || node.kind == GraphNodeKind::Constant) continue;
      box_of_[n] = static_cast<uint32_t>(boxes_.size());
      boxes_.push_back(box_for(node));
      if (node.is_group() && !is_empty(n)) boxes_.back().call = n;
    }
    for (const GraphRepeat& repeat : graph_.repeats) add_repeat(repeat);
    for (const GraphEdge& edge : graph_.edges) {
      go_on();
      if (graph_.nodes[edge.to].group != group_ || box_of_[edge.to] == kNone) continue;
      const uint32_t from = box_of_[edge.from];
      if (from != kNone) links_.insert({from, box_of_[edge.to]});
      else if (const auto given = given_.find(edge.at.value); given != given_.end())
        links_.insert({given->second, box_of_[edge.to]});
      else if (graph_.nodes[edge.from].kind == GraphNodeKind::Constant) add_constant(edge);
    }
    if (group_ != kNone) add_returned();
  }

  bool is_empty(uint32_t group) const {
    // What is inside stands right behind its group.
    return group + 1 >= graph_.nodes.size() || graph_.nodes[group + 1].group != group;
  }

  void add_given() {
    for (const GraphEdge& edge : graph_.edges) {
      go_on();
      const bool comes_in = graph_.nodes[edge.to].group == group_ && !folded_[edge.to] &&
                            graph_.nodes[edge.from].group != group_;
      if (!comes_in) continue;
      const auto [at, is_new] =
          given_.try_emplace(edge.at.value, static_cast<uint32_t>(boxes_.size()));
      if (is_new) boxes_.push_back({{graph_value_text(graph_, edge.at.value, true)}, "io", kNone});
    }
  }

  void add_returned() {
    const std::vector<uint32_t>& made = graph_.nodes[group_].makes;
    const std::set<uint32_t> returned(made.begin(), made.end());
    for (uint32_t n = group_ + 1; n < graph_.nodes.size(); ++n) {
      go_on();
      if (graph_.nodes[n].group != group_ || box_of_[n] == kNone) continue;
      for (const uint32_t value : graph_.nodes[n].makes) {
        if (!returned.contains(value)) continue;
        links_.insert({box_of_[n], static_cast<uint32_t>(boxes_.size())});
        boxes_.push_back({{graph_value_text(graph_, value, true)}, "io", kNone});
      }
    }
  }

  void add_repeat(const GraphRepeat& repeat) {
    const uint32_t last = repeat.nodes[repeat.count - 1];
    if (box_of_[last] == kNone || !folded_[repeat.nodes[repeat.count]]) return;
    // Its readers are those of the last run.
    const auto row = static_cast<uint32_t>(boxes_.size());
    boxes_.push_back(
        {{fmt::format("the same {} nodes {} more times", repeat.count, repeat.times - 1)},
         "rep",
         kNone});
    links_.insert({box_of_[last], row});
  }

  void add_constant(const GraphEdge& edge) {
    const GraphNode& constant = graph_.nodes[edge.from];
    const GraphValue& value = graph_.values[edge.at.value];
    Box& box = boxes_[box_of_[edge.to]];
    box.lines.push_back(
        fmt::format("{} {}", constant.name.empty() ? "constant" : constant.name, value.shape));
  }

  Box box_for(const GraphNode& node) const {
    Box box;
    box.style = style_of(node.kind);
    const bool is_end = node.kind == GraphNodeKind::Input || node.kind == GraphNodeKind::Output ||
                        node.kind == GraphNodeKind::State;
    std::string title = node.instruction == kNone ? "" : fmt::format("{}: ", node.instruction);
    title += is_end ? std::string(name_of(node.kind)) : graph_node_title(node);
    box.lines.push_back(std::move(title));
    if (is_end && !node.name.empty()) box.lines.front() += " " + node.name;
    for (const uint32_t value : node.makes)
      box.lines.push_back(graph_value_text(graph_, value, true));
    if (node.kind == GraphNodeKind::Output)
      for (const GraphArgument& read : node.reads)
        box.lines.push_back(graph_value_text(graph_, read.value, true));
    if (std::string line = graph_line_text(graph_, node); !line.empty())
      box.lines.push_back(std::move(line));
    return box;
  }

  static BoxSize size_of(const Box& box) {
    double width = static_cast<double>(display_width(box.lines.front())) * kBoldLetter;
    for (const std::string& line : box.lines)
      width = std::max(width, static_cast<double>(display_width(line)) * kLetter);
    return {width + 2 * kInset,
            static_cast<double>(box.lines.size()) * kLineHeight + 2 * kInset - 3};
  }

  static void draw_link(const std::vector<PicturePoint>& way, const BoxLink& link, Sink& sink) {
    std::string path = fmt::format("M{:.1f} {:.1f}", way[0].x, way[0].y);
    // Between layers a curve, through a layer a straight line.
    for (size_t p = 1; p < way.size(); ++p) {
      const PicturePoint& a = way[p - 1];
      const PicturePoint& b = way[p];
      const double middle = (a.y + b.y) / 2;
      if (p % 2 == 0) path += fmt::format("V{:.1f}", b.y);
      else
        path += fmt::format("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", a.x, middle, b.x, middle,
                            b.x, b.y);
    }
    sink << fmt::format("<path d=\"{}\"{}/>\n", path, link.from < link.to ? "" : " class=\"back\"");
  }

  void draw_box(uint32_t b, const BoxSize& size, const PicturePoint& at, Sink& sink) const {
    const Box& box = boxes_[b];
    if (box.call != kNone) sink << fmt::format("<a href=\"#g{}\">", box.call);
    sink << fmt::format(
        "<g class=\"{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
        "rx=\"4\"/>",
        box.style, at.x, at.y, size.width, size.height);
    for (size_t l = 0; l < box.lines.size(); ++l) {
      sink << fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>", at.x + kInset,
                          at.y + kInset + kLineHeight * static_cast<double>(l) + 9,
                          l == 0 ? " class=\"name\"" : "", escape_markup(box.lines[l]));
    }
    sink << (box.call != kNone ? "</g></a>\n" : "</g>\n");
  }

  struct Before {
    bool operator()(const BoxLink& a, const BoxLink& b) const {
      return std::pair(a.from, a.to) < std::pair(b.from, b.to);
    }
  };

  const ProgramGraph& graph_;
  uint32_t group_;
  const std::vector<bool>& folded_;
  std::vector<uint32_t> box_of_;  // by node
  std::vector<Box> boxes_;
  std::map<uint32_t, uint32_t> given_;  // boxes of values from outside
  std::set<BoxLink, Before> links_;
};

}  // namespace

bool write_graph_picture(const ProgramGraph& graph, uint32_t group, const std::vector<bool>& folded,
                         Sink& sink) {
  return GraphPicture(graph, group, folded).write(sink);
}

const std::string_view kGraphStyle =
    R"(.program{display:block;font:12px ui-sans-serif,system-ui,sans-serif}
.program path{fill:none;stroke:var(--soft);stroke-width:1.1}
.program .back{stroke-dasharray:4 3}
.program text{fill:var(--ink)}.program .name{font-weight:600}
.program rect{stroke:var(--rule);fill:var(--band)}
.program .cpu rect{fill:var(--h2)}.program .call rect{fill:var(--call)}
.program .op rect{fill:var(--call)}.program .io rect{fill:var(--io)}
.program .rep rect{stroke-dasharray:4 3}
.program a:focus-visible rect{stroke:var(--link);stroke-width:2}
.program a text.name{fill:var(--link)}
:root{--call:#dcefd8;--io:#dbe7f6}
@media (prefers-color-scheme:dark){:root{--call:#24412a;--io:#24364d}}
@media print{:root{--call:#dcefd8;--io:#dbe7f6}})";

const std::string_view kListingStyle =
    R"(
pre{overflow-x:auto;background:var(--band);padding:.6rem;border-radius:4px})";

}  // namespace etlens
