// SPDX-License-Identifier: Apache-2.0
#include "core/export/flame_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/export/export.h"
#include "core/export/markup.h"
#include "core/render/display_width.h"
#include "core/render/flame_graph.h"

namespace etlens {
namespace {

constexpr double kRow = 20;
constexpr double kNarrowest = 0.4;  // narrower frames, and what is below them, are not drawn

std::string class_of(const FlameFrame& frame) {
  switch (frame.kind) {
    case FlameKind::Whole:
    case FlameKind::Module:
      return "m";
    case FlameKind::Part:
      return "p";
    case FlameKind::Disturbance:
      return "d";
    case FlameKind::Line:
    case FlameKind::Operation:
      break;
  }
  return fmt::format("h{}", frame.heat);
}

void draw_frame(const FlameFrame& frame, double top, Sink& sink) {
  const double x = frame.left * kPictureWidth;
  const double width = frame.width * kPictureWidth;
  const double y = top + kRow * frame.depth;
  sink << fmt::format(
      "<g class=\"{}\" data-ticks=\"{}\"><title>{}</title>"
      "<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" rx=\"2\"/>",
      class_of(frame), frame.cost.amount.value, escape_markup(frame.words), x, y,
      std::max(width - 1, kNarrowest), kRow - 1);
  if (const std::string text = fitted_text(printable(frame.name), width); !text.empty()) {
    sink << fmt::format("<text x=\"{:.2f}\" y=\"{}\">{}</text>", x + kPicturePadding, y + 14,
                        escape_markup(text));
  }
  sink << "</g>\n";
}

}  // namespace

void write_flame_graph(const Facts& facts, const FlameGraphOptions& options, Sink& sink) {
  FlameOptions flame;
  flame.unit = options.unit;
  flame.narrowest = kNarrowest / kPictureWidth;
  const FlameGraph graph = flame_graph(facts, flame);
  uint32_t deepest = 0;
  for (const FlameFrame& frame : graph.frames) deepest = std::max(deepest, frame.depth);
  const double top = picture_top(options.kind);
  begin_picture(options.kind, top + kRow * (deepest + 1) + 2, graph.title, sink);
  for (const FlameFrame& frame : graph.frames) draw_frame(frame, top, sink);
  end_picture(sink);
}

void write_svg(const ExportInput& input, Sink& sink) {
  write_flame_graph(input.facts, {input.unit, PictureKind::File}, sink);
}

}  // namespace etlens
